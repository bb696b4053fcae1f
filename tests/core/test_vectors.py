"""Arithmetic on vectors."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from jobmatch_core.vectors import in_blocks, normalised
from tests.core.descriptions.made_postings import WordEncoder


def test_normalised() -> None:
    """(3, 4) becomes (0.6, 0.8); zeros stay."""
    assert normalised(np.array([[3, 4], [0, 0]], dtype=np.float32)) == pytest.approx(np.array([[0.6, 0.8], [0, 0]]))


@given(st.integers(0, 9), st.integers(1, 4))
def test_in_blocks(n: int, size: int) -> None:
    """The same vectors as in one call; progress is reported at the start and after each block."""
    texts, seen = [f"nurse {number}" for number in range(n)], []
    vectors = in_blocks(WordEncoder().encode, texts, lambda *step: seen.append(step), size=size)
    assert np.array_equal(vectors, WordEncoder().encode(texts))
    assert seen == [(0, n), *((min(start + size, n), n) for start in range(0, n, size))]
