"""Quantisation of weights to four bits: one scale per row, 16 even steps, two codes per byte."""

import numpy as np
from numpy.typing import NDArray

from jobmatch_core.entities import FloatArray

_MIDDLE = 7.5  # codes 0 to 15 stand for -7.5 to 7.5 steps: even on both sides, no code wasted on a second zero
_SPREAD = 2.5  # the outermost code in standard deviations: few weights are cut off, and the steps stay fine


def pack(weights: FloatArray) -> tuple[NDArray[np.uint8], NDArray[np.float16]]:
    """Pack weights into four bits each.

    Args:
        weights: (row, dimension), the dimension even.

    Returns:
        codes (row, dimension / 2) and scales (row,).
    """
    deviations = np.sqrt((weights**2).mean(axis=1))
    limits = np.minimum(np.abs(weights).max(axis=1), _SPREAD * deviations)
    scales = (limits / _MIDDLE).astype(np.float16)
    steps = np.where(scales > 0, scales, 1).astype(np.float32)[:, None]
    codes = np.clip(np.rint(weights / steps + _MIDDLE), 0, 15).astype(np.uint8)
    return codes[:, 0::2] | (codes[:, 1::2] << 4), scales


def unpack(codes: NDArray[np.uint8], scales: NDArray[np.float16]) -> FloatArray:
    """Return the weights of `pack`, to the nearest step; shape (row, dimension)."""
    levels = np.empty((len(codes), codes.shape[1] * 2), dtype=np.float32)
    levels[:, 0::2] = codes & 15
    levels[:, 1::2] = codes >> 4
    levels -= np.float32(_MIDDLE)
    levels *= scales.astype(np.float32)[:, None]
    return levels
