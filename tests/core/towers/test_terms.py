"""Terms as matrices: by hand, and against counting."""

from collections import Counter

from hypothesis import given
from hypothesis import strategies as st

from jobmatch_core.towers.terms import term_matrices

DOCUMENTS = st.lists(st.lists(st.sampled_from("abcd"), max_size=5), max_size=4)


def test_terms_by_hand() -> None:
    """Columns a, b, c: those of both lists, in order; what stands twice counts twice."""
    first, second = term_matrices([["b", "a", "b"], []], [["c"]])
    assert first.toarray().tolist() == [[1, 2, 0], [0, 0, 0]]
    assert second.toarray().tolist() == [[0, 0, 1]]


@given(DOCUMENTS, DOCUMENTS)
def test_products_count_common_terms(first: list[list[str]], second: list[list[str]]) -> None:
    """Each term of the one with each equal term of the other."""
    one, other = term_matrices(first, second)
    naive = [[sum(n * Counter(b)[term] for term, n in Counter(a).items()) for b in second] for a in first]
    assert (one @ other.T).toarray().tolist() == naive
