"""Negatives of a title, drawn from ISCO-08 groups that it does not belong to.

Paper: Deniz et al. (2024), section 3.1.2: 50 % from another major group, 25 % from another sub-major group, 15 %
from another minor group, 10 % from another unit group. Each share lies within the next coarser group of the title,
or the shares would overlap. A share that has too few candidates (a sub-major group with only one minor group)
is filled up from the next coarser one, because the harder negatives are the rarer ones.
"""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

SHARES = (0.50, 0.25, 0.15, 0.10)  # another major, sub-major, minor, unit group
LEVELS = len(SHARES) + 1  # everything, then the groups of one to four digits


def group_bounds(codes: Sequence[str]) -> NDArray[np.int32]:
    """Return the bounds of each title's groups among titles sorted by ISCO-08 code.

    Args:
        codes: ISCO-08 code of each title, sorted.

    Returns:
        Shape (title, level, 2): begin and end of all titles, of the major, sub-major, minor and unit group.
    """
    bounds = np.empty((len(codes), LEVELS, 2), dtype=np.int32)
    for digits in range(LEVELS):
        groups = np.array([code[:digits] for code in codes], dtype=np.str_)
        starts = np.flatnonzero(np.r_[True, groups[1:] != groups[:-1]])
        ends = np.r_[starts[1:], len(codes)]
        bounds[:, digits, 0] = np.repeat(starts, ends - starts)
        bounds[:, digits, 1] = np.repeat(ends, ends - starts)
    return bounds


def share_counts(n: int) -> list[int]:
    """Split *n* by the shares, so that the parts add up to it; 128 gives 64, 32, 19, 13."""
    return [int(count) for count in np.diff(np.round(np.cumsum((0.0, *SHARES)) * n))]


def draw_negatives(bounds: NDArray[np.int32], n: int, random: np.random.Generator) -> NDArray[np.int64]:
    """Draw negatives of a title without repetition.

    Args:
        bounds: the title's row of `group_bounds`, shape (level, 2).
        n: number of negatives; fewer are drawn if fewer titles lie outside its unit group.
        random: random generator.

    Returns:
        Positions among the sorted titles, those of another major group first.
    """
    chosen = []
    missing = 0
    for level, wanted in reversed(list(enumerate(share_counts(n)))):
        (outer_start, outer_end), (inner_start, inner_end) = bounds[level].tolist(), bounds[level + 1].tolist()
        inner = inner_end - inner_start
        candidates = outer_end - outer_start - inner
        taken = min(wanted + missing, candidates)
        missing += wanted - taken
        drawn = outer_start + random.choice(candidates, taken, replace=False, shuffle=False) if taken else _NONE
        chosen.append(np.where(drawn < inner_start, drawn, drawn + inner))
    return np.concatenate(chosen[::-1])


_NONE = np.empty(0, dtype=np.int64)
