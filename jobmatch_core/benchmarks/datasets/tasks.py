"""The ranking benchmarks: tasks, and their datasets in folders."""

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Literal

from jobmatch_core.benchmarks.datasets import melo, title_sets
from jobmatch_core.benchmarks.datasets.dataset import RankingDataset
from jobmatch_core.errors import DataFileError
from jobmatch_core.settings import Settings
from jobmatch_core.taxonomy import TaxonomyStore

Read = Callable[[Path, TaxonomyStore, str], RankingDataset]


@dataclass(frozen=True, slots=True)
class BenchmarkTask:
    """A ranking benchmark."""

    label: str  # name on the page
    files: str  # expected files in its folder, in Markdown
    find: Callable[[Path], list[Path]]  # returns the paths of a folder's datasets; DataFileError if there is none
    # reads the dataset at a path, given the taxonomies and the id of the taxonomy to rank ('' for that of the dataset's
    # URIs)
    read: Read
    help: str = ""  # help text of its command; without one there is no command
    ranks_taxonomy: bool = False  # whether it ranks the names of an installed taxonomy
    # systems that are measured by default; `linker` needs a dataset with a taxonomy
    systems: tuple[str, ...] = ("linker", "encoder:titles")
    # metric by which two systems are compared: `map` where queries have many relevant elements
    compared_by: Literal["mrr", "map"] = "mrr"


@dataclass(frozen=True, slots=True)
class Benchmark:
    """A dataset that is read on demand."""

    task: str
    name: str
    read: Callable[[], RankingDataset]


def find_benchmarks(task: str, path: Path, taxonomy_id: str = "", settings: Settings | None = None) -> list[Benchmark]:
    """Return the dataset of a task at a path, or all datasets in that folder.

    Args:
        task: a key of `TASKS`.
        path: a dataset's folder, or a folder of datasets.
        taxonomy_id: id of the taxonomy to rank; by default that of the dataset's URIs.

    Raises:
        DataFileError: there is none.
        TaxonomyError: there is no such taxonomy, or it is damaged.
    """
    return [_benchmark(task, path, taxonomy_id, settings) for path in TASKS[task].find(path)]


def normalization_benchmark(path: Path, taxonomy_id: str = "") -> Benchmark:
    """Return the benchmark of a CSV of titles; arguments as those of `find_benchmarks`.

    Raises TaxonomyError if there is no such taxonomy, or it is damaged.
    """
    return _benchmark(title_sets.NORMALIZATION_TASK, path, taxonomy_id, None)


def benchmark_folder(task: str, settings: Settings | None = None) -> Path:
    """Return the folder of a task's installed datasets."""
    return (settings or Settings.from_environment()).benchmarks / task


def installed_benchmarks(task: str, taxonomy_id: str = "", settings: Settings | None = None) -> list[Benchmark]:
    """Return the datasets in `benchmark_folder`; none if it is empty or missing. Arguments as `find_benchmarks`.

    Raises TaxonomyError if there is no such taxonomy.
    """
    try:
        return find_benchmarks(task, benchmark_folder(task, settings), taxonomy_id, settings)
    except DataFileError:
        return []


def _benchmark(task: str, path: Path, taxonomy_id: str, settings: Settings | None) -> Benchmark:
    store = TaxonomyStore.open(settings)
    if taxonomy_id:
        store.manifest(taxonomy_id)  # reports a wrong id at once
    name = path.stem if path.is_file() else path.resolve().name
    return Benchmark(task, name, partial(TASKS[task].read, path, store, taxonomy_id))


def _csv_files(folder: Path) -> list[Path]:
    return sorted(folder.glob("*.csv"))


def _read_titles(path: Path, store: TaxonomyStore, taxonomy_id: str) -> RankingDataset:
    taxonomy = taxonomy_id or title_sets.taxonomy_of_titles(path.name, title_sets.read_titles(path)[1])
    return title_sets.read_job_normalization(path, store.load(taxonomy))


def _alone(read: Callable[[Path], RankingDataset]) -> Read:
    return lambda path, store, taxonomy_id: read(path)


TASKS = {
    melo.TASK: BenchmarkTask(
        "Occupations (MELO)",
        "one folder a dataset, such as `deu_q_de_c_en`, with `queries.tsv`, `corpus_elements.tsv`, `annotations.tsv` "
        "and `concept_mapping.tsv`: copy `data/processed` of "
        "[Avature/melo-benchmark](https://github.com/Avature/melo-benchmark)",
        melo.find_datasets,
        _alone(melo.read_melo),
        "Rank ESCO's names for the titles of national terminologies, beside 15 published systems.\n\n"
        "Example: jobmatch evaluate melo melo/datasets --system char_tf_idf",
        systems=("linker:corpus", "encoder:titles"),
    ),
    title_sets.SIMILARITY_TASK: BenchmarkTask(
        "Similar titles",
        "one folder a language, such as `de`, with `queries.tsv`, `corpus_documents.tsv` and `annotations.tsv`: from "
        "[Avature/jobtitlesimilarity-dataset](https://github.com/Avature/jobtitlesimilarity-dataset)",
        title_sets.find_datasets,
        _alone(title_sets.read_title_similarity),
        "Rank titles by whether they mean about the same as another.\n\n"
        "Example: jobmatch evaluate title-similarity title_similarity --system char_tf_idf",
        compared_by="map",
    ),
    title_sets.NORMALIZATION_TASK: BenchmarkTask(
        "Vacancy titles",
        "one or more CSV files with the columns `vacancyTitle` and `conceptUri`",
        _csv_files,
        _read_titles,
        ranks_taxonomy=True,
    ),
}
