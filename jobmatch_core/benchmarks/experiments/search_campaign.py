"""Measuring of encoders on one set of our own search queries, system by system, with a stop that keeps what is done."""

from collections.abc import Sequence
from threading import Event

from jobmatch_core.benchmarks.experiments.search_experiment import SearchRow, baselines, evaluate_search
from jobmatch_core.benchmarks.experiments.search_queries import own_set
from jobmatch_core.benchmarks.experiments.search_runs import keep_search_rows, search_run_store
from jobmatch_core.entities import Progress, no_progress
from jobmatch_core.search.search_models import load_search_encoder
from jobmatch_core.settings import Settings
from jobmatch_core.taxonomy import TaxonomyStore


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
