"""Comparison of answers and scores, linkers with other thresholds, and the slow reference path."""

import dataclasses
from collections import Counter
from collections.abc import Sequence

import numpy as np
import pytest
from scipy.sparse import csr_matrix
from sparse_dot_topn import sp_matmul_topn

from jobmatch_core.entities import FloatArray, LinkResult
from jobmatch_core.linking import Linker, candidates, encoder_scorer
from jobmatch_core.linking.arrays import Pairs
from jobmatch_core.linking.encoder_scorer import EncoderScorer
from jobmatch_core.linking.scorers import TfidfScorer, TfidfVectorizer
from jobmatch_core.text import folding


def all_pairs(n_queries: int, n_names: int) -> Pairs:
    """Return every pair."""
    return Pairs(*np.divmod(np.arange(n_queries * n_names), n_names))


def dense(scorer: TfidfScorer | EncoderScorer, queries: list[str], n_names: int) -> FloatArray:
    """Score every pair, shape (query, name)."""
    scores = scorer.pairs(scorer.encode(queries), *all_pairs(len(queries), n_names))  # type: ignore[arg-type]
    return scores.reshape(len(queries), n_names)


def with_threshold(linker: Linker, threshold: float, of_units: float = 1.0) -> Linker:
    """Return a linker with other thresholds, by default without links to unit groups."""
    changed = dataclasses.replace(linker.calibration, threshold=threshold, unit_threshold=of_units)
    return Linker(linker.taxonomy, linker.index, changed)


def assert_same(one: LinkResult, other: LinkResult) -> None:
    """Compare two answers; probabilities may differ in the last digits of single precision."""
    assert [c.uri for c in one.candidates] == [c.uri for c in other.candidates]
    assert [c.evidence.name for c in one.candidates] == [c.evidence.name for c in other.candidates]
    assert [c.probability for c in one.candidates] == pytest.approx(
        [c.probability for c in other.candidates], rel=1e-4, abs=1e-6
    )
    assert (one.title, one.abstained, one.set_aside) == (other.title, other.abstained, other.set_aside)
    assert (one.group and one.group.code) == (other.group and other.group.code)


def take_slow_path(patch: pytest.MonkeyPatch) -> None:
    """Make linkers compute step by step, without sharing work among titles, and without blocks."""
    vocabularies: dict[int, dict[str, int]] = {}

    def counts(vectorizer: TfidfVectorizer, texts: Sequence[str]) -> csr_matrix:
        terms = vectorizer.vocabulary.split("\n")
        columns_of = vocabularies.setdefault(id(vectorizer), {term: column for column, term in enumerate(terms)})
        rows = [Counter(columns_of[term] for term in vectorizer.terms(text) if term in columns_of) for text in texts]
        cells = [(row, column, count) for row, counted in enumerate(rows) for column, count in sorted(counted.items())]
        numbers, columns, values = np.array(cells, dtype=np.int64).reshape(-1, 3).T
        ends = np.searchsorted(numbers, np.arange(len(texts) + 1)).astype(np.int32)
        parts = values.astype(np.float32), columns.astype(np.int32), ends
        return csr_matrix(parts, shape=(len(texts), len(columns_of)))

    def nearest(scorer: TfidfScorer, encoded: csr_matrix, limit: int) -> Pairs:
        best = sp_matmul_topn(encoded, scorer._inverted, top_n=limit)
        queries = np.repeat(np.arange(encoded.shape[0]), np.diff(best.indptr))
        return Pairs(queries, best.indices[: best.nnz].astype(np.intp))

    nearest_by = EncoderScorer.nearest_by

    def nearest_by_own(scorer: EncoderScorer, _: FloatArray, encoded: FloatArray, limit: int) -> Pairs:
        return nearest_by(scorer, encoded @ scorer.head.vectors.T, encoded, limit)

    patch.setattr(TfidfVectorizer, "_counts", counts)
    patch.setattr(TfidfScorer, "nearest", nearest)
    patch.setattr(EncoderScorer, "nearest_by", nearest_by_own)
    patch.setattr(folding, "_fold_short", folding._fold)
    patch.setattr(encoder_scorer, "_ROWS_AT_ONCE", 10**6)
    patch.setattr(candidates, "_QUERIES_AT_ONCE", 10**6)
