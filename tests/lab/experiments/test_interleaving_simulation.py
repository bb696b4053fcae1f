"""Simulated online comparisons: the better model wins, and an equal one seldom."""

import pytest

from lab.experiments.interleaving_simulation import simulate_interleaving
from lab.experiments.position_bias_simulation import NOISE


@pytest.mark.thorough
def test_the_better_model_wins() -> None:
    """A nearly perfect candidate always; a hopeless one never."""
    good, bad = simulate_interleaving((0.02, 3.0), comparisons=8, most=800)
    assert good.candidate > good.in_use > bad.candidate
    assert (good.better, good.worse) == (1.0, 0.0)
    assert bad.better == 0.0 < 0.5 < bad.worse
    assert good.searches is not None
    assert good.ab_test is not None
    assert good.searches < good.ab_test


def test_equally_good_models() -> None:
    """Few of the comparisons decide, there is no A/B test to size, and a seed repeats all."""
    [run] = simulate_interleaving((NOISE,), comparisons=3, most=60, seed=3)
    assert run.ab_test is None
    assert run.better + run.worse < 1
    assert [run] == simulate_interleaving((NOISE,), comparisons=3, most=60, seed=3)
