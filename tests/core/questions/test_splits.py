"""Splits of candidates, the likelihood of answers, and their expected gain, by hand and by properties."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from jobmatch_core.questions.splits import RESPONDENT_ERROR, Split, after_answer, expected_gain, likelihoods, splits
from tests.core.questions.made_candidates import candidate

ASSEMBLER, WELDER = candidate("assembler", "8211", 0.4), candidate("welder", "7212", 0.3)
SOLDERER, CLERK = candidate("solderer", "7212", 0.1), candidate("clerk", "4110", 0.02)
CANDIDATES = (ASSEMBLER, WELDER, SOLDERER, CLERK)


def test_unit_groups_and_occupations() -> None:
    """Welder and solderer are one group; the clerk is not likely enough for an option."""
    assert list(splits(CANDIDATES)) == [Split(((0,), (1, 2)), True), Split(((0,), (1,), (2,)), False)]


@pytest.mark.parametrize(
    ("probabilities", "number"), [((0.5, 0.09), 0), ((0.5, 0.1), 2), ((0.9,), 0), ((0.58, 0.04), 0), ((), 0)]
)
def test_when_a_question_is_worth_asking(probabilities: tuple[float, ...], number: int) -> None:
    """At least two options of at least 0.05, together at least 0.6."""
    made = [candidate(f"c{place}", f"{2000 + place}", value) for place, value in enumerate(probabilities)]
    assert len(list(splits(made))) == number


def test_at_most_four_options() -> None:
    """The likeliest ones; occupations without a unit group make no groups."""
    made = [candidate(f"c{place}", "", 0.18) for place in range(5)]
    assert list(splits(made)) == [Split(((0,), (1,), (2,), (3,)), False)]


def test_likelihoods_by_hand() -> None:
    """0.9 for the own option, or for none; the two other answers share the rest."""
    table = likelihoods(Split(((0,), (1, 2)), True), 4)
    assert table == pytest.approx(
        np.array([[0.9, 0.05, 0.05, 0.05, 0.05], [0.05, 0.9, 0.9, 0.05, 0.05], [0.05, 0.05, 0.05, 0.9, 0.9]])
    )


def test_an_answer_by_hand() -> None:
    """The odds of welder against assembler are multiplied by 18; the two welders keep theirs."""
    before = np.array([0.4, 0.3, 0.1])
    after = after_answer(before, Split(((0,), (1, 2)), True), 1)
    assert after[1] / after[0] == pytest.approx(18 * 0.3 / 0.4)
    assert after[1] / after[2] == pytest.approx(3.0)
    total = 0.4 * 0.05 + 0.4 * 0.9 + 0.2 * 0.05
    assert after == pytest.approx(np.array([0.02, 0.27, 0.09]) / total)


def test_gain_by_hand() -> None:
    """Two certain halves: after the answer 0.9 of each, and what 'none of these' leaves."""
    halves = (candidate("a", "2111", 0.5), candidate("b", "2112", 0.5))
    assert expected_gain(halves, Split(((0,), (1,)), False)) == pytest.approx(0.45 + 0.45 + 0.025 - 0.5)


@given(st.lists(st.floats(0.01, 1.0), min_size=2, max_size=8), st.integers(0, 3))
def test_answers_are_probabilities(weights: list[float], answer: int) -> None:
    """Likelihoods sum to one over answers; updated ones to at most one; no question is expected to lose."""
    shares = np.array(weights) / (sum(weights) * 1.1)
    made = [candidate(f"c{place}", f"{2000 + place // 2}", float(share)) for place, share in enumerate(shares)]
    for split in splits(made):
        assert likelihoods(split, len(made)).sum(axis=0) == pytest.approx(1.0)
        after = after_answer(shares, split, min(answer, len(split.options)))
        assert after.sum() <= 1 + 1e-9
        assert (after >= 0).all()
        assert expected_gain(made, split) >= -1e-9
    assert 0 < RESPONDENT_ERROR < 0.5
