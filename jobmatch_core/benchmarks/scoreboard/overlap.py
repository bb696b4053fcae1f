"""Lexical overlap: queries' edit distances to their relevant elements, and the correlation with systems' figures.

Paper: Retyk et al. (2024), MELO, section 5 and appendix A, Figures 1, 2, 4 and 5.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from math import isnan

import numpy as np
from numpy.typing import NDArray
from rapidfuzz import fuzz, process
from scipy.stats import spearmanr

from jobmatch_core.benchmarks.datasets.dataset import RankingDataset
from jobmatch_core.benchmarks.scoreboard.comparison import Standing
from jobmatch_core.benchmarks.scoreboard.entries import has_further_names
from jobmatch_core.benchmarks.scoreboard.results import RANKINGS, BoardRanking
from jobmatch_core.benchmarks.scoreboard.scoreboard import Scoreboard

N_BINS = 20
FEWEST_DATASETS = 5  # with four, even a perfect correlation has p > 0.05 (2 in 4!)
N_EACH = 2  # charted systems of ours and of others


@dataclass(frozen=True)
class Overlap:
    """A dataset's least edit distances."""

    dataset: str
    # (query,) from 0 (a relevant element is equal but for case) to 1; queries without relevant elements are left out
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


def correlation_words(correlation: float, n: int) -> str:
    """Return a rank correlation as text with its number of datasets; NaN for none."""
    if n < FEWEST_DATASETS:
        return f"too few (n = {n})"
    return f"none, all are alike (n = {n})" if isnan(correlation) else f"{correlation:+.2f} (n = {n})"


def overlap_correlation(medians: Sequence[float], figures: Sequence[float]) -> float:
    """Return Spearman's rank correlation of datasets' median distances with a system's figures on them.

    NaN for fewer than `FEWEST_DATASETS` or constant values. The paper has -0.80 for edit distance and -0.74 for
    character TF-IDF, by MRR on its 24 monolingual datasets.
    """
    if len(medians) < FEWEST_DATASETS or len(set(medians)) == 1 or len(set(figures)) == 1:
        return float("nan")
    return float(spearmanr(medians, figures).statistic)


@dataclass(frozen=True, slots=True)
class OverlapPoints:
    """A system's figures against the datasets' median distances, and their Spearman correlation (NaN for too few)."""

    system: str
    label: str  # display name
    own: bool  # whether it is one of ours
    source: str  # source of its figures in words
    ranking: BoardRanking
    datasets: tuple[str, ...]  # names of the datasets with both values
    medians: tuple[float, ...]  # their median distances
    values: tuple[float, ...]  # the system's figures on them
    correlation: float


def overlap_points(
    board: Scoreboard, overlaps: Sequence[Overlap], metric: str, ranking: BoardRanking
) -> list[OverlapPoints]:
    """Return the points of every system that has any, best first."""
    medians = {overlap.dataset: overlap.median for overlap in overlaps if len(overlap.distances)}
    points = [_points(board, row, medians, metric) for row in board.standings(metric, ranking)]
    return [line for line in points if line.datasets]


def correlations(board: Scoreboard, overlaps: Sequence[Overlap]) -> list[OverlapPoints]:
    """Return every system's points by MRR on monolingual datasets (section 5), by name, then by occupation."""
    part = board.chosen("monolingual", datasets=[overlap.dataset for overlap in overlaps])
    return [line for kind in RANKINGS for line in overlap_points(part, overlaps, "mrr", kind)]


def best_of_each(points: Sequence[OverlapPoints]) -> list[OverlapPoints]:
    """Return the first two systems of ours, those without further names first, and the first two others."""
    points = sorted(points, key=lambda line: has_further_names(line.system))
    return [charted for own in (True, False) for charted in [one for one in points if one.own == own][:N_EACH]]


def _points(board: Scoreboard, row: Standing, medians: dict[str, float], metric: str) -> OverlapPoints:
    figures = {
        entry.dataset: value
        for entry in board.ranked(row.ranking)
        if entry.key == row.key and (value := entry.value(metric)) is not None
    }
    datasets = tuple(dataset for dataset in figures if dataset in medians)
    distances, values = tuple(medians[dataset] for dataset in datasets), tuple(figures[dataset] for dataset in datasets)
    correlation = overlap_correlation(distances, values)
    return OverlapPoints(
        row.system, row.label, row.own, row.source, row.ranking, datasets, distances, values, correlation
    )
