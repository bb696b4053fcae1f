"""Clusters of a map, named by their most specific words.

HDBSCAN (Campello et al. 2013) on the positions; what lies between clusters belongs to none. A word's weight in a
cluster is its count there, times the log of one plus the mean number of words in a cluster over the word's count in
all: BERTopic's class-based TF-IDF (Grootendorst 2022, equation 2).
"""

import math
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray
from sklearn.cluster import HDBSCAN

from jobmatch_core.entities import FloatArray
from jobmatch_core.maps.items import CLUSTER
from jobmatch_core.maps.latent_map import LatentMap
from jobmatch_core.maps.neighbours import some_rows
from jobmatch_core.text.folding import fold

_SMALLEST, _SHARE = 8, 0.004  # a cluster: so many points, or that share of all
_WORDS, _LETTERS = 3, 3  # in a name, and in a word at least
NONE = -1
_MOST = 1000  # points looked at: a map's labels are found in well under a second
_GROUP_SMALLEST, _GROUP_SHARE, _SEED = 5, 0.05, 0  # a cluster: so many points, or that share of the group


@dataclass(frozen=True, slots=True)
class Cluster:
    """A dense region.

    Attributes:
        name: its most specific words.
        rows: rows of its points, in their order.
        x, y: median position.
    """

    name: str
    rows: tuple[int, ...]
    x: float
    y: float


def find_clusters(positions: FloatArray, texts: Sequence[str]) -> list[Cluster]:
    """Return the clusters of a map, the largest first.

    Args:
        positions: (point, 2) positions on the map.
        texts: (point,) texts.
    """
    smallest = max(_SMALLEST, int(_SHARE * len(positions)))
    if len(positions) <= smallest:
        return []
    codes: NDArray[np.int64] = HDBSCAN(min_cluster_size=smallest, min_samples=5, copy=True).fit_predict(positions)
    members = [np.flatnonzero(codes == code) for code in range(int(codes.max()) + 1)]
    names = specific_words([[texts[row] for row in rows.tolist()] for rows in members])
    clusters = [
        Cluster(name, tuple(rows.tolist()), *map(float, np.median(positions[rows], axis=0)))
        for name, rows in zip(names, members, strict=True)
    ]
    return sorted(clusters, key=lambda cluster: (-len(cluster.rows), cluster.name))


def specific_words(groups: Sequence[Sequence[str]]) -> list[str]:
    """Return for each group of texts its most specific words, most specific first."""
    counts = [Counter(word for text in texts for word in set(_words(text))) for texts in groups]
    total: Counter[str] = sum(counts, Counter())
    mean = total.total() / max(len(groups), 1)
    names = []
    for counted in counts:
        weights = {word: count * math.log(1 + mean / total[word]) for word, count in counted.items()}
        best = sorted(weights, key=lambda word: (-weights[word], word))[:_WORDS]
        names.append(", ".join(best))
    return names


def _words(text: str) -> list[str]:
    return [word for word in fold(text).split() if len(word) >= _LETTERS and not word.isdecimal()]


def with_clusters(latent: LatentMap) -> LatentMap:
    """Return the map with each item's cluster name as its `CLUSTER`, '' for items between clusters."""
    names = [""] * len(latent.items)
    seen: set[str] = set()
    for number, cluster in enumerate(find_clusters(latent.positions, latent.items.texts), start=1):
        name = cluster.name or f"cluster {number}"
        name = f"{name} ({number})" if name in seen else name
        seen.add(name)
        for row in cluster.rows:
            names[row] = name
    fields = {**latent.items.fields, CLUSTER: tuple(names)}
    return replace(latent, items=replace(latent.items, fields=fields))


def medoid_of_largest_cluster(positions: FloatArray) -> tuple[float, float]:
    """Return the position with the least sum of distances to all others of the largest cluster.

    A group's label stands there and never between its clusters, which HDBSCAN (Campello et al. 2013) finds on the map,
    of many points on some drawn at random.

    Args:
        positions: (point, 2) positions of the group's points, at least one; all are one cluster if none is found.
    """
    looked_at = positions[some_rows(len(positions), _MOST, _SEED)]
    cluster = looked_at[_largest_cluster(looked_at)]
    distances = np.sqrt(sum((axis[:, None] - axis[None, :]) ** 2 for axis in cluster.T))
    x, y = cluster[int(distances.sum(axis=1).argmin())]
    return float(x), float(y)


def _largest_cluster(positions: FloatArray) -> "np.typing.NDArray[np.bool_]":
    smallest = max(_GROUP_SMALLEST, int(_GROUP_SHARE * len(positions)))
    if len(positions) <= smallest:
        return np.ones(len(positions), dtype=bool)
    codes = HDBSCAN(min_cluster_size=smallest, allow_single_cluster=True, copy=True).fit_predict(positions)
    sizes = np.bincount(codes[codes >= 0])
    return codes == sizes.argmax() if len(sizes) else np.ones(len(positions), dtype=bool)
