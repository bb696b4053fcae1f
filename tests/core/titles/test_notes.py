"""Notes in place of a title, and titles that only look like one."""

import pytest

from jobmatch_core.link_reasons import NO_JOB
from jobmatch_core.linking import Linker
from jobmatch_core.taxonomy.lexicon import lexicon_titles
from jobmatch_core.titles.cleaning import clean_title
from jobmatch_core.titles.notes import is_note

NOTES = (
    "see email",
    "Please see attached file",
    "as per my CV",
    "siehe Anhang",
    "s. Anlage",
    "voir pièce jointe",
    "ver correo adjunto",
    "vedi allegato",
    "zie bijlage",
    "patrz załącznik",
    "viz příloha",
    "см. вложение",
    "n/a",
    "TBD",
    "don't know",
    "keine Angabe",
    "nevím",
    "не указано",
    "不明",
)


@pytest.mark.parametrize("text", NOTES)
def test_notes_are_no_job(text: str) -> None:
    """In any language, with a few words around what to look at."""
    assert is_note(text)
    assert clean_title(text, frozenset()).no_job == NO_JOB


@pytest.mark.parametrize("text", ["mail clerk", "email marketing manager", "see", "check clerk", "Voir Dire Clerk", ""])
def test_titles_are_no_notes(text: str) -> None:
    """A word of mail, or a word that begins a note, is not enough."""
    assert not is_note(text)


@pytest.mark.thorough
def test_no_title_of_the_lexicon_is_a_note() -> None:
    """None of them is lost."""
    assert [row.title for row in lexicon_titles() if is_note(row.title)] == []


def test_a_note_is_not_linked(bundled: Linker) -> None:
    """The reason is that it is not a job."""
    result = bundled.link("see email")
    assert (result.abstained, result.reason) == (True, NO_JOB)
