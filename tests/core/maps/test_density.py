"""Kernel density against the sum of Gaussians, its peak and its levels; labels without overlaps."""

import math
from itertools import combinations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from jobmatch_core.maps.density import Density, Frame, MapLabel, kernel_density, label_box, placed


def test_as_a_sum_of_gaussians() -> None:
    """The density equals the sum on a small grid with Scott's bandwidths."""
    points = np.random.default_rng(0).normal(size=(25, 2)).astype(np.float32)
    found = kernel_density(points, Frame(-15, 15, -15, 15), cells=7)
    width, height = (float(points[:, axis].std()) * 25 ** (-1 / 6) for axis in (0, 1))
    for row, y in enumerate(found.ys):
        for column, x in enumerate(found.xs):
            summed = sum(
                math.exp(-(((x - a) / width) ** 2 + ((y - b) / height) ** 2) / 2) / (2 * math.pi * width * height)
                for a, b in points.tolist()
            )
            assert found.values[row, column] == pytest.approx(summed / 25, rel=1e-4)


def test_heaps_far_apart_have_no_wide_density() -> None:
    """The bandwidth is limited: Scott's rule alone would give a tenth of the peak between two clusters."""
    heaps = np.concatenate([np.zeros((30, 2)), np.full((30, 2), 10)]).astype(np.float32)
    found = kernel_density(heaps, Frame(-5, 15, -5, 15), cells=41)
    assert found.values[20, 20] < found.values.max() * 1e-6


def test_it_integrates_to_one() -> None:
    """The density integrates to one over a wide frame."""
    points = np.random.default_rng(1).normal(size=(200, 2)).astype(np.float32)
    frame = Frame(-9, 9, -9, 9)
    found = kernel_density(points, frame, cells=200)
    cell = (frame.width / 199) * (frame.height / 199)
    assert found.values.sum() * cell == pytest.approx(1, abs=1e-3)


def _peak(density: Density) -> tuple[float, float]:
    row, column = np.unravel_index(int(np.argmax(density.values)), density.values.shape)
    return float(density.xs[column]), float(density.ys[row])


def test_the_peak_is_where_most_are() -> None:
    """Fifty points around (5, 5) outweigh ten around the origin."""
    random = np.random.default_rng(2)
    heap = random.normal(size=(50, 2)) * 0.3 + 5
    few = random.normal(size=(10, 2)) * 0.3
    points = np.concatenate([heap, few]).astype(np.float32)
    found = kernel_density(points, Frame.around(points))
    assert _peak(found) == pytest.approx((5, 5), abs=0.4)


def test_levels_enclose_their_share() -> None:
    """Half of the mass is at places at least as dense as the level of a half."""
    points = np.random.default_rng(3).normal(size=(300, 2)).astype(np.float32)
    found = kernel_density(points, Frame.around(points))
    for share in (0.5, 0.85):
        inside = found.values[found.values >= found.level(share)].sum() / found.values.sum()
        assert inside == pytest.approx(share, abs=0.02)
    assert found.level(0.5) > found.level(0.85)


def test_points_in_one_place() -> None:
    """Equal points have a finite density."""
    points = np.ones((8, 2), dtype=np.float32)
    found = kernel_density(points, Frame(0, 2, 0, 2))
    assert np.isfinite(found.values).all()
    assert _peak(found) == pytest.approx((1, 1), abs=0.02)


FRAME = Frame(-1, 11, -1, 11)
LABELS = st.lists(
    st.builds(
        MapLabel, st.text("abc ", min_size=1, max_size=12), st.floats(0, 10), st.floats(0, 10), st.integers(1, 99)
    ),
    max_size=25,
)


@given(LABELS)
def test_none_covers_another(labels: list[MapLabel]) -> None:
    """No labels overlap; dropped ones have no room."""
    found = placed(labels, FRAME, 0.2, 0.3)
    boxes = [label_box(label, 0.2, 0.3) for label in found]
    assert not any(one.meets(other) for one, other in combinations(boxes, 2))
    assert len(found) <= len(labels)


def test_the_larger_one_stays() -> None:
    """The smaller label moves up or down by half a line."""
    large, small = MapLabel("large", 0, 0, 9), MapLabel("small", 0, 0, 1)
    first, second = placed([small, large], FRAME, 0.1, 1)
    assert first == large
    assert second.text == "small"
    assert second.x == 0
    assert second.y != 0


def test_far_labels_stay() -> None:
    """Labels with room do not move."""
    labels = [MapLabel("one", 1, 0, 2), MapLabel("two", 9, 9, 1)]
    assert placed(labels, FRAME, 0.1, 0.1) == labels


def test_what_would_be_cut_off_moves_inwards() -> None:
    """A label of ten letters is 0.62 * 10 * 0.5 wide, so its centre is at least 1.55 from the edge."""
    left, right = placed([MapLabel("abcdefghij", 0, 0, 2), MapLabel("abcdefghij", 99, 9, 1)], FRAME, 0.5, 0.1)
    assert (left.x, right.x) == (pytest.approx(-1 + 1.55), pytest.approx(11 - 1.55))
    [wide] = placed([MapLabel("abcdefghij" * 9, 0, 0, 2)], FRAME, 0.5, 0.1)
    assert wide.x == 5
