"""Vectors of queries against scikit-learn's, bit by bit."""

from typing import Any

import numpy as np
import pytest
from scipy.sparse import csr_matrix
from sklearn.feature_extraction.text import TfidfVectorizer as Reference

from jobmatch_core.linking.scorers import SETTINGS, TfidfVectorizer
from jobmatch_core.text.folding import fold

NAMES = ["bus driver", "kochin koch", "head nurse", "nurse", "it", "c++ developer", "看護師 看護師", "a\u00a0\t b"]
ODD = [
    "",
    " ",
    "nurse\u2003  nurse\tNURSE nurse nurse",
    "İT it ﬁ",
    "zz",
    "Koch-in/koch koch",
    "看護師",
    "c++ c#",
    "\x1f it",
    "nurse\x00 \ud800rse x",
    "nurse " * 40 + "n" * 400,
]


def parts(matrix: csr_matrix) -> list[tuple[Any, ...]]:
    """Return a matrix's arrays with their types."""
    return [(part.dtype, part.tobytes()) for part in (matrix.data, matrix.indices, matrix.indptr)] + [matrix.shape]


@pytest.mark.parametrize("kind", SETTINGS)
def test_it_is_scikit_learns_to_the_last_bit(kind: str, dirty_titles: list[dict[str, str]]) -> None:
    """Titles as typed and folded, over a vocabulary of half of them; also one by one."""
    titles = [row["dirty"] for row in dirty_titles]
    folded = [fold(title) for title in titles]
    names, queries = [*NAMES, *folded[::2]], [*ODD, *titles, *folded, " ".join(folded)]
    reference = Reference(dtype=np.float32, **SETTINGS[kind])
    matrix = reference.fit_transform(names).sorted_indices()
    own, own_matrix = TfidfVectorizer.fit(kind, names)
    assert parts(own_matrix) == parts(csr_matrix(matrix))
    assert parts(own.transform(queries)) == parts(csr_matrix(reference.transform(queries)))
    for query in queries:
        assert parts(own.transform([query])) == parts(csr_matrix(reference.transform([query])))
        assert own.terms(query) == reference.build_analyzer()(query)
    assert parts(own.transform([])) == parts(csr_matrix((0, len(own.idf)), dtype=np.float32))


@pytest.mark.parametrize("kind", SETTINGS)
def test_new_terms_come_behind_the_others(kind: str) -> None:
    """The original vocabulary does not change."""
    own, _ = TfidfVectorizer.fit(kind, NAMES)
    before, n_terms = own.vocabulary, len(own.idf)
    more = own.with_terms(["zzz", "zzzz"])
    assert own.vocabulary == before
    assert own.columns(["zzz", "zzzz"]).tolist() == [-1, -1]
    assert more.columns(["zzz", "zzzz"]).tolist() == [n_terms, n_terms + 1]
    assert more.columns(before.split("\n")).tolist() == list(range(n_terms))
    assert more.idf[-2:].tolist() == [own.idf.max()] * 2


def test_terms_and_weights_go_together() -> None:
    """An index with a repeated term, or with a missing weight, is damaged."""
    with pytest.raises(ValueError, match="1 terms have 2 weights"):
        TfidfVectorizer("word", "nurse\nnurse", np.ones(2, np.float32))
