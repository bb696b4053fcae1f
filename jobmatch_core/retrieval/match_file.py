"""Match a whole file of projects, with bounded memory."""

from collections.abc import Iterator
from pathlib import Path
from tempfile import TemporaryDirectory

from jobmatch_core.entities import Progress, no_progress
from jobmatch_core.errors import MatchingError
from jobmatch_core.io.tables import Record, read_table, table_format, write_table
from jobmatch_core.retrieval.finder import Finder
from jobmatch_core.retrieval.match_records import match_columns
from jobmatch_core.retrieval.project_reader import ProjectReader
from jobmatch_core.vector_stores.vector_store import NO_FILTERS, Filters


def match_file(
    finder: Finder,
    reader: ProjectReader,
    source: Path,
    out: Path,
    *,
    filters: Filters = NO_FILTERS,
    limit: int = 20,
    encoding: str = "utf-8-sig",
    progress: Progress = no_progress,
) -> int:
    """Write the matches of all projects of a file, one row each; the output appears only when it is complete.

    Args:
        finder: finder of freelancers.
        reader: reader of projects.
        source: a CSV, XLSX, Parquet or JSON lines file.
        out: path of the output, in the format of its extension; an existing file is replaced.
        filters: conditions on freelancers.
        limit: maximum number of matches per project.
        encoding: text encoding of a CSV or JSON lines source.
        progress: called with projects done and projects in total.

    Returns:
        Number of rows written.

    Raises:
        DataFileError: the source cannot be read.
        MatchingError: the output is the source, or cannot be written.
    """
    table_format(out)
    if out.exists() and source.exists() and out.samefile(source):
        raise MatchingError(f"{out.name} is the file of projects; give the output another name.")
    total = sum(len(batch) for batch in read_table(source, encoding=encoding))

    def rows() -> Iterator[Record]:
        done = 0
        for projects in reader.table(source, encoding=encoding):
            for project, matches in zip(projects, finder.match_all(projects, filters, limit), strict=True):
                yield from (match_columns(project, match) for match in matches)
            done += len(projects)
            progress(done, total)

    try:
        with TemporaryDirectory(prefix=f".{out.name}.", dir=out.parent) as folder:
            whole = Path(folder, out.name)
            count = write_table(whole, rows())
            whole.replace(out)
    except OSError as error:
        raise MatchingError(f"{out.name} could not be written ({error.strerror or error}).") from error
    return count
