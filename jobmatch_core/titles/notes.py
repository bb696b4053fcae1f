"""Notes in place of a title: `see email`, `siehe Anlage`, `n/a` and `nevím` name no job (`notes.toml`)."""

import tomllib
from functools import cache
from importlib.resources import files

from jobmatch_core.link_reasons import NO_JOB
from jobmatch_core.text.folding import Name, folded_name
from jobmatch_core.titles.title_parts import TitleParts


def mark_notes(title: TitleParts) -> None:
    """Say that a title names no job where all of it is a note."""
    if is_note(title.text):
        title.no_job = NO_JOB


def is_note(text: str) -> bool:
    """Return whether a text is a note in place of a title, such as `see email`; `mail clerk` is none."""
    words = folded_name(text)
    if words in _phrases("whole"):
        return True
    starts = [begin for begin in _phrases("begins") if words[: len(begin)] == begin]
    return any(_is_named(words[len(begin) :]) for begin in starts)


def _is_named(words: Name) -> bool:
    # all words belong to phrases that name where to look, or stand between them
    named, place = False, 0
    while place < len(words):
        rest = words[place:]
        phrase = max((what for what in _phrases("what") if rest[: len(what)] == what), key=len, default=())
        if not phrase and rest[:1] not in _phrases("between"):
            return False
        named, place = named or bool(phrase), place + max(len(phrase), 1)
    return named


@cache
def _phrases(table: str) -> frozenset[Name]:
    text = (files("jobmatch_core.titles") / "notes.toml").read_text("utf-8")
    return frozenset(folded_name(phrase) for phrases in tomllib.loads(text)[table].values() for phrase in phrases)
