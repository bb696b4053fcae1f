"""What sentences are about: by headings, by their own words, in several languages."""

import tomllib
from importlib.resources import files

import pytest

from jobmatch_core.descriptions.example_postings import example_postings
from jobmatch_core.descriptions.segments import segments
from jobmatch_core.descriptions.sentence_roles import SentenceRole, sentence_roles
from jobmatch_core.text.folding import fold


def roles_of(text: str) -> list[str]:
    """Return the first letters of the roles of a text's segments."""
    return [role.value[0] for role in sentence_roles(segments(text))]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Requirements:\n- Shiny shoes\n- A blue hat\nWhat we offer:\n- A red hat\nPlease apply now.", "rrroob"),
        ("Ihre Aufgaben:\n• Kuchen\n• Torten\nIhr Profil:\n• Geduld", "tttrr"),
        ("Wymagania:\n- cierpliwość\nOferujemy:\n- ciastka", "rroo"),
        ("Изисквания:\n- търпение\nПредлагаме:\n- хляб", "rroo"),
        ("Τα προσόντα:\n- υπομονή", "rr"),
        ("You must have patience. You will feed the geese. We pay well. The river is near.", "rtob"),
        ("", ""),
    ],
)
def test_roles(text: str, expected: str) -> None:
    """Headings hold for the list below them; a plain sentence behind it is again what it says itself."""
    assert "".join(roles_of(text)) == expected


def test_a_sentences_own_words_outweigh_its_heading() -> None:
    """An offer among the requirements is an offer."""
    assert roles_of("Requirements:\n- Shiny shoes\n- We pay a salary of 40,000 and a pension") == ["r", "r", "o"]


def test_every_language_has_cues_for_every_role() -> None:
    """As many languages for each, and no cue that is empty when it is folded."""
    tables = tomllib.loads((files("jobmatch_core.descriptions") / "sentence_roles.toml").read_text("utf-8"))
    assert set(tables) == {role.value for role in SentenceRole}
    languages = {frozenset(table) for table in tables.values()}
    assert len(languages) == 1
    assert len(next(iter(languages))) >= 27
    assert all(fold(cue) for table in tables.values() for cues in table.values() for cue in cues)


def test_the_examples_have_all_roles() -> None:
    """Each of the twelve, in each of the six languages."""
    for each in example_postings():
        assert set(sentence_roles(segments(each.posting.description))) == set(SentenceRole), each.posting.id
