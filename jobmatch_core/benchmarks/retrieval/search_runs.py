"""Stored figures of searches: `SET.json`, one record per system; and the measuring of encoders that fills it.

Those that the authors measured are in `search_figures` and are shown until somebody measures the same system. Encoders
are measured on one set of our own search queries, system by system, with a stop that keeps what is done.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import date
from pathlib import Path
from threading import Event

from jobmatch_core import __version__
from jobmatch_core.benchmarks.retrieval.run_store import RunStore
from jobmatch_core.benchmarks.retrieval.search_experiment import LEADING, SearchRow, baselines, evaluate_search
from jobmatch_core.benchmarks.retrieval.search_queries import FREELANCERS, OCCUPATIONS, own_set
from jobmatch_core.entities import Progress, no_progress
from jobmatch_core.metrics.judgment_metrics import AUC
from jobmatch_core.search.search_models import load_search_encoder
from jobmatch_core.settings import Settings
from jobmatch_core.taxonomy import TaxonomyStore

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
        source: `yours` or `shipped with ...`, the version.
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
    measured_systems = {run.row.system for run in here}
    shipped = RunStore(_SHIPPED, SearchRun, FORMAT).runs(name)
    standings = [SearchStanding(run, "yours") for run in here]
    standings += [
        SearchStanding(run, f"shipped with {run.version}") for run in shipped if run.row.system not in measured_systems
    ]
    return sorted(standings, key=lambda standing: -standing.run.row.figures[leading_figure(standing.run.row)])


def leading_figure(row: SearchRow) -> str:
    """Return the figure that the row's interval is of."""
    return next(name for name in (AUC, *LEADING) if name in row.figures)


class SearchCampaign:
    """Measuring of encoders and of the baselines on a set.

    Attributes:
        rows: the figures so far, those of the optimal order among them.
        stopped: true if it was stopped before its end.
    """

    def __init__(self, name: str, words: Sequence[str], settings: Settings) -> None:
        """Choose what to measure.

        Args:
            name: name of one of `OWN_SETS`.
            words: words of encoders, see `load_search_encoder`.
            settings: location of taxonomies, models and figures.
        """
        self._name, self._words, self._settings = name, tuple(dict.fromkeys(words)), settings
        self._stop = Event()
        self.rows: list[SearchRow] = []
        self.stopped = False

    def stop(self) -> None:
        """Stop after the system that is being measured."""
        self._stop.set()

    def run(self, progress: Progress = no_progress) -> list[SearchRow]:
        """Measure, and store the figures of each system as soon as they are there.

        Args:
            progress: called with systems measured and in total.

        Raises:
            TaxonomyError: no release of ESCO is installed that has the occupations.
            ModelError, LinkingError: an encoder cannot be loaded.
            DataFileError: the stored figures cannot be read.
        """
        encoders = [load_search_encoder(word, self._settings, kept=True) for word in self._words]
        queries, store = own_set(self._name, TaxonomyStore.open(self._settings)), search_run_store(self._settings)
        systems = baselines(encoders)
        for done, system in enumerate(systems):
            progress(done, len(systems))
            if self._stop.is_set():
                self.stopped = True
                break
            measured = evaluate_search([queries], [system])
            keep_search_rows(measured, store)
            self.rows += measured
        return self.rows
