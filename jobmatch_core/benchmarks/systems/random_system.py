"""A system that ranks at random: what any other must beat.

Paper: Retyk et al. (2024), MELO, table 2, row 'Random baseline'.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from hashlib import sha256

import numpy as np

from jobmatch_core.benchmarks.datasets.dataset import RankingDataset
from jobmatch_core.entities import FloatArray, Progress


@dataclass(frozen=True, slots=True)
class RandomSystem:
    """Scores that depend on nothing but the query's text, uniform between 0 and 1."""

    name: str = "random"

    def prepare(self, dataset: RankingDataset, *, progress: Progress) -> "RandomRanker":
        """Count the elements."""
        progress(len(dataset.elements), len(dataset.elements))
        return RandomRanker(len(dataset.elements))


@dataclass(frozen=True, slots=True)
class RandomRanker:
    """Random scores of *n_elements* elements."""

    n_elements: int

    def scores(self, queries: Sequence[str]) -> FloatArray:
        """Return the same scores for the same query, shape (query, element)."""
        return np.stack([np.random.default_rng(_seed(query)).random(self.n_elements, np.float32) for query in queries])


def _seed(query: str) -> int:
    return int.from_bytes(sha256(query.encode()).digest()[:8])
