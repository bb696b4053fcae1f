"""Fits of exponents: known powers are found, and n log n is told from what grows faster."""

import math
from collections.abc import Callable

import pytest
from hypothesis import given
from hypothesis import strategies as st

from jobmatch_core.benchmarks.growth.growth_curve import Curve, Point, fitted

SIZES = (1000, 3000, 9000, 27_000, 81_000)


def curve_of(seconds: Callable[[int], float], *, by_wall: bool = False) -> Curve:
    """Return a curve whose processor time is a function of the size; it waits ten times as long, always."""
    points = tuple(Point(size, 10 * seconds(size) + size, seconds(size), 2.0 * size**0.5) for size in SIZES)
    return Curve("names", "names", "link", points, by_wall)


@given(
    st.floats(-2, 3), st.floats(1e-6, 1e6), st.lists(st.integers(1, 10**6), min_size=2, max_size=6, unique=True)
)  # fmt: skip
def test_a_power_is_found(exponent: float, factor: float, sizes: list[int]) -> None:
    """Points on a line of the logarithms give that line, whatever the sizes."""
    values = [factor * size**exponent for size in sizes]
    found = fitted(sizes, values)
    spread = math.log(max(sizes) / min(sizes))
    assert found[0] == pytest.approx(exponent, abs=1e-6 / spread)
    assert math.log(found[1]) == pytest.approx(math.log(factor), abs=2e-5 / spread)


def test_least_squares_by_hand() -> None:
    """Logarithms to base 10 of the sizes are 0, 1, 2, of the values 0, 0, 3: slope 3 / 2, intercept 1 - 3 / 2."""
    exponent, factor = fitted([1, 10, 100], [1, 1, 1000])
    assert (exponent, factor) == (pytest.approx(1.5), pytest.approx(10**-0.5))


def test_exponents_of_time_and_memory() -> None:
    """Processor time is fitted, unless the wall clock is asked for; memory is by itself."""
    curve = curve_of(lambda size: 1e-5 * size**1.5)
    assert (curve.exponent, curve.last_exponent, curve.memory_exponent) == pytest.approx((1.5, 1.5, 0.5))
    assert curve_of(lambda size: 0.0, by_wall=True).exponent == pytest.approx(1.0)


def test_fixed_costs_lower_all_but_the_last_exponent() -> None:
    """A second of start hides a square over all sizes, and hardly at the end."""
    curve = curve_of(lambda size: 1 + 1e-8 * size**2)
    assert curve.exponent < 1.2
    assert curve.last_exponent > 1.7
    assert curve.faster_than_linearithmic


@pytest.mark.parametrize(
    ("seconds", "faster"),
    [
        (lambda size: 1e-6 * size, False),
        (lambda size: 1e-6 * size * math.log(size), False),
        (lambda size: 1e-6 * size * math.log(size) ** 3, True),
        (lambda size: 1e-6 * size**1.4, True),
        (lambda size: 1e-9 * size**2, True),
        (lambda size: 1.0, False),
        (lambda size: 0.0, False),
    ],
)
def test_n_log_n_is_the_limit(seconds: Callable[[int], float], faster: bool) -> None:
    """What is in proportion, or a logarithm more, is not faster; a power above it is."""
    assert curve_of(seconds).faster_than_linearithmic is faster


def test_nothing_at_all_can_be_fitted() -> None:
    """Times and memory too small to be told from nothing count as the least that is told."""
    curve = Curve("names", "names", "link", (Point(1, 0.0, 0.0, 0.0), Point(3, 0.0, 0.0, 0.5)))
    assert (curve.exponent, curve.memory_exponent) == pytest.approx((0.0, 0.0))
