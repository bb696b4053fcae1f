"""Series: what is prepared at each of several sizes, and the steps that are measured there.

Each size is measured in a process of its own, so that its memory is its own.
"""

import gc
import time
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import ProcessPoolExecutor
from contextlib import AbstractContextManager
from dataclasses import dataclass
from multiprocessing import get_context
from pathlib import Path
from statistics import median
from tempfile import TemporaryDirectory
from typing import Any, Protocol

from threadpoolctl import threadpool_limits

from jobmatch_core.entities import Progress, no_progress
from jobmatch_core.errors import SettingsError
from jobmatch_core.taxonomy import BUNDLED_ID
from lab.growth.growth_curve import Curve, Point
from lab.speed.process_gauges import PeakWatch, family_processor_seconds, resident_memory_mb

FACTOR = 3  # between neighbouring sizes
_FEWEST = 2  # sizes that a line is fitted to


REPEATS, ENOUGH_S = 9, 2.0  # a step is repeated so often, or until it has taken so long
_WARM_UP_SHARE = 10  # the smallest size is divided by this for a first run that counts nowhere


@dataclass(frozen=True, slots=True)
class Series:
    """Steps measured over growing data. What is named here travels to another process, so that it can be pickled."""

    name: str  # what grows, in the title of the picture
    unit: str  # what the sizes count
    sizes: tuple[int, ...]  # ascending
    # (size, an empty folder) -> what the steps work on, for the length of a block; not measured
    prepare: Callable[[int, Path], AbstractContextManager[Any]]
    # name -> measured function of what was prepared; in this order, each several times where it is short
    steps: Mapping[str, Callable[[Any], object]]
    # fit wall time, since processes work side by side; elsewhere processor time, which other programs disturb less
    by_wall: bool = False


@dataclass(frozen=True, slots=True)
class GrowthSetting:
    """A measurement to make; raises SettingsError if the share is another number."""

    taxonomy: str = BUNDLED_ID  # id of the taxonomy whose names are linked to
    share: float = 1.0  # share of the usual sizes, above 0 and at most 1

    def __post_init__(self) -> None:
        if not 0 < self.share <= 1:
            raise SettingsError(f"The share of the sizes is above 0 and at most 1, not {self.share:g}.")

    def sizes(self, largest: int, count: int = 5) -> tuple[int, ...]:
        """Return ascending sizes up to a maximum, each three times the previous one, scaled by the share.

        Raises SettingsError if fewer than two are left.
        """
        return sizes_up_to(round(largest * self.share), count)


def sizes_up_to(largest: int, count: int = 5) -> tuple[int, ...]:
    """Return ascending sizes up to a maximum, each three times the previous one.

    Raises SettingsError if fewer than two are above 0.
    """
    sizes = [largest // FACTOR**step for step in reversed(range(count)) if largest // FACTOR**step]
    if len(sizes) < _FEWEST:
        raise SettingsError(f"Growth cannot be seen up to a size of {largest}; give a larger --share.")
    return tuple(sizes)


class MemoryWatch(Protocol):
    """Follows the highest memory within a block."""

    peak_mb: float


@dataclass(frozen=True, slots=True)
class Gauges:
    """Instruments that are read around each step."""

    wall_s: Callable[[], float] = time.perf_counter  # seconds of a clock
    processor_s: Callable[[], float] = family_processor_seconds  # seconds of processor time
    held_mb: Callable[[], float] = resident_memory_mb  # resident memory
    # a block that follows the highest memory in it
    watch: Callable[[], AbstractContextManager[MemoryWatch]] = PeakWatch


def measured_curves(series: Sequence[Series], *, progress: Progress = no_progress) -> list[Curve]:
    """Measure all steps at all sizes.

    Args:
        series: what is measured.

    Raises JobMatchError if something cannot be prepared or done.
    """
    total, done, curves = sum(len(entry.sizes) for entry in series), 0, []
    for entry in series:
        by_size: list[dict[str, Point]] = []
        for size in entry.sizes:
            progress(done, total)
            with ProcessPoolExecutor(1, mp_context=get_context("spawn")) as pool:
                by_size.append(pool.submit(measured_points, entry, size).result())
            done += 1
        curves += [
            Curve(entry.name, entry.unit, step, tuple(points[step] for points in by_size), entry.by_wall)
            for step in entry.steps
        ]
    progress(done, total)
    return curves


def measured_points(series: Series, size: int, gauges: Gauges | None = None) -> dict[str, Point]:
    """Measure the steps of a series at one size, with one thread for linear algebra.

    All are run once at a tenth of the smallest size before, so that nothing is imported or compiled meanwhile.

    Returns:
        A point by the name of the step.
    """
    gauges = gauges or Gauges()
    with threadpool_limits(limits=1):
        _at(series, max(1, series.sizes[0] // _WARM_UP_SHARE), gauges, 0.0, repeats=1)
        gc.collect()
        return _at(series, size, gauges, gauges.held_mb(), repeats=REPEATS)


def _at(series: Series, size: int, gauges: Gauges, before_mb: float, repeats: int) -> dict[str, Point]:
    with TemporaryDirectory() as folder, series.prepare(size, Path(folder)) as prepared:
        points = {}
        for name, step in series.steps.items():
            walls: list[float] = []
            processors: list[float] = []
            with gauges.watch() as watch:
                while len(walls) < repeats and sum(walls) < ENOUGH_S:
                    wall, processor = gauges.wall_s(), gauges.processor_s()
                    step(prepared)
                    walls.append(gauges.wall_s() - wall)
                    processors.append(gauges.processor_s() - processor)
            points[name] = Point(size, median(walls), median(processors), max(watch.peak_mb - before_mb, 0.0))
        return points
