"""A sample of points with the density of all of them.

Points are walked through along a Z-order curve (Morton 1966), which visits near ones one after the other, and every
n-th is taken. So any region that holds a share of all points holds that share of the sample, to within a few points;
a random draw of 50,000 strays from it by hundreds.
"""

import numpy as np
from numpy.typing import NDArray

from jobmatch_core.entities import FloatArray
from jobmatch_core.maps.neighbours import Rows

_BITS = 16  # of a place along either axis


def density_sample(positions: FloatArray, count: int, *, seed: int = 0) -> Rows:
    """Return the rows of *count* points, in their order; all where there are no more.

    Args:
        positions: (point, 2) positions.
        count: number of points to draw.
        seed: seed of the offset on the curve.
    """
    if len(positions) <= count:
        return np.arange(len(positions))
    curve = np.argsort(_morton(positions), kind="stable")
    start = np.random.default_rng(seed).random()
    steps = np.floor((np.arange(count) + start) * len(positions) / count).astype(np.int64)
    return np.sort(curve[np.minimum(steps, len(positions) - 1)])


def _morton(positions: FloatArray) -> NDArray[np.uint64]:
    """Return each point's position on the curve: the bits of its two coordinates, interleaved."""
    low, high = positions.min(axis=0), positions.max(axis=0)
    scaled = (positions - low) / np.maximum(high - low, 1e-12) * (2**_BITS - 1)
    across, up = scaled.astype(np.uint64).T
    place = np.zeros(len(positions), dtype=np.uint64)
    for bit in range(_BITS):
        shift = np.uint64(bit)
        place |= ((across >> shift) & np.uint64(1)) << np.uint64(2 * bit)
        place |= ((up >> shift) & np.uint64(1)) << np.uint64(2 * bit + 1)
    return place
