"""Lossless segmentation of a posting into sentences, and the role of each sentence.

Blocks (`blocks`) are cut at sentence ends and at inline list items, and pieces that are still too long at weaker
borders; time grows linearly with length. Paper: Laosaengpha et al. (2024), appendix A, which cuts at bullets, hyphens
and numbering, or at the sentence ends of NLTK for one language.

Sentence ends follow rules for all languages at once, since postings mix languages: a full stop ends a sentence before
white space and no small letter, unless it belongs to an abbreviation, an initial or an ordinal.

Roles (requirement, task, offer, other) are recognised by cues in 27 languages (`sentence_roles.toml`). The role with
the most cues wins; without cues, or in a tie, the heading above decides. No model reads them.
"""

import re
import tomllib
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from enum import StrEnum
from functools import cache, partial
from importlib.resources import files
from itertools import pairwise, takewhile

from jobmatch_core.descriptions.blocks import MARKER, SegmentKind, blocks, is_heading, list_items
from jobmatch_core.text.folding import fold

LONGEST = 320  # characters, about 50 words: the maximum length of a title encoder
_MOST_LABEL_WORDS = 4
_LABEL = re.compile(r"[:：]")
_WORD = re.compile(r"\S+")
_LABEL_REACH = 64  # maximum characters of a label
_INNER_STOP = re.compile(r"[.,;!?()/|]|\s[-–—]\s")
_HALF_WORD = "und|oder|bzw|sowie|en|of|och|og|eller|ja|tai|and|or|to"  # 'Vertriebs- und Marketingleiter'
_SEMICOLON = re.compile(rf"[;；|]\s*|\s(?=[-–—]\s)|(?<=\w)(?=[-–]\s(?!(?:{_HALF_WORD})\b))")
_COMMA = re.compile(r"[,，、،]\s*")
_SPACE = re.compile(r"\s+")

_CLOSING = "\"'”’“»›)\\]"  # German and Czech quotes close with the sign that opens English ones
_CLOSING_WIDE = "」』）”’】〉》"
_WIDE = "。！？｡।॥۔։።"
_STOP = re.compile(rf"(?P<stop>[{_WIDE}.!?…؟;\u037e]+)(?P<closing>[{_CLOSING}{_CLOSING_WIDE}]*)(?P<space>\s*)")
_OPENING = re.compile(r"[\"'“„‘‚«‹»(\[¿¡*\-–—\s]*")
_TOKEN_BORDER = re.compile(r"[\s(\[\"'“„«]")
_LONGEST_TOKEN = 24  # letters before a full stop that are checked; an abbreviation has fewer
_INNER_STOPS = re.compile(r"[^\W\d_]{1,4}(?:\.[^\W\d_]{1,4})+")  # e.g, z.B, s.r.o
_MAY_END = ("a.m", "p.m")
_ORDINAL = re.compile(r"\d{1,2}|[IVX]{1,5}")
_GLUED = re.compile(r"[^\W\d_]{2}[.!?]\Z")  # 'our team.Also': the space was lost with a line break
_NAME_BEHIND = re.compile(r"(?:Net|Js|Com|Org)\b|\S*@")  # Asp.Net, Jane.Doe@example.org
_RULES = "-–—_=*~ \t\r\n"  # characters of horizontal rules
_KEY = 3  # letters by which cues are looked up

Borders = Callable[[str], Iterable[int]]
_Piece = tuple[int, int, SegmentKind]


def long_piece_cuts(piece: str) -> list[int]:
    """Return the positions at which to cut a piece so that only single words are longer than `LONGEST`."""
    if len(piece) <= LONGEST:
        return []
    cuts = [0, len(piece)]
    for borders, packed in (
        (_labels, False),
        (partial(_match_ends, _SEMICOLON), False),
        (_phrases, True),
        (partial(_match_ends, _SPACE), True),
    ):
        cuts = [0, *(cut for part in pairwise(cuts) for cut in _refined(piece, *part, borders, packed=packed))]
    return cuts[1:-1]


def _refined(piece: str, start: int, end: int, borders: Borders, *, packed: bool) -> Iterator[int]:
    if end - start > LONGEST:
        inner = (start + border for border in borders(piece[start:end]) if 0 < border < end - start)
        yield from _packed(start, end, inner) if packed else inner
    yield end


# as few borders as leave no piece too long
def _packed(start: int, end: int, borders: Iterable[int]) -> Iterator[int]:
    last = start
    for border in borders:
        if border - start > LONGEST and last > start:
            yield last
            start = last
        last = border
    if end - start > LONGEST and last > start:
        yield last


# a label is the last capitalised word before a colon, with similar words before it
def _labels(part: str) -> Iterator[int]:
    for colon in _LABEL.finditer(part):
        reach = max(0, colon.start() - _LABEL_REACH)
        words = list(_WORD.finditer(part, reach, colon.start()))[-_MOST_LABEL_WORDS:]
        while words and not words[-1][0][0].isupper():
            words.pop()
        like = [word.start() for word in takewhile(partial(_is_like, words[-1]), reversed(words))] if words else []
        if like and like[-1] > reach and not _INNER_STOP.search(part, like[-1], colon.start()):
            yield like[-1]


def _is_like(last: re.Match[str], word: re.Match[str]) -> bool:
    return (last[0].isupper(), last[0][0].isupper()) == (word[0].isupper(), word[0][0].isupper())


# borders of phrases: commas, and capitals after small letters
def _phrases(part: str) -> list[int]:
    capitals = [
        space.end()
        for space in _SPACE.finditer(part)
        if part[space.start() - 1 : space.start()].islower() and part[space.end() : space.end() + 1].isupper()
    ]
    return sorted({*capitals, *_match_ends(_COMMA, part)})


def _match_ends(pattern: re.Pattern[str], part: str) -> list[int]:
    return [match.end() for match in pattern.finditer(part)]


def sentence_ends(block: str) -> list[int]:
    """Return the starts of all sentences but the first, ascending; white space belongs to the sentence before it."""
    return [
        match.end()
        for match in _STOP.finditer(block)
        if match.end() < len(block) and (match["stop"][-1] in _WIDE or _ends(block, match))
    ]


# of a stop of the Latin, Greek, Cyrillic or Arabic script
def _ends(block: str, match: re.Match[str]) -> bool:
    if not match["space"]:
        return _ends_glued(block, match)
    opened = _OPENING.match(block, match.end())
    place = opened.end() if opened else match.end()
    follows = block[place : place + 1]
    if follows.islower() or not follows:
        return False
    stop = match["stop"]
    if stop == ";":
        return follows.isupper()
    return stop != "." or not _is_abbreviation(block[max(0, match.start() - _LONGEST_TOKEN) : match.start()], follows)


# a sentence end without white space: between a small letter and a capitalised word
def _ends_glued(block: str, match: re.Match[str]) -> bool:
    place = match.end()
    before = block[max(0, match.start() - _LONGEST_TOKEN) : match.start() + 1]
    if match["closing"] or not _GLUED.search(before) or not before[-2].islower():
        return False
    behind = block[place : place + _LONGEST_TOKEN]
    if not (behind[:1].isupper() and behind[1:2].islower()) or _NAME_BEHIND.match(behind):
        return False
    token = _TOKEN_BORDER.split(before)[-1]
    return not token.startswith(("www.", "http"))


def _is_abbreviation(before: str, follows: str) -> bool:
    token = _TOKEN_BORDER.split(before)[-1]
    word = token.casefold()
    if _ORDINAL.fullmatch(token):
        return True
    if len(token) == 1:
        return token.isupper() or token.islower()
    if _INNER_STOPS.fullmatch(token):
        return word not in _MAY_END
    before_number, before_any = _abbreviations()
    return word in before_any or (follows.isdigit() and word in before_number)


@cache
def _abbreviations() -> tuple[frozenset[str], frozenset[str]]:
    tables = tomllib.loads((files("jobmatch_core.descriptions") / "abbreviations.toml").read_text("utf-8"))
    before_number, before_any = (
        frozenset(word for words in tables[name].values() for word in words.split())
        for name in ("before_number", "before_any")
    )
    return before_number, before_any


@dataclass(frozen=True, slots=True)
class Segment:
    """A sentence, bullet or heading of a posting."""

    # start, end: positions in the posting, including trailing white space
    start: int
    end: int
    kind: SegmentKind  # kind by its form
    text: str  # the whole text of the segment

    @property
    def content(self) -> str:
        """The text without bullet, numbering, trailing rules and white space; '' without a letter or digit."""
        marker = MARKER.match(self.text)
        content = self.text[marker.end() if marker else 0 :].rstrip(_RULES).strip()
        return content if _says_something(content) else ""


def segments(text: str) -> tuple[Segment, ...]:
    """Cut a posting into consecutive segments without gaps.

    Each has a letter or digit, unless the whole posting has none: then it is one segment, or none if it is empty.
    """
    return tuple(Segment(*piece, text[piece[0] : piece[1]]) for piece in _joined(text, _pieces(text)))


def _pieces(text: str) -> Iterator[_Piece]:
    for block in blocks(text):
        spans = [(block.start, block.end)]
        for cuts in (sentence_ends, list_items, long_piece_cuts):
            spans = [part for span in spans for part in _parts(text, span, cuts)]
        yield from ((start, end, _kind(text[start:end], block.kind)) for start, end in spans)


def _parts(text: str, span: tuple[int, int], cuts: Callable[[str], Sequence[int]]) -> Iterator[tuple[int, int]]:
    start, end = span
    return pairwise((start, *(start + cut for cut in cuts(text[start:end])), end))


def _kind(piece: str, of_block: SegmentKind) -> SegmentKind:
    if MARKER.match(piece):
        return SegmentKind.BULLET
    return SegmentKind.HEADING if is_heading(piece.strip()) else of_block


# pieces without letters or digits, such as a line of dashes, belong to the piece before them, or to the first
def _joined(text: str, pieces: Iterator[_Piece]) -> list[_Piece]:
    joined: list[_Piece] = []
    silent = False  # whether the last piece has no letter or digit yet, which only the first can lack
    for start, end, kind in pieces:
        says = _says_something(text[start:end])
        if joined and (silent or not says):
            before = joined.pop()
            start, kind = before[0], kind if silent else before[2]
        silent = not says and (silent or not joined)
        joined.append((start, end, kind))
    return joined


def _says_something(text: str) -> bool:
    return any(map(str.isalnum, text))


class SentenceRole(StrEnum):
    """Topic of a sentence."""

    REQUIREMENT = "requirement"
    TASK = "task"
    OFFER = "offer"
    OTHER = "other"


def sentence_roles(segments: Sequence[Segment]) -> tuple[SentenceRole, ...]:
    """Return the role of each segment of a posting, given in order; other by default."""
    roles: list[SentenceRole] = []
    section = SentenceRole.OTHER
    in_list = False  # a plain sentence after the bullets of a heading no longer belongs to it
    for segment in segments:
        kind = segment.kind
        if kind is SegmentKind.HEADING or (in_list and kind is SegmentKind.SENTENCE):
            section = SentenceRole.OTHER
        role = _role(segment.content, section)
        if kind is SegmentKind.HEADING:
            section = role
        in_list = kind is SegmentKind.BULLET
        roles.append(role)
    return tuple(roles)


# the section's role counts as half a cue
def _role(text: str, section: SentenceRole) -> SentenceRole:
    votes = Counter(_cues_in(text))
    return max([section, *votes], key=lambda role: votes[role] + 0.5 * (role is section))


def _cues_in(text: str) -> Iterator[SentenceRole]:
    folded, cues = fold(text), _cues()
    start = 0
    while start < len(folded):
        for cue, role in cues.get(folded[start : start + _KEY], ()):
            if folded.startswith(cue, start):
                yield role
                break  # the longest one
        start = folded.find(" ", start) + 1 or len(folded)


@cache
def _cues() -> dict[str, list[tuple[str, SentenceRole]]]:
    tables = tomllib.loads((files("jobmatch_core.descriptions") / "sentence_roles.toml").read_text("utf-8"))
    cues_by_key: dict[str, list[tuple[str, SentenceRole]]] = {}
    for role in SentenceRole:
        for cue in {fold(cue) for cues in tables[role].values() for cue in cues}:
            short = cue if len(cue) >= _KEY else f"{cue} "  # a cue of two letters matches only a whole word
            cues_by_key.setdefault(short[:_KEY], []).append((short, role))
    for cues in cues_by_key.values():
        cues.sort(key=lambda entry: (-len(entry[0]), entry))
    return cues_by_key
