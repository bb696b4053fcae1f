"""AUC of a model's scores on pairs that people judged positive or negative."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy.stats import rankdata

from jobmatch_core.metrics.before_after import FEWEST, UNKNOWN, Change
from jobmatch_core.metrics.significance import LEVEL, Interval

Floats = NDArray[np.float64]
AUC = "auc"
_RESAMPLES = 1000


@dataclass(frozen=True)
class JudgedPairs:
    """Judged pairs, one row each.

    Attributes:
        projects: (pair,) row of the project, or number of the title.
        freelancers: (pair,) row of the freelancer.
        positive: (pair,) true if the pair was judged positive.
    """

    projects: NDArray[np.intp]
    freelancers: NDArray[np.intp]
    positive: NDArray[np.bool_]

    def __len__(self) -> int:
        return len(self.positive)


def auc(scores: Floats, positive: NDArray[np.bool_]) -> float:
    """Return the share of (positive, negative) pairs in which the positive has the higher score; ties count half.

    The area under the ROC curve (Hanley and McNeil 1982). NaN without a positive or without a negative.
    """
    n_positive = int(positive.sum())
    n_negative = len(positive) - n_positive
    if not n_positive or not n_negative:
        return float("nan")
    ranks = rankdata(scores)
    return float((ranks[positive].sum() - n_positive * (n_positive + 1) / 2) / (n_positive * n_negative))


def auc_interval(queries: Sequence[str], scores: Floats, positive: NDArray[np.bool_], *, seed: int = 0) -> Interval:
    """Return the AUC of judged pairs with its 95 % bootstrap interval; NaN without a positive or without a negative.

    Whole queries are resampled, as projects are by `auc_change`.

    Args:
        queries: query of each pair.
        scores: (pair,) scores, higher is better.
        positive: (pair,) true where the pair is a match.
        seed: seed of the random generator.
    """
    found = auc(scores, positive)
    if np.isnan(found):
        return Interval(len(scores), found, found, found)
    generator = np.random.default_rng(seed)
    owners = np.unique(np.asarray(queries), return_inverse=True)[1]
    order = np.argsort(owners, kind="stable")
    sizes = np.bincount(owners)
    starts = np.cumsum(sizes) - sizes
    drawn_figures = []
    for _ in range(_RESAMPLES):
        drawn = generator.integers(len(sizes), size=len(sizes))
        counts = sizes[drawn]
        rows = order[np.arange(counts.sum()) + np.repeat(starts[drawn] - (np.cumsum(counts) - counts), counts)]
        drawn_figures.append(auc(scores[rows], positive[rows]))
    low, high = np.nanquantile(drawn_figures, [(1 - LEVEL) / 2, (1 + LEVEL) / 2])
    return Interval(len(scores), found, float(low), float(high))


def auc_change(pairs: JudgedPairs, before: Floats, after: Floats, *, seed: int = 0) -> Change | None:
    """Compare two models' scores of the same pairs.

    The interval comes from resampling whole projects, the same ones for both models: pairs of one project stay together
    (Field and Welsh 2007, the cluster bootstrap).

    Args:
        pairs: judged pairs.
        before: (pair,) scores of the first model, higher is better.
        after: (pair,) scores of the second model.
        seed: seed of the random generator.

    Returns:
        The change, or None without a positive or without a negative.
    """
    old, new = auc(before, pairs.positive), auc(after, pairs.positive)
    if np.isnan(old):
        return None
    generator = np.random.default_rng(seed)
    numbers, owners = np.unique(pairs.projects, return_inverse=True)
    rows_of = [np.flatnonzero(owners == number) for number in range(len(numbers))]
    differences = []
    for _ in range(_RESAMPLES):
        rows = np.concatenate([rows_of[drawn] for drawn in generator.integers(len(numbers), size=len(numbers))])
        positive = pairs.positive[rows]
        differences.append(auc(after[rows], positive) - auc(before[rows], positive))
    known = np.array([each for each in differences if not np.isnan(each)])
    low, high = UNKNOWN
    if len(numbers) >= FEWEST and len(known) > _RESAMPLES // 2:
        low, high = np.quantile(known, [(1 - LEVEL) / 2, (1 + LEVEL) / 2])
    return Change(AUC, len(pairs), old, new, float(low), float(high))
