"""Choices depend on the seed alone, and are within their bounds."""

from collections import Counter

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from jobmatch_core.marketplace.demo.random_choices import RandomChoices


def test_the_same_seed_makes_the_same_choices() -> None:
    """And another seed others, also beyond the numbers that are drawn at once."""
    one, same, other = (
        [random.between(0, 9) for _ in range(5000)]
        for random in (RandomChoices([1, 2]), RandomChoices([1, 2]), RandomChoices([1, 3]))
    )
    assert one == same
    assert one != other


@settings(max_examples=60, deadline=None)
@given(st.integers(0, 2**31), st.integers(-5, 5), st.integers(0, 5), st.lists(st.integers(), unique=True, min_size=1))
def test_choices_are_within_bounds(seed: int, lowest: int, width: int, choices: list[int]) -> None:
    """Numbers, one of a list, some of a list without repetition."""
    random = RandomChoices([seed])
    assert lowest <= random.between(lowest, lowest + width) <= lowest + width
    assert random.one_of(choices) in choices
    some = random.some_of(choices, width)
    assert len(some) == len(set(some)) == min(width, len(choices))
    assert set(some) <= set(choices)


def test_all_are_drawn() -> None:
    """Every number, every order, and weights as they are."""
    random = RandomChoices([1])
    assert Counter(random.between(1, 3) for _ in range(900)).keys() == {1, 2, 3}
    assert len({tuple(random.some_of("abc", 3)) for _ in range(200)}) == 6
    drawn = Counter(random.weighted([1.0, 1.0, 4.0]) for _ in range(4000))
    assert drawn.keys() == {0, 2}
    assert drawn[2] / 4000 == pytest.approx(0.75, abs=0.03)


def test_chance() -> None:
    """Never, always, and now and then."""
    random = RandomChoices([1])
    assert not any(random.chance(0) for _ in range(100))
    assert all(random.chance(1) for _ in range(100))
    assert sum(random.chance(0.3) for _ in range(4000)) / 4000 == pytest.approx(0.3, abs=0.03)
