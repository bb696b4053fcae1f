"""Matches of a whole file of projects as flat rows (stable, see docs/cli.md), with bounded memory."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import partial
from pathlib import Path
from tempfile import TemporaryDirectory

import pyarrow as pa
from threadpoolctl import threadpool_limits

from jobmatch_core.entities import Progress, Project, no_progress
from jobmatch_core.errors import MatchingError
from jobmatch_core.io.tables import Record, write_table, written_format
from jobmatch_core.retrieval.finder import Finder
from jobmatch_core.retrieval.matches import Arrangement, Match, MatchOrder, named_skills
from jobmatch_core.retrieval.project_reader import ProjectReader
from jobmatch_core.sheets.table_layout import PLAIN_LAYOUT, TableLayout
from jobmatch_core.vector_stores.vector_store import NO_FILTERS, Filters

_DIGITS = 4
MATCH_SCHEMA = pa.schema(
    {  # independent of the values, so that files of matches can be joined
        "project": pa.string(),
        "rank": pa.int64(),
        "freelancer": pa.string(),
        "score": pa.float64(),
        "fit": pa.float64(),
        "title": pa.string(),
        "category": pa.string(),
        "family": pa.string(),
        "language": pa.string(),
        "country": pa.string(),
        "latitude": pa.float64(),
        "longitude": pa.float64(),
        "available_from": pa.string(),
        "day_rate": pa.float64(),
        "shared_skills": pa.string(),
        "missing_mandatory_skills": pa.string(),
        "missing_bonus_skills": pa.string(),
        "generated": pa.bool_(),
    }
)
Matched = Callable[[Iterable[Sequence[Project]]], Iterator[list[Record]]]  # lists of projects -> rows of their matches


def match_columns(project: Project, match: Match) -> Record:
    """Return a match as a row; None for unknown values."""
    freelancer, place = match.freelancer, match.freelancer.place
    columns = {
        "project": project.id,
        "rank": match.rank,
        "freelancer": freelancer.id,
        "score": round(match.score, _DIGITS),
        "fit": round(match.fit.score, _DIGITS) if match.fit else None,
        "title": freelancer.title,
        "category": freelancer.category_name or freelancer.category,
        "family": freelancer.family_name or freelancer.family,
        "language": freelancer.language,
        "country": freelancer.country,
        "latitude": place.latitude if place else None,
        "longitude": place.longitude if place else None,
        "available_from": freelancer.available_from,
        "day_rate": freelancer.day_rate,
        "shared_skills": named_skills(match.shared),
        "missing_mandatory_skills": named_skills([skill for skill in match.missing if skill.mandatory]),
        "missing_bonus_skills": named_skills([skill for skill in match.missing if not skill.mandatory]),
        "generated": freelancer.generated,
    }
    return {name: None if value == "" else value for name, value in columns.items()}


def match_file(
    finder: Finder,
    reader: ProjectReader,
    source: Path,
    out: Path,
    *,
    filters: Filters = NO_FILTERS,
    limit: int = 20,
    order: MatchOrder = MatchOrder.MUST_HAVES,
    layout: TableLayout = PLAIN_LAYOUT,
    matched: Matched | None = None,
    progress: Progress = no_progress,
) -> int:
    """Write the matches of all projects of a file, one row each; the output appears only when it is complete.

    Args:
        source: a table, as `read_table` reads it.
        out: path of the output, in the format of its extension; an existing file is replaced.
        limit: maximum number of matches per project.
        matched: function that matches batches of projects, for example in other processes; *finder* by default.

    Returns:
        Number of rows written.

    Raises:
        DataFileError: the source cannot be read.
        MatchingError: the output is the source, or cannot be written.
    """
    written_format(out)
    if out.exists() and source.exists() and out.samefile(source):
        raise MatchingError(f"{out.name} is the file of projects; give the output another name.")
    total = sum(map(len, layout.read(source)))

    sizes: list[int] = []

    def projects() -> Iterator[list[Project]]:
        for batch in reader.table(source, layout):
            sizes.append(len(batch))
            yield batch

    def rows() -> Iterator[Record]:
        match = matched or partial(map, partial(matched_rows, finder, filters, limit, order))
        done = 0
        for number, records in enumerate(match(projects())):
            yield from records
            progress(done := done + sizes[number], total)

    try:
        with TemporaryDirectory(prefix=f".{out.name}.tmp-", dir=out.parent) as folder:
            whole = Path(folder, out.name)
            count = write_table(whole, rows(), MATCH_SCHEMA)
            whole.replace(out)
    except OSError as error:
        raise MatchingError(f"{out.name} could not be written ({error.strerror or error}).") from error
    return count


def matched_rows(
    finder: Finder, filters: Filters, limit: int, order: MatchOrder, projects: Sequence[Project]
) -> list[Record]:
    """Return the rows of all matches of projects."""
    # sums must not depend on the number of cores, and more threads take longer
    with threadpool_limits(limits=1):
        rankings = finder.match_all(projects, filters, limit, Arrangement(order))
    return [
        match_columns(project, match) for project, matches in zip(projects, rankings, strict=True) for match in matches
    ]
