"""Penalised fit of the fusion: its likelihood by hand, its minimum, and the pull of the anchors."""

from dataclasses import replace
from math import exp

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from jobmatch_core.linking.candidates import OccupationCandidates
from jobmatch_core.linking.corrections import EXACT_NAME
from jobmatch_core.linking.equal_names import EqualNames
from jobmatch_core.linking.fusion import ConditionalLogit
from jobmatch_core.linking.index import NO_UNIT
from jobmatch_core.linking.ranking import TitleCandidates
from jobmatch_core.linking.refit import JudgedCandidates, refit

START = ConditionalLogit(np.array([1.0, 1.0]), 0.5)
NOBODY, NO = np.empty(0, np.int64), np.empty(0, bool)


def of_names(
    queries: np.ndarray,
    concepts: np.ndarray,
    features: np.ndarray,
    possible: np.ndarray,
    none_possible: np.ndarray,
    equal: np.ndarray,
) -> JudgedCandidates:
    """Make titles of one text each."""
    candidates = OccupationCandidates(queries, concepts, np.zeros(len(queries), np.int64), features)
    no = np.zeros(len(queries), bool)
    names = EqualNames(equal, no, no, no, np.zeros((len(queries), 2), np.int8), np.full(len(queries), NO_UNIT))
    return JudgedCandidates(TitleCandidates.of_names(candidates, names, len(none_possible)), possible, ~none_possible)


def meanings_joined(titles: JudgedCandidates) -> JudgedCandidates:
    """Join every two titles as two meanings of one, whose occupation is known; they share no candidates."""
    proposals = titles.proposals
    concepts = proposals.rows.concepts + 10 * (proposals.rows.meanings % 2)
    joined = replace(
        proposals,
        meanings=replace(proposals.meanings, titles=proposals.meanings.titles // 2),
        rows=replace(proposals.rows, concepts=concepts),
    )
    return JudgedCandidates(joined, titles.possible, np.ones(titles.n_titles // 2, dtype=bool))


def judged(seed: int, n: int = 40, weights: tuple[float, float] = (6.0, 0.5)) -> JudgedCandidates:
    """Draw titles with three candidates, one right, by weights; 'none of these' is right where it wins."""
    random = np.random.default_rng(seed)
    features = random.random((3 * n, 2)).astype(np.float32)
    utilities = (features @ np.array(weights)).reshape(n, 3)
    with_none = np.column_stack([utilities, np.full(n, 2.0)])
    drawn = np.argmax(with_none + random.gumbel(size=with_none.shape), axis=1)
    possible = (np.arange(3) == drawn[:, None]).ravel()
    equal = np.zeros(3 * n, dtype=bool)
    return of_names(np.repeat(np.arange(n), 3), np.tile(np.arange(3), n), features, possible, drawn == 3, equal)


def test_likelihood_by_hand() -> None:
    """Utilities 1 and 2, none 0.5. In the first title the first candidate is right, in the second it is wrong."""
    features = np.array([[1, 0], [1, 1], [1, 0], [1, 1]], dtype=np.float32)
    titles = of_names(
        np.array([0, 0, 1, 1]),
        np.array([7, 8, 7, 8]),
        features,
        np.array([True, False, False, True]),
        np.array([False, True]),
        np.zeros(4, dtype=bool),
    )
    total = exp(1) + exp(2) + exp(0.5)
    assert titles.answers(START).likelihoods == pytest.approx([exp(1) / total, (exp(2) + exp(0.5)) / total])
    part = titles.of_titles(np.array([False, True])).answers(START)
    assert (part.titles.tolist(), part.concepts.tolist(), part.ranks.tolist()) == ([0, 0], [8, 7], [1, 2])
    assert part.likelihoods == pytest.approx([(exp(2) + exp(0.5)) / total])


def test_the_likelihood_of_two_meanings_by_hand() -> None:
    """The mean over two meanings: one has the right candidate, with utility 1 beside 2, the other does not."""
    features = np.array([[1, 0], [1, 1], [1, 0], [1, 1]], dtype=np.float32)
    right = np.array([True, False, False, False])
    titles = of_names(
        np.array([0, 0, 1, 1]), np.array([7, 8, 9, 8]), features, right, np.zeros(2, bool), np.zeros(4, bool)
    )
    meanings = replace(titles.proposals.meanings, titles=np.array([0, 0]))
    titles = JudgedCandidates(replace(titles.proposals, meanings=meanings), right, np.ones(1, bool))
    total = exp(1) + exp(2) + exp(0.5)
    answers = titles.answers(START)
    assert answers.likelihoods == pytest.approx([exp(1) / total / 2])
    assert answers.concepts.tolist() == [8, 7, 9]
    assert answers.probabilities == pytest.approx([exp(2) / total, exp(1) / total / 2, exp(1) / total / 2])


def test_a_title_without_candidates() -> None:
    """Only 'none of these' is possible, so its likelihood is 1."""
    titles = of_names(NOBODY, NOBODY, np.empty((0, 2), np.float32), NO, np.array([True]), NO)
    assert titles.answers(START).likelihoods == pytest.approx([1.0])
    assert np.isfinite(refit(START, titles, titles).none)


def nothing() -> JudgedCandidates:
    """Return no titles."""
    return of_names(NOBODY, NOBODY, np.empty((0, 2), np.float32), NO, NO, NO)


def test_a_title_that_equals_a_name() -> None:
    """The name keeps its share of the probability, whatever the weights; the title does not move the weights."""
    plain = judged(4)
    rows = replace(plain.proposals.rows, equal=plain.proposals.rows.concepts == 0)
    named = replace(plain, proposals=replace(plain.proposals, rows=rows))
    for logit in (START, ConditionalLogit(np.array([9.0, 0.0]), 0.5)):
        answers = named.answers(logit)
        first = answers.probabilities[answers.concepts == 0]
        assert first == pytest.approx(np.maximum(first, EXACT_NAME))
    assert refit(START, named, nothing()).weights == pytest.approx(START.weights)
    both = JudgedCandidates.joined([plain, named])
    assert both.without_names().n_titles == plain.n_titles
    assert refit(START, both, nothing()).weights == pytest.approx(refit(START, plain, nothing()).weights)


def named(*possible: tuple[bool, bool, bool]) -> JudgedCandidates:
    """Make titles with two candidates, the first with an equal name; flags: name, other, none may be right."""
    flat = np.array([flag for name, other, _ in possible for flag in (name, other)])
    n = len(possible)
    return of_names(
        np.repeat(np.arange(n), 2),
        np.tile(np.arange(2), n),
        np.zeros((2 * n, 2), np.float32),
        flat,
        np.array([none for *_, none in possible]),
        np.tile([True, False], n),
    )


def test_share_of_right_equal_names() -> None:
    """One is right, two are wrong, one is unclear; the prior counts as twenty titles."""
    titles = named((True, False, False), (False, True, False), (False, True, True), (True, True, True))
    fitted = refit(START, titles, nothing())
    assert fitted.exact_name == pytest.approx((1 + 20 * EXACT_NAME) / (3 + 20))
    again = refit(fitted, named((False, True, False)), nothing())
    assert again.exact_name == pytest.approx(20 * (fitted.exact_name or 0) / 21)
    assert refit(fitted, judged(3), nothing()).exact_name == fitted.exact_name
    assert refit(START, named((True, True, False)), nothing()).exact_name is None
    answers = titles.answers(fitted)
    assert answers.probabilities[answers.concepts == 0] == pytest.approx([fitted.exact_name] * 4)


def test_equal_names_of_a_title_of_two_jobs() -> None:
    """A title counts if all its jobs equal names; otherwise the other job may have been meant."""
    both = meanings_joined(named((True, False, False), (False, False, False)))
    assert refit(START, both, nothing()).exact_name == pytest.approx((1 + 20 * EXACT_NAME) / 21)
    rows = replace(both.proposals.rows, equal=np.array([True, False, False, False]))
    one = replace(both, proposals=replace(both.proposals, rows=rows))
    assert refit(START, one, nothing()).exact_name is None
    assert one.without_names().n_titles == 0


def test_many_titles_recover_the_weights() -> None:
    """A thousand titles drawn by weights of 6 and 0.5, without anchors."""
    fitted = refit(START, judged(1, 1000), nothing())
    assert fitted.weights == pytest.approx([6.0, 0.5], abs=1.0)
    assert fitted.none == pytest.approx(2.0, abs=0.7)


def test_without_judged_titles_nothing_changes() -> None:
    """The older answers are the optimum."""
    fitted = refit(START, nothing(), judged(2))
    assert np.append(fitted.weights, fitted.none) == pytest.approx([1.0, 1.0, 0.5], abs=1e-6)


@pytest.mark.parametrize("n_anchors", [5, 200])
@pytest.mark.parametrize("two_meanings", [False, True])
def test_fit_is_a_minimum_of_the_loss(n_anchors: int, two_meanings: bool) -> None:
    """The loss, computed title by title, has its minimum at the fitted weights."""
    titles, anchors = meanings_joined(judged(2)) if two_meanings else judged(2), judged(3, n_anchors)

    def probabilities(logit: ConditionalLogit) -> np.ndarray:
        candidates = anchors.proposals.candidates
        of_candidates = logit.probabilities(candidates.queries, logit.utilities(candidates.features), anchors.n_titles)
        by_title = of_candidates.reshape(anchors.n_titles, 3)
        return np.column_stack([by_title, 1 - by_title.sum(axis=1)])

    older = probabilities(START)

    def loss(weights: np.ndarray, none: float) -> float:
        logit = ConditionalLogit(weights, none)
        held = -(older * np.log(probabilities(logit))).sum()
        moved = np.append(weights - START.weights, none - START.none)
        n = titles.n_titles + anchors.n_titles
        return float((held - np.log(titles.answers(logit).likelihoods).sum()) / n + 1e-4 * (moved**2).sum())

    fitted = refit(START, titles, anchors)
    least = loss(fitted.weights, fitted.none)
    for step in (0.01, -0.01):
        assert least <= loss(fitted.weights, fitted.none + step) + 1e-7
        for row in range(2):
            weights = fitted.weights.copy()
            weights[row] = max(weights[row] + step, 0.0)
            assert least <= loss(weights, fitted.none) + 1e-7


@given(st.integers(0, 1000))
@settings(max_examples=15)
def test_weights_are_non_negative_and_held_by_anchors(seed: int) -> None:
    """A higher similarity never lowers a score; more anchors keep the weights closer to the older ones."""
    titles = judged(seed, 15, (0.0, 3.0))
    fitted, held = (refit(START, titles, judged(seed + 1, count)) for count in (1, 3000))
    assert (fitted.weights >= 0).all()
    assert (held.weights >= 0).all()
    moved, moved_held = (
        np.abs(np.append(logit.weights - START.weights, logit.none - 0.5)).sum() for logit in (fitted, held)
    )
    assert moved_held < max(moved, 0.2)
