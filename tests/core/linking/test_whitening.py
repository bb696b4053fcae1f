"""Whitening by names of the same occupation: by hand, and against numpy's covariance."""

import numpy as np
import pytest
from numpy.testing import assert_allclose

from jobmatch_core.linking.encoder_scorer import whitening


def test_it_shrinks_what_sets_names_of_one_occupation_apart() -> None:
    """Two names at (0.6, +-0.8): a scatter of 0 and 1.28 about (0.6, 0); with one more name each, 1 and 2.28."""
    names = np.array([[0.6, 0.8], [0.6, -0.8], [-1.0, 0.0]], np.float32)
    concepts = np.array([7, 7, 3], np.int32)
    assert_allclose(whitening(names, concepts), np.diag([1, 2.28**-0.5]), atol=1e-6)


def test_occupations_of_one_name_each_change_nothing() -> None:
    """They do not show how names of one occupation differ."""
    assert_allclose(whitening(np.eye(3, dtype=np.float32), np.arange(3, dtype=np.int32)), np.eye(3), atol=1e-6)


@pytest.mark.parametrize("unit", [1, 32767])
def test_whitened_names_have_the_same_scatter_in_every_direction(monkeypatch: pytest.MonkeyPatch, unit: int) -> None:
    """About their occupation's mean, with one more name per direction; also if read in blocks."""
    monkeypatch.setattr("jobmatch_core.linking.encoder_scorer._NAMES_AT_ONCE", 64)
    rng = np.random.default_rng(1)
    concepts = rng.integers(0, 20, 500).astype(np.int32)
    vectors = rng.normal(size=(500, 4)) * [1, 2, 3, 4]
    matrix = whitening((vectors * unit).astype(np.float32), concepts, unit)
    of_each = [vectors[concepts == concept] for concept in range(20)]
    about_means = np.concatenate([names - names.mean(axis=0) for names in of_each])
    scatter = about_means.T @ about_means + np.eye(4)
    assert_allclose(matrix @ scatter @ matrix, np.eye(4), atol=1e-4)
    assert_allclose(matrix, matrix.T, atol=1e-7)
