"""Alignment and uniformity by hand."""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from jobmatch_core.entities import FloatArray
from jobmatch_core.titles.occupation_names import alignment, pair_geometry, uniformity


def unit_vectors(*degrees: float) -> FloatArray:
    """Return vectors on the unit circle."""
    radians = np.radians(degrees)
    return np.column_stack([np.cos(radians), np.sin(radians)]).astype(np.float32)


def test_alignment_by_hand() -> None:
    """Angles of 0, 90 and 180 degrees: squared distances 0, 2 and 4, mean 2."""
    assert alignment(unit_vectors(0, 0, 0), unit_vectors(0, 90, 180)) == pytest.approx(2, abs=1e-6)


def test_uniformity_by_hand() -> None:
    """0, 90 and 180 degrees: squared distances 2, 4, 2, so log((2 e^-4 + e^-8) / 3)."""
    expected = math.log((2 * math.exp(-4) + math.exp(-8)) / 3)
    assert uniformity(unit_vectors(0, 90, 180)) == pytest.approx(expected, rel=1e-5)


def test_limits() -> None:
    """All in one point: alignment 0 and uniformity 0; one vector has no pair."""
    same = unit_vectors(30, 30, 30)
    assert alignment(same, same) == 0
    assert uniformity(same) == pytest.approx(0, abs=1e-6)
    assert uniformity(same[:1]) == 0


def test_spread_vectors_are_more_uniform() -> None:
    """Spread vectors have the lower, better value."""
    assert uniformity(unit_vectors(0, 120, 240)) < uniformity(unit_vectors(0, 10, 20))


@given(degrees=st.lists(st.floats(0, 360), min_size=2, max_size=8))
def test_uniformity_equals_the_naive_loop(degrees: list[float]) -> None:
    """The loop takes every pair of different rows once."""
    vectors = unit_vectors(*degrees)
    terms = [
        math.exp(-2 * float(((vectors[i] - vectors[j]) ** 2).sum()))
        for i in range(len(vectors))
        for j in range(i + 1, len(vectors))
    ]
    assert uniformity(vectors) == pytest.approx(math.log(sum(terms) / len(terms)), abs=1e-4)


def test_a_point_of_the_figure() -> None:
    """Both sides' uniformity counts the same."""
    first, second = unit_vectors(0, 90), unit_vectors(0, 180)
    point = pair_geometry(("en", "de"), first, second)
    assert (point.languages, point.pairs) == (("en", "de"), 2)
    assert point.alignment == pytest.approx(alignment(first, second))
    assert point.uniformity == pytest.approx((uniformity(first) + uniformity(second)) / 2) == pytest.approx(-6)
