"""Lexical scorers of queries and names: TF-IDF cosines of letters and of words, and Jaro-Winkler similarity.

TF-IDF vectors are the same to the last bit as scikit-learn's, in less than half of its time; its import alone takes
longer than linking a title.
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
from jobmatch_core.linking.arrays import Indices, Pairs
from jobmatch_core.titles.ngrams import FeatureRows

_SHORTEST, _LONGEST = 3, 5  # letters of an n-gram
_SPACES = re.compile(r"\s\s+")
_WORD = re.compile(r"\w+")
_LINES_AT_ONCE = 65536  # hashed
_TEXTS_AT_ONCE = 8192  # of an index that are counted: what one step needs fits the processor's cache
_MULTIPLIER = 0x9E3779B97F4A7C15  # of the hash of a term: odd, its bits irregular
SETTINGS: dict[str, dict[str, Any]] = {
    "char": {"analyzer": "char_wb", "ngram_range": (_SHORTEST, _LONGEST), "sublinear_tf": True},
    "word": {"analyzer": "word", "token_pattern": _WORD.pattern},
}
_WORTH_THREADS = 2000  # pairs; starting a thread for fewer takes longer than they do
_PAIRS_AT_ONCE = 8192  # their terms are copied
_COMMON_NAMES = 2000  # terms in more names only score, and do not propose
Hashes = NDArray[np.uint64]
Encoded = TypeVar("Encoded")


class TfidfVectorizer:
    """TF-IDF vectors of length 1."""

    # Terms are looked up by 64-bit hashes in a sorted array: unlike a dictionary, it has no counts of references, so
    # that a forked process writes to none of its pages. One unknown term in 10^13 is taken for a known one.

    def __init__(self, kind: str, vocabulary: str, idf: FloatArray) -> None:
        """Wrap a vocabulary and the terms' weights; *kind* is a key of `SETTINGS`.

        Raises ValueError if the numbers of distinct terms and of weights differ.
        """
        hashes = _line_hashes(vocabulary)
        self._order = np.argsort(hashes, kind="stable").astype(np.int32)
        self._sorted = hashes[self._order]
        n_terms = len(hashes) - int((np.diff(self._sorted) == 0).sum())
        if n_terms != len(idf):
            raise ValueError(f"{n_terms:,} terms have {len(idf):,} weights")
        self.kind = kind
        self.vocabulary = vocabulary  # the terms, a line each
        self.idf = idf  # (term,) 1 for a term of every name, more for rarer ones

    @classmethod
    def fit(cls, kind: str, texts: Sequence[str]) -> "tuple[TfidfVectorizer, csr_matrix]":
        """Fit on an index's names, at least one, and return their vectors, (name, term), too."""
        words = dict.fromkeys(word for text in texts for word in _WORDS[kind](text.lower()))
        terms = sorted(set(chain.from_iterable(map(_TERMS[kind], words))))
        fitted = cls(kind, "\n".join(terms), np.ones(len(terms), np.float32))
        blocks = (texts[start : start + _TEXTS_AT_ONCE] for start in range(0, len(texts), _TEXTS_AT_ONCE))
        counts = csr_matrix(vstack([fitted._counts(block) for block in blocks], format="csr"))
        n_texts = np.bincount(counts.indices, minlength=len(terms)).astype(np.float32)
        fitted.idf = np.log(np.float32(len(texts) + 1) / (n_texts + np.float32(1))) + np.float32(1)
        return fitted, fitted._weighted(counts)

    def terms(self, text: str) -> list[str]:
        """Return a text's words or n-grams, as often as they occur, also those outside the vocabulary."""
        return _TERMS[self.kind](text.lower())

    def columns(self, terms: Sequence[str]) -> NDArray[np.int32]:
        """Return the place of each term in the vocabulary, -1 for an unknown one."""
        return self._columns(_line_hashes("\n".join(terms))) if terms else np.empty(0, np.int32)

    def transform(self, texts: Sequence[str]) -> csr_matrix:
        """Return L2-normalised rows, (text, term), without unknown terms."""
        return self._weighted(self._counts(texts))

    # rows of weights of length 1 in place of rows of counts, of which the terms are sorted
    def _weighted(self, matrix: csr_matrix) -> csr_matrix:
        if "sublinear_tf" in SETTINGS[self.kind]:
            np.log(matrix.data, out=matrix.data)
            matrix.data += 1.0
        matrix.data *= self.idf[matrix.indices]
        # lengths are added up term by term in double precision
        sizes = np.diff(matrix.indptr)
        rows = np.repeat(np.arange(len(sizes)), sizes)
        lengths: NDArray[np.float64] = np.sqrt(np.bincount(rows, matrix.data * matrix.data, len(sizes)))
        matrix.data = (matrix.data / lengths[rows]).astype(np.float32)
        return matrix

    def with_terms(self, terms: Sequence[str]) -> "TfidfVectorizer":
        """Return a vectorizer with further terms, which weigh as much as the rarest."""
        weights = np.full(len(terms), self.idf.max(initial=1.0), self.idf.dtype)
        return TfidfVectorizer(self.kind, "\n".join([self.vocabulary, *terms]), np.append(self.idf, weights))

    # (text, term) how often each term occurs; a word that recurs is taken apart once
    def _counts(self, texts: Sequence[str]) -> csr_matrix:
        words: dict[str, int] = {}
        split = _WORDS[self.kind]
        numbers = [[words.setdefault(word, len(words)) for word in split(text.lower())] for text in texts]
        hashes, starts = _TERM_HASHES[self.kind](list(words))
        distinct, places = np.unique(hashes, return_inverse=True)
        terms = FeatureRows(self._columns(distinct)[places], starts).take(
            np.array(list(chain(*numbers)), dtype=np.intp)
        )
        rows = np.repeat(np.repeat(np.arange(len(texts)), list(map(len, numbers))), np.diff(terms.starts))
        keys = np.sort((rows * len(self.idf) + terms.rows)[terms.rows >= 0])
        firsts = np.flatnonzero(np.diff(keys, prepend=-1))
        rows, columns = np.divmod(keys[firsts], len(self.idf))
        counts = np.diff(firsts, append=len(keys)).astype(np.float32)
        ends = np.searchsorted(rows, np.arange(len(texts) + 1)).astype(np.int32)
        return csr_matrix((counts, columns.astype(np.int32), ends), shape=(len(texts), len(self.idf)))

    def _columns(self, hashes: Hashes) -> NDArray[np.int32]:
        places = np.minimum(np.searchsorted(self._sorted, hashes), len(self._sorted) - 1)
        return np.where(self._sorted[places] == hashes, self._order[places], np.int32(-1))


def words_of(text: str) -> list[str]:
    """Return the words of a folded text as they are in the vocabulary of words."""
    return _WORD.findall(text)


# n-grams inside each word, with a space on either side; a shorter word counts once, whole
def _ngrams(text: str) -> list[str]:
    ngrams: list[str] = []
    for word in _SPACES.sub(" ", text).split():
        padded = f" {word} "
        for n in range(_SHORTEST, _LONGEST + 1):
            ngrams.extend(padded[start : start + n] for start in range(max(len(padded) - n, 0) + 1))
            if len(padded) <= n:
                break
    return ngrams


# code points, counted from 1
def _codes(text: str) -> NDArray[np.uint32]:
    return np.frombuffer(text.encode("utf-32-le", "surrogatepass"), np.uint32) + np.uint32(1)


# the first n powers of the multiplier, modulo 2^64
def _powers(n: int) -> Hashes:
    return np.cumprod(np.array([1, *[_MULTIPLIER] * (n - 1)], dtype=np.uint64)[:n])


# a hash of each line: the sum of its letters' codes, each times a power of the multiplier
def _line_hashes(lines: str) -> Hashes:
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


# the hash of each word, and its place in these
def _word_hashes(words: Sequence[str]) -> tuple[Hashes, NDArray[np.int64]]:
    return _line_hashes("\n".join(words))[: len(words)], np.arange(len(words) + 1)


# the hashes of the n-grams of `_ngrams`, word by word, and where those of each word start and end
def _ngram_hashes(words: Sequence[str]) -> tuple[Hashes, NDArray[np.int64]]:
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


def n_threads() -> int:
    """Return the number of threads of one call: one if `OMP_NUM_THREADS` is 1, since processes share the cores."""
    return 1 if os.environ.get("OMP_NUM_THREADS") == "1" else 2


def threads_for(n_pairs: int) -> int:
    """Return the number of threads that compare so many pairs of texts."""
    return n_threads() if n_pairs > _WORTH_THREADS else 1


class NameScorer(Protocol[Encoded]):
    """Proposes entries for queries, and scores pairs; every index has two or three. Queries are encoded once."""

    def encode(self, queries: Sequence[str]) -> Encoded:
        """Return the queries' vectors, one row each."""

    def nearest(self, encoded: Encoded, limit: int) -> Pairs:
        """Return the *limit* entries nearest to each query."""

    def pairs(self, encoded: Encoded, queries: Indices, entries: Indices) -> FloatArray:
        """Return (pair,) similarities, 0 to 1."""

    def subset(self, entries: Indices) -> Self:
        """Return a scorer over some of the entries."""

    def save(self, folder: Path) -> None:
        """Write it into a new folder."""


class TfidfScorer:
    """Cosine of TF-IDF vectors, over characters (n-grams of 3 to 5 inside words) or words."""

    def __init__(self, vectorizer: TfidfVectorizer, names: csr_matrix, inverted: csr_matrix) -> None:
        """Wrap a fitted vectorizer.

        Args:
            vectorizer: makes vectors of queries.
            names: (entry, term), L2-normalised rows.
            inverted: the same, transposed: (term, entry), without the commonest terms.
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
        """The terms of the names."""
        return self._vectorizer.vocabulary.split("\n")

    def encode(self, queries: Sequence[str]) -> csr_matrix:
        """Return L2-normalised TF-IDF rows, (query, term)."""
        return self._vectorizer.transform(queries)

    def nearest(self, encoded: csr_matrix, limit: int) -> Pairs:
        """Return the *limit* entries nearest to each query, in no order; none without a common term."""
        n_queries, limit = encoded.shape[0], min(limit, self._inverted.shape[1])
        threads = min(n_threads(), n_queries)
        product = encoded, self._inverted, limit, False, 0.0  # in no order, and all above 0
        if threads > 1:
            best = unchecked.sp_matmul_topn_mt(*product, threads)
        else:
            best = unchecked.sp_matmul_topn(*product, 1.0)
        return Pairs(np.repeat(np.arange(n_queries), np.diff(best.indptr)), best.indices[: best.nnz].astype(np.intp))

    def pairs(self, encoded: csr_matrix, queries: Indices, entries: Indices) -> FloatArray:
        """Return (pair,) cosines."""
        scores = np.empty(len(queries), dtype=np.float32)
        for start in range(0, len(queries), _PAIRS_AT_ONCE):
            block = slice(start, start + _PAIRS_AT_ONCE)
            products = encoded[queries[block]].multiply(self._names[entries[block]])
            scores[block] = np.asarray(products.sum(axis=1)).ravel()
        return scores

    def table(self, encoded: csr_matrix, entries: Indices) -> FloatArray:
        """Return the cosines of all queries with some entries, (query, entry)."""
        return np.asarray((encoded @ self._names[entries].T).toarray(), dtype=np.float32)

    def covered(self, encoded: csr_matrix, entries: Indices) -> FloatArray:
        """Return the share of each entry that a query covers, (query, entry): squared weights of the common terms."""
        present = encoded.copy()
        present.data = np.ones_like(present.data)
        return np.asarray((present @ self._names[entries].power(2).T).toarray(), dtype=np.float32)

    def containing(self, text: str) -> Indices:
        """Return the entries that have every term of a text, ascending; none for a text without terms."""
        columns = self._vectorizer.columns(sorted(set(self._vectorizer.terms(text)))).tolist()
        if not columns or min(columns) < 0:
            return np.empty(0, np.int32)
        starts, entries = self._by_term.indptr, self._by_term.indices
        return reduce(np.intersect1d, [entries[starts[column] : starts[column + 1]] for column in columns])

    # with the commonest terms, unlike `_inverted`
    @cached_property
    def _by_term(self) -> csc_matrix:
        return self._names.tocsc()

    def subset(self, entries: Indices) -> "TfidfScorer":
        """Return a scorer over some of the entries, with the idf of all of them."""
        names = self._names[entries]
        return TfidfScorer(self._vectorizer, names, _inverted(names))

    def extended(self, names: Sequence[str]) -> "TfidfScorer":
        """Return a scorer over further names, too; terms that only these have weigh as much as the rarest."""
        terms = sorted({term for name in names for term in self._vectorizer.terms(name)})
        columns = self._vectorizer.columns(terms).tolist()
        new = [term for term, column in zip(terms, columns, strict=True) if column < 0]
        vectorizer = self._vectorizer.with_terms(new) if new else self._vectorizer
        further = vectorizer.transform(names)
        widened = csr_matrix(
            (self._names.data, self._names.indices, self._names.indptr), shape=(self._names.shape[0], further.shape[1])
        )
        matrix = csr_matrix(vstack([widened, further]))
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
    """Return (pair,) Jaro-Winkler similarities of queries[i] and names[i], 0 to 1.

    They forgive typing errors towards the end of a word, which lower the TF-IDF cosines.
    """
    ratios = process.cpdist(queries, names, scorer=JaroWinkler.normalized_similarity, workers=threads_for(len(names)))
    return np.asarray(ratios, dtype=np.float32)


# (term, entry) for proposing names, without the commonest terms: they propose next to nothing, and make proposing
# several times as slow. They still count when pairs are scored.
def _inverted(names: csr_matrix) -> csr_matrix:
    inverted = names.T.tocsr()
    sizes = np.diff(inverted.indptr)
    is_rare = sizes <= _COMMON_NAMES
    cells = np.repeat(is_rare, sizes)
    ends = np.cumsum(np.where(is_rare, sizes, 0), dtype=np.int32)
    starts = np.concatenate([np.zeros(1, np.int32), ends])
    return csr_matrix((inverted.data[cells], inverted.indices[cells], starts), shape=inverted.shape)


def _mapped(folder: Path, name: str) -> tuple[NDArray[Any], NDArray[Any], NDArray[Any]]:
    # 'c', copy on write: sparse_dot_topn refuses read-only arrays, though it never writes to them
    data, indices, indptr = (
        np.load(folder / f"{name}-{part}.npy", mmap_mode="c") for part in ("data", "indices", "indptr")
    )
    return data, indices, indptr
