"""Scorers: how alike a folded title and a folded name are, each in its own way.

A `NameScorer` proposes names for a title and scores any (title, name) pair. Characters and words are
TF-IDF cosines; the encoder's is in `encoder_scorer`. `fuzzy` only re-scores pairs.
"""

import os
from collections.abc import Sequence
from functools import cached_property, reduce
from pathlib import Path
from typing import Any, Protocol, Self, TypeVar

import numpy as np
from numpy.typing import NDArray
from rapidfuzz import process
from rapidfuzz.distance import JaroWinkler
from scipy.sparse import csc_matrix, csr_matrix, vstack
from sparse_dot_topn import unchecked  # for the checks copy the indices of all names

from jobmatch_core.entities import FloatArray
from jobmatch_core.linking.tfidf_vectorizer import TfidfVectorizer

Indices = NDArray[np.integer[Any]]
Encoded = TypeVar("Encoded")
WORTH_THREADS = 2000  # pairs; starting a thread for fewer takes longer than they do
_DENSE = 64  # queries multiplied with all names at once: the products are hardly sparse
_PAIRS_AT_ONCE = 8192  # their terms are copied
_COMMON_NAMES = 2000  # terms in more names only score, and do not propose


def n_threads() -> int:
    """Return the threads of one call: one where `OMP_NUM_THREADS` says that processes share the cores, else two."""
    return 1 if os.environ.get("OMP_NUM_THREADS") == "1" else 2


class NameScorer(Protocol[Encoded]):
    """Proposes names and scores pairs; every index has two or three. Titles are encoded once for both."""

    def encode(self, queries: Sequence[str]) -> Encoded:
        """Return the queries' vectors, one row each."""

    def nearest(self, encoded: Encoded, limit: int) -> tuple[Indices, Indices]:
        """Return query and name numbers of each query's best *limit* names, as parallel arrays."""

    def pairs(self, encoded: Encoded, rows: Indices, columns: Indices) -> FloatArray:
        """Return the similarity, 0 to 1, of query rows[i] and name columns[i]."""

    def subset(self, kept: Indices) -> Self:
        """Return a scorer over some of the names."""

    def save(self, folder: Path) -> None:
        """Write it into a new folder."""


class TfidfScorer:
    """Cosine of TF-IDF vectors, over characters (n-grams of 3 to 5 inside words) or words."""

    def __init__(self, vectorizer: TfidfVectorizer, names: csr_matrix, inverted: csr_matrix) -> None:
        """Wrap a fitted vectorizer.

        Args:
            vectorizer: makes vectors of queries.
            names: (name, term), L2-normalised rows.
            inverted: the same, transposed: (term, name), without the commonest terms.
        """
        self._vectorizer = vectorizer
        self._names = names
        self._inverted = inverted

    @classmethod
    def fit(cls, kind: str, names: Sequence[str]) -> "TfidfScorer":
        """Fit on an index's names; *kind* is `char` or `word`."""
        vectorizer, matrix = TfidfVectorizer.fit(kind, names)
        return cls(vectorizer, matrix, _inverted(matrix))

    @property
    def vocabulary(self) -> list[str]:
        """The terms of the names, by column."""
        return self._vectorizer.vocabulary.split("\n")

    def encode(self, queries: Sequence[str]) -> csr_matrix:
        """Return L2-normalised TF-IDF rows, shape (query, term)."""
        return self._vectorizer.transform(queries)

    def nearest(self, encoded: csr_matrix, limit: int) -> tuple[Indices, Indices]:
        """Return query and name numbers of each query's best *limit* names, as parallel arrays."""
        n_queries, limit = encoded.shape[0], min(limit, self._inverted.shape[1])
        threads = min(n_threads(), n_queries)
        asked = encoded, self._inverted, limit, False, 0.0  # in no order, and all above 0
        best = unchecked.sp_matmul_topn_mt(*asked, threads) if threads > 1 else unchecked.sp_matmul_topn(*asked, 1.0)
        return np.repeat(np.arange(n_queries), np.diff(best.indptr)), best.indices[: best.nnz].astype(np.intp)

    def pairs(self, encoded: csr_matrix, rows: Indices, columns: Indices) -> FloatArray:
        """Return the cosine of query rows[i] and name columns[i]."""
        scores = np.empty(len(rows), dtype=np.float32)
        for start in range(0, len(rows), _PAIRS_AT_ONCE):
            block = slice(start, start + _PAIRS_AT_ONCE)
            products = encoded[rows[block]].multiply(self._names[columns[block]])
            scores[block] = np.asarray(products.sum(axis=1)).ravel()
        return scores

    def all(self, encoded: csr_matrix) -> FloatArray:
        """Return the cosine of every query and every name, shape (query, name)."""
        scores = np.empty((encoded.shape[0], self._names.shape[0]), dtype=np.float32)
        for start in range(0, len(scores), _DENSE):
            (encoded[start : start + _DENSE] @ self._names.T).toarray(out=scores[start : start + _DENSE])
        return scores

    def containing(self, text: str) -> Indices:
        """Return the numbers of the names that have every term of a text, ascending; none where it has no terms."""
        columns = self._vectorizer.columns(sorted(set(self._vectorizer.terms(text)))).tolist()
        if not columns or min(columns) < 0:
            return np.empty(0, np.int32)
        starts, names = self._by_term.indptr, self._by_term.indices
        return reduce(np.intersect1d, [names[starts[column] : starts[column + 1]] for column in columns])

    @cached_property
    def _by_term(self) -> csc_matrix:
        """The names by term, the commonest terms too; only a few callers need it."""
        return self._names.tocsc()

    def subset(self, kept: Indices) -> "TfidfScorer":
        """Return a scorer over some of the names, with the idf of all of them."""
        names = self._names[kept]
        return TfidfScorer(self._vectorizer, names, _inverted(names))

    def extended(self, names: Sequence[str]) -> "TfidfScorer":
        """Return a scorer over further names, too; terms that only these have are as rare as the rarest."""
        terms = sorted({term for name in names for term in self._vectorizer.terms(name)})
        columns = self._vectorizer.columns(terms).tolist()
        new = [term for term, column in zip(terms, columns, strict=True) if column < 0]
        vectorizer = self._vectorizer.with_terms(new) if new else self._vectorizer
        further = vectorizer.transform(names)
        known = csr_matrix(
            (self._names.data, self._names.indices, self._names.indptr), shape=(self._names.shape[0], further.shape[1])
        )
        matrix = csr_matrix(vstack([known, further]))
        return TfidfScorer(vectorizer, matrix, _inverted(matrix))

    def save(self, folder: Path) -> None:
        """Write vocabulary, idf and both matrices as npy files."""
        folder.mkdir()
        (folder / "vocabulary.txt").write_text(self._vectorizer.vocabulary, "utf-8")
        np.save(folder / "idf.npy", self._vectorizer.idf)
        for name, matrix in (("names", self._names), ("inverted", self._inverted)):
            for part in ("data", "indices", "indptr"):
                np.save(folder / f"{name}-{part}.npy", getattr(matrix, part))

    @classmethod
    def load(cls, kind: str, folder: Path) -> "TfidfScorer":
        """Read what `save` wrote; the matrices are memory-mapped."""
        vectorizer = TfidfVectorizer(kind, (folder / "vocabulary.txt").read_text("utf-8"), np.load(folder / "idf.npy"))
        names, inverted = (_mapped(folder, name) for name in ("names", "inverted"))
        n_terms = len(vectorizer.idf)
        n_names = len(names[2]) - 1
        return cls(
            vectorizer,
            csr_matrix(names, shape=(n_names, n_terms), copy=False),
            csr_matrix(inverted, shape=(n_terms, n_names), copy=False),
        )


def fuzzy(queries: Sequence[str], names: Sequence[str]) -> FloatArray:
    """Return the Jaro-Winkler similarity of queries[i] and names[i], 0 to 1.

    Forgives typing errors towards the end of a word, which the TF-IDF cosines punish.
    """
    workers = n_threads() if len(names) > WORTH_THREADS else 1
    ratios = process.cpdist(queries, names, scorer=JaroWinkler.normalized_similarity, workers=workers)
    return np.asarray(ratios, dtype=np.float32)


def _inverted(names: csr_matrix) -> csr_matrix:
    """Transpose for proposing names: the commonest terms are emptied, since they propose next to nothing.

    They still count when pairs are scored. This makes proposing several times as fast, and its time for a title hardly
    grows with the number of names.
    """
    inverted = names.T.tocsr()
    sizes = np.diff(inverted.indptr)
    kept = sizes <= _COMMON_NAMES
    cells = np.repeat(kept, sizes)
    ends = np.cumsum(np.where(kept, sizes, 0), dtype=np.int32)
    starts = np.concatenate([np.zeros(1, np.int32), ends])
    return csr_matrix((inverted.data[cells], inverted.indices[cells], starts), shape=inverted.shape)


def _mapped(folder: Path, name: str) -> tuple[NDArray[Any], NDArray[Any], NDArray[Any]]:
    # 'c', copy on write: sparse_dot_topn refuses read-only arrays, though it never writes to them
    data, indices, indptr = (
        np.load(folder / f"{name}-{part}.npy", mmap_mode="c") for part in ("data", "indices", "indptr")
    )
    return data, indices, indptr
