"""Four bits a weight: by hand, and how far off they may be."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from jobmatch_core.titles.packing import pack, unpack


def test_by_hand() -> None:
    """Of equal absolute values the limit is the value itself, 7.5 steps: 1.5 / 7.5 = 0.2 each, codes 15 and 0."""
    codes, scales = pack(np.array([[1.5, -1.5, -1.5, 1.5]], dtype=np.float32))
    assert scales.tolist() == pytest.approx([0.2], rel=1e-3)
    assert codes.tolist() == [[15 | 0 << 4, 0 | 15 << 4]]
    assert unpack(codes, scales)[0].tolist() == pytest.approx([1.5, -1.5, -1.5, 1.5], rel=1e-3)


def test_every_code_has_its_level() -> None:
    """From -7.5 to 7.5 steps, the lower half of a byte first."""
    codes = np.arange(0, 16, 2, dtype=np.uint8) | (np.arange(1, 16, 2, dtype=np.uint8) << 4)
    levels = unpack(codes[None], np.array([2.0], dtype=np.float16))
    assert levels.dtype == np.float32
    assert levels[0].tolist() == [2 * (code - 7.5) for code in range(16)]


def test_an_outlier_is_cut_off() -> None:
    """99 ones and a hundred: the deviation is sqrt((99 + 10,000) / 100) = 10.05, the limit 25.12 and not 100."""
    weights = np.ones((1, 100), dtype=np.float32)
    weights[0, 7] = 100
    unpacked = unpack(*pack(weights))[0]
    assert unpacked[7] == pytest.approx(2.5 * (10_099 / 100) ** 0.5, rel=1e-3)
    assert np.delete(unpacked, 7) == pytest.approx(np.full(99, 25.12 / 7.5 / 2), rel=1e-3)


def test_rows_of_nothing() -> None:
    """Zeros come back as zeros; no rows as no rows."""
    assert unpack(*pack(np.zeros((2, 4), dtype=np.float32))).tolist() == [[0.0] * 4] * 2
    assert unpack(*pack(np.empty((0, 4), dtype=np.float32))).shape == (0, 4)


def test_half_a_byte_a_weight() -> None:
    """Packed weights take half a byte each, and two bytes a row."""
    codes, scales = pack(np.ones((3, 8), dtype=np.float32))
    assert (codes.shape, codes.dtype, scales.shape, scales.dtype) == ((3, 4), np.uint8, (3,), np.float16)


@given(
    arrays(np.float32, (3, 6), elements=st.floats(-4, 4, width=32)),
    st.sampled_from([1e-6, 1e-4, 1e-2, 1.0, 1e3]),
)
@settings(max_examples=300, deadline=None)
def test_at_most_half_a_step_off(weights: np.ndarray, size: float) -> None:
    """Where a weight is not cut off, which those within 7.5 steps are not; the others become the outermost level.

    A little more is allowed: the scale itself is stored in 16 bits.
    """
    weights = (weights * np.float32(size)).astype(np.float32)
    codes, scales = pack(weights)
    steps = scales.astype(np.float32)[:, None]
    unpacked = unpack(codes, scales)
    within = np.abs(weights) <= 7.5 * steps
    off = np.abs(unpacked - weights)
    assert (off[within] <= (0.5 * steps + 1e-6 * size).repeat(6, axis=1)[within] * 1.0001).all()
    outermost = np.sign(weights) * 7.5 * steps
    assert unpacked[~within & (steps > 0)] == pytest.approx(outermost[~within & (steps > 0)], rel=1e-5)


def test_packing_what_was_packed_changes_little() -> None:
    """A packed model that is trained on and packed again starts within a step of where it was."""
    weights = np.random.default_rng(1).normal(size=(50, 16)).astype(np.float32)
    once = unpack(*pack(weights))
    twice = unpack(*pack(once))
    assert np.abs(twice - once).max() <= pack(weights)[1].max()
