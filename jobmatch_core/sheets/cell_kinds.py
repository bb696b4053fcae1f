"""Kinds of table cells: text, or numbers, dates, codes, addresses and other cells without a job title."""

import re
from collections import Counter
from collections.abc import Iterable
from enum import StrEnum


class CellKind(StrEnum):
    """Kind of a cell's content."""

    EMPTY = "empty"
    NUMBER = "number"
    DATE = "date"
    ADDRESS = "address"
    CODE = "code"
    TEXT = "text"


_NUMBER = re.compile(
    r"[(+\-~<>≈]?\s*(?:[$€£¥₹]|[A-Z]{3}\s)?\s*\d[\d\s.,'’/%:()\-–]*\s*(?:[%$€£¥₹kKhM]|[A-Z]{3}|h\.?|hrs?|years?)?\)?"
)
_DATE = re.compile(
    r"\d{4}-\d{1,2}-\d{1,2}([T ]\d{1,2}:\d{2}.*)?|\d{1,2}[./\-]\d{1,2}[./\-]\d{2,4}|\d{4}[./]\d{1,2}[./]\d{1,2}"
    r"|\d{1,2}\.?[\s\-]\w{3,10}\.?[\s\-]\d{2,4}|\w{3,10}\.?\s(\d{1,2},?\s)?(19|20)\d{2}|\d{4}年\d{1,2}月(\d{1,2}日)?"
)
_ADDRESS = re.compile(r"\S+@\S+\.\S+|(https?://|www\.)\S+|\S+\.(com|org|net|de|fr|uk|eu)(/\S*)?", re.IGNORECASE)
_CODE = re.compile(
    r"(?=\S*\d)[A-Za-z0-9_\-./#:|]{2,}|[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}|[A-Z]{1,4}\s?[\-#/]?\s?\d[\d\-/.]*"
    r"|[A-Z]{1,2}[+\-]?|[-–—./?*]+",
)  # fmt: skip


def cell_kind(text: str) -> CellKind:
    """Return a cell's kind; text without any letter is no text."""
    text = text.strip()
    if not text:
        return CellKind.EMPTY
    for kind, pattern in (
        (CellKind.DATE, _DATE),
        (CellKind.NUMBER, _NUMBER),
        (CellKind.ADDRESS, _ADDRESS),
        (CellKind.CODE, _CODE),
    ):
        if pattern.fullmatch(text):
            return kind
    return CellKind.TEXT if any(letter.isalpha() for letter in text) else CellKind.CODE


def usual_kind(cells: Iterable[str]) -> CellKind:
    """Return the commonest kind of the non-empty cells; `EMPTY` if all are empty."""
    counts = Counter(cell_kind(cell) for cell in cells)
    del counts[CellKind.EMPTY]
    return counts.most_common(1)[0][0] if counts else CellKind.EMPTY
