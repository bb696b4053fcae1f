"""The noise words of titles (`noise_words.toml`) by kind, and former jobs: `teacher, formerly nurse`."""

import tomllib
from collections.abc import Iterator
from functools import cache
from importlib.resources import files
from typing import Any

from jobmatch_core.entities import Seniority
from jobmatch_core.text.folding import Name, TextPieces, fold, folded_name

_MAX_PHRASE = 5  # words
_JOINED_LANGUAGES = ("ja", "ko", "th", "zh")  # which write the words of a title without spaces, at least in part
_SHORTEST_JOINED_JOB = 2  # letters
_ANYWHERE = ("seniority", "contract", "advert", "status", "former")
SIGNS = "/+"  # at which a title is split, or which fold to nothing


def noise_phrases(kind: str, language: str) -> tuple[str, ...]:
    """Return the noise phrases of a kind and language, as written.

    Args:
        kind: a table of `noise_words.toml`: seniority, contract, advert, status, former, begins, ends, or alone.
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
    chosen = ("alone", "begins", "ends") if alone else _ANYWHERE
    return frozenset(fold(phrase) for kind in chosen for phrase in _phrases_of(kind))


@cache
def phrases_with_signs() -> frozenset[str]:
    """Return the noise phrases that are taken out before a title is split at their signs: `m/w/d`, `male/female`."""
    return frozenset(phrase for kind in _ANYWHERE for phrase in _phrases_of(kind) if not set(SIGNS).isdisjoint(phrase))


@cache
def named_phrases() -> frozenset[str]:
    """Return the folded phrases that name the work by a word that is noise elsewhere: `senior center`."""
    return frozenset(map(fold, _phrases_of("named")))


@cache
def former_phrases(*, begins_part: bool = False) -> frozenset[Name]:
    """Return the folded words of phrases before a former job; *begins_part* adds those that must begin a part."""
    kinds = ("former", "former_part") if begins_part else ("former",)
    return frozenset(folded_name(phrase) for kind in kinds for phrase in _phrases_of(kind))


def former_job_apart(part: str) -> tuple[str, str]:
    """Split a part of a title, as typed, before a phrase such as `formerly` that a job follows; the rest may be ''."""
    if _first_words_of_former().isdisjoint(fold(part).split()):
        return part, ""
    pieces = TextPieces.of(part.replace("-", " "))
    for places in pieces.named(former_phrases(begins_part=True)):
        is_anywhere = tuple(" ".join(pieces.folded[place] for place in places).split()) in former_phrases()
        if (is_anywhere or places.start == 0) and places.stop < len(pieces.spans):
            start = pieces.spans[places.start][0]
            return part[:start].strip(), part[start:].strip()
    return part, ""


@cache
def _first_words_of_former() -> frozenset[str]:
    return frozenset(phrase[0] for phrase in former_phrases(begins_part=True))


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
    words = folded.split() if folded.isascii() else [_unjoined(word, noise) for word in folded.split()]
    rest: list[str] = []
    position = 0
    named = named_phrases()
    while position < len(words):
        phrases_of_noise = folded_noise() if position else _noise_at_start()
        phrases = [" ".join(words[position:end]) for end in range(position + 1, position + _MAX_PHRASE + 1)]
        phrase = next((phrase for phrase in reversed(phrases) if phrase in phrases_of_noise or phrase in named), "")
        (noise if phrase in phrases_of_noise else rest).append(phrase or words[position])
        position += len(phrase.split()) or 1
    return " ".join(rest)


def _unjoined(word: str, noise: list[str]) -> str:
    """Return a word without the noise joined to it: `急聘护士`, but not the named `退休金管理员`."""
    if word in folded_noise():
        return word
    named = _joined_phrases("named")
    begins = () if word.startswith(named) else _joined_phrases("begins")
    ends = () if word.endswith(named) else _joined_phrases("ends")
    phrase = next(filter(word.startswith, begins), "") or next(filter(word.endswith, ends), "")
    if not phrase or len(word) < len(phrase) + _SHORTEST_JOINED_JOB:
        return word
    noise.append(phrase)
    job = word.removeprefix(phrase) if word.startswith(begins) else word.removesuffix(phrase)
    return _unjoined(job, noise)


@cache
def _joined_phrases(kind: str) -> tuple[str, ...]:
    """Return the folded phrases of a table in languages without spaces, the longest first."""
    tables = _noise_file()[kind]
    phrases = {fold(phrase) for language in _JOINED_LANGUAGES for phrase in tables.get(language, ())}
    return tuple(sorted(phrases, key=lambda phrase: (-len(phrase), phrase)))


@cache
def _noise_at_start() -> frozenset[str]:
    return folded_noise().union(map(fold, _phrases_of("begins")))


def _phrases_of(kind: str) -> Iterator[str]:
    return (phrase for table in _noise_tables(kind).values() for phrases in table.values() for phrase in phrases)


def _noise_tables(kind: str) -> dict[str, dict[str, list[str]]]:
    tables = _noise_file()[kind]
    return tables if kind == "seniority" else {kind: tables}


@cache
def _noise_file() -> dict[str, dict[str, Any]]:
    return tomllib.loads((files("jobmatch_core.titles") / "noise_words.toml").read_text("utf-8"))
