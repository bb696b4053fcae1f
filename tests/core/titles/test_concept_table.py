"""The vectors of concepts beside a model."""

from pathlib import Path

import numpy as np

from jobmatch_core.entities import FloatArray
from jobmatch_core.titles.concept_table import CONCEPTS_FILE, ConceptTable

URIS = [f"http://example.org/occupation/{number}" for number in range(20)]


def _vectors() -> FloatArray:
    vectors = np.random.default_rng(5).normal(size=(20, 64)).astype(np.float32)
    return vectors / np.linalg.norm(vectors, axis=1, keepdims=True)


def test_known_concepts_have_their_vectors() -> None:
    """In any order, nearly as they were, and at length one."""
    vectors = _vectors()
    table = ConceptTable.of(URIS, vectors)
    found = table.vectors([URIS[7], URIS[0], URIS[19]])
    assert np.allclose(np.linalg.norm(found, axis=1), 1, atol=1e-5)
    assert (found * vectors[[7, 0, 19]]).sum(axis=1).min() > 0.98


def test_unknown_concepts_have_zeros() -> None:
    """Also where all are unknown, and where none is asked for."""
    table = ConceptTable.of(URIS, _vectors())
    found = table.vectors(["nothing", URIS[3], "zzz"])
    assert np.array_equal(np.flatnonzero(found.any(axis=1)), [1])
    assert table.vectors([]).shape == (0, 64)


def test_saved_and_loaded_it_is_the_same(tmp_path: Path) -> None:
    """Bit for bit."""
    table = ConceptTable.of(URIS, _vectors())
    table.save(tmp_path)
    again = ConceptTable.load(tmp_path / CONCEPTS_FILE)
    assert np.array_equal(again.vectors(URIS), table.vectors(URIS))
