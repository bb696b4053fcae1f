"""Cells of written tables: formulas neutralised, lists and records as JSON, missing values as empty cells."""

import math
import re
from datetime import date, datetime, time

from jobmatch_core.io.text_files import json_text
from jobmatch_core.io.typed_text import TypedText

_XLSX_MAX_TEXT = 32_767  # in UTF-16 units, as Excel counts
_XML_FORBIDS = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\ud800-\udfff\ufffe\uffff]")
_NUMBER = re.compile(r"^[+-]?\d[\d.,\s]*%?$|^-$")  # a dash alone stands for nothing
_FIRST_YEAR = 1900  # of Excel's dates
# A leading tab or line break, or a sign after blanks and invisible characters, which some spreadsheets drop.
_FORMULA = re.compile("[\t\r\n]|[\\s\0-\x1f\x7f-\x9f\u200b-\u200f\u2060\ufeff]*[-=+@＝＋－＠]")
XlsxValue = str | float | datetime | date | time | None
_MISSING = frozenset({"None", "nan", "NaN", "NaT", "<NA>"})  # texts of None, of NaN of every type, and of pandas' NA


def is_missing(value: object) -> bool:
    """Return whether a value is None, NaN, NaT or the NA of pandas; an empty text is not missing."""
    return not isinstance(value, str) and str(value) in _MISSING


def neutralise(value: object) -> object:
    """Return a cell that no spreadsheet reads as a formula: texts that begin like one get a leading `'`.

    Plain numbers such as `-5`, and a dash alone, stay. See OWASP, CSV injection.
    """
    if isinstance(value, str) and _FORMULA.match(value) and not _NUMBER.match(value):
        return "'" + value
    return value


class _Null(float):
    # an empty cell that `csv` takes for a number and does not quote: databases and pandas read it as NULL

    def __str__(self) -> str:
        return ""


def csv_cell(value: object) -> object:
    """Return a value as a cell of CSV, for a writer that quotes only texts."""
    value = _flat(value)
    if value is None:
        return _Null()
    return neutralise(value.replace("\0", "")) if isinstance(value, str) else value


def xlsx_cell(value: object) -> XlsxValue:
    """Return a value as a cell of XLSX: numbers and dates as such, other values as texts of at most Excel's length.

    A text that begins like a formula is returned as it is: it must be written as a text.
    """
    value = _flat(value.value if isinstance(value, TypedText) else value)
    if value is None or (isinstance(value, (int, float)) and math.isfinite(value)) or _is_excel_date(value):
        return value  # type: ignore[return-value]
    text = _XML_FORBIDS.sub("", str(value))
    units = text.encode("utf-16-le")
    if len(units) <= 2 * _XLSX_MAX_TEXT:
        return text
    return units[: 2 * (_XLSX_MAX_TEXT - 1)].decode("utf-16-le", "ignore") + "…"


def _is_excel_date(value: object) -> bool:
    # a moment of a time zone, and one before 1900, stay texts
    if isinstance(value, time):
        return value.tzinfo is None
    if isinstance(value, datetime) and value.tzinfo is not None:
        return False
    return isinstance(value, date) and value.year >= _FIRST_YEAR


def _flat(value: object) -> object:
    if isinstance(value, list | tuple | dict):
        return json_text(value, ensure_ascii=False, default=str)
    return None if isinstance(value, float) and is_missing(value) else value
