"""Sizes of series: each three times the one before, and a share of them.

The runner measures what it is given, by instruments that the test turns.
"""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from types import SimpleNamespace

import pytest

from jobmatch_core.errors import SettingsError
from lab.growth.growth_curve import Point
from lab.growth.growth_series import (
    ENOUGH_S,
    REPEATS,
    Gauges,
    GrowthSetting,
    Series,
    measured_curves,
    measured_points,
    sizes_up_to,
)
from lab.growth.retrieval_growth import retrieval_growth


def test_sizes_grow_by_three() -> None:
    """81 is reached in five steps; what would be less than one is left out."""
    assert sizes_up_to(81) == (1, 3, 9, 27, 81)
    assert sizes_up_to(371_419, 4) == (13_756, 41_268, 123_806, 371_419)
    assert sizes_up_to(26, 4) == (2, 8, 26)


def test_a_share_of_the_sizes() -> None:
    """A hundredth of the largest, and thirds of that."""
    assert GrowthSetting(share=0.01).sizes(90_000, 3) == (100, 300, 900)


@pytest.mark.parametrize("share", [0, -0.5, 1.01, float("nan")])
def test_what_is_no_share(share: float) -> None:
    """It is above 0 and at most 1."""
    with pytest.raises(SettingsError, match=r"above 0 and at most 1, not"):
        GrowthSetting(share=share)


def test_one_size_is_no_growth() -> None:
    """A line needs two points."""
    with pytest.raises(SettingsError, match=r"up to a size of 2; give a larger --share"):
        GrowthSetting(share=0.001).sizes(2000)


@dataclass
class Lab:
    """A clock, a counter of processor time and a memory that go when the work says so."""

    wall: float = 0.0
    processor: float = 0.0
    held: float = 50.0
    events: list[str] = field(default_factory=list)
    lasting: list[float] = field(default_factory=list)

    @property
    def gauges(self) -> Gauges:
        """The instruments."""
        return Gauges(lambda: self.wall, lambda: self.processor, lambda: self.held, self._watch)

    @contextmanager
    def _watch(self) -> Iterator[SimpleNamespace]:
        watch = SimpleNamespace(peak_mb=0.0)
        yield watch
        watch.peak_mb = self.held

    @contextmanager
    def prepare(self, size: int, folder: Path) -> Iterator[int]:
        """Take long, which is not measured."""
        assert list(folder.iterdir()) == []
        self.wall += 1000
        self.events.append(f"open {size}")
        yield size
        self.events.append(f"close {size}")

    def quick(self, size: int) -> None:
        """Take a millisecond an item, half of it of the processor, and each time a little longer; hold 2 MB an item."""
        self.events.append("quick")
        self.lasting.append(size / 1000 + len(self.lasting) / 1e6)
        self.wall += self.lasting[-1]
        self.processor += size / 2000
        self.held = 50 + 2 * size

    def slow(self, size: int) -> None:
        """Take a minute an item, and let go of most memory."""
        self.events.append("slow")
        self.wall += 60 * size
        self.processor += 30 * size
        self.held = 50 + size / 2

    def series(self, *sizes: int) -> Series:
        """Return both steps over some sizes."""
        return Series("things", "things", sizes, self.prepare, {"quick": self.quick, "slow": self.slow})


def test_what_is_measured() -> None:
    """Preparing is not; a short step is repeated and its median taken, a long one is done once."""
    lab = Lab()
    points = measured_points(lab.series(30, 90), 90, lab.gauges)
    middle = sorted(lab.lasting[1:])[REPEATS // 2]
    before = 50 + 3 / 2  # after the warm-up
    assert points["quick"] == Point(90, pytest.approx(middle), pytest.approx(0.045), 50 + 180 - before)
    assert points["slow"] == Point(90, pytest.approx(5400), pytest.approx(2700), 50 + 45 - before)


def test_the_order_of_things() -> None:
    """First a run at a tenth of the smallest size; each preparation is closed."""
    lab = Lab()
    measured_points(lab.series(30, 90), 90, lab.gauges)
    assert lab.events == ["open 3", "quick", "slow", "close 3", "open 90", *["quick"] * REPEATS, "slow", "close 90"]


def test_a_step_is_not_repeated_for_ever() -> None:
    """Two runs of more than half of what is enough are enough."""
    lab = Lab()
    measured_points(lab.series(1), round(ENOUGH_S / 2 * 1000) + 1, lab.gauges)
    assert lab.events.count("quick") == 1 + 2


def test_memory_below_the_start_is_none() -> None:
    """What the warm-up left behind may be let go of meanwhile."""
    lab = Lab()

    def emptied(size: int) -> None:
        lab.held = 0.0

    series = Series("things", "things", (1, 3), lab.prepare, {"empty": emptied})
    lab.held = 50.0
    assert measured_points(series, 3, Gauges(held_mb=lambda: 50.0, watch=lab._watch))["empty"].peak_mb == 0


@pytest.mark.long
def test_each_size_is_measured_in_another_process() -> None:
    """Real processes and instruments: every step has a point for each size, in order, with time and without waiting."""
    series = retrieval_growth(GrowthSetting(share=0.0001))[1]
    told: list[tuple[int, int]] = []
    curves = measured_curves([series], progress=lambda *step: told.append(step))
    assert [(curve.series, curve.unit, curve.step, curve.sizes) for curve in curves] == [
        ("profiles that pass a filter, of 10", "passing", "find 100", [1, 3, 10])
    ]
    assert all(point.wall_s > 0 and point.processor_s > 0 and point.peak_mb >= 0 for point in curves[0].points)
    assert told == [(0, 3), (1, 3), (2, 3), (3, 3)]
