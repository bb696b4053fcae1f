"""Weights that explain choices: by hand, against finite differences, and what a weight of a choice means."""

from math import log

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from jobmatch_core.ranking.choices import Choice, Term, fit_weights, spread

FIRST = np.array([True, False])


def test_the_balance_of_choices_and_prior_by_hand() -> None:
    """One of two is chosen, and has 1 more of the only feature.

    At the weight ln 3 the other one has the probability 1/4, the slope of the likelihood. With a ridge of 1/8, the
    slope of the penalty, 2/8 of the distance to the prior, is as large if the prior is ln 3 - 1.
    """
    term = Term([Choice(np.array([[1.0], [0.0]]), FIRST)])
    [weight] = fit_weights([term], np.ones(1), ridge=1 / 8, prior=np.array([log(3) - 1]))
    assert weight == pytest.approx(log(3), abs=1e-4)


def test_what_says_nothing_stays_at_the_prior() -> None:
    """Both have the same of the second feature, which no choice can explain; scales do not change that."""
    term = Term([Choice(np.array([[1.0, 0.5], [0.0, 0.5]]), FIRST)])
    weights = fit_weights([term], np.array([2.0, 0.1]), ridge=0.1, prior=np.array([0.0, 0.7]))
    assert weights[0] > 0
    assert weights[1] == pytest.approx(0.7)


def test_no_weight_is_negative() -> None:
    """Who has less of the feature was chosen; without a prior the weight is 0."""
    term = Term([Choice(np.array([[0.0], [1.0]]), FIRST)])
    assert fit_weights([term], np.ones(1), ridge=1e-3).tolist() == [0.0]


def test_a_choice_of_weight_two_counts_as_two() -> None:
    """The means of both terms are the same."""
    one, other = Choice(np.array([[1.0], [0.0]]), FIRST, 2.0), Choice(np.array([[0.2], [0.9]]), FIRST)
    weighted, repeated = Term([one, other]), Term([Choice(one.features, FIRST)] * 2 + [other])
    assert weighted.count == repeated.count == 3
    for weight in (0.0, 0.5, 2.0):
        (value, slope), (expected, expected_slope) = (term.loss(np.array([weight])) for term in (weighted, repeated))
        assert value == pytest.approx(expected)
        assert slope == pytest.approx(expected_slope)


@given(st.lists(st.floats(0, 2), min_size=3, max_size=3))
def test_the_gradient_is_that_of_the_loss(weights: list[float]) -> None:
    """Against central differences."""
    random = np.random.default_rng(3)
    choices = [Choice(random.random((5, 3)), random.random(5) < 0.5, 0.5) for _ in range(4)]
    term = Term([choice for choice in choices if choice.right.any()], 0.7)
    at = np.array(weights)
    _, slope = term.loss(at)
    steps = np.eye(3) * 1e-5
    differences = [(term.loss(at + step)[0] - term.loss(at - step)[0]) / 2e-5 for step in steps]
    assert slope == pytest.approx(np.array(differences), abs=1e-6)


def test_a_constant_feature_has_a_spread() -> None:
    """It can be divided by."""
    assert spread([np.array([[1.0, 0.0]]), np.array([[1.0, 2.0]])]).tolist() == [1e-9, 1.0]
