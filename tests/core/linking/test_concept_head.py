"""Occupations' vectors are the means of their names' vectors: by hand, and against a loop."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from jobmatch_core.linking import encoder_scorer
from jobmatch_core.linking.encoder_scorer import ConceptHead, normalised


def unit_rows(n: int, seed: int = 1) -> np.ndarray:
    """Return random unit vectors, shape (n, 5)."""
    vectors = np.random.default_rng(seed).normal(size=(n, 5)).astype(np.float32)
    return vectors / np.linalg.norm(vectors, axis=1, keepdims=True)


def test_means_by_hand() -> None:
    """Concept 7 has names (1, 0) and (0, 1), normalised mean (0.707, 0.707); concept 3 has (0.6, 0.8).

    The title (1, 0) scores 0.707 and 0.6.
    """
    names = np.array([[1, 0], [0.6, 0.8], [0, 1]], dtype=np.float32)
    head = ConceptHead.fit(names, np.array([7, 3, 7], dtype=np.int32))
    half = 0.5**0.5
    assert head.concepts.tolist() == [3, 7]
    np.testing.assert_allclose(head.vectors, [[0.6, 0.8], [half, half]], rtol=1e-6)
    np.testing.assert_allclose(head.scores(np.array([[1, 0], [0, -1]], np.float32)), [[0.6, half], [-0.8, -half]])


@given(st.lists(st.integers(0, 6), min_size=1, max_size=30), st.integers(0, 5))
@settings(max_examples=60, deadline=None)
def test_means_equal_a_loop(concepts: list[int], seed: int) -> None:
    """For any names of any concepts, in any order."""
    names = unit_rows(len(concepts), seed)
    head = ConceptHead.fit(names, np.array(concepts, dtype=np.int32))
    assert head.concepts.tolist() == sorted(set(concepts))
    for concept, vector in zip(head.concepts.tolist(), head.vectors, strict=True):
        mean = np.mean([row for row, of in zip(names, concepts, strict=True) if of == concept], axis=0)
        np.testing.assert_allclose(vector, mean / np.linalg.norm(mean), atol=1e-4)


def test_blocks_do_not_show(monkeypatch: pytest.MonkeyPatch) -> None:
    """Names of one concept in several blocks; half-precision names are summed in single precision."""
    names = unit_rows(100).astype(np.float16)
    concepts = (np.arange(100) % 7).astype(np.int32)
    whole = ConceptHead.fit(names, concepts)
    monkeypatch.setattr(encoder_scorer, "_NAMES_AT_ONCE", 9)
    np.testing.assert_allclose(ConceptHead.fit(names, concepts).vectors, whole.vectors, atol=1e-6)
    assert whole.vectors.dtype == np.float32
    assert np.linalg.norm(whole.vectors, axis=1) == pytest.approx(np.ones(7), abs=1e-6)


def test_anchors_by_hand() -> None:
    """Concept 1 has the name (1, 0) and the anchor (0, 1): (0.707, 0.707). Concept 0 has no anchor.

    Concept 2 has an anchor, but no names. Two equal names weigh as much as one.
    """
    names = np.array([[1, 0], [1, 0], [0.6, 0.8]], dtype=np.float32)
    anchors = np.array([[0, 0], [0, 1], [1, 0]], dtype=np.float32)
    head = ConceptHead.fit(names, np.array([1, 1, 0], dtype=np.int32), anchors)
    assert head.concepts.tolist() == [0, 1]
    np.testing.assert_allclose(head.vectors, [[0.6, 0.8], [0.5**0.5, 0.5**0.5]], rtol=1e-6)


def test_normalised_rows() -> None:
    """One vector or many; zeros stay."""
    assert normalised(np.array([3, 4], np.float32)).tolist() == pytest.approx([0.6, 0.8])
    rows = normalised(np.array([[0, 0], [0, 2]], np.float32))
    assert (rows.tolist(), rows.dtype) == ([[0, 0], [0, 1]], np.float32)


def test_names_of_which_nothing_is_known() -> None:
    """Zero vectors give a zero vector, which scores 0."""
    head = ConceptHead.fit(np.zeros((2, 3), np.float32), np.array([1, 1], np.int32))
    assert head.scores(np.ones((1, 3), np.float32)).tolist() == [[0.0]]


def test_no_names() -> None:
    """No occupations, and no scores."""
    head = ConceptHead.fit(np.empty((0, 3), np.float32), np.empty(0, np.int32))
    assert head.scores(np.ones((2, 3), np.float32)).shape == (2, 0)
