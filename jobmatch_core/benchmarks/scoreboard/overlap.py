"""Lexical overlap: how close each query is to the nearest of its relevant elements, letter by letter.

Paper: Retyk et al. (2024), MELO, section 5 and appendix A, Figures 1, 2, 4 and 5.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from rapidfuzz import fuzz, process
from scipy.stats import spearmanr

from jobmatch_core.benchmarks.datasets.dataset import RankingDataset

N_BINS = 20


@dataclass(frozen=True)
class Overlap:
    """A dataset's least edit distances.

    Attributes:
        dataset: its name.
        distances: (query,) from 0 (a relevant element is equal but for case) to 1; queries without relevant elements
            are left out.
    """

    dataset: str
    distances: NDArray[np.float64]

    @property
    def median(self) -> float:
        """The median distance; NaN where there is none."""
        return float(np.median(self.distances)) if len(self.distances) else float("nan")

    def histogram(self) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
        """Return the share of queries in each of 20 bins, and the bins' 21 edges, as in Figures 1 and 4."""
        counts, edges = np.histogram(self.distances, bins=N_BINS, range=(0.0, 1.0))
        return counts / max(len(self.distances), 1), edges


def measure_overlap(dataset: RankingDataset) -> Overlap:
    """Return each query's least normalised edit distance to its relevant elements (appendix A)."""
    pairs = dataset.relevant.tocoo()
    queries, elements = [text.lower() for text in dataset.queries], [text.lower() for text in dataset.elements]
    ratios = process.cpdist(
        [queries[row] for row in pairs.row], [elements[column] for column in pairs.col], scorer=fuzz.ratio
    )
    least = np.full(len(queries), np.inf)
    np.minimum.at(least, pairs.row, 1 - ratios.astype(np.float64) / 100)
    return Overlap(dataset.name, least[np.isfinite(least)])


def overlap_correlation(medians: Sequence[float], figures: Sequence[float]) -> float:
    """Return Spearman's rank correlation of datasets' median distances with a system's figures on them.

    The paper has -0.80 for edit distance and -0.74 for character TF-IDF, by MRR on its 24 monolingual datasets. NaN
    where there are fewer than three, or all of one kind are equal.
    """
    if len(medians) < 3 or len(set(medians)) == 1 or len(set(figures)) == 1:
        return float("nan")
    return float(spearmanr(medians, figures).statistic)
