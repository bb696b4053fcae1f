"""Segmentation of a posting into headings, bullets and paragraphs by its lines; `segments` cuts inside them."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from enum import StrEnum
from itertools import pairwise

BULLETS = "•·▪▫●○◦◯‣⁃∙■□◆◇►▶▸➢➤➔✓✔✅☑√★☆※・"
_WORD_BULLETS = "\uf000-\uf0ff"  # bullets of word processors' symbol fonts
_DASHES = r"[-–—*+>»]{1,2}(?!\S)|[-–](?=[^\W\d_])|o(?=\t|\s\s)"
_NUMBERS = (
    r"\(?(?:\d{1,2}(?:\.\d{1,2}){0,3}|[ivxIVX]{1,4}|[a-zа-яα-ω])[.)](?!\S)"
    r"|\(?[^\W\d_]\)(?!\S)|[①-⑳]|[一二三四五六七八九十]{1,2}、"
)
MARKER = re.compile(rf"\s*(?:[{BULLETS}{_WORD_BULLETS}]+|{_DASHES}|{_NUMBERS})\s*")
HEADING_ENDS = (":", "：")
_FULL_STOPS = (".", "!", ";", ",", "…", "。", "！", "；", "،", "।", "۔")
_MARKED_HEADING = re.compile(r"#{1,6}\s.*|\*\*.+\*\*:?|__.+__:?|【[^】]+】|\[[^\]]+\]|={2,}.+={2,}")
_MOST_WORDS, _MOST_LETTERS = 8, 70  # of a short line
_MOST_WORDS_HEADING, _MOST_LETTERS_HEADING = 12, 140  # of a heading with a colon or marks
_LEAST_CAPITALS = 4
_SHORTEST_WRAPPED = 50  # characters of a wrapped line
_LINE = re.compile(r"[^\r\n\v\f\x1c-\x1e\x85\u2028\u2029]*(?:\r\n|[\r\n\v\f\x1c-\x1e\x85\u2028\u2029]|\Z)")
_BULLET = re.compile(rf"[{BULLETS}\uf000-\uf0ff](?<=\s.)|【(?<=[^\s【】].)")  # the look-behind comes second for speed
_DASH = re.compile(r"(?<=\s)[-–—*](?=\s|[^\W\d_])")
_STOPS = ":;.!?,。：；"
_LEAST_DASHES = 3  # in a sentence: two may be the borders of an aside
_NUMBER = re.compile(r"\s(?=\(?(\d{1,2})[.)]\s)")


class SegmentKind(StrEnum):
    """Kind of a piece of a posting by its form."""

    HEADING = "heading"
    BULLET = "bullet"
    SENTENCE = "sentence"


@dataclass(frozen=True, slots=True)
class TextBlock:
    """A heading, bullet or paragraph: `text[start:end]`, including trailing blank lines."""

    start: int
    end: int
    kind: SegmentKind


@dataclass(frozen=True, slots=True)
class _Line:
    start: int
    end: int
    content: str
    near: bool


def blocks(text: str) -> list[TextBlock]:
    """Return the blocks of a text, consecutive and without gaps; none for an empty text."""
    lines = list(_lines(text))
    blocks: list[TextBlock] = []
    number = 0
    while number < len(lines):
        size = _short_run(lines, number)
        kinds = _kinds_of_run(lines, number, size, blocks) if size else [_kind(lines[number].content)]
        behind = number + len(kinds)
        for kind in kinds:
            if number < behind:
                number = _add(blocks, lines, number, kind)
    if not blocks:
        return [TextBlock(0, len(text), SegmentKind.SENTENCE)] if text else []
    borders = pairwise((0, *(block.start for block in blocks[1:]), len(text)))
    return [TextBlock(start, end, block.kind) for (start, end), block in zip(borders, blocks, strict=True)]


def is_heading(content: str) -> bool:
    """Return whether a text that stands alone is a heading by its colon, its marks or its capitals."""
    if len(content) > _MOST_LETTERS_HEADING or len(content.split()) > _MOST_WORDS_HEADING:
        return False
    if content.endswith(HEADING_ENDS) or _MARKED_HEADING.fullmatch(content):
        return True
    letters = sum(map(str.isalpha, content))
    return letters >= _LEAST_CAPITALS and content.isupper() and _is_short(content)


def _lines(text: str) -> Iterator[_Line]:
    near = False
    for match in _LINE.finditer(text):
        if content := match[0].strip():
            yield _Line(match.start(), match.end(), content, near)
        near = bool(content)


def _add(blocks: list[TextBlock], lines: Sequence[_Line], number: int, kind: SegmentKind) -> int:
    start = lines[number].start
    if MARKER.fullmatch(lines[number].content) and number + 1 < len(lines):
        number += 1  # a bullet on a line of its own, before its text
    while kind is not SegmentKind.HEADING and _goes_on(lines, number):
        number += 1
    blocks.append(TextBlock(start, lines[number].end, kind))
    return number + 1


def _goes_on(lines: Sequence[_Line], number: int) -> bool:
    if number + 1 >= len(lines):
        return False
    content, behind = lines[number].content, lines[number + 1]
    if not behind.near or len(content) < _SHORTEST_WRAPPED or MARKER.match(behind.content):
        return False
    open_end = not content.endswith((*_FULL_STOPS, *HEADING_ENDS, "?", "？")) or content.endswith((",", "،"))
    return open_end and behind.content[0].islower()


# of a line that is not short
def _kind(content: str) -> SegmentKind:
    if MARKER.match(content):
        return SegmentKind.BULLET
    return SegmentKind.HEADING if is_heading(content) else SegmentKind.SENTENCE


# a short line may be a heading, or an item of a list without bullets
def _is_short(content: str) -> bool:
    if len(content) > _MOST_LETTERS or len(content.split()) > _MOST_WORDS or content.endswith(_FULL_STOPS):
        return False
    return any(map(str.isalpha, content)) and not MARKER.match(content)


def _short_run(lines: Sequence[_Line], first: int) -> int:
    number = first
    while number < len(lines) and (number == first or lines[number].near):
        if not _is_short(lines[number].content) or is_heading(lines[number].content):
            break
        number += 1
    return number - first


# consecutive short lines are a heading alone, or a heading with a list below it
def _kinds_of_run(lines: Sequence[_Line], first: int, size: int, before: Sequence[TextBlock]) -> list[SegmentKind]:
    is_last = first + size == len(lines)
    under_heading = lines[first].near and bool(before) and before[-1].kind is SegmentKind.HEADING
    wrapped = lines[first].content[0].islower()
    if size == 1:
        if is_last or under_heading or wrapped:
            return [SegmentKind.SENTENCE]
        return [SegmentKind.HEADING]
    rest = [SegmentKind.BULLET] * (size - 1)
    return [SegmentKind.BULLET if under_heading or wrapped else SegmentKind.HEADING, *rest]


def list_items(sentence: str) -> list[int]:
    """Return the positions of list items inside a sentence, ascending, except the sentence's own start.

    Scraping joins the items of a list into one line. Paper: Laosaengpha et al. (2024), appendix A: 'bullet points,
    hyphens, and numbering using regular expression'.
    """
    bullets = [match.start() for match in _BULLET.finditer(sentence)]
    return sorted({*bullets, *_dashes(sentence), *_numbers(sentence)} - {0})


# several dashes are all bullets; of fewer, those from the first one after a stop
def _dashes(sentence: str) -> list[int]:
    places = [match.start() for match in _DASH.finditer(sentence)]
    if len(places) >= _LEAST_DASHES:
        return places
    after_stop = (number for number, place in enumerate(places) if _is_after_stop(sentence, place))
    return places[next(after_stop, len(places)) :]


def _is_after_stop(sentence: str, place: int) -> bool:
    while place and sentence[place - 1].isspace():
        place -= 1
    return place > 0 and sentence[place - 1] in _STOPS


# numbers are list items if they count up from one
def _numbers(sentence: str) -> list[int]:
    numbers: list[int] = []
    run: list[int] = []
    for match in _NUMBER.finditer(sentence):
        number = int(match[1])
        if number != len(run) + 1:
            numbers += run if len(run) > 1 else []
            run = []
        if number == len(run) + 1:
            run.append(match.end())
    return numbers + (run if len(run) > 1 else [])
