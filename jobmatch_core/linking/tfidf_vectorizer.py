"""TF-IDF vectors of queries over a fitted vocabulary, the same to the last bit as scikit-learn's.

Only fitting needs scikit-learn, whose import takes longer than linking a title.
"""

import re
from collections import Counter
from collections.abc import Callable, Sequence
from itertools import chain
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import csr_matrix

from jobmatch_core.entities import FloatArray

_SHORTEST, _LONGEST = 3, 5  # letters of an n-gram
_SPACES = re.compile(r"\s\s+")
_WORD = re.compile(r"\w+")
SETTINGS: dict[str, dict[str, Any]] = {
    "char": {"analyzer": "char_wb", "ngram_range": (_SHORTEST, _LONGEST), "sublinear_tf": True},
    "word": {"analyzer": "word", "token_pattern": _WORD.pattern},
}


class TfidfVectorizer:
    """Counts terms, weighs them by idf, and normalises each text's vector to length 1.

    Attributes:
        vocabulary: term -> column.
        idf: (column,) 1 for a term of every name, more for rarer ones.
    """

    def __init__(self, kind: str, vocabulary: dict[str, int], idf: FloatArray) -> None:
        """Wrap a vocabulary and the terms' weights; *kind* is a key of `SETTINGS`.

        Raises:
            ValueError: there are not as many terms as weights.
        """
        if len(vocabulary) != len(idf):
            raise ValueError(f"{len(vocabulary):,} terms have {len(idf):,} weights")
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
        return cls(kind, fitted.vocabulary_, fitted.idf_), matrix

    def terms(self, text: str) -> list[str]:
        """Return a text's words or n-grams, as often as they occur, known or not."""
        return _TERMS[self.kind](text.lower())

    def transform(self, texts: Sequence[str]) -> csr_matrix:
        """Return L2-normalised rows, shape (text, term); unknown terms are left out."""
        columns = [[c for c in map(self.vocabulary.get, self.terms(text)) if c is not None] for text in texts]
        counts = [Counter(row) for row in columns]
        ends = np.cumsum([0, *map(len, counts)], dtype=np.int32)
        indices = np.fromiter(chain.from_iterable(counts), np.int32, ends[-1])
        values = np.fromiter(chain.from_iterable(each.values() for each in counts), np.float32, ends[-1])
        matrix = csr_matrix((values, indices, ends), shape=(len(counts), len(self.vocabulary)))
        matrix.sort_indices()
        if "sublinear_tf" in SETTINGS[self.kind]:
            np.log(matrix.data, out=matrix.data)
            matrix.data += 1.0
        matrix.data *= self.idf[matrix.indices]
        return _normalised(matrix)

    def with_terms(self, terms: Sequence[str]) -> "TfidfVectorizer":
        """Return a vectorizer that knows new terms, too; they weigh as much as the rarest."""
        n_terms = len(self.vocabulary)
        further = dict(zip(terms, range(n_terms, n_terms + len(terms)), strict=True))
        weights = np.full(len(terms), self.idf.max(initial=1.0), self.idf.dtype)
        return TfidfVectorizer(self.kind, self.vocabulary | further, np.append(self.idf, weights))


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


_TERMS: dict[str, Callable[[str], list[str]]] = {"char": _ngrams, "word": _WORD.findall}
