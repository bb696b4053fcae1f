"""Batches from the trainer's row numbers: titles with target vectors, and tuples with negatives.

The dataset that the trainer shuffles and shards holds only numbers; the examples are looked up or drawn here by number,
the same each time. That saves memory, and a resumed training continues exactly as an uninterrupted one.
"""

from collections.abc import Callable, Sequence
from itertools import chain
from typing import Any

import torch

from jobmatch_core.titles.similarity_pairs import SimilarityPairs
from jobmatch_core.titles.skill_vectors import TitleTargets

NUMBER = "number"

Preprocess = Callable[[list[str]], dict[str, Any]]
Rows = Sequence[dict[str, int]]
Batch = dict[str, Any]


class TargetBatches:
    """Batches of stage 1: a title and the vector of its bag; numbers beyond the last title begin again."""

    valid_label_columns = ("label",)  # asked for by sentence-transformers' trainer

    def __init__(self, targets: TitleTargets, preprocess: Preprocess) -> None:
        """Store D1 and a model's function from texts to features."""
        self._targets = targets
        self._preprocess = preprocess

    def __call__(self, rows: Rows) -> Batch:
        """Return the features of the titles and their targets, shape (batch, dimension)."""
        numbers = [row[NUMBER] % len(self._targets.titles) for row in rows]
        titles = self._preprocess([self._targets.titles[number] for number in numbers])
        vectors = self._targets.vectors[self._targets.bags[numbers]]
        return _named("title", titles) | {"label": torch.from_numpy(vectors)}


class TupleBatches:
    """Batches of stage 2: an anchor, a positive and the anchor's negatives, drawn by the number."""

    valid_label_columns = ()

    def __init__(self, pairs: SimilarityPairs, preprocess: Preprocess, *, negatives: int, pool: int) -> None:
        """Store D2, a model's function from texts to features, and the sizes of a tuple's and a title's negatives."""
        self._pairs = pairs
        self._preprocess = preprocess
        self._negatives = negatives
        self._pool = pool

    def __call__(self, rows: Rows) -> Batch:
        """Return the features of anchors, positives, and all negatives in one, the first anchor's first."""
        tuples = [self._pairs.draw(row[NUMBER], self._negatives, self._pool) for row in rows]
        columns = {
            "anchor": [each.anchor for each in tuples],
            "positive": [each.positive for each in tuples],
            "negatives": list(chain.from_iterable(each.negatives for each in tuples)),
        }
        batch: Batch = {}
        for name, texts in columns.items():
            batch |= _named(name, self._preprocess(texts))
        return batch


def _named(column: str, features: dict[str, Any]) -> Batch:
    """Return features under the names of sentence-transformers' own collator."""
    return {f"{column}_{key}": value for key, value in features.items()}
