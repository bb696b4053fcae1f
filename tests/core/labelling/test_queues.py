"""Queue policies: who comes first, by hand and by naive loops; and what holds of every policy."""

from collections import Counter
from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from jobmatch_core.errors import LabellingError
from jobmatch_core.labelling.candidates import PairCandidates
from jobmatch_core.labelling.queues import (
    BY_CATEGORY,
    DISAGREE,
    HARD_NEGATIVES,
    POLICIES,
    RANDOM,
    SECOND_OPINION,
    UNCERTAIN,
    QueueSettings,
    queue,
)
from jobmatch_core.quotas import Quotas
from tests.core.labelling.made_judgments import pair

EVERYTHING = 10**6


def candidates(*lefts: str, scores: list[float] | None = None, **more: Any) -> PairCandidates:
    """Return a candidate a left side, each with a freelancer of its own."""
    n = len(lefts)
    fields: dict[str, Any] = {
        "pairs": [pair(left, f"f{row}") for row, left in enumerate(lefts)],
        "scores": np.array(scores if scores is not None else [0.5] * n, dtype=np.float64),
        "left_categories": ["a"] * n,
        "right_categories": ["a"] * n,
        "n_judgments": np.zeros(n, dtype=np.int64),
    }
    return PairCandidates(**fields | more)


def rows(found: PairCandidates, policy: str, limit: int = EVERYTHING, **more: Any) -> list[int]:
    """Return the rows of a queue."""
    return [item.row for item in queue(found, QueueSettings(policy, **more), limit)]


@st.composite
def any_candidates(draw: st.DrawFn) -> PairCandidates:
    """Draw candidates of a few projects and categories, some of them judged."""
    lefts = draw(st.lists(st.sampled_from("pqr"), max_size=14))
    n = len(lefts)

    def column(values: st.SearchStrategy[Any]) -> list[Any]:
        return draw(st.lists(values, min_size=n, max_size=n))

    return candidates(
        *lefts,
        scores=column(st.integers(0, 5).map(lambda score: score / 5)),
        other_scores=np.array(column(st.integers(0, 5)), dtype=np.float64),
        left_categories=column(st.sampled_from(["", "a", "b"])),
        right_categories=column(st.sampled_from(["", "a", "b"])),
        n_judgments=np.array(column(st.integers(0, 2)), dtype=np.int64),
    )


# --- the policies by hand


def test_most_uncertain() -> None:
    """Nearest to the boundary, on either side."""
    found = candidates(*"pqrs", scores=[0.9, 0.45, 0.1, 0.52], boundary=0.5)
    assert rows(found, UNCERTAIN) == [3, 1, 0, 2] or rows(found, UNCERTAIN) == [3, 1, 2, 0]
    assert rows(replace(found, boundary=0.9), UNCERTAIN)[0] == 0


def test_most_uncertain_without_a_boundary() -> None:
    """The middle score stands in for it."""
    found = candidates(*"pqrst", scores=[0.9, 0.2, 0.1, 0.3, 0.8])
    assert rows(found, UNCERTAIN)[0] == 3


def test_models_disagree() -> None:
    """Of p the ranks are 1 2 3 and 3 2 1; of q both agree. The scales of the scores do not matter."""
    found = candidates(
        *"pppqq", scores=[0.9, 0.8, 0.7, 0.2, 0.1], other_scores=np.array([-30.0, -20.0, -10.0, -1.0, -2.0])
    )
    order = rows(found, DISAGREE)
    assert order[0] in (0, 2)
    assert set(order[:2]) == {order[0], 3} or set(order[:2]) == {order[0], 4}  # then q's turn
    assert order[2] in {0, 2} - {order[0]}


def test_models_disagree_needs_two() -> None:
    """Without a second model the queue raises an error that says so."""
    with pytest.raises(LabellingError, match="compares two models"):
        rows(candidates("p"), DISAGREE)


def test_hard_negatives() -> None:
    """High scores of other categories; where one is not known, nobody can tell."""
    found = candidates(
        *"pqrst",
        scores=[0.1, 0.9, 0.8, 0.7, 0.6],
        left_categories=["a", "a", "a", "", "a"],
        right_categories=["b", "a", "b", "b", ""],
    )
    assert rows(found, HARD_NEGATIVES) == [2, 0]


def test_by_category() -> None:
    """Ten of code, two of art, one of neither: they take turns as long as they last."""
    categories = ["code"] * 10 + ["art"] * 2 + [""]
    found = candidates(*(f"p{row}" for row in range(13)), left_categories=categories)
    order = [categories[row] for row in rows(found, BY_CATEGORY)]
    assert Counter(order[:3]) == {"code": 1, "art": 1, "": 1}
    assert sorted(order[3:5]) == ["art", "code"]
    assert set(order[5:]) == {"code"}


def test_projects_take_turns() -> None:
    """Fifty pairs of one project are not handed out in a row, though they are the most uncertain."""
    found = candidates(*["p"] * 50, *"qrs", scores=[0.5] * 50 + [0.9, 0.8, 0.7], boundary=0.5)
    order = [found.pairs[row].left for row in rows(found, UNCERTAIN)]
    assert order[:4] == ["p", "s", "r", "q"]
    by_category = [found.pairs[row].left for row in rows(found, BY_CATEGORY)]
    assert sorted(by_category[:4]) == ["p", "q", "r", "s"]


def test_random_is_a_fair_sample_of_pairs() -> None:
    """A project with nine in ten of all pairs has about nine in ten of the sample; others with another seed."""
    found = candidates(*["p"] * 900, *["q"] * 100)
    sample = rows(found, RANDOM, 200)
    assert 0.85 < sum(row < 900 for row in sample) / 200 < 0.95
    assert sample != rows(found, RANDOM, 200, seed=1)
    assert sample == rows(found, RANDOM, 200)


def test_a_pairs_place_does_not_depend_on_others() -> None:
    """Two sessions whose candidates differ, in other order, hand out the same pairs."""
    found = candidates(*(f"p{row}" for row in range(40)))
    fewer = replace(
        found,
        pairs=found.pairs[::-2],
        scores=found.scores[::-2],
        left_categories=["a"] * 20,
        right_categories=["a"] * 20,
        n_judgments=np.zeros(20, dtype=np.int64),
    )
    for policy in (RANDOM, UNCERTAIN, BY_CATEGORY):
        order = [item.pair for item in queue(found, QueueSettings(policy), EVERYTHING)]
        kept = [item.pair for item in queue(fewer, QueueSettings(policy), EVERYTHING)]
        assert kept == [each for each in order if each in fewer.pairs]


# --- second opinions


def test_second_opinions_are_the_same_for_everybody() -> None:
    """About the chosen share, of what one other has judged; a larger share has those of a smaller one."""
    n = 1000
    found = candidates(*(f"p{row}" for row in range(n)), n_judgments=np.array([1] * 800 + [0] * 100 + [2] * 100))
    few = set(rows(found, SECOND_OPINION, second_share=0.2))
    more = set(rows(found, SECOND_OPINION, second_share=0.5, seed=9))
    assert few < more < set(range(800))
    assert 120 < len(few) < 200
    assert rows(found, SECOND_OPINION, second_share=0.0) == []
    assert set(rows(found, SECOND_OPINION, second_share=1.0)) == set(range(800))
    assert POLICIES[SECOND_OPINION].blind


def test_second_opinions_are_mixed_in() -> None:
    """A fifth: one behind every five fresh pairs, with its own policy; then what is left of either."""
    found = candidates(*(f"p{row}" for row in range(120)), n_judgments=np.array([0] * 20 + [1] * 100))
    items = queue(found, QueueSettings(RANDOM, second_share=0.2), EVERYTHING)
    second = [item.policy == SECOND_OPINION for item in items]
    assert second[:18] == ([False] * 5 + [True]) * 3
    assert all(second[24:])
    assert {item.policy for item in items} == {RANDOM, SECOND_OPINION}
    assert all(found.n_judgments[item.row] == (item.policy == SECOND_OPINION) for item in items)


def test_everything_twice() -> None:
    """They alternate."""
    found = candidates(*"pqrs", n_judgments=np.array([0, 0, 1, 1]))
    items = queue(found, QueueSettings(RANDOM, second_share=1.0), EVERYTHING)
    assert [item.policy for item in items] == [RANDOM, SECOND_OPINION] * 2


# --- what holds of every policy


@settings(max_examples=40, deadline=None)
@given(any_candidates(), st.sampled_from(list(POLICIES)), st.floats(0, 1), st.integers(0, 3), st.integers(0, 20))
def test_every_policy(found: PairCandidates, policy: str, share: float, seed: int, limit: int) -> None:
    """No pair twice, none that two have judged, and a longer queue begins like a shorter one."""
    options = QueueSettings(policy, share, seed)
    items = queue(found, options, EVERYTHING)
    order = [item.row for item in items]
    assert len(set(order)) == len(order)
    assert all(item.pair == found.pairs[item.row] for item in items)
    for item in items:
        assert found.n_judgments[item.row] == (1 if item.policy == SECOND_OPINION else 0)
        assert item.policy in (policy, SECOND_OPINION)
    assert queue(found, options, limit) == items[:limit]
    fresh = int((found.n_judgments == 0).sum())
    if policy not in (HARD_NEGATIVES, SECOND_OPINION):
        assert sum(item.policy == policy for item in items) == fresh


@settings(max_examples=40, deadline=None)
@given(any_candidates())
def test_the_keys_fall_within_a_project(found: PairCandidates) -> None:
    """Among pairs of one project the more uncertain, and the higher of the hard negatives, comes first."""
    for policy, key in ((UNCERTAIN, -np.abs(found.scores - 0.5)), (HARD_NEGATIVES, found.scores)):
        order = rows(replace(found, boundary=0.5), policy)
        for left in "pqr":
            keys = [key[row] for row in order if found.pairs[row].left == left]
            assert keys == sorted(keys, reverse=True)


def test_every_policy_of_nothing() -> None:
    """An empty queue."""
    for policy in POLICIES:
        assert rows(candidates(other_scores=np.zeros(0)), policy, second_share=0.5) == []


def test_every_policy_has_words_for_the_page() -> None:
    """A label, one line of help, and why no pairs are left."""
    for policy in POLICIES.values():
        assert policy.label
        assert policy.help.endswith(".")
        assert "\n" not in policy.help
        assert policy.empty.endswith(".")
    assert len({policy.label for policy in POLICIES.values()}) == len(POLICIES)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (QueueSettings("best"), "no queue policy 'best'; choose one of uncertain, models-disagree"),
        (QueueSettings(RANDOM, second_share=1.5), "must be between 0 and 1"),
        (QueueSettings(RANDOM, second_share=float("nan")), "must be between 0 and 1"),
    ],
)
def test_what_cannot_be(options: QueueSettings, message: str) -> None:
    """Is an error that says what to do."""
    with pytest.raises(LabellingError, match=message):
        queue(candidates("p"), options, 5)


def test_every_pair_is_judged_several_times() -> None:
    """What others have begun comes first, as a second opinion, then fresh pairs; what enough people judged is done."""
    found = candidates(*"pppp", scores=[0.5, 0.6, 0.7, 0.8], n_judgments=np.array([0, 1, 2, 3]))
    thrice = QueueSettings(UNCERTAIN, quotas=Quotas(3))
    items = queue(found, thrice, EVERYTHING)
    assert {item.row for item in items[:2]} == {1, 2}
    assert [(item.row, item.policy) for item in items[2:]] == [(0, UNCERTAIN)]
    assert {item.policy for item in items[:2]} == {SECOND_OPINION}
    assert len(queue(found, thrice, 1)) == 1
    assert sorted(rows(found, SECOND_OPINION, quotas=Quotas(3))) == [1, 2]
    assert sorted(rows(found, SECOND_OPINION, quotas=Quotas(2))) == [1]
