"""Team-draft interleaving of two rankings, and the credit of each."""

from datetime import UTC, datetime

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from jobmatch_core.search.interleaving import credit, interleaved
from jobmatch_core.search_events import SearchChoice, SearchKind, SearchShown, Team

NOON = datetime(2026, 1, 31, 12, tzinfo=UTC)
RANKINGS = st.lists(st.sampled_from("abcdefghij"), unique=True, max_size=8)
IN_USE, CANDIDATE, NEITHER = Team.IN_USE, Team.CANDIDATE, Team.NEITHER


def test_both_rankings_pick_in_turn() -> None:
    """By hand: 'a' is first in both; then each picks its best that is left, by lot first or second."""
    drawn = {interleaved("abcd", "acdb", seed, 4) for seed in range(40)}
    assert {(("a", *order.items[1:]), order.teams) for order in drawn} == {
        (order.items, order.teams) for order in drawn
    }
    starts = {(order.items[:3], order.teams[:3]) for order in drawn}
    assert starts == {
        (("a", "b", "c"), (NEITHER, IN_USE, CANDIDATE)),
        (("a", "c", "b"), (NEITHER, CANDIDATE, IN_USE)),
    }
    assert interleaved("abcd", "acdb", 7, 4) == interleaved("abcd", "acdb", 7, 4)


@given(in_use=RANKINGS, candidate=RANKINGS, seed=st.integers(0, 1 << 128), limit=st.integers(0, 12))
def test_properties_of_a_list(in_use: list[str], candidate: list[str], seed: int, limit: int) -> None:
    """Each item once, as many as fit, both teams' picks in their own order, and never two more of one team."""
    drawn = interleaved(in_use, candidate, seed, limit)
    assert len(drawn.items) == len(set(drawn.items)) == len(drawn.teams)
    assert len(drawn.items) == min(limit, len({*in_use, *candidate}))
    assert set(drawn.items) <= {*in_use, *candidate}
    picks = {
        team: [item for item, picked in zip(drawn.items, drawn.teams, strict=True) if picked is team]
        for team in (IN_USE, CANDIDATE)
    }
    assert picks[IN_USE] == [item for item in in_use if item in picks[IN_USE]]
    assert picks[CANDIDATE] == [item for item in candidate if item in picks[CANDIDATE]]
    assert abs(len(picks[IN_USE]) - len(picks[CANDIDATE])) <= 1


def test_equal_rankings_and_an_empty_one_say_nothing() -> None:
    """All items are credited to neither ranking."""
    assert interleaved("abc", "abc", 1, 3) == interleaved("abc", "", 1, 3)
    assert set(interleaved("abc", "abc", 1, 3).teams) == {NEITHER}
    assert interleaved("", "", 1, 3).items == ()


def test_the_lot_is_fair() -> None:
    """Each ranking has the first pick in half of the lists, and the extra one of an odd number."""
    teams = np.array(
        [[team is CANDIDATE for team in interleaved("abcde", "fghij", seed, 5).teams] for seed in range(2000)]
    )
    assert teams[:, 0].mean() == pytest.approx(0.5, abs=0.04)
    assert teams[:, 4].mean() == pytest.approx(0.5, abs=0.04)


def shown(number: int, teams: tuple[Team, ...]) -> SearchShown:
    """Return a search of the items a, b, c, d."""
    items = ("a", "b", "c", "d")
    return SearchShown(
        f"s{number}", SearchKind.OCCUPATIONS, "t", "q", "m", items, 0, False, "tab", NOON, "n" if teams else "", teams
    )


def test_credit_by_hand() -> None:
    """Two wins of the candidate, one loss, a tie, one without a credit; a plain search does not count."""
    teams = (NEITHER, IN_USE, CANDIDATE, CANDIDATE)
    opened = {0: "c", 1: "dc", 2: "b", 3: "bc", 4: "a", 5: ""}
    searches = [*(shown(number, teams) for number in opened), shown(9, ())]
    choices = [
        SearchChoice(f"{number}{item}", f"s{number}", item, "abcd".index(item) + 1, NOON)
        for number, items in (*opened.items(), (9, "a"))
        for item in items
    ]
    result = credit(searches, choices)
    assert (result.searches, result.opened, result.ties) == (6, 5, 2)
    assert (result.candidate.wins, result.candidate.losses) == (2, 1)
    assert result.verdict.startswith("Not decided yet: the candidate won 2 of 3 searches with a winner, 67% (")


def won(wins: int, losses: int) -> tuple[list[SearchShown], list[SearchChoice]]:
    """Return searches, so many of them won and lost by the candidate."""
    teams = (IN_USE, CANDIDATE, IN_USE, CANDIDATE)
    items = "b" * wins + "a" * losses
    choices = [SearchChoice(f"{n}", f"s{n}", item, "ab".index(item) + 1, NOON) for n, item in enumerate(items)]
    return [shown(number, teams) for number in range(len(items))], choices


def test_verdicts() -> None:
    """In words, with the number of searches that are missing."""
    assert credit([], []).verdict == "No search has a winner yet."
    assert credit([], []).searches_left is None
    better, worse, open_ = (credit(*won(*counts)) for counts in ((30, 5), (5, 30), (24, 16)))
    assert better.verdict.startswith("Better: the candidate won 30 of 35")
    assert worse.verdict.startswith("Worse: the candidate won 5 of 35")
    assert (better.searches_left, worse.searches_left) == (0, 0)
    assert open_.searches_left == 239  # 279 for a share of 0.6, less 40
    assert open_.verdict.endswith("If the share stays, it takes about 239 more searches.")
    assert credit(*won(20, 20)).verdict.endswith("it takes more than 100,000 searches.")
