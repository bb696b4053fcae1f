"""Relevance in each of the two rankings: of names, or of occupations, each once under its best name."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import csr_matrix

from jobmatch_core.benchmarks.datasets.dataset import RankingDataset
from jobmatch_core.entities import FloatArray
from jobmatch_core.metrics.ranking import RelevantRanks, rank_ids, rank_relevant


@dataclass(frozen=True)
class Judgments:
    """The relevant columns of each query, and the order of equal scores.

    Attributes:
        relevant: (query, column) boolean; columns are elements or concepts.
        id_ranks: (column,) place of each id in ascending order.
    """

    relevant: csr_matrix
    id_ranks: NDArray[np.int32]

    @classmethod
    def by_name(cls, dataset: RankingDataset) -> "Judgments":
        """Judge elements."""
        return cls(dataset.relevant, rank_ids(dataset.element_ids))

    @classmethod
    def by_occupation(cls, dataset: RankingDataset) -> "Judgments":
        """Judge concepts: relevant is one with a relevant element."""
        return cls(relevant_concepts(dataset), rank_ids(dataset.concepts))

    def rank(self, scores: FloatArray, start: int = 0) -> RelevantRanks:
        """Rank a block of queries, the first of which is query *start*; scores has the shape (block, column)."""
        return rank_relevant(scores, self.relevant[start : start + len(scores)], self.id_ranks)


def relevant_concepts(dataset: RankingDataset) -> csr_matrix:
    """Return (query, concept) boolean: whether any of the concept's elements is relevant."""
    pairs = dataset.relevant.tocoo()
    keys = np.unique(pairs.row.astype(np.int64) * len(dataset.concepts) + dataset.element_concepts[pairs.col])
    rows, columns = np.divmod(keys, len(dataset.concepts))
    shape = (len(dataset.queries), len(dataset.concepts))
    return csr_matrix((np.ones(len(keys), dtype=np.bool_), (rows, columns)), shape=shape)


def best_of_concepts(scores: FloatArray, dataset: RankingDataset) -> FloatArray:
    """Give each concept its best element's score: (query, element) -> (query, concept)."""
    numbers = dataset.element_concepts
    if (np.diff(numbers) < 0).any():  # else a copy of all scores is spared
        order = np.argsort(numbers, kind="stable")
        scores, numbers = scores[:, order], numbers[order]
    starts = np.searchsorted(numbers, np.arange(len(dataset.concepts)))
    return np.maximum.reduceat(scores, starts, axis=1)
