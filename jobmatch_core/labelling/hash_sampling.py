"""Hash sampling: pseudo-random numbers derived from texts, the same in every session and on every machine."""

import json
from hashlib import blake2b

import numpy as np
from numpy.typing import NDArray

Codes = NDArray[np.uint64]

_WHOLE = 2.0**64


def code_of(*texts: str) -> int:
    """Return a 64-bit hash of texts; their order and borders matter."""
    return int.from_bytes(blake2b(json.dumps(texts).encode(), digest_size=8).digest(), "big")


def share_of(*texts: str) -> float:
    """Return a hash of texts as a number from 0 up to but not including 1."""
    return code_of(*texts) / _WHOLE % 1.0


def draws(codes: Codes, seed: int) -> Codes:
    """Return other 64-bit hashes for each seed; those of different codes stay different."""
    mask, factor = np.uint64(code_of("mask", str(seed))), np.uint64(code_of("factor", str(seed)) | 1)
    return (codes ^ mask) * factor  # with overflow; an odd factor is a bijection


def shares(codes: Codes, seed: int) -> NDArray[np.float64]:
    """Return hashes as numbers from 0 to 1, different for each seed."""
    return draws(codes, seed) / _WHOLE
