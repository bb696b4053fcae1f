"""Processes that match projects: each opens a finder once, and gives the same answers as the first process."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from jobmatch.services.freelancer_finders import open_finder
from jobmatch_core.engines import Engine
from jobmatch_core.entities import Project
from jobmatch_core.errors import EngineError, MatchingError
from jobmatch_core.io.tables import Record
from jobmatch_core.retrieval.finder import Finder
from jobmatch_core.retrieval.match_file import matched_rows
from jobmatch_core.settings import Settings
from jobmatch_core.vector_stores.vector_store import Filters


@dataclass(frozen=True, slots=True)
class MatchSpec:
    """Specification of the matches of a file of projects: all that another process needs.

    Attributes:
        marketplace: name of a stored one.
        model: word of the towers; the model in use where empty.
        filters: conditions on freelancers.
        limit: maximum number of matches per project.
    """

    marketplace: str
    model: str
    filters: Filters
    limit: int

    def rows(self, projects: Sequence[Project]) -> list[Record]:
        """Return the rows of all matches, by a finder that is opened once in each process; raises as `open_finder`."""
        key = self, Settings.from_environment()
        if key not in _opened:
            from jobmatch_core.retrieval.match_models import load_match_model  # torch takes seconds

            _opened.clear()
            _opened[key] = open_finder(self.marketplace, load_match_model(self.model))
        return matched_rows(_opened[key], self.filters, self.limit, projects)


_opened: dict[tuple[MatchSpec, Settings], Finder] = {}  # the last one; settings tell homes apart


def rows_by(engine: Engine, spec: MatchSpec, lists: Iterable[Sequence[Project]]) -> Iterator[list[Record]]:
    """Yield the rows of each list of projects, in order.

    Raises:
        MatchingError: a worker was lost.
    """
    try:
        yield from engine.map(spec.rows, lists)
    except EngineError as error:
        raise MatchingError(f"{error} Run the command again.") from error
