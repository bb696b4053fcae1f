"""The noise words of titles (`noise_words.toml`) by kind, and former jobs: `teacher, formerly nurse`."""

import tomllib
from functools import cache
from importlib.resources import files
from typing import Any

from jobmatch_core.entities import Seniority
from jobmatch_core.text.folding import TextPieces, fold

_MAX_PHRASE = 4  # words


def noise_phrases(kind: str, language: str) -> tuple[str, ...]:
    """Return the noise phrases of a kind and language, as written.

    Args:
        kind: a table of `noise_words.toml`: seniority, contract, advert, status, former, or alone.
        language: two-letter code.

    Raises:
        KeyError: there is no such table, or none in this language.
    """
    tables = [table[language] for table in _noise_tables(kind).values() if language in table]
    if not tables:
        raise KeyError(language)
    return tuple(phrase for phrases in tables for phrase in phrases)


@cache
def folded_noise(*, alone: bool = False) -> frozenset[str]:
    """Return the folded noise phrases, or only those that are noise as a whole part of a title."""
    chosen = ("alone",) if alone else ("seniority", "contract", "advert", "status", "former")
    return frozenset(
        fold(phrase)
        for kind in chosen
        for languages in _noise_tables(kind).values()
        for phrases in languages.values()
        for phrase in phrases
    )


@cache
def named_phrases() -> frozenset[str]:
    """Return the folded phrases that name the work by a word that is noise elsewhere: `senior center`."""
    return frozenset(fold(phrase) for phrases in _noise_file()["named"].values() for phrase in phrases)


@cache
def former_phrases(*, begins_part: bool = False) -> frozenset[tuple[str, ...]]:
    """Return the folded words of phrases before a former job; *begins_part* adds those that must begin a part."""
    kinds = ("former", "former_part") if begins_part else ("former",)
    return frozenset(
        tuple(fold(phrase).split()) for kind in kinds for phrases in _noise_file()[kind].values() for phrase in phrases
    )


def former_job_apart(part: str) -> tuple[str, str]:
    """Split a part of a title, as typed, before a phrase such as `formerly` that a job follows; the rest may be ''."""
    first_words = {phrase[0] for phrase in former_phrases(begins_part=True)}
    if not first_words.intersection(fold(part).split()):
        return part, ""
    pieces = TextPieces.of(part.replace("-", " "))
    for places in pieces.named(former_phrases(begins_part=True)):
        is_anywhere = tuple(" ".join(pieces.folded[place] for place in places).split()) in former_phrases()
        if (is_anywhere or places.start == 0) and places.stop < len(pieces.spans):
            start = pieces.spans[places.start][0]
            return part[:start].strip(), part[start:].strip()
    return part, ""


@cache
def folded_grades() -> dict[str, Seniority]:
    """Return folded phrase -> level."""
    return {
        fold(phrase): Seniority(level.replace("_", " "))
        for level, languages in _noise_tables("seniority").items()
        for phrases in languages.values()
        for phrase in phrases
    }


def without_noise(folded: str, noise: list[str]) -> str:
    """Return a folded text without its noise phrases, the longest first, which are appended to *noise*."""
    words = folded.split()
    rest: list[str] = []
    position = 0
    phrases_of_noise, named = folded_noise(), named_phrases()
    while position < len(words):
        phrases = [" ".join(words[position:end]) for end in range(position + 1, position + _MAX_PHRASE + 1)]
        phrase = next((phrase for phrase in reversed(phrases) if phrase in phrases_of_noise or phrase in named), "")
        (noise if phrase in phrases_of_noise else rest).append(phrase or words[position])
        position += len(phrase.split()) or 1
    return " ".join(rest)


def _noise_tables(kind: str) -> dict[str, dict[str, list[str]]]:
    tables = _noise_file()[kind]
    return tables if kind == "seniority" else {kind: tables}


@cache
def _noise_file() -> dict[str, dict[str, Any]]:
    return tomllib.loads((files("jobmatch_core.titles") / "noise_words.toml").read_text("utf-8"))
