"""A small stand-in for what jobmatch uses of WorkRB 0.6: its classes, with the bodies that matter.

tests/jobmatch/test_workrb.py runs the same tests with the real package, where it is installed.
"""

import sys
from enum import StrEnum
from types import ModuleType
from typing import Any, NamedTuple

import numpy as np
import pytest


class Language(StrEnum):
    """Some of WorkRB's languages."""

    DE = "de"
    EN = "en"


class ModelInputType(StrEnum):
    """What a text is."""

    JOB_TITLE = "job_title"


class RankingTaskGroup(StrEnum):
    """Groups of tasks."""

    JOB_NORMALIZATION = "rank_job_normalization"
    SEMANTIC_SIMILARITY = "rank_semantic_similarity"


class LabelType(StrEnum):
    """How many targets are right."""

    SINGLE_LABEL = "single_label"
    MULTI_LABEL = "multi_label"


class DatasetSplit(StrEnum):
    """Splits of a dataset."""

    TEST = "test"


class DatasetLanguages(NamedTuple):
    """Languages of queries and targets."""

    input_languages: frozenset[Language]
    output_languages: frozenset[Language]


class ModelInterface:
    """A model."""

    def compute_rankings(self, *args: Any, **kwargs: Any) -> Any:
        """Return the scores, (query, target)."""
        return self._compute_rankings(*args, **kwargs)  # type: ignore[attr-defined]

    def compute_classification(self, *args: Any, **kwargs: Any) -> Any:
        """Return the scores, (text, label)."""
        return self._compute_classification(*args, **kwargs)  # type: ignore[attr-defined]


class RankingDataset:
    """Texts, of which equal ones are merged: the first stays, and what is right for either is right."""

    def __init__(
        self, query_texts: list[str], target_indices: list[list[int]], target_space: list[str], dataset_id: str
    ) -> None:
        """Merge."""
        targets = [text.strip() for text in target_space]
        self.target_space = [*dict.fromkeys(targets)]
        right: dict[str, set[int]] = {}
        for text, indices in zip(query_texts, target_indices, strict=True):
            right.setdefault(text.strip(), set()).update(self.target_space.index(targets[index]) for index in indices)
        self.query_texts, self.target_indices = [*right], [sorted(indices) for indices in right.values()]
        self.dataset_id = dataset_id


class RankingTask:
    """A task that loads its datasets when it is made."""

    def __init__(self, languages: list[str] | None, split: str) -> None:
        """Load the datasets of all languages."""
        assert languages is None
        self.split = DatasetSplit(split)
        supported: Any = self
        self.languages = [*{*supported.supported_query_languages, *supported.supported_target_languages}]
        self.dataset_ids = supported.languages_to_dataset_ids(self.languages)
        self.datasets = {name: supported.load_dataset(dataset_id=name, split=self.split) for name in self.dataset_ids}

    def evaluate(self, model: Any, metrics: list[str] | None = None, dataset_id: str = "en") -> dict[str, float]:
        """Return MRR alone, over the queries that something is right for."""
        dataset, own = self.datasets[dataset_id], self
        scores = model.compute_rankings(
            queries=dataset.query_texts,
            targets=dataset.target_space,
            query_input_type=own.query_input_type,  # type: ignore[attr-defined]
            target_input_type=own.target_input_type,  # type: ignore[attr-defined]
        ).numpy()
        ranks = np.argsort(np.argsort(-scores, axis=1), axis=1) + 1
        found = [1 / ranks[row, right].min() for row, right in enumerate(dataset.target_indices) if right]
        return {"mrr": float(np.mean(found))}


MODULES: dict[str, tuple[Any, ...]] = {
    "workrb": (),
    "workrb.models": (),
    "workrb.models.base": (ModelInterface,),
    "workrb.tasks": (),
    "workrb.tasks.abstract": (),
    "workrb.tasks.abstract.base": (Language,),
    "workrb.tasks.abstract.ranking_base": (RankingDataset, RankingTask, RankingTaskGroup),
    "workrb.types": (DatasetLanguages, DatasetSplit, LabelType, ModelInputType),
}


def install(patch: pytest.MonkeyPatch) -> None:
    """Put the stand-in in the place of the package, as long as the patch holds."""
    for name, content in MODULES.items():
        module = ModuleType(name)
        for value in content:
            setattr(module, value.__name__, value)
        patch.setitem(sys.modules, name, module)
