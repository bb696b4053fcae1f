"""Models and tasks for WorkRB (PyPI `workrb`, 0.6), to import in Python beside it.

The models are jobmatch's systems; the tasks read local folders, where WorkRB's own ask a hub, and bear the same names.

    import workrb
    from jobmatch.workrb import TitleSimilarity, linker, title_encoder

    tasks = [TitleSimilarity("title_similarity")]
    workrb.evaluate(title_encoder(), tasks, "results/title-encoder", save_rankings=True)
    workrb.evaluate(linker(titles=True), tasks, "results/linker")

`jobmatch evaluate import-workrb results/linker/results.json` shows the figures on the page 'Scoreboard'.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import torch
from scipy.sparse import csr_matrix

from jobmatch_core.benchmarks.datasets.dataset import RankingDataset
from jobmatch_core.benchmarks.datasets.melo import TASK as MELO_TASK
from jobmatch_core.benchmarks.datasets.tasks import find_benchmarks
from jobmatch_core.benchmarks.datasets.title_sets import SIMILARITY_TASK, read_titles, taxonomy_of_titles
from jobmatch_core.benchmarks.scoreboard.ranking_files import WORKRB_NORMALIZATION, WORKRB_TASKS, workrb_model
from jobmatch_core.benchmarks.systems.catalogue import open_system
from jobmatch_core.benchmarks.systems.system import Ranker, System
from jobmatch_core.entities import FloatArray, Progress, no_progress
from jobmatch_core.errors import DataFileError, SettingsError
from jobmatch_core.search.search_encoder import SearchEncoder
from jobmatch_core.search.search_models import load_search_encoder
from jobmatch_core.settings import Settings
from jobmatch_core.taxonomy import TaxonomyStore
from jobmatch_core.text.locales import ENGLISH

try:
    from workrb.models.base import ModelInterface
    from workrb.tasks.abstract.base import Language
    from workrb.tasks.abstract.ranking_base import RankingDataset as Texts
    from workrb.tasks.abstract.ranking_base import RankingTask, RankingTaskGroup
    from workrb.types import DatasetLanguages, DatasetSplit, LabelType, ModelInputType
except ImportError as error:
    raise SettingsError(
        'jobmatch.workrb needs WorkRB 0.6, which is not installed; install it with: pip install "jobmatch[workrb]"'
    ) from error

_BLOCK_SCORES = 1 << 24  # 64 MB of them at once
_SIMILARITY_METRICS = ("map", "rp@5", "rp@10", "mrr")  # as in WorkRB's own tasks, with MAP and MRR in each
_MELO_METRICS = ("mrr", "hit@1", "hit@5", "hit@10", "map")
_NORMALIZATION_METRICS = ("map", "rp@10", "mrr")


def title_encoder(word: str = "titles") -> "JobmatchModel":
    """Return the shipped title encoder, or any encoder of `--encoder`, as a model: cosine of the bare texts.

    Raises:
        ModelError: there is no such encoder.
        LinkingError: the encoder cannot be loaded.
    """
    return JobmatchModel(open_system(f"encoder:{word}"))


def search_encoder(word: str = "") -> "JobmatchModel":
    """Return the search encoder in use, or another, as a model; queries and targets are encoded by their towers.

    Raises:
        ModelError: there is no such encoder, or it is damaged.
        LinkingError: the encoder cannot be loaded.
    """
    return JobmatchModel(_SearchSystem(load_search_encoder(word)))


def linker(taxonomy: str = "esco-1.0.3", *, titles: bool = False) -> "JobmatchModel":
    """Return the linker with all names of a taxonomy as a model.

    Args:
        taxonomy: id of an installed taxonomy.
        titles: the targets are titles, each with a meaning of its own, as in title similarity; otherwise they are
            names of occupations, as in MELO and job normalization.

    Raises TaxonomyError if the taxonomy is not installed, or has no English names; on the first ranking.
    """
    return JobmatchModel(open_system(f"linker:{taxonomy}"), titles=titles)


class JobmatchModel(ModelInterface):  # type: ignore[misc]  # of a package without types
    """A jobmatch system as a WorkRB model; `open_system` of `jobmatch_core.benchmarks` opens others, such as `bm25`."""

    def __init__(self, system: System, *, titles: bool = False) -> None:
        """Wrap a system; *titles* is explained at `linker`."""
        self._system = system
        self._titles = titles

    @property
    def name(self) -> str:
        """The system's name in WorkRB's results."""
        return workrb_model(self._system.name)

    @property
    def description(self) -> str:
        """One sentence for WorkRB's results."""
        return f"The system {self._system.name!r} of jobmatch."

    @property
    def classification_label_space(self) -> list[str] | None:
        """None: the labels are ranked by their texts."""
        return None

    def _compute_rankings(
        self,
        queries: Sequence[str],
        targets: Sequence[str],
        query_input_type: "ModelInputType | None" = None,
        target_input_type: "ModelInputType | None" = None,
    ) -> torch.Tensor:
        ranker = self._system.prepare(_corpus(targets, titles=self._titles), progress=no_progress)
        size = max(_BLOCK_SCORES // max(len(targets), 1), 1)
        blocks = [ranker.scores([*queries[start : start + size]]) for start in range(0, len(queries), size)]
        scores = np.concatenate(blocks) if blocks else np.empty((0, len(targets)))
        return torch.from_numpy(np.ascontiguousarray(scores, dtype=np.float32))

    def _compute_classification(
        self,
        texts: Sequence[str],
        targets: Sequence[str],
        input_type: "ModelInputType | None" = None,
        target_input_type: "ModelInputType | None" = None,
    ) -> torch.Tensor:
        return self._compute_rankings(texts, targets, input_type, target_input_type)


def _corpus(targets: Sequence[str], *, titles: bool) -> RankingDataset:
    """Return targets as a dataset without queries; every target is its own concept, of an unknown language."""
    ids = [f"T{number:07d}" for number in range(len(targets))]
    return RankingDataset(
        name="workrb",
        task="workrb",
        query_language=ENGLISH,
        corpus_languages=(ENGLISH,),
        query_ids=[],
        queries=[],
        element_ids=ids,
        elements=[*targets],
        element_languages=[ENGLISH] * len(ids),
        concepts=ids,
        element_concepts=np.arange(len(ids), dtype=np.int32),
        relevant=csr_matrix(np.empty((0, len(ids)), dtype=np.bool_)),
        data_hash="",
        ranks_titles=titles,
    )


@dataclass(frozen=True, slots=True)
class _SearchSystem:
    encoder: SearchEncoder

    @property
    def name(self) -> str:
        return f"search:{self.encoder.name}"

    def prepare(self, dataset: RankingDataset, *, progress: Progress) -> Ranker:
        return _SearchRanker(self.encoder, self.encoder.encode(dataset.elements))


@dataclass(frozen=True, slots=True)
class _SearchRanker:
    encoder: SearchEncoder
    vectors: FloatArray

    def scores(self, queries: Sequence[str]) -> FloatArray:
        return self.encoder.encode_queries(queries) @ self.vectors.T


@dataclass(frozen=True, slots=True)
class _Ranked:
    """Texts of a dataset as WorkRB takes them, and the languages of queries and targets."""

    queries: list[str]
    right: list[list[int]]
    targets: list[str]
    languages: tuple[tuple[str, ...], tuple[str, ...]]


class LocalTask(RankingTask):  # type: ignore[misc]  # of a package without types
    """A ranking task over local data; WorkRB merges equal queries and equal targets."""

    def __init__(self, title: str, metrics: Sequence[str], datasets: Mapping[str, _Ranked]) -> None:
        """Take the datasets, by their ids; raises DataFileError if WorkRB does not know a dataset's language."""
        self._title, self._metrics, self._ranked = title, metrics, datasets
        self._languages = {name: _languages(name, ranked) for name, ranked in datasets.items()}
        super().__init__(languages=None, split="test")

    @property
    def name(self) -> str:
        """The name of WorkRB's own task."""
        return self._title

    @property
    def description(self) -> str:
        """One sentence for WorkRB's results."""
        return f"{self._title}, over local data."

    @property
    def default_metrics(self) -> list[str]:
        """The metrics of WorkRB's own task, MAP and MRR among them."""
        return [*self._metrics]

    @property
    def task_group(self) -> "RankingTaskGroup":
        """The group of WorkRB's own task."""
        similar = self._title == WORKRB_TASKS[SIMILARITY_TASK]
        return RankingTaskGroup.SEMANTIC_SIMILARITY if similar else RankingTaskGroup.JOB_NORMALIZATION

    @property
    def label_type(self) -> "LabelType":
        """Several targets may be right, except in job normalization."""
        alone = self._title == WORKRB_NORMALIZATION
        return LabelType.SINGLE_LABEL if alone else LabelType.MULTI_LABEL

    @property
    def supported_query_languages(self) -> "list[Language]":
        """The languages of the queries."""
        return sorted({language for languages in self._languages.values() for language in languages.input_languages})

    @property
    def supported_target_languages(self) -> "list[Language]":
        """The languages of the targets."""
        return sorted({language for languages in self._languages.values() for language in languages.output_languages})

    @property
    def split_test_fraction(self) -> float:
        """All: there is no validation split."""
        return 1.0

    @property
    def query_input_type(self) -> "ModelInputType":
        """Job titles."""
        return ModelInputType.JOB_TITLE

    @property
    def target_input_type(self) -> "ModelInputType":
        """Job titles, too."""
        return ModelInputType.JOB_TITLE

    def languages_to_dataset_ids(self, languages: "Sequence[Language]") -> list[str]:
        """Return the datasets of which all languages are given."""
        given = set(languages)
        return [name for name, (queries, targets) in self._languages.items() if {*queries, *targets} <= given]

    def get_dataset_languages(self, dataset_id: str) -> "DatasetLanguages":
        """Return the languages of a dataset's queries and targets."""
        return self._languages[dataset_id]

    def load_dataset(self, dataset_id: str, split: "DatasetSplit") -> "Texts":
        """Return a dataset's texts."""
        ranked = self._ranked[dataset_id]
        return Texts(ranked.queries, ranked.right, ranked.targets, dataset_id=dataset_id)


class Melo(LocalTask):
    """WorkRB's task 'MELO' over a folder of MELO's datasets, such as `deu_q_de_c_en`, or over one of them."""

    def __init__(self, path: Path | str) -> None:
        """Read the datasets; raises DataFileError if there is none, or one is damaged."""
        super().__init__(WORKRB_TASKS[MELO_TASK], _MELO_METRICS, _read(MELO_TASK, path))


class TitleSimilarity(LocalTask):
    """WorkRB's task 'Job Title Similarity' over a folder of languages, such as `de` and `en-de`, or over one."""

    def __init__(self, path: Path | str) -> None:
        """Read the datasets; raises DataFileError if there is none, or one is damaged."""
        super().__init__(WORKRB_TASKS[SIMILARITY_TASK], _SIMILARITY_METRICS, _read(SIMILARITY_TASK, path))


class JobNormalization(LocalTask):
    """WorkRB's task 'Job Normalization' over a table of titles: rank the preferred English names of occupations."""

    def __init__(self, path: Path | str, taxonomy: str = "", *, settings: Settings | None = None) -> None:
        """Read the titles; titles of occupations that the taxonomy does not have are left out, as in WorkRB.

        Args:
            path: a table with the columns vacancyTitle and conceptUri.
            taxonomy: id of an installed taxonomy; by default ESCO 1.0.3 or ISCO-08, by the URIs of the file.
            settings: location of the taxonomies; from the environment by default.

        Raises:
            DataFileError: the file is damaged, or the taxonomy has none of its occupations.
            TaxonomyError: the taxonomy is not installed.
        """
        path = Path(path)
        titles, uris = read_titles(path)
        opened = TaxonomyStore.open(settings).load(taxonomy or taxonomy_of_titles(path.name, uris))
        numbers = opened.occupation_numbers.tolist()
        places = {opened.uris[number]: place for place, number in enumerate(numbers)}
        placed = [(title, places[uri]) for title, uri in zip(titles, uris, strict=True) if uri in places]
        if not placed:
            raise DataFileError(path, f"{opened.id} has none of its occupations; name another taxonomy")
        ranked = _Ranked(
            queries=[title for title, _ in placed],
            right=[[place] for _, place in placed],
            targets=[opened.name(number, ENGLISH) for number in numbers],
            languages=((ENGLISH,), (ENGLISH,)),
        )
        super().__init__(WORKRB_NORMALIZATION, _NORMALIZATION_METRICS, {ENGLISH: ranked})


def _read(task: str, path: Path | str) -> dict[str, _Ranked]:
    return {benchmark.name: _ranked(benchmark.read()) for benchmark in find_benchmarks(task, Path(path))}


def _ranked(dataset: RankingDataset) -> _Ranked:
    rows = dataset.relevant
    right = [rows.indices[start:end].tolist() for start, end in zip(rows.indptr, rows.indptr[1:], strict=False)]
    languages = ((dataset.query_language,), dataset.corpus_languages)
    return _Ranked(dataset.queries, right, dataset.elements, languages)


def _languages(name: str, ranked: _Ranked) -> "DatasetLanguages":
    languages = {language.value: language for language in Language}
    wanted = [[code.partition("-")[0] for code in codes] for codes in ranked.languages]
    if missing := sorted({code for codes in wanted for code in codes} - set(languages)):
        raise DataFileError(name, f"WorkRB does not know the language {missing[0]}; leave this dataset out")
    return DatasetLanguages(*(frozenset(languages[code] for code in codes) for codes in wanted))
