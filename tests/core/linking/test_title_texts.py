"""Titles that name no occupation by their words alone."""

import pytest

from jobmatch_core.linking import Linker
from jobmatch_core.linking.title_texts import is_general


@pytest.mark.parametrize(
    ("title", "general"),
    [
        ("", True),
        ("Employee", True),
        ("Team Member (full time)", True),
        ("Mitarbeiter/in (m/w/d)", True),
        ("Employé(e)", True),
        ("Medewerker", True),
        ("Sales Associate", False),
        ("social worker", False),
        ("Mitarbeiter im Verkauf", False),
        ("Nurse", False),
        ("Associate Professor", False),
    ],
)
def test_general_words_alone(tiny: Linker, title: str, general: bool) -> None:
    """With what cleaning sets aside; one word more, and it may name a job."""
    assert is_general(title, tiny.index.known_words) is general
