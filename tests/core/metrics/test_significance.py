"""Wilcoxon's test and bootstrap intervals."""

import numpy as np
import pytest

from jobmatch_core.metrics import significance
from jobmatch_core.metrics.significance import bootstrap_interval, compare


def test_wilcoxon_by_hand() -> None:
    """Five differences, all positive: of the 2^5 signs only all plus and all minus are as extreme, p = 2/32."""
    first = np.array([0.5, 0.6, 0.7, 0.8, 0.9])
    compared = compare(first, first - np.array([0.01, 0.02, 0.03, 0.04, 0.05]))
    assert (compared.n, compared.difference) == (5, pytest.approx(0.03))
    assert compared.p_value == pytest.approx(2 / 32)


def test_swapped_systems_give_the_same_p() -> None:
    """The difference turns its sign, the probability stays."""
    rng = np.random.default_rng(1)
    first, second = 1 / rng.integers(1, 9, size=200), 1 / rng.integers(1, 20, size=200)
    one, other = compare(first, second), compare(second, first)
    assert one.difference == pytest.approx(-other.difference)
    assert one.p_value == pytest.approx(other.p_value)
    assert one.p_value < 0.001


def test_equal_systems() -> None:
    """No difference at all: certainly chance."""
    compared = compare(np.array([1.0, 0.5]), np.array([1.0, 0.5]))
    assert (compared.difference, compared.p_value) == (0, 1)


@pytest.mark.parametrize(("n", "m"), [(3, 2), (0, 0)])
def test_different_queries_cannot_be_compared(n: int, m: int) -> None:
    """Figures in pairs, or none."""
    with pytest.raises(ValueError, match="expected the same queries"):
        compare(np.ones(n), np.ones(m))


def test_interval_of_a_coin() -> None:
    """400 throws, half of them heads: the standard error is 0.5 / 20 = 0.025, so the ends lie near 0.5 -+ 0.049."""
    interval = bootstrap_interval(np.tile([0.0, 1.0], 200))
    assert (interval.n, interval.mean) == (400, 0.5)
    assert interval.low == pytest.approx(0.5 - 0.049, abs=0.006)
    assert interval.high == pytest.approx(0.5 + 0.049, abs=0.006)


def test_intervals_depend_on_the_seed_only() -> None:
    """The same again, and no other for the same seed; equal figures leave no doubt."""
    figures = np.random.default_rng(2).random(50)
    assert bootstrap_interval(figures, seed=4) == bootstrap_interval(figures, seed=4)
    assert bootstrap_interval(figures, seed=4) != bootstrap_interval(figures, seed=5)
    constant = bootstrap_interval(np.full(9, 0.25))
    assert (constant.low, constant.mean, constant.high) == (0.25, 0.25, 0.25)


def test_memory_is_bounded_by_blocks(monkeypatch: pytest.MonkeyPatch) -> None:
    """Drawn in 200 blocks, there are still 2,000 means, and the interval says the same."""
    figures = np.random.default_rng(2).random(50)
    whole = bootstrap_interval(figures)
    monkeypatch.setattr(significance, "_DRAWS", 500)
    parts = bootstrap_interval(figures)
    assert parts == whole


def test_no_figures() -> None:
    """There is no mean of nothing."""
    with pytest.raises(ValueError, match="no figure"):
        bootstrap_interval(np.empty(0))
