"""Expected calibration error, reliability and risk-coverage curves, worked by hand and against naive loops."""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from jobmatch_core.metrics.calibration import (
    CoveragePoint,
    PrecisionPoint,
    ReliabilityBin,
    expected_calibration_error,
    precision_curve,
    reliability,
    risk_coverage,
    threshold_for,
)

ANSWERS = st.lists(st.tuples(st.floats(0, 1), st.booleans()), min_size=1, max_size=60)


def arrays(answers: list[tuple[float, bool]]) -> tuple[np.ndarray, np.ndarray]:
    """Return probabilities and whether they were right."""
    return np.array([p for p, _ in answers], dtype=np.float64), np.array([right for _, right in answers], dtype=bool)


# three titles at 0.9 to 1 (two right), one at 0.65 (right), one at 0.25 (wrong)
WORKED = arrays([(0.9, True), (0.95, False), (1.0, True), (0.65, True), (0.25, False)])


def test_expected_calibration_error_by_hand() -> None:
    """Bin 0.9: |0.95 - 2/3| * 3/5 = 0.17; bin 0.6: |0.65 - 1| / 5 = 0.07; bin 0.2: 0.25 / 5 = 0.05; sum 0.29."""
    assert expected_calibration_error(*WORKED) == pytest.approx(0.29)


def test_gaps_of_a_bin_cancel_but_not_of_two() -> None:
    """0.71 right, 0.79 wrong share a bin: |1.5 - 1| / 2 = 0.25; 0.71 right, 0.89 wrong do not: (0.29 + 0.89) / 2."""
    assert expected_calibration_error(*arrays([(0.71, True), (0.79, False)])) == pytest.approx(0.25)
    assert expected_calibration_error(*arrays([(0.71, True), (0.89, False)])) == pytest.approx(0.59)


def test_perfect_and_worst_calibration() -> None:
    """Sure and right, or surely not and wrong: 0. Sure and wrong: 1."""
    assert expected_calibration_error(*arrays([(1.0, True), (0.0, False)])) == 0
    assert expected_calibration_error(*arrays([(1.0, False)])) == 1


def test_reliability_by_hand() -> None:
    """Three bins have titles, lowest first; 1.0 lies in the last bin, 0.9 too."""
    low, middle, high = reliability(*WORKED)
    assert low == ReliabilityBin(count=1, confidence=0.25, accuracy=0.0)
    assert middle == ReliabilityBin(count=1, confidence=0.65, accuracy=1.0)
    assert (high.count, high.confidence, high.accuracy) == (3, pytest.approx(0.95), pytest.approx(2 / 3))


def test_a_bins_lower_edge_belongs_to_it() -> None:
    """0.3 is in the bin from 0.3 to 0.4, just under it is not."""
    [lower, upper] = reliability(*arrays([(0.2999, True), (0.3, True)]))
    assert (lower.confidence, upper.confidence) == (0.2999, 0.3)


def test_risk_coverage_by_hand() -> None:
    """Ten titles, one wrong at the fifth place: no risk up to 40 %, then 1/5, 1/6 ... and 1/10 at the end."""
    probabilities = np.array([0.95, 0.9, 0.85, 0.8, 0.75, 0.7, 0.65, 0.6, 0.55, 0.5])
    correct = np.array([True] * 4 + [False] + [True] * 5)
    shuffled = np.random.default_rng(1).permutation(10)
    points = risk_coverage(probabilities[shuffled], correct[shuffled])
    assert points == [
        CoveragePoint(coverage=n / 10, threshold=float(probabilities[n - 1]), risk=0.0 if n < 5 else 1 / n)
        for n in range(1, 11)
    ]


def test_risk_coverage_of_fewer_titles_than_points() -> None:
    """Three titles: each tenth is rounded up to whole titles, so a point never has none."""
    points = risk_coverage(*arrays([(0.9, True), (0.5, False), (0.7, True)]))
    assert [round(point.coverage * 3) for point in points] == [1, 1, 1, 2, 2, 2, 3, 3, 3, 3]
    assert [point.threshold for point in points] == [0.9] * 3 + [0.7] * 3 + [0.5] * 4
    assert points[-1].risk == pytest.approx(1 / 3)


@given(ANSWERS)
def test_expected_calibration_error_equals_a_naive_loop(answers: list[tuple[float, bool]]) -> None:
    """Guo et al., equation 5: the bins' gaps between mean confidence and accuracy, weighted by their sizes."""
    bins: dict[int, list[tuple[float, bool]]] = {}
    for probability, right in answers:
        bins.setdefault(min(int(probability * 10), 9), []).append((probability, right))
    expected = sum(
        len(inside)
        / len(answers)
        * abs(sum(r for _, r in inside) / len(inside) - sum(p for p, _ in inside) / len(inside))
        for inside in bins.values()
    )
    assert expected_calibration_error(*arrays(answers)) == pytest.approx(expected)


@given(ANSWERS)
def test_the_error_is_the_reliability_curves(answers: list[tuple[float, bool]]) -> None:
    """Both look at the same bins; the bins hold every title once."""
    curve = reliability(*arrays(answers))
    assert sum(part.count for part in curve) == len(answers)
    gap = sum(part.count * abs(part.confidence - part.accuracy) for part in curve) / len(answers)
    assert expected_calibration_error(*arrays(answers)) == pytest.approx(gap)


@given(ANSWERS)
def test_risk_coverage_equals_a_naive_sort(answers: list[tuple[float, bool]]) -> None:
    """Take the surest first, in their order where equal, and count the wrong ones."""
    surest = sorted(answers, key=lambda answer: -answer[0])
    for tenth, point in enumerate(risk_coverage(*arrays(answers)), 1):
        taken = surest[: math.ceil(tenth * len(answers) / 10)]
        assert point.coverage == pytest.approx(len(taken) / len(answers))
        assert point.threshold == taken[-1][0]
        assert point.risk == pytest.approx(sum(not right for _, right in taken) / len(taken))


def test_precision_curve_by_hand() -> None:
    """The surest first: 1.0 right, .95 wrong, .9 right, .65 right, .25 wrong; every title is a point."""
    assert precision_curve(*WORKED) == (
        PrecisionPoint(1.0, 1.0, 0.2),
        PrecisionPoint(0.95, 0.5, 0.4),
        PrecisionPoint(0.9, pytest.approx(2 / 3), 0.6),
        PrecisionPoint(0.65, 0.75, 0.8),
        PrecisionPoint(0.25, 0.6, 1.0),
    )


def test_precision_curve_of_few_points() -> None:
    """Two points of five titles: 2 and 5 titles linked."""
    assert [point.coverage for point in precision_curve(*WORKED, points=2)] == [0.4, 1.0]


def test_precision_curve_does_not_part_equal_probabilities() -> None:
    """Three of .8, one right: linking from .8 on links all of them; probabilities of 0 are a point too."""
    found = precision_curve(*arrays([(0.8, True), (0.8, False), (0.8, False), (0.0, True)]))
    assert found == (PrecisionPoint(0.8, pytest.approx(1 / 3), 0.75), PrecisionPoint(0.0, 0.5, 1.0))


@given(ANSWERS, st.integers(1, 70))
def test_precision_curve_equals_the_naive_loop(answers: list[tuple[float, bool]], points: int) -> None:
    """Each point says what linking from its threshold on gives; coverage grows, and at the end all are linked."""
    curve = precision_curve(*arrays(answers), points=points)
    for point in curve:
        linked = [right for probability, right in answers if probability >= point.threshold]
        assert point.coverage == pytest.approx(len(linked) / len(answers))
        assert point.precision == pytest.approx(sum(linked) / len(linked))
    coverages = [point.coverage for point in curve]
    assert coverages == sorted(set(coverages))
    assert coverages[-1] == 1.0
    assert 1 <= len(curve) <= points


def test_threshold_for_by_hand() -> None:
    """.7 is reached from .65 on, though not from .95 on; .8 by the first alone; more than all are right by none."""
    curve = precision_curve(*WORKED)
    assert threshold_for(curve, 0.7) == curve[3]
    assert threshold_for(curve, 0.6) == curve[4]
    assert threshold_for(curve, 0.8) == threshold_for(curve, 1.0) == curve[0]
    assert threshold_for(curve[1:], 0.8) is None
    assert threshold_for((), 0.5) is None


@given(ANSWERS, st.floats(0.01, 1))
def test_threshold_for_equals_the_naive_loop(answers: list[tuple[float, bool]], wished: float) -> None:
    """With a point a title, no other threshold with the precision links more."""
    probabilities, correct = arrays(answers)
    found = threshold_for(precision_curve(probabilities, correct, points=len(answers)), wished)
    reached = [
        (probabilities >= threshold).mean()
        for threshold in probabilities.tolist()
        if correct[probabilities >= threshold].mean() >= wished
    ]
    assert (found.coverage if found else None) == (max(reached) if reached else None)
