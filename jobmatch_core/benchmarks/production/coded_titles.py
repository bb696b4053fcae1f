"""Titles with their ISCO-08 codes, as offices give them, read from any table."""

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace
from itertools import chain
from pathlib import Path

from jobmatch_core.errors import DataFileError, TaxonomyError
from jobmatch_core.io.tables import Record, cell_text, no_column
from jobmatch_core.sheets.table_layout import ROWS_OF_TITLES, TableLayout, column_cells
from jobmatch_core.taxonomy import Taxonomy
from jobmatch_core.taxonomy.tables import UNIT_DIGITS
from jobmatch_core.text.locales import language_code

Codes = tuple[str, ...]
# also `C2511`, the URI of a group, ESCO's `2511.3` and a number's `2511.0`
_CODE = re.compile(r"(?:https?://data\.europa\.eu/esco/isco/)?C?([0-9]{1,4})(?:\.[0-9]+)*", re.IGNORECASE)
_MOST_CELLS = 0.5  # share of a column's cells with a code, above which it is a column of codes


@dataclass(frozen=True, slots=True)
class CodedColumns:
    """Columns of a table of coded titles."""

    title: str
    code: str
    second_code: str = ""  # column of another coder's codes; '' without one
    language: str = ""  # column of the titles' languages; '' without one
    about: str = ""  # column of what people say of their work beside the title; '' without one

    @property
    def names(self) -> list[str]:
        """The columns that are given."""
        return [name for name in (self.title, self.code, self.second_code, self.language, self.about) if name]


@dataclass(frozen=True, slots=True)
class CodedTitles:
    """Titles with codes."""

    titles: list[str]  # (title,) as typed
    codes: list[Codes]  # (title,) right ISCO-08 codes of one to four digits, as a rule one
    second_codes: list[Codes]  # (title,) codes by another coder; empty without such a column
    languages: list[str]  # (title,) language codes, '' if unknown; empty without such a column
    left_out: int  # number of rows without a title or without an ISCO-08 code
    about: list[str] = field(default_factory=list)  # (title,) what people say of their work; empty without a column

    def agreement(self, digits: int) -> float | None:
        """Return the share of titles with a common code of both coders, by *digits*; None if no title has two."""
        pairs = [
            (shortened(codes, digits), shortened(seconds, digits))
            for codes, seconds in zip(self.codes, self.second_codes, strict=False)
        ]
        both = [not codes.isdisjoint(seconds) for codes, seconds in pairs if codes and seconds]
        return sum(both) / len(both) if both else None


def read_coded_titles(
    path: Path,
    layout: TableLayout,
    taxonomy: Taxonomy,
    *,
    code: str,
    second_code: str = "",
    language: str = "",
    about: str = "",
) -> CodedTitles:
    """Read coded titles.

    Args:
        layout: its layout, with the column of titles.
        second_code: column of another coder's codes.
        about: column of what people say of their work.

    Raises:
        TaxonomyError: no occupation of the taxonomy has the code of a unit group.
        DataFileError: the file cannot be read, lacks a column, or has no title with an ISCO-08 code.
    """
    _check_unit_groups(taxonomy)
    existing = layout.column_names(path)
    if layout.column is None:
        raise DataFileError(path, "no column looks like job titles; name the column of titles")
    columns = CodedColumns(layout.column, code, second_code, language, about)
    for name in columns.names:
        if name not in existing:
            raise no_column(path, name, existing)
    return coded_titles(chain.from_iterable(layout.read(path)), columns, taxonomy, path)


def coded_titles(rows: Iterable[Record], columns: CodedColumns, taxonomy: Taxonomy, path: Path | str) -> CodedTitles:
    """Return the coded titles of a table's rows.

    Raises:
        TaxonomyError: no occupation of the taxonomy has the code of a unit group.
        DataFileError: no row has a title with an ISCO-08 code, or a cell is not a text.
    """
    _check_unit_groups(taxonomy)
    path, coded, left_out = Path(path), CodedTitles([], [], [], [], 0), 0
    for row in rows:
        title = cell_text(row.get(columns.title), path).strip()
        codes = isco_codes(cell_text(row.get(columns.code), path), taxonomy)
        if not (title and codes):
            left_out += 1
            continue
        coded.titles.append(title)
        coded.codes.append(codes)
        if columns.second_code:
            coded.second_codes.append(isco_codes(cell_text(row.get(columns.second_code), path), taxonomy))
        if columns.about:
            coded.about.append(cell_text(row.get(columns.about), path).strip())
        if columns.language:
            coded.languages.append(language_code(cell_text(row.get(columns.language), path).strip()) or "")
    if not coded.titles:
        raise DataFileError(path, f"no row has a title and an ISCO-08 code in {columns.code!r}")
    return replace(coded, left_out=left_out)


def code_column(rows: Sequence[Record], taxonomy: Taxonomy) -> str | None:
    """Return the column with the longest ISCO-08 codes in most of its filled cells; None if there is none."""
    digits: dict[str, float] = {}
    for name, cells in column_cells(rows[:ROWS_OF_TITLES]).items():
        codes = [isco_codes(cell, taxonomy) for cell in cells if cell.strip()]
        lengths = [max(map(len, of_cell)) for of_cell in codes if of_cell]
        if len(lengths) > _MOST_CELLS * len(codes):
            digits[name] = sum(lengths) / len(codes)
    return max(digits, key=digits.__getitem__, default=None)


def _check_unit_groups(taxonomy: Taxonomy) -> None:
    if not any(len(taxonomy.isco_codes[number]) == UNIT_DIGITS for number in taxonomy.occupation_numbers):
        raise TaxonomyError(
            f"No occupation of {taxonomy.id} has an ISCO-08 code of {UNIT_DIGITS} digits, so none can be compared with "
            "coded titles; choose another taxonomy, or import this one with its ISCO-08 codes."
        )


def isco_codes(text: str, taxonomy: Taxonomy) -> Codes:
    """Return the ISCO-08 codes of a cell, separated by `|` or `;`; '0110' also for 110, which lost its zero."""
    matches = filter(None, (_CODE.fullmatch(part.strip()) for part in re.split(r"[|;]", text)))
    codes = (match[1] if taxonomy.has_group(match[1]) else match[1].zfill(UNIT_DIGITS) for match in matches)
    return tuple(code for code in codes if taxonomy.has_group(code))


def shortened(codes: Codes, digits: int) -> set[str]:
    """Return the first digits of the codes that have so many."""
    return {code[:digits] for code in codes if len(code) >= digits}
