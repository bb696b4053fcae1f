"""TF-IDF vectors of queries over a fitted vocabulary, the same to the last bit as scikit-learn's.

Only fitting needs scikit-learn, whose import takes longer than linking a title.
"""

import re
from collections.abc import Callable, Sequence
from itertools import chain
from typing import Any

import numpy as np
from numpy.lib.stride_tricks import sliding_window_view
from numpy.typing import NDArray
from scipy.sparse import csr_matrix

from jobmatch_core.entities import FloatArray
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


_TERMS: dict[str, Callable[[str], list[str]]] = {"char": _ngrams, "word": _WORD.findall}
_WORDS: dict[str, Callable[[str], list[str]]] = {"char": str.split, "word": _WORD.findall}
_TERM_HASHES = {"char": _ngram_hashes, "word": _word_hashes}
