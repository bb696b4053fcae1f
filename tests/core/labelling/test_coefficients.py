"""Coefficients of agreement against the literature's worked examples, scikit-learn, and naive loops."""

from collections.abc import Callable
from itertools import combinations, permutations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sklearn.metrics import cohen_kappa_score

from jobmatch_core.labelling.coefficients import (
    NO_OVERLAP,
    ONE_VERDICT,
    CoefficientFigure,
    Counts,
    cohen_kappa,
    fleiss_kappa,
    krippendorff_alpha,
    percent_agreement,
    share_of_agreement,
)

OF_COUNTS = (percent_agreement, fleiss_kappa, krippendorff_alpha)

# Fleiss (1971), table 1: 30 patients, each diagnosed by 6 psychiatrists; depression, personality disorder,
# schizophrenia, neurosis, other
FLEISS = np.array(
    [
        [0, 0, 0, 6, 0],
        [0, 3, 0, 0, 3],
        [0, 1, 4, 0, 1],
        [0, 0, 0, 0, 6],
        [0, 3, 0, 3, 0],
        [2, 0, 4, 0, 0],
        [0, 0, 4, 0, 2],
        [2, 0, 3, 1, 0],
        [2, 0, 0, 4, 0],
        [0, 0, 0, 0, 6],
        [1, 0, 0, 5, 0],
        [1, 1, 0, 4, 0],
        [0, 3, 3, 0, 0],
        [1, 0, 0, 5, 0],
        [0, 2, 0, 3, 1],
        [0, 0, 5, 0, 1],
        [3, 0, 0, 1, 2],
        [5, 1, 0, 0, 0],
        [0, 2, 0, 4, 0],
        [1, 0, 2, 0, 3],
        [0, 0, 0, 0, 6],
        [0, 1, 0, 5, 0],
        [0, 2, 0, 1, 3],
        [2, 0, 0, 4, 0],
        [1, 0, 0, 4, 1],
        [0, 5, 0, 1, 0],
        [4, 0, 0, 0, 2],
        [0, 2, 0, 4, 0],
        [1, 0, 5, 0, 0],
        [0, 0, 0, 0, 6],
    ]
)

# Krippendorff (2011): 12 units, 4 observers, nominal values 1 to 5; 0 where an observer said nothing
KRIPPENDORFF = np.array(
    [
        [1, 2, 3, 3, 2, 1, 4, 1, 2, 0, 0, 0],
        [1, 2, 3, 3, 2, 2, 4, 1, 2, 5, 0, 3],
        [0, 3, 3, 3, 2, 3, 4, 2, 2, 5, 1, 0],
        [1, 2, 3, 3, 2, 4, 4, 1, 2, 5, 1, 0],
    ]
)

# Cohen (1968), table 1: proportions of 200 pairs
COHEN = np.array([[88, 14, 18], [10, 40, 10], [2, 6, 12]])

COUNTS = st.lists(st.lists(st.integers(0, 4), min_size=3, max_size=3), max_size=12).map(
    lambda rows: np.array(rows, dtype=np.int64).reshape(-1, 3)
)


def counts_of(matrix: np.ndarray, n_values: int) -> Counts:
    """Count what was said of each unit; *matrix* has a row an observer, values from 1, and 0 for nothing."""
    return np.stack([(matrix == value).sum(axis=0) for value in range(1, n_values + 1)], axis=1)


def tables_of(first: list[int], second: list[int], n: int) -> Counts:
    """Return a confusion table a pair."""
    tables = np.zeros((len(first), n, n))
    tables[np.arange(len(first)), first, second] = 1
    return tables


def one_by_one(table: np.ndarray) -> Counts:
    """Return a confusion table as one table a pair."""
    cells = [(row, column) for row, column in np.ndindex(table.shape) for _ in range(table[row, column])]
    return tables_of([row for row, _ in cells], [column for _, column in cells], len(table))


def test_fleiss_1971() -> None:
    """Published: shares .144, .144, .167, .306, .239; observed agreement .5556, by chance .2199, kappa .430."""
    assert percent_agreement(FLEISS).value == pytest.approx(0.5556, abs=5e-5)
    kappa = fleiss_kappa(FLEISS)
    assert kappa.value == pytest.approx(0.430, abs=5e-4)
    assert (kappa.n, kappa.reason) == (30, "")


def test_krippendorff_2011() -> None:
    """Published: 40 pairable values, nominal alpha .743. The unit with a single value does not count."""
    counts = counts_of(KRIPPENDORFF, 5)
    alpha = krippendorff_alpha(counts)
    assert counts[counts.sum(axis=1) > 1].sum() == 40
    assert alpha.value == pytest.approx(0.743, abs=5e-4)
    assert alpha.n == 11


def test_cohen_1968() -> None:
    """88 + 40 + 12 of 200 agree, .70; by chance .6 x .5 + .3 x .3 + .1 x .2 = .41; kappa = .29 / .59 = .492."""
    tables = one_by_one(COHEN)
    assert share_of_agreement(tables).value == pytest.approx(0.70)
    assert cohen_kappa(tables).value == pytest.approx(0.29 / 0.59)
    assert cohen_kappa(tables).n == 200


def test_two_who_disagree_always() -> None:
    """One says yes and the other no, three times: by Cohen no more than chance, by pooled shares the worst there is."""
    counts = np.array([[1, 1], [1, 1], [1, 1]])
    assert percent_agreement(counts).value == 0
    assert fleiss_kappa(counts).value == pytest.approx(-1)
    assert krippendorff_alpha(counts).value == pytest.approx(1 - 5 * 6 / (36 - 18))
    assert cohen_kappa(tables_of([0, 0, 0], [1, 1, 1], 2)).value == pytest.approx(0)


@settings(max_examples=30, deadline=None)
@given(st.lists(st.tuples(st.integers(0, 2), st.integers(0, 2)), min_size=1, max_size=25))
def test_cohen_as_scikit_learn(pairs: list[tuple[int, int]]) -> None:
    """Wherever it is defined."""
    first, second = [one for one, _ in pairs], [other for _, other in pairs]
    kappa = cohen_kappa(tables_of(first, second, 3)).value
    if len({*first, *second}) == 1:
        assert kappa is None
    else:
        assert kappa == pytest.approx(cohen_kappa_score(first, second))


def naive_percent(counts: Counts) -> float | None:
    """Go through all couples of judgments of each unit."""
    agreeing = []
    for unit in counts.tolist():
        values = [value for value, n in enumerate(unit) for _ in range(n)]
        couples = list(combinations(values, 2))
        if couples:
            agreeing.append(sum(one == other for one, other in couples) / len(couples))
    return sum(agreeing) / len(agreeing) if agreeing else None


def naive_fleiss(counts: Counts) -> float | None:
    """Add up shares unit by unit."""
    observed = naive_percent(counts)
    units = [unit for unit in counts.tolist() if sum(unit) > 1]
    if observed is None or len({value for unit in units for value, n in enumerate(unit) if n}) == 1:
        return None
    chance = sum((sum(unit[value] / sum(unit) for unit in units) / len(units)) ** 2 for value in range(3))
    return (observed - chance) / (1 - chance)


def naive_alpha(counts: Counts) -> float | None:
    """Fill the matrix of coincidences couple by couple, as Krippendorff's section on missing data tells."""
    coincidences = np.zeros((3, 3))
    for unit in counts.tolist():
        values = [value for value, n in enumerate(unit) for _ in range(n)]
        for one, other in permutations(values, 2):
            coincidences[one, other] += 1 / (len(values) - 1)
    n_of = coincidences.sum(axis=1)
    n = n_of.sum()
    expected = sum(n_of[one] * n_of[other] for one, other in permutations(range(3), 2))
    if not n or np.count_nonzero(n_of) == 1:
        return None
    return float(1 - (n - 1) * (n - np.trace(coincidences)) / expected)


@settings(max_examples=40, deadline=None)
@pytest.mark.parametrize(
    ("measure", "naive"),
    [(percent_agreement, naive_percent), (fleiss_kappa, naive_fleiss), (krippendorff_alpha, naive_alpha)],
)
@given(counts=COUNTS)
def test_as_naive_loops(
    measure: Callable[[Counts], CoefficientFigure], naive: Callable[[Counts], float | None], counts: Counts
) -> None:
    """Whatever was said: the same figure, or none with a reason; never NaN, and the interval is in order."""
    figure, expected = measure(counts), naive(counts)
    if expected is None:
        assert (figure.value, figure.low, figure.high) == (None, None, None)
        assert figure.reason in (NO_OVERLAP, ONE_VERDICT)
        return
    assert figure.value == pytest.approx(expected)
    assert figure.reason == ""
    if figure.n > 1:
        assert figure.low is not None
        assert figure.high is not None
        assert -1.01 <= figure.low <= figure.high <= 1 + 1e-9


@settings(max_examples=20, deadline=None)
@given(COUNTS)
def test_order_does_not_matter(counts: Counts) -> None:
    """Neither that of pairs, also for the intervals, nor that of categories."""
    shuffled = counts[np.random.default_rng(3).permutation(len(counts))]
    for measure in OF_COUNTS:
        assert measure(shuffled) == measure(counts)
        assert measure(counts[:, ::-1]).value == pytest.approx(measure(counts).value)


@settings(max_examples=20, deadline=None)
@given(COUNTS, st.data())
def test_a_row_stands_for_several_pairs(counts: Counts, data: st.DataObject) -> None:
    """As if it were there so often, also not at all."""
    times = np.array(data.draw(st.lists(st.integers(0, 3), min_size=len(counts), max_size=len(counts))), dtype=np.int64)
    for measure in OF_COUNTS:
        assert measure(counts, times=times) == measure(np.repeat(counts, times, axis=0))


@pytest.mark.parametrize("measure", OF_COUNTS)
def test_nothing_shared(measure: Callable[[Counts], CoefficientFigure]) -> None:
    """No pairs, or none with two judgments."""
    for counts in (np.zeros((0, 3), dtype=np.int64), np.array([[1, 0, 0], [0, 1, 0]])):
        assert measure(counts) == CoefficientFigure(None, None, None, 0, NO_OVERLAP)


def test_no_tables() -> None:
    """Two who share no pair."""
    assert cohen_kappa(np.zeros((0, 3, 3))) == CoefficientFigure(None, None, None, 0, NO_OVERLAP)
    assert share_of_agreement(np.zeros((0, 3, 3))) == CoefficientFigure(None, None, None, 0, NO_OVERLAP)


def test_one_verdict_only() -> None:
    """All said yes: they agree, but nobody knows whether by chance."""
    counts = np.array([[2, 0, 0], [3, 0, 0]])
    assert percent_agreement(counts) == CoefficientFigure(1.0, 1.0, 1.0, 2)
    assert fleiss_kappa(counts) == CoefficientFigure(None, None, None, 2, ONE_VERDICT)
    assert krippendorff_alpha(counts) == CoefficientFigure(None, None, None, 2, ONE_VERDICT)
    assert cohen_kappa(tables_of([0, 0], [0, 0], 3)) == CoefficientFigure(None, None, None, 2, ONE_VERDICT)


def test_a_single_pair_has_no_interval() -> None:
    """It says nothing of others."""
    assert percent_agreement(np.array([[1, 1, 0]])) == CoefficientFigure(0.0, None, None, 1)


def test_the_interval_of_a_coin() -> None:
    """Two agree on 200 of 400 pairs: the standard error is 0.5 / 20, so the ends lie near 0.5 -+ 0.049."""
    figure = percent_agreement(np.array([[2, 0]] * 200 + [[1, 1]] * 200))
    assert figure.value == 0.5
    assert figure.low == pytest.approx(0.5 - 0.049, abs=0.006)
    assert figure.high == pytest.approx(0.5 + 0.049, abs=0.006)


def test_the_interval_is_that_of_resampled_pairs() -> None:
    """The same quantiles, but for chance, as drawing pairs one by one and measuring each resample anew."""
    rng = np.random.default_rng(5)
    counts = FLEISS[:, :3]
    counts = counts[counts.sum(axis=1) > 1]
    resampled = [naive_alpha(counts[rng.integers(len(counts), size=len(counts))]) for _ in range(1000)]
    low, high = np.quantile([value for value in resampled if value is not None], [0.025, 0.975])
    alpha = krippendorff_alpha(counts)
    assert alpha.low == pytest.approx(low, abs=0.03)
    assert alpha.high == pytest.approx(high, abs=0.03)
