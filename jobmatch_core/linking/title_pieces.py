"""Pieces of a linked title: what was ignored, and the words that no name has."""

import re
import unicodedata
from collections.abc import Iterator
from dataclasses import dataclass
from enum import StrEnum
from itertools import groupby

from jobmatch_core.entities import LinkResult
from jobmatch_core.linking.scorers import words_of
from jobmatch_core.text.folding import fold

_IN_WORDS = ("L", "N", "M", "Cf")  # letters, digits, accents and vowel signs, soft hyphens


class PieceKind(StrEnum):
    """What a piece of a title did: it was read, it was ignored, or no name has it."""

    READ = "read"
    IGNORED = "ignored"
    UNKNOWN = "unknown"


@dataclass(frozen=True, slots=True)
class TitlePiece:
    """A piece of a title as typed."""

    text: str
    kind: PieceKind


def title_pieces(result: LinkResult) -> Iterator[TitlePiece]:
    """Yield a title in pieces; together they are the title as typed."""
    kinds = [PieceKind.READ] * len(result.title)
    for start, end in _words(result.title):
        if set(words_of(fold(result.title[start:end]))) & set(result.unknown):
            kinds[start:end] = [PieceKind.UNKNOWN] * (end - start)
    for ignored in result.set_aside:
        start = _start(result.title, ignored)
        if start >= 0:
            kinds[start : start + len(ignored)] = [PieceKind.IGNORED] * len(ignored)
    for kind, letters in groupby(zip(result.title, kinds, strict=True), key=lambda letter: letter[1]):
        yield TitlePiece("".join(letter for letter, _ in letters), kind)


def _words(title: str) -> Iterator[tuple[int, int]]:
    for in_word, places in groupby(range(len(title)), key=lambda place: _in_word(title[place])):
        if in_word:
            first, *others = places
            yield first, first + len(others) + 1


def _in_word(letter: str) -> bool:
    return unicodedata.category(letter).startswith(_IN_WORDS)


# where the ignored piece stands as a word of its own ('Intern', not 'Internist'), or else anywhere
def _start(title: str, ignored: str) -> int:
    before, after = (r"\b" if letter.isalnum() else "" for letter in (ignored[:1], ignored[-1:]))
    whole = re.search(f"{before}{re.escape(ignored)}{after}", title)
    return whole.start() if whole else title.find(ignored)
