"""Stored figures of searches: `SET.json`, one record per system.

Those that the authors measured are in `search_figures` and are shown until somebody measures the same system.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import date
from pathlib import Path

from jobmatch_core import __version__
from jobmatch_core.benchmarks.experiments.run_store import RunStore
from jobmatch_core.benchmarks.experiments.search_experiment import LEADING, SearchRow
from jobmatch_core.benchmarks.experiments.search_queries import FREELANCERS, OCCUPATIONS
from jobmatch_core.metrics.judged_pairs import AUC
from jobmatch_core.settings import Settings

TASK = "search"
FORMAT = 1  # raised when the layout changes; older runs are then to be measured again
OWN_SETS = (OCCUPATIONS, FREELANCERS)
_SHIPPED = Path(__file__).parent / "search_figures"


@dataclass(frozen=True, slots=True)
class SearchRun:
    """Figures of one system on one set, and when they were measured.

    Attributes:
        row: the figures.
        version: version of jobmatch that was measured.
        measured_on: the day, such as `2026-11-23`.
    """

    row: SearchRow
    version: str
    measured_on: str

    def repeats(self, other: "SearchRun") -> bool:
        """Return whether both are of one system."""
        return self.row.system == other.row.system


@dataclass(frozen=True, slots=True)
class SearchStanding:
    """A run beside others.

    Attributes:
        run: the run.
        source: `measured here` or `measured by the authors, version ...`.
    """

    run: SearchRun
    source: str


def search_run_store(settings: Settings | None = None) -> RunStore[SearchRun]:
    """Return the store of what was measured here."""
    return RunStore((settings or Settings.from_environment()).evaluations / TASK, SearchRun, FORMAT)


def keep_search_rows(rows: Iterable[SearchRow], store: RunStore[SearchRun]) -> None:
    """Store what was measured today; raises as `RunStore.add`."""
    for row in rows:
        store.add(row.set, SearchRun(row, __version__, date.today().isoformat()))


def searched_sets(store: RunStore[SearchRun]) -> tuple[str, ...]:
    """Return the sets of which there are figures: our own queries first."""
    return tuple(dict.fromkeys((*OWN_SETS, *sorted(path.stem for path in store.folder.glob("*.json")))))


def search_standings(name: str, store: RunStore[SearchRun]) -> list[SearchStanding]:
    """Return the systems measured on a set, the best first; a run of here takes the place of the authors' one.

    Raises:
        DataFileError: what was measured here cannot be read.
    """
    here = store.runs(name)
    known = {run.row.system for run in here}
    shipped = RunStore(_SHIPPED, SearchRun, FORMAT).runs(name)
    standings = [SearchStanding(run, "measured here") for run in here]
    standings += [
        SearchStanding(run, f"measured by the authors, version {run.version}")
        for run in shipped
        if run.row.system not in known
    ]
    return sorted(standings, key=lambda each: -each.run.row.figures[leading_figure(each.run.row)])


def leading_figure(row: SearchRow) -> str:
    """Return the figure that the row's interval is of."""
    return next(name for name in (AUC, *LEADING) if name in row.figures)
