"""Ranks and turns within groups, and the numbers that belong to pairs."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from jobmatch_core.entities import Pair, PairKind
from jobmatch_core.labelling.candidates import Candidates, interleaved, numbered, ranks_within, turns
from tests.core.labelling.made_judgments import pair


def table(*pairs: Pair, n_scores: int) -> Candidates:
    """Return candidates without categories."""
    nothing = [""] * len(pairs)
    return Candidates(pairs, np.zeros(n_scores), nothing, nothing, np.zeros(len(pairs), dtype=np.int64))


def test_columns_of_different_lengths() -> None:
    """A slip of the caller."""
    with pytest.raises(ValueError, match=r"as many of everything as there are pairs; got \[1, 2\]"):
        table(pair(), n_scores=2)


def test_the_same_ids_of_another_kind_or_source_are_another_pair() -> None:
    """Each has a number of its own; the same pair has the same number in any table."""
    pairs = (pair(), pair(kind=PairKind.TITLE_TITLE), Pair(pair().kind, "elsewhere", "p1", "f1"), pair("p2"))
    codes = table(*pairs, n_scores=4).codes.tolist()
    assert len(set(codes)) == 4
    assert table(*pairs[::-1], n_scores=4).codes.tolist() == codes[::-1]
    assert table(*pairs, n_scores=4).projects.tolist() == [0, 0, 1, 2]


def test_ranks_by_hand() -> None:
    """1 for the highest of its group; equal ones share the better place."""
    groups = numbered(["p", "q", "p", "p", "q", "p"])
    assert groups.tolist() == [0, 1, 0, 0, 1, 0]
    assert ranks_within(groups, np.array([0.3, 0.1, 0.9, 0.3, 0.2, 0.1])).tolist() == [2, 2, 1, 2, 1, 4]


@given(st.lists(st.tuples(st.integers(0, 2), st.integers(0, 3)), max_size=15))
def test_ranks_and_turns_as_naive_loops(rows: list[tuple[int, int]]) -> None:
    """Count who is higher, and who came before."""
    groups = np.array([group for group, _ in rows], dtype=np.intp)
    ranks = ranks_within(groups, np.array([score for _, score in rows], dtype=np.float64))
    assert ranks.tolist() == [1 + sum(g == group and s > score for g, s in rows) for group, score in rows]
    assert turns(groups).tolist() == [sum(g == group for g, _ in rows[:row]) for row, (group, _) in enumerate(rows)]


def test_interleaved_by_hand() -> None:
    """First everybody's first, then everybody's second; groups that run out are missed."""
    groups = np.array([0, 0, 0, 1, 1, 2])
    assert interleaved(np.array([1, 0, 3, 2, 5, 4]), groups).tolist() == [1, 3, 5, 0, 4, 2]
    assert interleaved(np.array([2, 1]), groups).tolist() == [2, 1]
