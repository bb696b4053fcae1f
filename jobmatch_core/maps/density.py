"""Density of points: a Gaussian kernel density on a grid, and its contours' levels.

Paper: Jouanneau et al. (2025), Figure 4 (kernel densities of profiles by family and category). The kernel is a product
of two Gaussians, so that the whole grid is one product of two matrices, exact. The bandwidth is Scott's rule
(Scott 1992): the standard deviation along an axis times n^(-1/6). A group of heaps that lie far apart, as UMAP makes
them, has a deviation that is none of any heap; so the bandwidth is a small share of what is looked at, at most.
"""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from jobmatch_core.entities import FloatArray

Grid = NDArray[np.float64]
_CELLS = 96
_MARGIN = 0.06  # around the points, as a share of their extent
_SMALLEST, _LARGEST = 1e-3, 0.03  # of the extent: bandwidths of points that are one, and of heaps far apart


@dataclass(frozen=True, slots=True)
class Frame:
    """The displayed part of the plane."""

    left: float
    right: float
    bottom: float
    top: float

    @classmethod
    def around(cls, positions: FloatArray, margin: float = _MARGIN) -> "Frame":
        """Return the frame of points, shape (point, 2), with a margin as a share of their extent."""
        low, high = positions.min(axis=0).astype(float), positions.max(axis=0).astype(float)
        space = np.maximum(high - low, 1e-6) * margin
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
        """Return which positions, (point, 2), lie within it."""
        x, y = positions.T
        return np.asarray((self.left <= x) & (x <= self.right) & (self.bottom <= y) & (y <= self.top))


@dataclass(frozen=True, slots=True)
class Density:
    """A density on a grid.

    Attributes:
        xs, ys: (cell,) coordinates of the grid's columns and rows.
        values: (row, column); over the plane it integrates to one.
    """

    xs: Grid
    ys: Grid
    values: Grid

    def level(self, share: float) -> float:
        """Return the level whose contour encloses that share of the points, at its densest places."""
        ordered = np.sort(self.values, axis=None)[::-1]
        enclosed = np.cumsum(ordered) / max(float(ordered.sum()), 1e-300)
        return float(ordered[min(int(np.searchsorted(enclosed, share)), len(ordered) - 1)])


def kernel_density(positions: FloatArray, frame: Frame, cells: int = _CELLS) -> Density:
    """Return the density of points.

    Args:
        positions: (point, 2), at least one.
        frame: extent of the grid.
        cells: number of cells along either axis.
    """
    xs, ys = np.linspace(frame.left, frame.right, cells), np.linspace(frame.bottom, frame.top, cells)
    across, up = (
        _kernels(grid, axis, _bandwidth(axis, extent))
        for grid, axis, extent in ((xs, positions[:, 0], frame.width), (ys, positions[:, 1], frame.height))
    )
    return Density(xs, ys, (up.T @ across) / len(positions))


def _kernels(grid: Grid, values: FloatArray, bandwidth: float) -> Grid:
    """Return each point's Gaussian along one axis, (point, cell)."""
    steps = (grid[None, :] - values[:, None].astype(np.float64)) / bandwidth
    return np.asarray(np.exp(-0.5 * steps**2) / (bandwidth * np.sqrt(2 * np.pi)))


def _bandwidth(values: FloatArray, extent: float) -> float:
    scott = float(values.std()) * float(len(values) ** (-1 / 6))
    whole = max(extent, 1e-6)
    return float(np.clip(scott, _SMALLEST * whole, _LARGEST * whole))
