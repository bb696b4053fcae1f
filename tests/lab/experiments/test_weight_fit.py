"""Fit of the weights of postings and their threshold: the best F0.5, or a target precision."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray

from jobmatch_core.entities import FloatArray
from jobmatch_core.linking.calibration import MIN_THRESHOLD, SURE
from jobmatch_core.linking.fusion import ConditionalLogit
from lab.experiments.weight_fit import best_threshold, fit_weights, made_description

N, OCCUPATIONS = 400, 12
HALF = np.arange(N) % 2 == 1


def f_half(top: NDArray[np.float64], correct: NDArray[np.bool_], answerable: int, threshold: float) -> float:
    """Return F0.5 when titles from a threshold on are linked: 1.25 P R / (0.25 P + R)."""
    linked = top >= threshold
    hits = float((correct & linked).sum())
    if not hits:
        return 0.0
    precision, recall = hits / linked.sum(), hits / answerable
    return 1.25 * precision * recall / (0.25 * precision + recall)


def test_best_threshold_by_hand() -> None:
    """0.9 right, 0.8 right, 0.7 wrong, 0.6 right, 0.2 wrong, with 4 answerable titles.

    F0.5 = 1.25 hits / (linked + 0.25 * 4): 1.25/2 = .625, 2.5/3 = .833, 2.5/4, 3.75/5 = .75, 3.75/6.
    """
    top = np.array([0.6, 0.9, 0.2, 0.8, 0.7])
    correct = np.array([True, True, False, True, False])
    threshold, f_measure = best_threshold(top, correct, 4)
    assert threshold == 0.8
    assert f_measure == pytest.approx(2.5 / 3)


def test_precision_counts_double() -> None:
    """One sure hit among four answerable titles beats four hits among nine linked: 1.25/2 against 5/10."""
    top = np.array([0.9, 0.5, 0.5, 0.5, 0.5, 0.5, 0.4, 0.4, 0.4])
    correct = np.array([True, False, False, False, False, False, True, True, True])
    assert best_threshold(top, correct, 4) == (0.9, pytest.approx(0.625))


def test_nothing_right_gives_a_measure_of_zero() -> None:
    """Also if no title has an answer."""
    top = np.array([0.9, 0.5])
    assert best_threshold(top, np.array([False, False]), 0)[1] == 0.0


@given(st.lists(st.tuples(st.floats(0.001, 1), st.booleans()), min_size=1, max_size=30, unique_by=lambda t: t[0]))
@settings(max_examples=200, deadline=None)
def test_no_other_threshold_is_better(titles: list[tuple[float, bool]]) -> None:
    """All probabilities are tried as thresholds, by the textbook's formula."""
    top, correct = (np.array(column) for column in zip(*titles, strict=True))
    answerable = int(correct.sum()) + 2
    threshold, f_measure = best_threshold(top, correct, answerable)
    assert f_measure == pytest.approx(f_half(top, correct, answerable, threshold))
    assert all(f_half(top, correct, answerable, other) <= f_measure + 1e-9 for other in top)


def test_equal_probabilities_are_linked_together() -> None:
    """Two titles of 0.9, one right: both are linked, so F0.5 is 1.25 / (2 + 0.25), not 1.25 / (1 + 0.25)."""
    top, correct = np.array([0.9, 0.9]), np.array([True, False])
    threshold, f_measure = best_threshold(top, correct, 1)
    assert f_measure == pytest.approx(f_half(top, correct, 1, threshold))


def drawn(strength: float) -> tuple[FloatArray, NDArray[np.bool_]]:
    """Return features whose second one points to the right occupation; every tenth posting has none."""
    random = np.random.default_rng(1)
    features = random.normal(size=(N, OCCUPATIONS, 3)).astype(np.float32)
    right = np.zeros((N, OCCUPATIONS), dtype=bool)
    right[np.arange(N), random.integers(OCCUPATIONS, size=N)] = True
    features[right, 1] += random.exponential(strength, size=N)
    right[::10] = False
    return features, right


def test_informative_features_get_weight() -> None:
    """Noise gets hardly any; the figures are of all postings."""
    fitted = fit_weights(*drawn(4), HALF)
    assert fitted.weights[1] > 3 * max(fitted.weights[0], fitted.weights[2])
    assert fitted.held_out["postings"] == N
    assert fitted.held_out["accuracy"] > 0.5


def test_target_precision_holds_on_the_other_half() -> None:
    """Each posting is measured again with weights fitted on the other half."""
    features, right = drawn(4)
    fitted = fit_weights(features, right, HALF, precision=0.9)
    linked = []
    for part in (HALF, ~HALF):
        others = features[~part]
        queries = np.repeat(np.arange(len(others)), OCCUPATIONS)
        logit = ConditionalLogit.fit(queries, others.reshape(-1, 3), right[~part].ravel(), len(others))
        for posting in np.flatnonzero(part):
            powers = np.exp(features[posting].astype(np.float64) @ logit.weights)
            probabilities = powers / (powers.sum() + np.exp(logit.none))
            if probabilities.max() >= fitted.threshold - 1e-9:
                linked.append(bool(right[posting, probabilities.argmax()]))
    assert np.mean(linked) == pytest.approx(fitted.held_out["precision"])
    assert np.mean(linked) >= 0.9
    assert len(linked) / N == pytest.approx(fitted.held_out["linked"])
    assert MIN_THRESHOLD < fitted.threshold < SURE


def test_noise_links_nothing() -> None:
    """No threshold reaches the target precision."""
    fitted = fit_weights(*drawn(0.0), HALF, precision=0.9)
    assert fitted.threshold == SURE
    assert fitted.held_out["linked"] == 0


def test_synthetic_descriptions_are_mostly_about_other_jobs() -> None:
    """A third of the sentences is about the occupation; the same seed gives the same text."""
    own, others = [f"own {number}" for number in range(9)], [f"other {number}" for number in range(50)]
    lines = made_description(own, others, np.random.default_rng(2)).splitlines()
    n_own = sum(line.startswith("own") for line in lines)
    assert 3 <= n_own <= 8
    assert len(lines) == 3 * n_own
    assert lines == made_description(own, others, np.random.default_rng(2)).splitlines()
