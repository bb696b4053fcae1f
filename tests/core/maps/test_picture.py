"""Clusters of a map, their names, and positions of labels."""

import math

import numpy as np
import pytest

from jobmatch_core.maps.items import CATEGORY, CLUSTER, ItemKind, Items
from jobmatch_core.maps.latent_map import LatentMap
from jobmatch_core.maps.picture import View, find_clusters, label_position, picture_of, specific_words, with_clusters
from jobmatch_core.maps.projection import Method, ProjectionSetting


def test_names_by_hand() -> None:
    """'senior' is in both groups, 'nurse' twice in one: log(1 + 3.5 / 2) * 2 against log(1 + 3.5 / 3) * 1."""
    groups = [["senior nurse", "nurse"], ["Senior Driver!", "senior truck"]]
    counts = {"nurse": 2, "senior": 1}
    mean, total = 3.5, {"nurse": 2, "senior": 3}  # three words a group and four
    weights = {word: counts[word] * math.log(1 + mean / total[word]) for word in counts}
    assert weights["nurse"] > weights["senior"]
    first, second = specific_words(groups)
    assert first == "nurse, senior"
    assert set(second.split(", ")) == {"driver", "senior", "truck"}


def test_heaps_are_clusters() -> None:
    """Three separate clusters are found, largest first."""
    random = np.random.default_rng(0)
    heaps = [random.normal(size=(count, 2)) * 0.1 + place for count, place in ((40, 0), (30, 5), (20, 9))]
    texts = ["nurse"] * 40 + ["truck driver"] * 30 + ["cook"] * 20
    found = find_clusters(np.concatenate(heaps).astype(np.float32), texts)
    assert [cluster.name for cluster in found] == ["nurse", "driver, truck", "cook"]
    for cluster, rows in zip(found, (range(40), range(40, 70), range(70, 90)), strict=True):
        assert set(cluster.rows) <= set(rows)
        assert len(cluster.rows) > 0.8 * len(rows)


def test_few_points_have_none() -> None:
    """Fewer points than the smallest cluster have no clusters."""
    assert find_clusters(np.zeros((5, 2), dtype=np.float32), ["a"] * 5) == []


def test_clusters_are_a_field(latent: LatentMap) -> None:
    """Clusters are a field to colour by; items between clusters have ''."""
    found = with_clusters(latent).items
    assert CLUSTER in found.colours
    pairs = zip(found.values(CLUSTER), found.values(CATEGORY), strict=True)
    for cluster, category in pairs:
        assert not cluster or category in cluster


def test_the_label_stands_in_the_largest_cluster_and_on_a_point() -> None:
    """Not between the clusters like a mean, nor on a smaller, denser one like the peak."""
    random = np.random.default_rng(1)
    large, dense = random.normal((0, 0), 1.0, (120, 2)), random.normal((40, 40), 0.01, (60, 2))
    points = np.concatenate([dense, large]).astype(np.float32)
    place = label_position(points, np.ones(len(points)))
    assert place in {(float(x), float(y)) for x, y in points}
    assert place == pytest.approx((0, 0), abs=0.7)


@pytest.mark.parametrize("count", [1, 3, 50])
def test_few_points_and_points_in_one_place(count: int) -> None:
    """They form one cluster."""
    assert label_position(np.full((count, 2), 2, dtype=np.float32), np.ones(count)) == (2, 2)


def test_points_without_a_cluster() -> None:
    """The label is on the middle one of five points in a row."""
    row = np.array([[0, 0], [1, 0], [2, 0], [3, 0], [4, 0]], dtype=np.float32)
    assert label_position(row, np.ones(5)) == (2, 0)


def test_the_label_stands_where_the_group_is_in_the_majority() -> None:
    """A smaller cluster is labelled if other groups dominate the larger one."""
    random = np.random.default_rng(1)
    large, small = random.normal((0, 0), 1.0, (120, 2)), random.normal((40, 40), 1.0, (60, 2))
    points = np.concatenate([large, small]).astype(np.float32)
    place = label_position(points, np.repeat([0.3, 0.8], [120, 60]))
    assert place == pytest.approx((40, 40), abs=0.7)
    assert label_position(points, np.full(180, 0.3)) is None


def test_a_group_that_is_a_minority_everywhere_has_no_label() -> None:
    """Only the dominating group is labelled."""
    random = np.random.default_rng(2)
    positions = random.normal((0, 0), 1.0, (300, 2)).astype(np.float32)
    names = tuple("few" if row % 10 == 0 else "many" for row in range(300))
    items = Items(ItemKind.TITLES, "made", tuple(map(str, range(300))), names, {CATEGORY: names})
    latent = LatentMap(items, "made", positions, ProjectionSetting(Method.PCA), positions, 300)
    assert [label.text for label in picture_of(latent, View(CATEGORY)).labels] == ["many"]
