"""Ranking metrics for titles with one right occupation each.

Ranks start at 1; infinity stands for 'not found'.
"""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray


def ranks_of(ranked: Sequence[Sequence[str]], right: Sequence[str]) -> NDArray[np.float64]:
    """Return the rank of each title's right occupation in its ranking."""
    return np.array(
        [found.index(gold) + 1 if gold in found else np.inf for found, gold in zip(ranked, right, strict=True)],
        dtype=np.float64,
    )  # fmt: skip


def mean_reciprocal_rank(ranks: NDArray[np.float64]) -> float:
    """Return the mean of 1 / rank."""
    return float((1 / ranks).mean())


def recall_at(ranks: NDArray[np.float64], k: int) -> float:
    """Return the share of titles whose right occupation is among the first *k*; accuracy for k = 1."""
    return float((ranks <= k).mean())
