"""A campaign: several systems measured on several datasets; stored results are not measured again."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

from jobmatch_core.benchmarks.datasets.dataset import RankingDataset
from jobmatch_core.benchmarks.datasets.found import Benchmark
from jobmatch_core.benchmarks.scoreboard.result_store import Evaluation, ResultStore
from jobmatch_core.benchmarks.scoreboard.results import figure_names
from jobmatch_core.benchmarks.scoreboard.run import evaluate, versions_of
from jobmatch_core.benchmarks.systems.system import System
from jobmatch_core.entities import Progress, no_progress
from jobmatch_core.errors import DataFileError

DEFAULT_SYSTEMS = ("linker", "title_encoder")  # where none is named
_PARTS = 1000  # of a dataset and system, in progress
_SAME = ("system", "jobmatch")  # versions under which a result is not measured again


class _Stopped(Exception):
    """Somebody pressed Stop."""


@dataclass
class Campaign:
    """Evaluations that are made one after the other, dataset by dataset.

    Attributes:
        benchmarks: benchmarks to measure on.
        systems: systems to measure; each is loaded when the work begins.
        store: store of the results.
        again: also measure stored ones again.
        evaluations: completed evaluations, measured or stored.
        warnings: stored results that could not be read; they are measured again.
        doing: name of the current measurement.
    """

    benchmarks: Sequence[Benchmark]
    systems: Sequence[Callable[[], System]]
    store: ResultStore
    again: bool = False
    evaluations: list[Evaluation] = field(default_factory=list)
    warnings: list[str] = field(default_factory=list)
    doing: str = ""
    stopped: bool = False

    @property
    def total(self) -> int:
        """Total number of evaluations."""
        return len(self.benchmarks) * len(self.systems)

    def run(self, progress: Progress = no_progress) -> list[Evaluation]:
        """Do what is left to do and return all that is done.

        Raises:
            JobMatchError: a dataset or a system cannot be read or prepared; completed results are stored.
        """
        try:
            systems = [make() for make in self.systems]
            for benchmark in self.benchmarks:
                self._on(benchmark, systems, progress)
        except _Stopped:
            self.doing = ""
        return self.evaluations

    def stop(self) -> None:
        """Leave off at the next report of progress; what is being measured then is lost."""
        self.stopped = True

    def _on(self, benchmark: Benchmark, systems: Sequence[System], progress: Progress) -> None:
        self.doing = f"reading {benchmark.name}"
        dataset = benchmark.read()
        for system in systems:
            self.doing = f"{system.name} on {dataset.name}"
            done = _PARTS * len(self.evaluations)

            def report(part: int, of: int, done: int = done) -> None:
                if self.stopped:
                    raise _Stopped
                progress(done + _PARTS * part // max(of, 1), _PARTS * self.total)

            report(0, 1)
            self.evaluations.append(self._kept(system, dataset) or self._measured(system, dataset, report))

    def _kept(self, system: System, dataset: RankingDataset) -> Evaluation | None:
        """Return the stored result of the same data, versions and metrics."""
        if self.again:
            return None
        try:
            stored = self.store.figures(dataset.task, dataset.name, system.name)
        except DataFileError as error:
            self.warnings.append(str(error))
            return None
        wanted = versions_of(system)
        if stored is None or stored[0].data_hash != dataset.data_hash:
            return None
        whole = all(set(figure_names()) <= result.values.keys() for result in stored)
        return stored if whole and all(stored[0].versions.get(key) == wanted[key] for key in _SAME) else None

    def _measured(self, system: System, dataset: RankingDataset, progress: Progress) -> Evaluation:
        evaluation = evaluate(system, dataset, progress=progress)
        self.store.save(evaluation)
        return evaluation
