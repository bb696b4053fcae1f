"""Segmentation of a posting into sentences without loss: the segments joined are the text.

Blocks (`blocks`) are cut at sentence ends (`sentence_ends`) and at items of inline lists (`inline_lists`); what is
still too long is cut at weaker borders (`long_pieces`). Each step reads the text once, so that time grows with length.
Paper: Laosaengpha et al. (2024), appendix A, who cut at bullets, hyphens and numbering, or at NLTK's sentence ends.
"""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise

from jobmatch_core.descriptions.blocks import MARKER, SegmentKind, blocks, is_heading, list_items
from jobmatch_core.descriptions.long_pieces import long_piece_cuts
from jobmatch_core.descriptions.sentence_ends import sentence_ends

__all__ = ["Segment", "SegmentKind", "segments"]
_RULES = "-–—_=*~ \t\r\n"  # lines of these are drawn between parts of a posting
_Piece = tuple[int, int, SegmentKind]


@dataclass(frozen=True, slots=True)
class Segment:
    """A sentence, bullet or heading of a posting.

    Attributes:
        start, end: positions in the posting, including trailing white space.
        kind: kind by its form.
        text: the whole text of the segment.
    """

    start: int
    end: int
    kind: SegmentKind
    text: str

    @property
    def content(self) -> str:
        """The text without bullet, numbering, trailing rules and white space; '' without a letter or digit."""
        marker = MARKER.match(self.text)
        content = self.text[marker.end() if marker else 0 :].rstrip(_RULES).strip()
        return content if _says_something(content) else ""


def segments(text: str) -> tuple[Segment, ...]:
    """Cut a posting into its segments, in its order; their texts joined are the posting.

    Each has a letter or digit, unless the whole posting has none: then it is one segment, or none where it is empty.
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
    """Return a piece's own kind if it has one, else its block's."""
    if MARKER.match(piece):
        return SegmentKind.BULLET
    return SegmentKind.HEADING if is_heading(piece.strip()) else of_block


def _joined(text: str, pieces: Iterator[_Piece]) -> list[_Piece]:
    """Join pieces without letters or digits, such as a line of dashes, to the piece before them, or to the first."""
    joined: list[_Piece] = []
    silent = False  # whether the last one says nothing as yet, which only the first can
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
