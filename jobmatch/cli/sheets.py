"""Sheets of workbooks, and notes on how a table was read."""

from pathlib import Path
from typing import TYPE_CHECKING

from jobmatch.cli.output import print_note
from jobmatch_core.io.text_source import unpacked_name
from jobmatch_core.sheets.text_encoding import encoding_name

if TYPE_CHECKING:
    from jobmatch_core.sheets.table_layout import TableLayout


def chosen_sheet(path: Path, name: str | None) -> str | None:
    """Return the sheet of a workbook to read, and print its name and the others'; None for other files.

    Raises DataFileError if there is no sheet of that name.
    """
    if name is None and unpacked_name(path).suffix.lower() != ".xlsx":
        return None
    from jobmatch_core.sheets.table_layout import table_sheets  # pandas takes longer than most commands

    sheets = table_sheets(path, name)
    if sheets.others:
        print_note(f"Read the sheet {sheets.chosen!r} of {path.name}. {other_sheets(sheets.others)}")
    return sheets.chosen


def layout_note(layout: "TableLayout") -> str:
    """Return a sentence about how a table of titles was read."""
    read = f"as {encoding_name(layout.encoding)}" if layout.sheet is None else f"the sheet {layout.sheet!r}"
    header = f"column names in row {layout.header_row}" if layout.header_row else "no column names"
    return f"Read {read}, {header}, titles in {layout.column!r}."


def other_sheets(names: tuple[str, ...]) -> str:
    """Return a sentence that lists the other sheets of a workbook."""
    return f"Other sheets (--sheet NAME): {', '.join(map(repr, names))}."
