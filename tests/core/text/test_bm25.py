"""BM25 as a matrix: worked examples, and equality with the package of MELO's figures."""

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from rank_bm25 import BM25Okapi
from scipy.sparse import csr_matrix

from jobmatch_core.text.bm25 import okapi_weights

WORDS = "abcd"
Text = list[str]


def counts(texts: list[Text]) -> csr_matrix:
    """Count each word of each text."""
    return csr_matrix([[text.count(word) for word in WORDS] for text in texts])


def ours(texts: list[Text], queries: list[Text]) -> list[list[float]]:
    """Score by matrices."""
    scores: list[list[float]] = (counts(queries) @ okapi_weights(counts(texts)).T).toarray().tolist()
    return scores


def test_by_hand() -> None:
    """Four texts of 1, 1, 1 and 5 words, mean 2; `a` is in the last alone, twice.

    idf(a) = ln(4 - 1 + .5) - ln(1 + .5) = ln(7 / 3), times 2 * 2.5 / (2 + 1.5 * (.25 + .75 * 5 / 2)).
    """
    weights = okapi_weights(counts([["b"], ["c"], ["d"], ["a", "a", "b", "c", "d"]]))
    assert weights[3, 0] == pytest.approx(math.log(7 / 3) * 5 / (2 + 1.5 * (0.25 + 0.75 * 2.5)))
    assert weights[:3, 0].toarray().tolist() == [[0], [0], [0]]


def test_a_word_in_most_texts_has_a_quarter_of_the_mean_weight() -> None:
    """`a` is in three of four texts, `b` and `c` in one, `d` in two; of equal length, so that a weight is an idf.

    They are -ln(7 / 3), ln(7 / 3) twice, and 0; their mean is ln(7 / 3) / 4, and `a` gets a quarter of that.
    """
    weights = okapi_weights(counts([["a", "b"], ["a", "c"], ["a", "d"], ["d", "d"]]))[:, 0].toarray().ravel()
    assert weights.tolist() == pytest.approx([math.log(7 / 3) / 16] * 3 + [0])


def test_a_word_of_half_the_texts_counts_nothing() -> None:
    """ln(1) is neither negative nor raised to the floor."""
    assert ours([["a"], ["b"]], [["a"]]) == [[0, 0]]


def test_a_repeated_word_of_a_query_counts_again() -> None:
    """As in rank_bm25, which sums over the query's words."""
    texts = [["a"], ["b"], ["c"], ["d", "c"]]
    [once, twice] = ours(texts, [["d"], ["d", "d"]])
    assert once[3] > 0
    assert twice == pytest.approx([2 * score for score in once])


texts_of_words = st.lists(st.lists(st.sampled_from(WORDS), min_size=1, max_size=6), min_size=1, max_size=8)


@settings(deadline=None)
@given(texts=texts_of_words, queries=texts_of_words)
def test_equal_to_rank_bm25(texts: list[Text], queries: list[Text]) -> None:
    """Includes words in more than half of the texts, repeated words, and unknown words."""
    seen = sorted({word for text in texts for word in text})
    rows = csr_matrix([[text.count(word) for word in seen] for text in texts])
    asked = csr_matrix([[query.count(word) for word in seen] for query in queries])
    expected = [BM25Okapi(texts).get_scores(query) for query in queries]
    assert (asked @ okapi_weights(rows).T).toarray() == pytest.approx(np.array(expected), abs=1e-9)
