"""Cells of written tables: formulas neutralised, lists and records as JSON, missing values as empty cells."""

import re

from jobmatch_core.io.text_files import json_text

_XLSX_MAX_TEXT = 32_767  # in UTF-16 units, as Excel counts
_XML_FORBIDS = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\ud800-\udfff\ufffe\uffff]")
_NUMBER = re.compile(r"^[+-]?\d[\d.,\s]*%?$")
# A leading tab or line break, or a sign after blanks and invisible characters, which some spreadsheets drop.
_FORMULA = re.compile("[\t\r\n]|[\\s\0-\x1f\x7f-\x9f\u200b-\u200f\u2060\ufeff]*[-=+@＝＋－＠]")
_MISSING = frozenset({"None", "nan", "NaN", "NaT", "<NA>"})  # texts of None, of NaN of every type, and of pandas' NA


def is_missing(value: object) -> bool:
    """Return whether a value is None, NaN, NaT or the NA of pandas; an empty text is not missing."""
    return not isinstance(value, str) and str(value) in _MISSING


def neutralise(value: object) -> object:
    """Return a cell that no spreadsheet reads as a formula: texts that begin like one get a leading `'`.

    Plain numbers such as `-5` stay. See OWASP, CSV injection.
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


def xlsx_cell(value: object) -> str | float | None:
    """Return a value as a cell of XLSX; a text is cut to Excel's maximum length."""
    value = _flat(value)
    if value is None or isinstance(value, (int, float)):
        return value
    text = str(neutralise(_XML_FORBIDS.sub("", str(value))))
    units = text.encode("utf-16-le")
    if len(units) <= 2 * _XLSX_MAX_TEXT:
        return text
    return units[: 2 * (_XLSX_MAX_TEXT - 1)].decode("utf-16-le", "ignore") + "…"


def _flat(value: object) -> object:
    if isinstance(value, list | tuple | dict):
        return json_text(value, ensure_ascii=False, default=str)
    return None if isinstance(value, float) and is_missing(value) else value
