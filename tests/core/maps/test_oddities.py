"""Near-duplicates and outliers, by hand."""

import numpy as np
import pytest

from jobmatch_core.entities import FloatArray
from jobmatch_core.maps.oddities import NearDuplicate, near_duplicates, outliers


def circle(*degrees: float) -> FloatArray:
    """Return unit vectors."""
    radians = np.radians(degrees)
    return np.column_stack([np.cos(radians), np.sin(radians)]).astype(np.float32)


def test_near_points_of_different_groups() -> None:
    """Points 1 degree apart are near (cosine 0.9998), but no pair if of one concept, one group or no group."""
    vectors = circle(0, 1, 90, 91, 180, 180.5, 270, 270.5)
    groups = ["a", "b", "a", "a", "a", "", "a", "b"]
    concepts = ["1", "2", "3", "4", "5", "6", "7", "7"]
    [pair] = near_duplicates(vectors, groups, concepts=concepts)
    assert (pair.first, pair.second) == (0, 1)
    assert pair.cosine == pytest.approx(np.cos(np.radians(1)), abs=1e-5)
    assert near_duplicates(vectors, groups, [2, 3]) == []
    assert near_duplicates(vectors, groups, [1]) == [NearDuplicate(0, 1, pair.cosine)]


def test_a_point_among_others() -> None:
    """One of 'b' among five of 'a' is an outlier; points without a group are ignored."""
    vectors = circle(0, 1, 2, 3, 4, 2.5, 180, 181, 182, 183)
    groups = ["a", "a", "a", "a", "a", "b", "", "", "", ""]
    [found] = outliers(vectors, groups, neighbours=3)
    assert (found.row, found.group, found.share) == (5, "a", 1)
    assert outliers(vectors, groups, [0, 1], neighbours=3) == []


def test_neighbours_that_do_not_agree() -> None:
    """With neighbours of three other groups, a point is no outlier."""
    assert outliers(circle(0, 1, 2, 3), ["a", "b", "c", "d"], [0], neighbours=3) == []
