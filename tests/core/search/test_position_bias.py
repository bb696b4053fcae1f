"""Position bias: propensities from swaps of neighbours, and inverse propensity weights."""

from collections import Counter
from datetime import UTC, datetime

import numpy as np
import pytest

from jobmatch_core.search.position_bias import (
    MOST_WEIGHT,
    SWAPPED_RANKS,
    WeightedChoice,
    WeightedPair,
    chained,
    drawn_order,
    position_bias,
    weighted_choices,
    weighted_pairs,
)
from jobmatch_core.search_events import SearchChoice, SearchKind, SearchShown

NOON = datetime(2026, 1, 31, 12, tzinfo=UTC)
ITEMS = ("a", "b", "c", "d")


def shown(number: int, pair: int, items: tuple[str, ...] = ITEMS) -> SearchShown:
    """Return a search."""
    return SearchShown(f"s{number}", SearchKind.OCCUPATIONS, "t", f"q{number}", "m", items, pair, False, "tab", NOON)


def choice(number: int, rank: int) -> SearchChoice:
    """Return a click of a search."""
    return SearchChoice(f"c{number}-{rank}", f"s{number}", ITEMS[rank - 1], rank, NOON)


def test_chance_swaps_neighbours_in_its_share_of_searches() -> None:
    """Half of the searches are randomised, all ranks equally often; half of these are swapped."""
    items = [f"i{number:02}" for number in range(20)]
    drawn = [drawn_order(items, seed) for seed in range(4000)]
    pairs = Counter(pair for _, pair, _ in drawn)
    assert pairs[0] == pytest.approx(2000, abs=150)
    assert set(pairs) == set(range(SWAPPED_RANKS))
    assert sum(swapped for *_, swapped in drawn) == pytest.approx(1000, abs=120)
    for order, pair, swapped in drawn:
        moved = [rank for rank, (now, then) in enumerate(zip(order, items, strict=True), start=1) if now != then]
        assert moved == ([pair, pair + 1] if swapped else [])
    assert drawn_order(items, 7) == drawn_order(items, 7)


@pytest.mark.parametrize("items", [(), ("a",)])
def test_there_is_nothing_to_swap(items: tuple[str, ...]) -> None:
    """Lists of fewer than two items, and a share of 0, are never swapped."""
    assert {drawn_order(items, seed) for seed in range(20)} == {(items, 0, False)}
    assert {drawn_order(ITEMS, seed, share=0.0) for seed in range(20)} == {(ITEMS, 0, False)}


def test_propensities_are_ratios_of_choices_multiplied() -> None:
    """By hand: 3 + 1 against 1 + 1 at the first two ranks."""
    searches = [shown(number, 1) for number in range(4)] + [shown(9, 0)]
    opened = [choice(0, 1), choice(1, 1), choice(2, 1), choice(3, 2), choice(3, 4), choice(9, 2)]
    bias = position_bias(searches, opened)
    assert bias.propensities == (1.0, *[0.5] * (SWAPPED_RANKS - 1))
    assert (bias.upper[0], bias.lower[0], sum(bias.upper), sum(bias.lower)) == (3, 1, 3, 1)
    assert [bias.weight(rank) for rank in (1, 2, 10, 20)] == [1.0, 2.0, 2.0, 2.0]


def test_weights_are_clipped() -> None:
    """A rank that is hardly examined does not outweigh all others."""
    bias = position_bias([shown(number, 1) for number in range(99)], [choice(number, 1) for number in range(99)])
    assert bias.propensities[1] == 0.01
    assert bias.weight(2) == MOST_WEIGHT


def test_an_empty_log_corrects_nothing() -> None:
    """All ranks have the same propensity; a click of an unknown search is ignored."""
    assert set(position_bias([], [choice(1, 2)]).propensities) == {1.0}
    assert chained(np.array([0]), np.array([0])).tolist() == [1.0, 1.0]


def test_pairs_to_train_on() -> None:
    """Pairs have the text of the clicked item, weighted or not; removed items are skipped."""
    searches = [shown(number, 1) for number in range(4)]
    opened = [choice(0, 1), choice(1, 1), choice(2, 1), choice(3, 2)]

    def text_of(search: SearchShown, item: str) -> str:
        return "" if search.id == "s1" else f"text of {item}"

    pairs = weighted_pairs(searches, [*opened, choice(77, 1)], text_of)
    assert pairs == [
        WeightedPair("q0", "text of a", 1.0),
        WeightedPair("q2", "text of a", 1.0),
        WeightedPair("q3", "text of b", 2.0),
    ]
    assert {pair.weight for pair in weighted_pairs(searches, opened, text_of, corrected=False)} == {1.0}


def test_choices_among_what_was_shown() -> None:
    """Of one kind and source; the weights are those of all searches."""
    searches = [shown(number, 1) for number in range(4)]
    elsewhere = SearchShown("s9", SearchKind.FREELANCERS, "t", "q9", "m", ITEMS, 0, False, "tab", NOON)
    opened = [choice(0, 1), choice(1, 1), choice(2, 1), choice(3, 2), choice(3, 4), choice(9, 2)]
    found = weighted_choices([*searches, elsewhere], opened, SearchKind.OCCUPATIONS, "t")
    assert found[-2:] == [
        WeightedChoice("q3", ITEMS, "b", frozenset("d"), 2.0),
        WeightedChoice("q3", ITEMS, "d", frozenset("b"), 2.0),
    ]
    assert [each.opened for each in found] == ["a", "a", "a", "b", "d"]
    assert weighted_choices([*searches, elsewhere], opened, SearchKind.FREELANCERS, "other") == []
