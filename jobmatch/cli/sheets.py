"""Tables that commands read, and how: a workbook's sheet is chosen or named, and what was detected is said."""

from pathlib import Path
from typing import TYPE_CHECKING

from jobmatch.cli.output import print_note
from jobmatch_core.io.text_source import unpacked_name
from jobmatch_core.sheets.text_encoding import encoding_name

if TYPE_CHECKING:
    from jobmatch_core.sheets.table_layout import TableLayout


def chosen_sheet(path: Path, wanted: str | None) -> str | None:
    """Return the sheet to read of a workbook, and name it and the others on standard error; None for other files.

    Raises:
        DataFileError: it has no such sheet, or a sheet is wanted of a file without sheets.
    """
    if wanted is None and unpacked_name(path).suffix.lower() != ".xlsx":
        return None
    from jobmatch_core.sheets.table_layout import table_sheets  # pandas takes longer than most commands

    sheets = table_sheets(path, wanted)
    if sheets.others:
        print_note(f"Read the sheet {sheets.chosen!r} of {path.name}. {other_sheets(sheets.others)}")
    return sheets.chosen


def layout_note(layout: "TableLayout") -> str:
    """Return the sentence that says how a table of titles was read."""
    read = f"as {encoding_name(layout.encoding)}" if layout.sheet is None else f"the sheet {layout.sheet!r}"
    header = f"names of columns in row {layout.header_row}" if layout.header_row else "no names of columns"
    return f"Read {read}, {header}, titles in {layout.column!r}."


def other_sheets(names: tuple[str, ...]) -> str:
    """Return the sentence that offers the other sheets of a workbook."""
    return f"Other sheets, which --sheet NAME reads: {', '.join(map(repr, names))}."
