"""AUC of a model's scores on pairs that people judged positive or negative."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy.stats import rankdata

from jobmatch_core.metrics.before_after import FEWEST, UNKNOWN, Change
from jobmatch_core.metrics.significance import LEVEL

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
