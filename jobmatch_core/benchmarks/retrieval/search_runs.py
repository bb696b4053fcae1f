"""Stored search figures, one record per system in `SET.json`, beside the shipped ones; and campaigns that measure."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import date
from pathlib import Path
from threading import Event
from typing import Literal

from jobmatch_core import __version__
from jobmatch_core.benchmarks.retrieval.run_store import RunStore
from jobmatch_core.benchmarks.retrieval.search_experiment import LEADING, OPTIMAL, SystemRow, baselines, evaluate_search
from jobmatch_core.benchmarks.retrieval.search_queries import FREELANCERS, OCCUPATIONS, own_set
from jobmatch_core.entities import Progress, no_progress
from jobmatch_core.metrics.judgment_metrics import AUC
from jobmatch_core.search.search_models import SHIPPED as SHIPPED_SEARCH
from jobmatch_core.search.search_models import load_beside, load_search_encoder
from jobmatch_core.settings import Settings
from jobmatch_core.taxonomy import TaxonomyStore
from jobmatch_core.titles.encoder import SHIPPED as SHIPPED_TITLES

TASK = "search"
FORMAT = 1  # raised when the layout changes; older runs must then be measured again
OWN_SETS = (OCCUPATIONS, FREELANCERS)
SearchGroup = Literal["optimal", "ours", "yours", "other model", "baseline"]
_BASELINES = frozenset(system.name for system in baselines([]))
_SHIPPED = Path(__file__).parent / "search_figures"


@dataclass(frozen=True, slots=True)
class SearchRun:
    """Figures of one system on one set, with the version of jobmatch and the date (`2026-11-23`)."""

    row: SystemRow
    version: str
    measured_on: str

    def repeats(self, other: "SearchRun") -> bool:
        """Return whether both are of one system."""
        return self.row.system == other.row.system


@dataclass(frozen=True, slots=True)
class SearchStanding:
    """A run and its source: `yours` or `shipped with VERSION`."""

    run: SearchRun
    source: str

    @property
    def group(self) -> SearchGroup:
        """What the system is: the optimal order, a baseline without a model, jobmatch's, one of yours, or another."""
        system = self.run.row.system
        if system == OPTIMAL:
            return "optimal"
        if system in _BASELINES:
            return "baseline"
        if any(f"{shipped}-" in system for shipped in (SHIPPED_SEARCH, SHIPPED_TITLES)):
            return "ours"
        return "yours" if self.source == "yours" else "other model"


def search_run_store(settings: Settings | None = None) -> RunStore[SearchRun]:
    """Return the store of the runs measured here."""
    return RunStore((settings or Settings.from_environment()).evaluations / TASK, SearchRun, FORMAT)


def keep_search_rows(rows: Iterable[SystemRow], store: RunStore[SearchRun]) -> None:
    """Store rows with today's date; raises as `RunStore.add`."""
    for row in rows:
        store.add(row.set, SearchRun(row, __version__, date.today().isoformat()))


def searched_sets(store: RunStore[SearchRun]) -> tuple[str, ...]:
    """Return our own sets and all others that were measured."""
    return tuple(dict.fromkeys((*OWN_SETS, *sorted(path.stem for path in store.folder.glob("*.json")))))


def search_standings(name: str, store: RunStore[SearchRun]) -> list[SearchStanding]:
    """Return the systems measured on a set, best first; runs measured here replace shipped ones.

    Raises DataFileError if the stored runs cannot be read.
    """
    here = store.runs(name)
    measured_systems = {run.row.system for run in here}
    shipped = RunStore(_SHIPPED, SearchRun, FORMAT).runs(name)
    standings = [SearchStanding(run, "yours") for run in here]
    standings += [
        SearchStanding(run, f"shipped with {run.version}") for run in shipped if run.row.system not in measured_systems
    ]
    return sorted(standings, key=lambda standing: -standing.run.row.figures[leading_figure(standing.run.row)])


def leading_figure(row: SystemRow) -> str:
    """Return the name of the figure that has the row's interval."""
    return next(name for name in (AUC, *LEADING) if name in row.figures)


class SearchCampaign:
    """Measures encoders and baselines on a set."""

    def __init__(self, name: str, words: Sequence[str], settings: Settings) -> None:
        """Prepare a campaign on one of `OWN_SETS`, with names of encoders as for `load_search_encoder`."""
        self._name, self._words, self._settings = name, tuple(dict.fromkeys(words)), settings
        self._stop = Event()
        self.rows: list[SystemRow] = []  # figures so far, including the optimal order
        self.stopped = False  # whether it was stopped early

    def stop(self) -> None:
        """Stop after the current system."""
        self._stop.set()

    def run(self, progress: Progress = no_progress) -> list[SystemRow]:
        """Measure and store the figures, system by system.

        Raises:
            TaxonomyError: no suitable release of ESCO is installed.
            ModelError, LinkingError: an encoder cannot be loaded.
            DataFileError: the stored figures cannot be read.
        """
        encoders = [load_search_encoder(word, self._settings, cached=True) for word in self._words]
        queries, store = own_set(self._name, TaxonomyStore.open(self._settings)), search_run_store(self._settings)
        systems = baselines(encoders, load_beside(self._settings))
        for done, system in enumerate(systems):
            progress(done, len(systems))
            if self._stop.is_set():
                self.stopped = True
                break
            measured = evaluate_search([queries], [system])
            keep_search_rows(measured, store)
            self.rows += measured
        return self.rows
