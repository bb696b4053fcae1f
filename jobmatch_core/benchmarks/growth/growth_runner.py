"""Measuring of series: each size in a process of its own, so that its memory is its own."""

import gc
import time
from collections.abc import Callable, Sequence
from concurrent.futures import ProcessPoolExecutor
from contextlib import AbstractContextManager
from dataclasses import dataclass
from multiprocessing import get_context
from pathlib import Path
from statistics import median
from tempfile import TemporaryDirectory
from typing import Protocol

from threadpoolctl import threadpool_limits

from jobmatch_core.benchmarks.growth.growth_curve import Curve, Point
from jobmatch_core.benchmarks.growth.growth_series import Series
from jobmatch_core.entities import Progress, no_progress
from jobmatch_core.metrics.family_gauges import PeakWatch, family_processor_seconds, resident_memory_mb

REPEATS, ENOUGH_S = 9, 2.0  # a step is repeated so often, or until it has taken so long
_WARM_UP_SHARE = 10  # the smallest size is divided by this for a first run that counts nowhere


class Watch(Protocol):
    """Follows the highest memory within a block."""

    peak_mb: float


@dataclass(frozen=True, slots=True)
class Gauges:
    """Instruments that are read around each step.

    Attributes:
        wall_s: seconds of a clock.
        processor_s: seconds of processor time.
        held_mb: resident memory.
        watch: a block that follows the highest memory in it.
    """

    wall_s: Callable[[], float] = time.perf_counter
    processor_s: Callable[[], float] = family_processor_seconds
    held_mb: Callable[[], float] = resident_memory_mb
    watch: Callable[[], AbstractContextManager[Watch]] = PeakWatch


def measured_curves(series: Sequence[Series], *, progress: Progress = no_progress) -> list[Curve]:
    """Measure all steps at all sizes.

    Args:
        series: what is measured.
        progress: called with sizes done and sizes in all.

    Raises:
        JobMatchError: something cannot be prepared or done.
    """
    total, done, curves = sum(len(each.sizes) for each in series), 0, []
    for each in series:
        by_size: list[dict[str, Point]] = []
        for size in each.sizes:
            progress(done, total)
            with ProcessPoolExecutor(1, mp_context=get_context("spawn")) as pool:
                by_size.append(pool.submit(measured_points, each, size).result())
            done += 1
        curves += [
            Curve(each.name, each.unit, step, tuple(points[step] for points in by_size), each.by_wall)
            for step in each.steps
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
