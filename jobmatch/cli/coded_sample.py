"""The coded sample of `jobmatch evaluate production-rate` and `questions`."""

from pathlib import Path

from jobmatch.cli.output import print_note
from jobmatch_core.benchmarks.production.coded_titles import CodedTitles, read_coded_titles
from jobmatch_core.errors import DataFileError
from jobmatch_core.io.tables import listed
from jobmatch_core.sheets.table_layout import TableLayout
from jobmatch_core.taxonomy import Taxonomy


def read_sample(
    path: Path, layout: TableLayout, taxonomy: Taxonomy, code: str, *, quiet: bool, **others: str
) -> CodedTitles:
    """Read coded titles and, unless *quiet*, print how many rows are left out.

    Args:
        path: the table.
        taxonomy: taxonomy with the ISCO-08 groups.
        code: column of the codes.
        quiet: print nothing.
        others: further columns, as for `read_coded_titles`.

    Raises:
        DataFileError: the table cannot be read, or has no such column of codes.
        TaxonomyError: no occupation of the taxonomy has the code of a unit group.
    """
    columns = layout.column_names(path)
    if code not in columns:
        raise DataFileError(
            path, f"it has no column {code!r} with ISCO-08 codes; name one with --code: {listed(columns)}"
        )
    coded = read_coded_titles(path, layout, taxonomy, code=code, **others)
    if coded.left_out and not quiet:
        print_note(f"{coded.left_out:,} rows have no title or no ISCO-08 code in {code!r} and are left out.")
    return coded
