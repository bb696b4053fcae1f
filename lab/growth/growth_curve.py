"""Growth curves: a step's time and memory at each size, the fitted exponent, and a picture.

In a picture, time and memory stand over the size, both axes logarithmic, with the exponent of each line.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import groupby
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from jobmatch_core.errors import SettingsError
from jobmatch_core.io.folders import atomic_file

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure


_LEAST_MB, _LEAST_S = 1.0, 1e-6  # less is not told from nothing
_TOLERANCE = 0.1  # of an exponent; timings of a shared machine are no better


_WIDTH, _HEIGHT = 11.0, 3.6  # inches, of a series
_LEAST_SPAN = 30.0  # of an axis from bottom to top, so that noise does not look like growth
_INK, _PAPER = "#1a1a1a", "#ffffff"
_COLOURS = ("#0072b2", "#d55e00", "#009e73", "#cc79a7", "#e69f00", "#56b4e9", "#000000")  # Okabe & Ito (2008)
_MARKS = "osD^vPX"


@dataclass(frozen=True, slots=True)
class Point:
    """Cost of a step at one size."""

    size: int  # size of the data
    wall_s: float  # median seconds of the clock
    processor_s: float  # median seconds of processor time, of this process and its children
    peak_mb: float  # highest resident memory in MB during the step, above that before the data were prepared


@dataclass(frozen=True, slots=True)
class Curve:
    """A step over all sizes of a series."""

    # series, unit: name of the series, and what its sizes count
    series: str
    unit: str
    step: str
    points: tuple[Point, ...]  # by ascending size, two or more
    by_wall: bool = False  # the exponents are those of wall time, not of processor time

    @property
    def sizes(self) -> list[int]:
        """The sizes, ascending."""
        return [point.size for point in self.points]

    @property
    def seconds(self) -> list[float]:
        """The seconds that the exponents are fitted to."""
        return [max(point.wall_s if self.by_wall else point.processor_s, _LEAST_S) for point in self.points]

    @property
    def peaks(self) -> list[float]:
        """The memory in MB."""
        return [max(point.peak_mb, _LEAST_MB) for point in self.points]

    @property
    def exponent(self) -> float:
        """The exponent of time over all sizes; fixed costs lower it."""
        return fitted(self.sizes, self.seconds)[0]

    @property
    def last_exponent(self) -> float:
        """The exponent of time between the two largest sizes, where fixed costs matter least and noise most."""
        return fitted(self.sizes[-2:], self.seconds[-2:])[0]

    @property
    def memory_exponent(self) -> float:
        """The exponent of memory over all sizes."""
        return fitted(self.sizes, self.peaks)[0]

    @property
    def faster_than_linearithmic(self) -> bool:
        """True if time grows faster than n log n, over all sizes or at the end, by more than the noise."""
        allowed = (_linearithmic(self.sizes), _linearithmic(self.sizes[-2:]))
        return any(
            exponent > most + _TOLERANCE
            for exponent, most in zip((self.exponent, self.last_exponent), allowed, strict=True)
        )


def fitted(sizes: Sequence[float], values: Sequence[float]) -> tuple[float, float]:
    """Return the exponent p and the factor c of c * size ** p, by least squares of the logarithms.

    Args:
        sizes: positive, two different ones or more.
        values: positive, one per size.
    """
    exponent, constant = np.polyfit(np.log(sizes), np.log(values), 1)
    return float(exponent), float(np.exp(constant))


def _linearithmic(sizes: Sequence[int]) -> float:
    """Return the exponent that n log n has over the same sizes."""
    return fitted(sizes, [size * math.log(size + 1) for size in sizes])[0]


def check_pictures(folder: Path) -> None:
    """Make the folder of pictures, before what they show is measured; raises SettingsError if the disk refuses."""
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise SettingsError(f"The folder {folder} could not be made ({error.strerror or error}).") from error


def save_growth_picture(curves: Sequence[Curve], title: str, path: Path) -> None:
    """Draw curves and write an SVG, completely or not at all.

    Args:
        curves: those of a series stand together.
        title: text above the picture.
        path: path of the file, in a folder that exists.

    Raises SettingsError if the file cannot be written.
    """
    from matplotlib import rc_context

    try:
        with rc_context({"svg.fonttype": "none", "svg.hashsalt": "jobmatch"}), atomic_file(path) as temporary:
            growth_figure(curves, title).savefig(temporary, format="svg", metadata={"Date": None})
    except OSError as error:
        raise SettingsError(f"The picture {path} could not be written ({error.strerror or error}).") from error


def growth_figure(curves: Sequence[Curve], title: str) -> "Figure":
    """Draw a row for each series: seconds on the left, memory on the right, fitted lines dotted."""
    from matplotlib.figure import Figure  # which takes a second

    series = [list(group) for _, group in groupby(curves, key=lambda curve: curve.series)]
    figure = Figure(figsize=(_WIDTH, _HEIGHT * len(series)), facecolor=_PAPER, layout="constrained")
    figure.suptitle(title, color=_INK)
    rows = figure.subplots(len(series), 2, squeeze=False)
    for (time, memory), group in zip(rows, series, strict=True):
        clock = "seconds" if group[0].by_wall else "seconds of processor time"
        _draw(time, group, clock, [(curve.seconds, curve.exponent) for curve in group])
        _draw(memory, group, "MB above what was held before", [(curve.peaks, curve.memory_exponent) for curve in group])
    return figure


def _draw(axes: "Axes", curves: Sequence[Curve], label: str, values: Sequence[tuple[list[float], float]]) -> None:
    axes.set(xscale="log", yscale="log", xlabel=curves[0].unit, ylabel=label)
    axes.grid(visible=True, alpha=0.2)
    for number, (curve, (heights, exponent)) in enumerate(zip(curves, values, strict=True)):
        rounds, place = divmod(number, len(_COLOURS))  # of more curves than colours the later ones are dashed
        colour, mark = _COLOURS[place], _MARKS[(place + rounds) % len(_MARKS)]
        axes.plot(
            curve.sizes,
            heights,
            mark,
            linestyle="--" if rounds else "-",
            color=colour,
            markersize=4,
            label=f"{curve.step}: n^{exponent:.2f}",
        )
        power, factor = fitted(curve.sizes, heights)
        axes.plot(curve.sizes, factor * np.array(curve.sizes) ** power, ":", color=colour, linewidth=0.8)
    low, high = axes.get_ylim()
    missing = max(_LEAST_SPAN / (high / low), 1.0) ** 0.5
    axes.set_ylim(low / missing, high * missing)
    axes.set_xticks(curves[0].sizes, [f"{size:,}" for size in curves[0].sizes], minor=False)
    axes.minorticks_off()
    axes.legend(loc="lower left", bbox_to_anchor=(0, 1), ncols=2, fontsize=7, frameon=False)
