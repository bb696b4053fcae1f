"""Random numbers that belong to texts: the same in every session and on every machine, whatever else is there."""

import json
from hashlib import blake2b

import numpy as np
from numpy.typing import NDArray

Codes = NDArray[np.uint64]

_WHOLE = 2.0**64


def code_of(*texts: str) -> int:
    """Return a number of 64 bits that looks random; other texts, or the same ones parted otherwise, have another."""
    return int.from_bytes(blake2b(json.dumps(texts).encode(), digest_size=8).digest(), "big")


def share_of(*texts: str) -> float:
    """Return a number from 0 to below 1 that looks random."""
    return code_of(*texts) / _WHOLE % 1.0


def draws(codes: Codes, seed: int) -> Codes:
    """Return other numbers of 64 bits for each seed; those of different codes stay different."""
    mask, factor = np.uint64(code_of("mask", str(seed))), np.uint64(code_of("factor", str(seed)) | 1)
    return (codes ^ mask) * factor  # it wraps; an odd factor keeps different ones different


def shares(codes: Codes, seed: int) -> NDArray[np.float64]:
    """Return numbers from 0 to 1 that look random, others for each seed."""
    return draws(codes, seed) / _WHOLE
