"""Clusters of a map, named by their most specific words.

HDBSCAN (Campello et al. 2013) on the positions; what lies between clusters belongs to none. A word's weight in a
cluster is its count there, times the log of one plus the mean number of words in a cluster over the word's count in
all: BERTopic's class-based TF-IDF (Grootendorst 2022, equation 2).
"""

import math
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from sklearn.cluster import HDBSCAN

from jobmatch_core.entities import FloatArray
from jobmatch_core.text.folding import fold

_SMALLEST, _SHARE = 8, 0.004  # a cluster: so many points, or that share of all
_WORDS, _LETTERS = 3, 3  # in a name, and in a word at least
NONE = -1


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
