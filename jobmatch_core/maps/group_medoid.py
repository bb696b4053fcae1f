"""Position of a group's label: the medoid of its largest cluster, never between its clusters.

Clusters are found by HDBSCAN (Campello et al. 2013) on positions of the map, of many points on some drawn at random.
"""

import numpy as np
from sklearn.cluster import HDBSCAN

from jobmatch_core.entities import FloatArray
from jobmatch_core.maps.neighbours import some_rows

_MOST = 1000  # points looked at: a map's labels are found in well under a second
_SMALLEST, _SHARE, _SEED = 5, 0.05, 0  # a cluster: so many points, or that share of the group


def medoid_of_largest_cluster(positions: FloatArray) -> tuple[float, float]:
    """Return the position with the least sum of distances to all others of the largest cluster.

    Args:
        positions: (point, 2) positions of the group's points, at least one; all are one cluster if none is found.
    """
    looked_at = positions[some_rows(len(positions), _MOST, _SEED)]
    cluster = looked_at[_largest_cluster(looked_at)]
    distances = np.sqrt(sum((axis[:, None] - axis[None, :]) ** 2 for axis in cluster.T))
    x, y = cluster[int(distances.sum(axis=1).argmin())]
    return float(x), float(y)


def _largest_cluster(positions: FloatArray) -> "np.typing.NDArray[np.bool_]":
    smallest = max(_SMALLEST, int(_SHARE * len(positions)))
    if len(positions) <= smallest:
        return np.ones(len(positions), dtype=bool)
    codes = HDBSCAN(min_cluster_size=smallest, allow_single_cluster=True, copy=True).fit_predict(positions)
    sizes = np.bincount(codes[codes >= 0])
    return codes == sizes.argmax() if len(sizes) else np.ones(len(positions), dtype=bool)
