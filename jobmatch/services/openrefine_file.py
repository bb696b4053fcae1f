"""Files of judgments as OpenRefine exports them: a title, the id that was matched, and the judgment."""

from pathlib import Path

from jobmatch.services.link_decisions import LinkDecision
from jobmatch_core.errors import DataFileError
from jobmatch_core.io.tables import Record, cell_text, listed, read_table
from jobmatch_core.taxonomy import Taxonomy

POLICY = "openrefine"  # of judgments, in place of a page's name
TITLE, ID, JUDGMENT = "title", "id", "judgment"  # columns
MATCHED, NEW, NONE = "matched", "new", "none"  # OpenRefine's words for judgments


def read_decisions(path: Path, taxonomy: Taxonomy) -> list[LinkDecision]:
    """Return the decisions in a file, each once, in the order of the rows.

    A title that is `matched` belongs to the occupation of its id; a `new` one belongs to none. Without the column
    `judgment`, a row with an id is matched. Other rows, which nobody has judged, are left out.

    Args:
        path: a CSV, XLSX, Parquet or JSON lines file with the columns `title`, `id` and, if it likes, `judgment`.
        taxonomy: the taxonomy that was reconciled with.

    Raises:
        DataFileError: the file cannot be read, a column is missing, or a row has a judgment or an id that is unknown.
    """
    decisions: dict[LinkDecision, None] = {}
    line = 1
    for batch in read_table(path):
        _check_columns(path, batch[0])
        for row in batch:
            line += 1
            if decision := _decision(path, row, line, taxonomy):
                decisions[decision] = None
    return list(decisions)


def _check_columns(path: Path, row: Record) -> None:
    if missing := [name for name in (TITLE, ID) if name not in row]:
        raise DataFileError(path, f"there is no column {missing[0]!r}, only {listed(row)}", line=1)


def _decision(path: Path, row: Record, line: int, taxonomy: Taxonomy) -> LinkDecision | None:
    title, uri, judgment = (cell_text(row.get(name) or "", path).strip() for name in (TITLE, ID, JUDGMENT))
    judgment = judgment.lower() or (MATCHED if uri else NONE)
    if judgment not in (MATCHED, NEW, NONE):
        raise DataFileError(path, f"judgment is {judgment!r}; expected {MATCHED}, {NEW} or {NONE}", line=line)
    if not title or judgment == NONE:
        return None
    if judgment == NEW:
        return LinkDecision(title, None)
    if not taxonomy.has_concept(uri):
        raise DataFileError(path, f"there is no occupation {uri!r} in {taxonomy.id}", line=line)
    return LinkDecision(title, uri)
