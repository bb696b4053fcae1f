"""Choice of the sheet with the job titles, among imprints, notes, lookup tables and hidden sheets."""

from dataclasses import dataclass
from itertools import chain, zip_longest
from math import inf, log10
from pathlib import Path

from jobmatch_core.errors import DataFileError
from jobmatch_core.sheets.header_row import guess_header_row
from jobmatch_core.sheets.title_column import title_points
from jobmatch_core.sheets.title_words import TitleWords

_ROWS_LOOKED_AT = 1000  # per sheet
_FEW = 3  # rows whose points count half


@dataclass(frozen=True, slots=True)
class SheetChoice:
    """The sheets of a workbook."""

    chosen: str | None  # sheet to read; None for files without sheets
    others: tuple[str, ...]  # other sheets with cells, hidden ones last

    @property
    def names(self) -> tuple[str, ...]:
        """All sheets with cells, the chosen one first."""
        return (self.chosen, *self.others) if self.chosen else ()


NO_SHEETS = SheetChoice(None, ())


def choose_sheet(path: Path, words: TitleWords, wanted: str | None = None) -> SheetChoice:
    """Return the sheet with the most cells that look like job titles; a hidden one only if no other has cells.

    Args:
        words: words of occupation names.
        wanted: name of a sheet, in upper or lower case; None to detect it.

    Raises DataFileError if the file is not a workbook or damaged, or has no such sheet or none with cells.
    """
    from jobmatch_core.io.xlsx_file import matching_sheet, sheet_samples  # openpyxl takes longer than most tables

    samples = sheet_samples(path, _ROWS_LOOKED_AT)
    names = [sample.name for sample in samples]
    if not samples:
        raise DataFileError(path, "the file is empty: no sheet of this workbook has cells")
    if wanted is None:
        shown = [sample for sample in samples if not sample.hidden] or samples
        chosen = max(shown, key=lambda sample: _points(sample.rows, words)).name
    else:
        chosen = matching_sheet(path, names, wanted)
    return SheetChoice(chosen, tuple(name for name in names if name != chosen))


def _points(rows: list[list[str]], words: TitleWords) -> float:
    # ten times as many rows count as one more point
    header_row = guess_header_row(rows, words)
    header = rows[header_row - 1] if header_row else []
    below = [cells for cells in rows[header_row:] if any(cells)]
    columns = zip_longest(header, zip_longest(*below, fillvalue=""), fillvalue="")
    points = chain.from_iterable(title_points({name: list(cells)}, words).values() for name, cells in columns)
    best = max(points, default=None)
    return -inf if best is None else best * len(below) / (len(below) + _FEW) + log10(1 + len(below))
