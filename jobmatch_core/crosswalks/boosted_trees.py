"""Gradient-boosted trees as arrays, read from JSON; `python -m lab train relations` trains them."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from jobmatch_core.entities import FloatArray


@dataclass(frozen=True, slots=True)
class Tree:
    """A regression tree of one class."""

    of: int  # number of its class
    feature: tuple[int, ...]  # (node,) number of the feature that is compared; -1 for a leaf
    threshold: tuple[float, ...]  # (node,) a value up to it goes left
    # left, right: (node,) numbers of the next nodes
    left: tuple[int, ...]
    right: tuple[int, ...]
    value: tuple[float, ...]  # (node,) what a leaf adds


@dataclass(frozen=True, slots=True)
class BoostedTrees:
    """Trees whose leaves are added up, class by class."""

    base: tuple[float, ...]  # (class,) value without any tree
    temperature: float  # what the sums are divided by, so that the probabilities are calibrated
    trees: tuple[Tree, ...]  # in any order

    def utilities(self, features: FloatArray) -> NDArray[np.float64]:
        """Return the sums of (row, feature) values, (row, class), divided by the temperature."""
        sums = np.tile(np.array(self.base, np.float64), (len(features), 1))
        for tree in self.trees:
            sums[:, tree.of] += _leaf_values(tree, features)
        return sums / self.temperature

    def probabilities(self, features: FloatArray) -> NDArray[np.float64]:
        """Return the probabilities of the classes, (row, class)."""
        sums = self.utilities(features)
        powers = np.exp(sums - sums.max(axis=1, keepdims=True))
        shares: NDArray[np.float64] = powers / powers.sum(axis=1, keepdims=True)
        return shares


def _leaf_values(tree: Tree, features: FloatArray) -> NDArray[np.float64]:
    feature, threshold = np.array(tree.feature), np.array(tree.threshold)
    left, right = np.array(tree.left), np.array(tree.right)
    nodes = np.zeros(len(features), np.intp)
    rows = np.flatnonzero(feature[nodes] >= 0)
    while len(rows):
        at = nodes[rows]
        goes_left = features[rows, feature[at]] <= threshold[at]
        nodes[rows] = np.where(goes_left, left[at], right[at])
        rows = rows[feature[nodes[rows]] >= 0]
    values: NDArray[np.float64] = np.array(tree.value)[nodes]
    return values


def checked_trees(trees: BoostedTrees, n_features: int, n_classes: int) -> BoostedTrees:
    """Return trees whose numbers point at nodes, features and classes that exist; raises ValueError for others."""
    if len(trees.base) != n_classes or not trees.temperature > 0:
        raise ValueError("the trees are of other classes, or have no temperature above 0")
    for tree in trees.trees:
        size = len(tree.feature)
        equal = all(len(part) == size for part in (tree.threshold, tree.left, tree.right, tree.value))
        if not (size and equal and 0 <= tree.of < n_classes and _is_ordered(tree, n_features)):
            raise ValueError("a tree is damaged")
    return trees


def _is_ordered(tree: Tree, n_features: int) -> bool:
    # children come after their parent, so that every way ends
    size = len(tree.feature)
    inner: Sequence[int] = [node for node in range(size) if tree.feature[node] >= 0]
    return all(
        tree.feature[node] < n_features and node < tree.left[node] < size and node < tree.right[node] < size
        for node in inner
    )
