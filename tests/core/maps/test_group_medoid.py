"""A group's label stands in its largest cluster."""

import numpy as np
import pytest

from jobmatch_core.maps.group_medoid import medoid_of_largest_cluster


def test_the_label_stands_in_the_largest_cluster_and_on_a_point() -> None:
    """Not between the clusters, as a mean does, nor on the smaller but denser one, as the peak of the density does."""
    random = np.random.default_rng(1)
    large, dense = random.normal((0, 0), 1.0, (120, 2)), random.normal((40, 40), 0.01, (60, 2))
    points = np.concatenate([dense, large]).astype(np.float32)
    place = medoid_of_largest_cluster(points)
    assert place in {(float(x), float(y)) for x, y in points}
    assert place == pytest.approx((0, 0), abs=0.7)


@pytest.mark.parametrize("count", [1, 3, 50])
def test_few_points_and_points_in_one_place(count: int) -> None:
    """They are one cluster."""
    assert medoid_of_largest_cluster(np.full((count, 2), 2, dtype=np.float32)) == (2, 2)


def test_points_without_a_cluster() -> None:
    """The middle one of five in a row."""
    row = np.array([[0, 0], [1, 0], [2, 0], [3, 0], [4, 0]], dtype=np.float32)
    assert medoid_of_largest_cluster(row) == (2, 0)
