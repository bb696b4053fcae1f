"""Simulated position bias: the correction gives the true order back."""

import pytest

from lab.experiments.position_bias_simulation import simulate_bias


@pytest.mark.parametrize("seed", range(3))
def test_correction_recovers_the_order_where_plain_choices_do_not(seed: int) -> None:
    """Estimated propensities correct nearly as well as the actual ones."""
    found = simulate_bias(100_000, seed=seed)
    by_ranking, plain, estimated, known = found.orders
    assert max(abs(a - b) for a, b in zip(found.actual, found.estimated, strict=True)) < 0.08
    assert by_ranking.tau < plain.tau < 0.75
    assert estimated.tau > plain.tau + 0.1
    assert estimated.ndcg > 0.985 > plain.ndcg
    assert known.tau > 0.85
    assert simulate_bias(1000, seed=seed) == simulate_bias(1000, seed=seed)


def test_without_bias_there_is_nothing_to_correct() -> None:
    """Plain clicks recover the order, and the correction keeps it."""
    _, plain, estimated, known = simulate_bias(50_000, bias=0.0).orders
    assert plain == type(plain)(plain.by, known.ndcg, known.tau)
    assert estimated.tau > plain.tau - 0.1
