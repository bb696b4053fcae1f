"""Random numbers that belong to texts.

Ranks and turns within groups, and the numbers that belong to pairs.
"""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from jobmatch_core.entities import Pair, PairKind
from jobmatch_core.labelling.candidates import (
    PairCandidates,
    code_of,
    draws,
    interleaved,
    numbered,
    ranks_within,
    share_of,
    shares,
    turns,
)
from tests.core.labelling.made_judgments import pair


def test_they_stay_the_same_for_ever() -> None:
    """Else queues would change, and what was tested on would be trained on; these were noted down."""
    assert code_of("a", "b") == 15624582798303165707
    assert draws(np.array([1], dtype=np.uint64), 0).tolist() == [3940787885362642990]


def test_texts_parted_otherwise() -> None:
    """Have other numbers."""
    assert len({code_of("a", "b"), code_of("ab", ""), code_of("b", "a"), code_of("a,b"), code_of('a", "b')}) == 5
    assert 0 <= share_of("\ud800") < 1


def test_they_are_spread_evenly() -> None:
    """Deciles of 10,000 draws have about 1,000 each, for every seed; and seeds do not agree with each other."""
    codes = np.array([code_of(str(number)) for number in range(10_000)], dtype=np.uint64)
    for seed in range(3):
        counts, _ = np.histogram(shares(codes, seed), bins=10, range=(0, 1))
        assert 880 < counts.min() <= counts.max() < 1120
        assert len(set(draws(codes, seed).tolist())) == 10_000
    assert abs(np.corrcoef(shares(codes, 0), shares(codes, 1))[0, 1]) < 0.04


def table(*pairs: Pair, n_scores: int) -> PairCandidates:
    """Return candidates without categories."""
    nothing = [""] * len(pairs)
    return PairCandidates(pairs, np.zeros(n_scores), nothing, nothing, np.zeros(len(pairs), dtype=np.int64))


def test_columns_of_different_lengths() -> None:
    """A slip of the caller."""
    with pytest.raises(ValueError, match=r"all columns must have the same length; got \[1, 2\]"):
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
