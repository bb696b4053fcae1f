"""Decision boundary of a model: the score from which it says yes."""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.floating]


def decision_boundary(scores: Floats, positive: NDArray[np.bool_] | Sequence[bool]) -> float | None:
    """Return the score that best separates judged pairs: the one with the highest Youden's J (1950).

    J is the share of positives at or above the score minus that of negatives. Candidates are the midpoints between
    neighbouring scores; of equally good ones the middle one is taken.

    Args:
        scores: (pair,) scores of judged pairs by the model in use.
        positive: (pair,) true if judged positive.

    Returns:
        The boundary, or None without a positive and a negative, or if all have the same score.
    """
    yes = np.asarray(positive, dtype=np.bool_)
    distinct = np.unique(np.asarray(scores, dtype=np.float64))
    if yes.all() or not yes.any() or len(distinct) < 2:
        return None
    cuts = (distinct[1:] + distinct[:-1]) / 2
    above = [len(side) - np.searchsorted(np.sort(side), cuts) for side in (scores[yes], scores[~yes])]
    gain = above[0] / yes.sum() - above[1] / (~yes).sum()
    best = np.flatnonzero(np.isclose(gain, gain.max()))
    return float(cuts[best[(len(best) - 1) // 2]])
