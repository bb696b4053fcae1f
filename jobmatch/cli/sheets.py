"""Sheets of workbooks that commands read: chosen by their content or named by the user, and said."""

from pathlib import Path

from jobmatch.cli.output import print_note
from jobmatch_core.io.text_source import unpacked_name


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


def other_sheets(names: tuple[str, ...]) -> str:
    """Return the sentence that offers the other sheets of a workbook."""
    return f"Other sheets, which --sheet NAME reads: {', '.join(map(repr, names))}."
