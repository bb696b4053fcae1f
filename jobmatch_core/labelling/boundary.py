"""The score from which a model says yes."""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.floating]


def decision_boundary(scores: Floats, positive: NDArray[np.bool_] | Sequence[bool]) -> float | None:
    """Return the score that best parts judged pairs: where Youden's J (1950) is highest, so that classes count alike.

    J is the share of positives at or above the score less that of negatives. It is looked for half way between
    neighbouring scores; where several are equally good, the one in their middle is taken.

    Args:
        scores: of judged pairs, by the model in use.
        positive: whether each was judged positive.

    Returns:
        The boundary, or None where there is not yet a positive and a negative, or all have the same score.
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
