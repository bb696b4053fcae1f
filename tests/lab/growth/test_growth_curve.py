"""Fits of exponents: known powers are found, and n log n is told from what grows faster.

Pictures of growth: they hold the points, and the same curves give the same file.
"""

import math
from collections.abc import Callable
from pathlib import Path
from xml.etree import ElementTree

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from jobmatch_core.errors import SettingsError
from lab.growth.growth_curve import Curve, Point, check_pictures, fitted, growth_figure, save_growth_picture

SIZES = (1000, 3000, 9000, 27_000, 81_000)


def curve_of(seconds: Callable[[int], float], *, by_wall: bool = False) -> Curve:
    """Return a curve whose processor time is a function of the size; it waits ten times as long, always."""
    points = tuple(Point(size, 10 * seconds(size) + size, seconds(size), 2.0 * size**0.5) for size in SIZES)
    return Curve("names", "names", "link", points, by_wall)


@given(st.floats(-2, 3), st.floats(1e-6, 1e6), st.lists(st.integers(1, 10**6), min_size=2, max_size=6, unique=True))
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


def curve(series: str, step: str, *points: Point, by_wall: bool = False) -> Curve:
    """Return a curve over names."""
    return Curve(series, "names", step, points, by_wall)


CURVES = [
    curve("names", "build", Point(10, 2.0, 1.0, 5.0), Point(100, 20.0, 10.0, 50.0)),
    curve("names", "link <b>", Point(10, 2.0, 3.0, 5.0), Point(100, 20.0, 300.0, 5.0)),
    curve("workers", "link", Point(1, 8.0, 1.0, 5.0), Point(4, 2.0, 1.0, 20.0), by_wall=True),
]


def test_the_points_are_drawn() -> None:
    """A row for each series; on the left the seconds that are fitted, on the right the memory, each with its line."""
    axes = growth_figure(CURVES, "Growth").axes
    assert len(axes) == 4
    drawn = [[line.get_xydata().tolist() for line in each.lines] for each in axes]
    assert drawn[0][0] == [[10, 1], [100, 10]]
    assert drawn[0][2] == [[10, 3], [100, 300]]
    assert drawn[1][2] == [[10, 5], [100, 5]]
    assert drawn[2][0] == [[1, 8], [4, 2]]
    for panel in drawn:  # of two points the fitted line is the line itself
        assert np.allclose(panel[0::2], panel[1::2])


def test_exponents_stand_beside_the_names() -> None:
    """Seconds: 1 and 2, and -1 of the wall clock; memory: 1, 0 and 1."""
    texts = [[text.get_text() for text in each.get_legend().get_texts()] for each in growth_figure(CURVES, "").axes]
    assert texts[0] == ["build: n^1.00", "link <b>: n^2.00"]
    assert texts[1] == ["build: n^1.00", "link <b>: n^0.00"]
    assert (texts[2], texts[3]) == (["link: n^-1.00"], ["link: n^1.00"])
    assert [each.get_ylabel() for each in growth_figure(CURVES, "").axes][::2] == [
        "seconds of processor time",
        "seconds",
    ]


@pytest.mark.thorough
def test_the_file(tmp_path: Path) -> None:
    """The same again, valid XML, and its words are words."""
    first, second = tmp_path / "new" / "one.svg", tmp_path / "two.svg"
    check_pictures(first.parent)
    for path in (first, second):
        save_growth_picture(CURVES, "Growth of linking", path)
    assert first.read_bytes() == second.read_bytes()
    words = " ".join(ElementTree.parse(first).getroot().itertext())  # our own file
    assert "Growth of linking" in words
    assert "build: n^1.00" in words


def test_a_folder_that_cannot_be_one(tmp_path: Path) -> None:
    """Said before anything is measured."""
    (tmp_path / "file").write_text("", "utf-8")
    with pytest.raises(SettingsError, match=r"file/pictures .*could not be made"):
        check_pictures(tmp_path / "file" / "pictures")


def test_a_file_that_cannot_be_written(tmp_path: Path) -> None:
    """A folder is where the file should be."""
    (tmp_path / "one.svg" / "x").mkdir(parents=True)
    with pytest.raises(SettingsError, match=r"one.svg could not be written"):
        save_growth_picture(CURVES, "Growth", tmp_path / "one.svg")
