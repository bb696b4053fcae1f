"""Why a title is not linked, and the group offered instead."""

import pytest

from jobmatch_core.entities import Candidate, Evidence
from jobmatch_core.link_reasons import NOT_SURE, NOTHING_LIKE_IT, SEVERAL, UNKNOWN_WORD
from jobmatch_core.linking.abstention import forms_of, reason_of


def named(matched: str, probability: float) -> Candidate:
    """Return a candidate by its matched name."""
    return Candidate(matched, matched, "2512", probability, Evidence(matched, "de", {}))


@pytest.mark.parametrize(
    ("title", "candidates", "reason"),
    [
        ("Entwicklerin (m/w/d)", [named("Entwickler/in", 0.5), named("Entwickler/in", 0.4)], SEVERAL),
        ("entwickler", [named("Entwickler/in", 0.4), named("Koch", 0.3), named("Entwickler", 0.2)], SEVERAL),
        ("Entwickler", [named("Entwickler", 0.4), named("Webentwickler", 0.3)], NOT_SURE),
        ("Webentwicklung", [named("Webentwickler", 0.05)], NOT_SURE),
        ("Webentwicklung", [named("Webentwickler", 0.049)], NOTHING_LIKE_IT),
        ("qqq", [], NOTHING_LIKE_IT),
    ],
)
def test_the_reason_for_a_title(title: str, candidates: list[Candidate], reason: str) -> None:
    """Titles and names are compared in all their forms; a best guess below 0.05 is nothing like the title."""
    assert reason_of(forms_of(title), candidates) == reason
    expected = UNKNOWN_WORD if reason == NOT_SURE else reason
    assert reason_of(forms_of(title), candidates, has_unknown_word=True) == expected
