"""Cuts of overlong sentences: walls of text that lost their lines, bullets and full stops.

A weaker border counts only where the stronger ones leave a piece too long, so that ordinary sentences stay whole.
"""

import re
from collections.abc import Callable, Iterable, Iterator
from functools import partial
from itertools import pairwise, takewhile

LONGEST = 320  # characters, some 50 words: as much as a title encoder reads
_MOST_LABEL_WORDS = 4
_LABEL = re.compile(r"[:：]")
_WORD = re.compile(r"\S+")
_LABEL_REACH = 64  # characters that a label may have
_INNER_STOP = re.compile(r"[.,;!?()/|]|\s[-–—]\s")
_HALF_WORD = "und|oder|bzw|sowie|en|of|och|og|eller|ja|tai|and|or|to"  # 'Vertriebs- und Marketingleiter'
_SEMICOLON = re.compile(rf"[;；|]\s*|\s(?=[-–—]\s)|(?<=\w)(?=[-–]\s(?!(?:{_HALF_WORD})\b))")
_COMMA = re.compile(r"[,，、،]\s*")
_SPACE = re.compile(r"\s+")

Borders = Callable[[str], Iterable[int]]


def long_piece_cuts(piece: str) -> list[int]:
    """Return the positions at which to cut a piece so that only single words are longer than `LONGEST`."""
    if len(piece) <= LONGEST:
        return []
    cuts = [0, len(piece)]
    for borders, packed in ((_labels, False), (_semicolons, False), (_phrases, True), (_spaces, True)):
        cuts = [0, *(cut for part in pairwise(cuts) for cut in _refined(piece, *part, borders, packed=packed))]
    return cuts[1:-1]


def _refined(piece: str, start: int, end: int, borders: Borders, *, packed: bool) -> Iterator[int]:
    """Yield the cuts of a part by some borders, its end included; one that is short enough stays whole."""
    if end - start > LONGEST:
        inner = (start + border for border in borders(piece[start:end]) if 0 < border < end - start)
        yield from _packed(start, end, inner) if packed else inner
    yield end


def _packed(start: int, end: int, borders: Iterable[int]) -> Iterator[int]:
    """Yield as few of the borders as leave no piece too long."""
    last = start
    for border in borders:
        if border - start > LONGEST and last > start:
            yield last
            start = last
        last = border
    if end - start > LONGEST and last > start:
        yield last


def _labels(part: str) -> Iterator[int]:
    """Yield where labels begin: the last word with a capital before a colon, and those like it before that."""
    for colon in _LABEL.finditer(part):
        reach = max(0, colon.start() - _LABEL_REACH)
        words = list(_WORD.finditer(part, reach, colon.start()))[-_MOST_LABEL_WORDS:]
        while words and not words[-1][0][0].isupper():
            words.pop()
        like = [word.start() for word in takewhile(partial(_is_like, words[-1]), reversed(words))] if words else []
        if like and like[-1] > reach and not _INNER_STOP.search(part, like[-1], colon.start()):
            yield like[-1]


def _is_like(last: re.Match[str], word: re.Match[str]) -> bool:
    """Return whether two words are written alike, with one capital or in capitals."""
    return (last[0].isupper(), last[0][0].isupper()) == (word[0].isupper(), word[0][0].isupper())


def _semicolons(part: str) -> list[int]:
    return [match.end() for match in _SEMICOLON.finditer(part)]


def _phrases(part: str) -> list[int]:
    """Return the borders of phrases: commas, and capitals behind small letters."""
    capitals = [
        space.end()
        for space in _SPACE.finditer(part)
        if part[space.start() - 1 : space.start()].islower() and part[space.end() : space.end() + 1].isupper()
    ]
    return sorted({*capitals, *(match.end() for match in _COMMA.finditer(part))})


def _spaces(part: str) -> list[int]:
    return [match.end() for match in _SPACE.finditer(part)]
