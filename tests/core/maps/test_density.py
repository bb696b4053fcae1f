"""Kernel density against the sum of Gaussians, its peak and its levels."""

import math

import numpy as np
import pytest

from jobmatch_core.maps.density import Density, Frame, kernel_density


def test_as_a_sum_of_gaussians() -> None:
    """At every place of a small grid, with Scott's bandwidths, where these are small to what is looked at."""
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
    """Half way between two heaps nobody is; by Scott's rule alone every tenth of the peak would be there."""
    heaps = np.concatenate([np.zeros((30, 2)), np.full((30, 2), 10)]).astype(np.float32)
    found = kernel_density(heaps, Frame(-5, 15, -5, 15), cells=41)
    assert found.values[20, 20] < found.values.max() * 1e-6


def test_it_integrates_to_one() -> None:
    """Over a frame wide enough."""
    points = np.random.default_rng(1).normal(size=(200, 2)).astype(np.float32)
    frame = Frame(-9, 9, -9, 9)
    found = kernel_density(points, frame, cells=200)
    cell = (frame.width / 199) * (frame.height / 199)
    assert found.values.sum() * cell == pytest.approx(1, abs=1e-3)


def _peak(density: Density) -> tuple[float, float]:
    row, column = np.unravel_index(int(np.argmax(density.values)), density.values.shape)
    return float(density.xs[column]), float(density.ys[row])


def test_the_peak_is_where_most_are() -> None:
    """Fifty around (5, 5), ten around the origin."""
    random = np.random.default_rng(2)
    heap = random.normal(size=(50, 2)) * 0.3 + 5
    few = random.normal(size=(10, 2)) * 0.3
    points = np.concatenate([heap, few]).astype(np.float32)
    found = kernel_density(points, Frame.around(points))
    assert _peak(found) == pytest.approx((5, 5), abs=0.4)


def test_levels_enclose_their_share() -> None:
    """Half of the mass lies at places at least as dense as the level of a half."""
    points = np.random.default_rng(3).normal(size=(300, 2)).astype(np.float32)
    found = kernel_density(points, Frame.around(points))
    for share in (0.5, 0.85):
        inside = found.values[found.values >= found.level(share)].sum() / found.values.sum()
        assert inside == pytest.approx(share, abs=0.02)
    assert found.level(0.5) > found.level(0.85)


def test_points_in_one_place() -> None:
    """They have a density, too."""
    points = np.ones((8, 2), dtype=np.float32)
    found = kernel_density(points, Frame(0, 2, 0, 2))
    assert np.isfinite(found.values).all()
    assert _peak(found) == pytest.approx((1, 1), abs=0.02)
