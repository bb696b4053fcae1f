"""The datasets that there are to be measured on: found in a folder, read one at a time."""

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from pathlib import Path

from jobmatch_core.benchmarks.datasets import job_normalization, melo, title_similarity
from jobmatch_core.benchmarks.datasets.dataset import RankingDataset
from jobmatch_core.errors import DataFileError
from jobmatch_core.settings import Settings
from jobmatch_core.taxonomy import TaxonomyStore

# task -> (datasets in a folder, one dataset); job normalization has one file, and ranks a taxonomy
_READERS: dict[str, tuple[Callable[[Path], list[Path]], Callable[[Path], RankingDataset]]] = {
    melo.TASK: (melo.find_datasets, melo.read_melo),
    title_similarity.TASK: (title_similarity.find_datasets, title_similarity.read_title_similarity),
}
TASKS = (*_READERS, job_normalization.TASK)


@dataclass(frozen=True, slots=True)
class Benchmark:
    """A dataset that is not read yet."""

    task: str
    name: str
    read: Callable[[], RankingDataset]


def find_benchmarks(task: str, path: Path) -> list[Benchmark]:
    """Return a task's dataset in a folder, or all of the datasets in it, by name.

    Raises:
        DataFileError: there is none.
    """
    find, read = _READERS[task]
    return [Benchmark(task, folder.resolve().name, partial(read, folder)) for folder in find(path)]


def normalization_benchmark(path: Path, taxonomy_id: str = "", settings: Settings | None = None) -> Benchmark:
    """Return a CSV of titles, whose occupations are those of an installed taxonomy; that is loaded when it is read.

    Args:
        path: path of the CSV.
        taxonomy_id: id of the taxonomy; by default the one that has most of the titles' occupations.
        settings: locations of the taxonomies.

    Raises:
        TaxonomyError: there is no such taxonomy, or it is damaged.
    """
    store = TaxonomyStore.open(settings)
    if taxonomy_id:
        store.manifest(taxonomy_id)  # so that a wrong id is reported at once
    return Benchmark(job_normalization.TASK, path.stem, partial(_read_titles, path, store, taxonomy_id))


def _read_titles(path: Path, store: TaxonomyStore, taxonomy_id: str) -> RankingDataset:
    known = taxonomy_id or store.knowing(job_normalization.read_titles(path)[1])[0]
    return job_normalization.read_job_normalization(path, store.load(known))


def benchmark_folder(task: str, settings: Settings | None = None) -> Path:
    """Return where users put a task's datasets."""
    return (settings or Settings.from_environment()).benchmarks / task


def installed_benchmarks(task: str, taxonomy_id: str = "", settings: Settings | None = None) -> list[Benchmark]:
    """Return the datasets that users have put there, by name; none where the folder is empty or missing.

    Args:
        task: task of the benchmarks.
        taxonomy_id: id of the taxonomy that job normalization ranks; see `normalization_benchmark`.
        settings: locations of the datasets.

    Raises:
        TaxonomyError: there is no such taxonomy.
    """
    folder = benchmark_folder(task, settings)
    if task == job_normalization.TASK:
        return [normalization_benchmark(path, taxonomy_id, settings) for path in sorted(folder.glob("*.csv"))]
    try:
        return find_benchmarks(task, folder)
    except DataFileError:
        return []
