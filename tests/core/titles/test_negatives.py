"""Negatives by the shares of section 3.1.2."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from jobmatch_core.titles.similarity_pairs import draw_negatives, group_bounds, share_counts

CODES = st.lists(
    st.sampled_from(["1111", "1112", "1120", "1211", "2111", "2112", "2221", "3", "41"]), min_size=1, max_size=40
)


def level_of(code: str, other: str) -> int:
    """Return how many digits two codes share at the front, at most 4, as a loop."""
    return next((digits for digits in range(4) if code[: digits + 1] != other[: digits + 1]), 4)


@pytest.mark.parametrize(("n", "counts"), [(128, [64, 32, 19, 13]), (100, [50, 25, 15, 10]), (1, [0, 1, 0, 0])])
def test_shares_add_up(n: int, counts: list[int]) -> None:
    """128: 64, then 96 - 64, then 115.2 - 96, then the rest."""
    assert share_counts(n) == counts
    assert sum(counts) == n


def test_bounds_of_a_small_hierarchy() -> None:
    """1111, 1111, 1112, 1211, 2111: the third stands alone in its unit group, with the first two in its minor group."""
    bounds = group_bounds(["1111", "1111", "1112", "1211", "2111"])
    assert bounds[2].tolist() == [[0, 5], [0, 4], [0, 3], [0, 3], [2, 3]]


def test_each_share_comes_from_its_group() -> None:
    """1,000 titles in each group: exactly 50, 25, 15 and 10 of 100."""
    codes = [code for code in ["1111", "1112", "1121", "1211", "2111"] for _ in range(1000)]
    drawn = draw_negatives(group_bounds(codes)[0], 100, np.random.default_rng(1))
    levels = [level_of("1111", codes[position]) for position in drawn]
    assert [levels.count(level) for level in range(5)] == [50, 25, 15, 10, 0]
    assert len(set(drawn.tolist())) == 100


def test_a_missing_share_goes_to_the_next_coarser_group() -> None:
    """No other minor group in sub-major 11: its 15 come from another sub-major group, 25 + 15 = 40."""
    codes = [code for code in ["1111", "1112", "1211", "2111"] for _ in range(1000)]
    drawn = draw_negatives(group_bounds(codes)[0], 100, np.random.default_rng(1))
    levels = [level_of("1111", codes[position]) for position in drawn]
    assert [levels.count(level) for level in range(5)] == [50, 40, 0, 10, 0]


def test_a_group_with_too_few_gives_all_it_has() -> None:
    """Only 3 titles in another unit group; the other 7 come from another minor group, 15 + 7 = 22."""
    codes = ["1111"] * 5 + ["1112"] * 3 + ["1121"] * 100 + ["1211"] * 100 + ["2111"] * 100
    drawn = draw_negatives(group_bounds(codes)[0], 100, np.random.default_rng(1))
    levels = [level_of("1111", codes[position]) for position in drawn]
    assert [levels.count(level) for level in range(5)] == [50, 25, 22, 3, 0]


@given(codes=CODES, n=st.integers(1, 60), seed=st.integers(0, 9), data=st.data())
def test_never_the_own_unit_group_and_never_twice(codes: list[str], n: int, seed: int, data: st.DataObject) -> None:
    """Whatever the hierarchy looks like; where there are fewer outside than asked for, no more than those."""
    codes = sorted(codes)
    title = data.draw(st.integers(0, len(codes) - 1))
    drawn = draw_negatives(group_bounds(codes)[title], n, np.random.default_rng(seed)).tolist()
    outside = {position for position, code in enumerate(codes) if code[:4] != codes[title][:4]}
    assert set(drawn) <= outside
    assert len(drawn) == len(set(drawn)) <= min(n, len(outside))


def test_the_seed_decides() -> None:
    """The same title has the same negatives each time."""
    bounds = group_bounds([f"{code}111" for code in "123456789" for _ in range(50)])[0]
    first, again, other = (draw_negatives(bounds, 64, np.random.default_rng(seed)) for seed in (1, 1, 2))
    assert first.tolist() == again.tolist() != other.tolist()
