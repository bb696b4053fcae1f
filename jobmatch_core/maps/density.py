"""Gaussian kernel density on a grid, levels of its contours, and placement of labels without overlaps."""

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from jobmatch_core.entities import FloatArray

Grid = NDArray[np.float64]
_CELLS = 96
_MARGIN = 0.06  # around the points, as a share of their extent
_SMALLEST, _LARGEST = 1e-3, 0.03  # limits of the bandwidth as a share of the extent: equal points, distant clusters
_LETTER, _LINE = 0.62, 1.35  # width and height of a letter, as a share of the font size
_STEPS = 14  # of half a line, tried up and down


@dataclass(frozen=True, slots=True)
class Frame:
    """The displayed part of the plane."""

    left: float
    right: float
    bottom: float
    top: float

    @classmethod
    def around(cls, positions: FloatArray) -> "Frame":
        """Return the frame of points, shape (point, 2), with a margin as a share of their extent."""
        low, high = positions.min(axis=0).astype(float), positions.max(axis=0).astype(float)
        space = np.maximum(high - low, 1e-6) * _MARGIN
        (left, bottom), (right, top) = low - space, high + space
        return cls(float(left), float(right), float(bottom), float(top))

    @property
    def width(self) -> float:
        """From left to right."""
        return self.right - self.left

    @property
    def height(self) -> float:
        """From bottom to top."""
        return self.top - self.bottom

    def holds(self, positions: FloatArray) -> NDArray[np.bool_]:
        """Return which positions, (point, 2), are inside."""
        x, y = positions.T
        return np.asarray((self.left <= x) & (x <= self.right) & (self.bottom <= y) & (y <= self.top))


@dataclass(frozen=True, slots=True)
class Density:
    """A density on a grid."""

    # xs, ys: (cell,) coordinates of the grid's columns and rows
    xs: Grid
    ys: Grid
    values: Grid  # (row, column) values, which integrate to one

    def level(self, share: float) -> float:
        """Return the level of the contour that encloses that share of the points at the highest densities."""
        ordered = np.sort(self.values, axis=None)[::-1]
        enclosed = np.cumsum(ordered) / max(float(ordered.sum()), 1e-300)
        return float(ordered[min(int(np.searchsorted(enclosed, share)), len(ordered) - 1)])


def kernel_density(positions: FloatArray, frame: Frame, cells: int = _CELLS) -> Density:
    """Return the density of points, (point, 2) with at least one, on a grid of *cells* along either axis."""
    xs, ys = np.linspace(frame.left, frame.right, cells), np.linspace(frame.bottom, frame.top, cells)
    across, up = (
        _kernels(grid, axis, _bandwidth(axis, extent))
        for grid, axis, extent in ((xs, positions[:, 0], frame.width), (ys, positions[:, 1], frame.height))
    )
    return Density(xs, ys, (up.T @ across) / len(positions))


def _kernels(grid: Grid, values: FloatArray, bandwidth: float) -> Grid:
    steps = (grid[None, :] - values[:, None].astype(np.float64)) / bandwidth
    return np.asarray(np.exp(-0.5 * steps**2) / (bandwidth * np.sqrt(2 * np.pi)))


def _bandwidth(values: FloatArray, extent: float) -> float:
    scott = float(values.std()) * float(len(values) ** (-1 / 6))
    whole = max(extent, 1e-6)
    return float(np.clip(scott, _SMALLEST * whole, _LARGEST * whole))


@dataclass(frozen=True, slots=True)
class MapLabel:
    """A text at a position, with the number of points that it labels."""

    text: str
    x: float
    y: float
    points: int


@dataclass(frozen=True, slots=True)
class Box:
    """The area of a label in the picture."""

    left: float
    right: float
    bottom: float
    top: float

    def meets(self, other: "Box") -> bool:
        """Return whether two boxes overlap."""
        return (
            self.left < other.right and other.left < self.right and self.bottom < other.top and other.bottom < self.top
        )


def label_box(label: MapLabel, unit_x: float, unit_y: float) -> Box:
    """Return the area of a label, centred on its position; units are the font size as a share of the picture's size."""
    half_width, half_height = len(label.text) * _LETTER * unit_x / 2, _LINE * unit_y / 2
    return Box(label.x - half_width, label.x + half_width, label.y - half_height, label.y + half_height)


def placed(labels: Sequence[MapLabel], frame: Frame, unit_x: float, unit_y: float) -> list[MapLabel]:
    """Return labels at positions where none overlaps another or is cut off; labels without room are dropped.

    Labels of most points have priority. Each stays in place or moves up or down, as little as possible.

    Args:
        labels: labels at their preferred positions.
        frame: displayed part of the plane.
        unit_x: font size as a share of the picture's width.
        unit_y: font size as a share of the picture's height.
    """
    placed: list[MapLabel] = []
    taken: list[Box] = []
    for label in sorted(labels, key=lambda label: (-label.points, label.text)):
        for step in range(_STEPS):
            shift = (step + 1) // 2 * (1 if step % 2 else -1) * _LINE * unit_y / 2
            moved = _inside(replace(label, y=label.y + shift), frame, unit_x)
            box = label_box(moved, unit_x, unit_y)
            if not any(box.meets(other) for other in taken):
                placed.append(moved)
                taken.append(box)
                break
    return placed


# centred if the frame is too narrow for it
def _inside(label: MapLabel, frame: Frame, unit_x: float) -> MapLabel:
    half_width = len(label.text) * _LETTER * unit_x / 2
    left, right = frame.left + half_width, frame.right - half_width
    return replace(label, x=min(max(label.x, left), right) if left <= right else (frame.left + frame.right) / 2)
