"""Scorers: how alike a folded title and a folded name are, each in its own way.

A `NameScorer` proposes names for a title and scores any (title, name) pair. Characters and words are
TF-IDF cosines; the encoder's is in `encoder_scorer`. `fuzzy` only re-scores pairs.

TF-IDF vectors of queries over a fitted vocabulary are the same to the last bit as scikit-learn's. Only fitting needs
scikit-learn, whose import takes longer than linking a title.
"""

import os
import re
from collections.abc import Callable, Sequence
from functools import cached_property, reduce
from itertools import chain
from pathlib import Path
from typing import Any, Protocol, Self, TypeVar

import numpy as np
from numpy.lib.stride_tricks import sliding_window_view
from numpy.typing import NDArray
from rapidfuzz import process
from rapidfuzz.distance import JaroWinkler
from scipy.sparse import csc_matrix, csr_matrix, vstack
from sparse_dot_topn import unchecked  # for the checks copy the indices of all names

from jobmatch_core.entities import FloatArray
from jobmatch_core.io.folders import make_folder
from jobmatch_core.titles.ngrams import FeatureRows

_SHORTEST, _LONGEST = 3, 5  # letters of an n-gram
_SPACES = re.compile(r"\s\s+")
_WORD = re.compile(r"\w+")
_LINES_AT_ONCE = 65536  # hashed
_MULTIPLIER = 0x9E3779B97F4A7C15  # of the hash of a term: odd, its bits irregular
SETTINGS: dict[str, dict[str, Any]] = {
    "char": {"analyzer": "char_wb", "ngram_range": (_SHORTEST, _LONGEST), "sublinear_tf": True},
    "word": {"analyzer": "word", "token_pattern": _WORD.pattern},
}
Hashes = NDArray[np.uint64]


WORTH_THREADS = 2000  # pairs; starting a thread for fewer takes longer than they do
_DENSE = 64  # queries multiplied with all names at once: the products are hardly sparse
_PAIRS_AT_ONCE = 8192  # their terms are copied
_COMMON_NAMES = 2000  # terms in more names only score, and do not propose


class TfidfVectorizer:
    """Counts terms, weighs them by idf, and normalises each text's vector to length 1.

    Terms are looked up by 64-bit hashes in a sorted array: unlike a dictionary, it has no counts of references, so that
    a forked process writes to none of its pages. One unknown term in 10^13 is taken for a known one.

    Attributes:
        vocabulary: the terms, a line each, in the order of their columns.
        idf: (column,) 1 for a term of every name, more for rarer ones.
    """

    def __init__(self, kind: str, vocabulary: str, idf: FloatArray) -> None:
        """Wrap a vocabulary and the terms' weights; *kind* is a key of `SETTINGS`.

        Raises:
            ValueError: there are not as many terms as weights, or one is there twice.
        """
        hashes = _line_hashes(vocabulary)
        self._order = np.argsort(hashes, kind="stable").astype(np.int32)
        self._sorted = hashes[self._order]
        n_terms = len(hashes) - int((np.diff(self._sorted) == 0).sum())
        if n_terms != len(idf):
            raise ValueError(f"{n_terms:,} terms have {len(idf):,} weights")
        self.kind = kind
        self.vocabulary = vocabulary
        self.idf = idf

    @classmethod
    def fit(cls, kind: str, texts: Sequence[str]) -> "tuple[TfidfVectorizer, csr_matrix]":
        """Fit on an index's names; return their vectors, too."""
        from sklearn.feature_extraction import text

        fitted = text.TfidfVectorizer(dtype=np.float32, **SETTINGS[kind])
        matrix = csr_matrix(fitted.fit_transform(texts))
        matrix.sort_indices()  # rows of which both are sorted are multiplied several times as fast
        return cls(kind, "\n".join(fitted.get_feature_names_out()), fitted.idf_), matrix

    def terms(self, text: str) -> list[str]:
        """Return a text's words or n-grams, as often as they occur, known or not."""
        return _TERMS[self.kind](text.lower())

    def columns(self, terms: Sequence[str]) -> NDArray[np.int32]:
        """Return the column of each term, -1 for one that is unknown."""
        return self._found(_line_hashes("\n".join(terms))) if terms else np.empty(0, np.int32)

    def transform(self, texts: Sequence[str]) -> csr_matrix:
        """Return L2-normalised rows, shape (text, term); unknown terms are left out."""
        matrix = self._counts(texts)
        if "sublinear_tf" in SETTINGS[self.kind]:
            np.log(matrix.data, out=matrix.data)
            matrix.data += 1.0
        matrix.data *= self.idf[matrix.indices]
        return _normalised(matrix)

    def with_terms(self, terms: Sequence[str]) -> "TfidfVectorizer":
        """Return a vectorizer that knows new terms, too; they weigh as much as the rarest."""
        weights = np.full(len(terms), self.idf.max(initial=1.0), self.idf.dtype)
        return TfidfVectorizer(self.kind, "\n".join([self.vocabulary, *terms]), np.append(self.idf, weights))

    def _counts(self, texts: Sequence[str]) -> csr_matrix:
        """Return how often each term occurs in each text; a word that recurs is taken apart once."""
        words: dict[str, int] = {}
        split = _WORDS[self.kind]
        numbers = [[words.setdefault(word, len(words)) for word in split(text.lower())] for text in texts]
        hashes, starts = _TERM_HASHES[self.kind](list(words))
        distinct, places = np.unique(hashes, return_inverse=True)
        terms = FeatureRows(self._found(distinct)[places], starts).take(np.array(list(chain(*numbers)), dtype=np.intp))
        rows = np.repeat(np.repeat(np.arange(len(texts)), list(map(len, numbers))), np.diff(terms.starts))
        keys = np.sort((rows * len(self.idf) + terms.rows)[terms.rows >= 0])
        firsts = np.flatnonzero(np.diff(keys, prepend=-1))
        rows, columns = np.divmod(keys[firsts], len(self.idf))
        counts = np.diff(firsts, append=len(keys)).astype(np.float32)
        ends = np.searchsorted(rows, np.arange(len(texts) + 1)).astype(np.int32)
        return csr_matrix((counts, columns.astype(np.int32), ends), shape=(len(texts), len(self.idf)))

    def _found(self, hashes: Hashes) -> NDArray[np.int32]:
        """Return the column of each hash, -1 for an unknown one."""
        places = np.minimum(np.searchsorted(self._sorted, hashes), len(self._sorted) - 1)
        return np.where(self._sorted[places] == hashes, self._order[places], np.int32(-1))


def _normalised(matrix: csr_matrix) -> csr_matrix:
    """Divide each row by its length, which is added up term by term in double precision."""
    sizes = np.diff(matrix.indptr)
    rows = np.repeat(np.arange(len(sizes)), sizes)
    lengths: NDArray[np.float64] = np.sqrt(np.bincount(rows, matrix.data * matrix.data, len(sizes)))
    matrix.data = (matrix.data / lengths[rows]).astype(np.float32)
    return matrix


def words_of(text: str) -> list[str]:
    """Return a text's words as the vocabulary of words has them, if the text is folded."""
    return _WORD.findall(text)


def _ngrams(text: str) -> list[str]:
    """Return the n-grams inside each word, with a space on either side; a shorter word counts once, whole."""
    found: list[str] = []
    for word in _SPACES.sub(" ", text).split():
        padded = f" {word} "
        for n in range(_SHORTEST, _LONGEST + 1):
            found.extend(padded[start : start + n] for start in range(max(len(padded) - n, 0) + 1))
            if len(padded) <= n:
                break
    return found


def _codes(text: str) -> NDArray[np.uint32]:
    """Return the code points of a text, counted from 1."""
    return np.frombuffer(text.encode("utf-32-le", "surrogatepass"), np.uint32) + np.uint32(1)


def _powers(n: int) -> Hashes:
    """Return the first *n* powers of the multiplier, modulo 2^64."""
    return np.cumprod(np.array([1, *[_MULTIPLIER] * (n - 1)], dtype=np.uint64)[:n])


def _line_hashes(lines: str) -> Hashes:
    """Return a hash of each line: the sum of its letters' codes, each times a power of the multiplier."""
    codes = _codes(lines + "\n")
    starts = np.append(0, np.flatnonzero(codes == ord("\n") + 1) + 1)
    powers = _powers(int(np.diff(starts).max()))
    hashes = np.empty(len(starts) - 1, dtype=np.uint64)
    for first in range(0, len(hashes), _LINES_AT_ONCE):
        bounds = starts[first : first + _LINES_AT_ONCE + 1]
        letters = codes[bounds[0] : bounds[-1]].astype(np.uint64)
        letters[bounds[1:] - bounds[0] - 1] = 0  # the ends of the lines
        inside = np.arange(len(letters)) - np.repeat(bounds[:-1] - bounds[0], np.diff(bounds))
        hashes[first : first + _LINES_AT_ONCE] = np.add.reduceat(letters * powers[inside], bounds[:-1] - bounds[0])
    return hashes


def _word_hashes(words: Sequence[str]) -> tuple[Hashes, NDArray[np.int64]]:
    """Return the hash of each word, and the place of each in these."""
    return _line_hashes("\n".join(words))[: len(words)], np.arange(len(words) + 1)


def _ngram_hashes(words: Sequence[str]) -> tuple[Hashes, NDArray[np.int64]]:
    """Return the hashes of the n-grams of `_ngrams`, word by word, and the first hash of each word and of the next."""
    codes = _codes("".join(f" {word} " for word in words))
    ends = np.cumsum(np.array([0, *(len(word) + 2 for word in words)]))
    left = np.repeat(ends[1:], np.diff(ends)) - np.arange(len(codes))  # letters from here to the word's end
    windows = sliding_window_view(np.pad(codes, (0, _LONGEST)), _LONGEST)[:-1]
    sums = np.cumsum(windows * _powers(_LONGEST), axis=1)  # hashes by first letter and number of letters
    inside = left[:, None] > np.arange(_SHORTEST - 1, _LONGEST)
    return sums[:, _SHORTEST - 1 :][inside], np.append(0, np.cumsum(inside.sum(axis=1)))[ends]


_TERMS: dict[str, Callable[[str], list[str]]] = {"char": _ngrams, "word": words_of}
_WORDS: dict[str, Callable[[str], list[str]]] = {"char": str.split, "word": words_of}
_TERM_HASHES = {"char": _ngram_hashes, "word": _word_hashes}


Indices = NDArray[np.integer[Any]]
Encoded = TypeVar("Encoded")


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
        make_folder(folder)
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
