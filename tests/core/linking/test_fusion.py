"""The conditional logit: probabilities by hand, and a fit that recovers the weights of simulated data."""

import math
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray
from scipy.optimize import approx_fprime, minimize

from jobmatch_core.linking.corrections import EXACT_NAME
from jobmatch_core.linking.fusion import ConditionalLogit, settled

Simulation = tuple[NDArray[np.intp], NDArray[np.float32], NDArray[np.bool_], int]
WEIGHTS = np.array([3.0, 0.0, 1.5])
NONE = 2.0
N_QUERIES = 6000


def simulate(weights: NDArray[np.float64], none: float, n: int, seed: int) -> Simulation:
    """Draw each query's answer, or none, from the model; queries have 0 to 6 candidates."""
    random = np.random.default_rng(seed)
    queries = np.repeat(np.arange(n), random.integers(0, 7, size=n))
    features = random.random((len(queries), len(weights))).astype(np.float32)
    gumbel = random.gumbel(size=len(queries) + n)
    noisy = np.append(features @ weights, np.full(n, none)) + gumbel  # the highest is a draw from the softmax
    right = np.zeros(len(queries), dtype=bool)
    for query in range(n):
        start, end = np.searchsorted(queries, [query, query + 1])
        mine = np.append(np.arange(start, end), len(queries) + query)
        winner = mine[np.argmax(noisy[mine])]
        if winner < len(queries):
            right[winner] = True
    return queries, features, right, n


def naive_loss(parameters: NDArray[np.float64], simulation: Simulation) -> float:
    """Return the mean negative log likelihood, query by query."""
    queries, features, right, n = simulation
    logit = ConditionalLogit(parameters[:-1], float(parameters[-1]))
    total = 0.0
    for query in range(n):
        mine = queries == query
        utilities = [*logit.utilities(features[mine]), logit.none]
        answer = [u for u, is_right in zip(utilities, right[mine], strict=False) if is_right] or [logit.none]
        total += math.log(sum(math.exp(u) for u in utilities)) - math.log(sum(math.exp(u) for u in answer))
    return total / n


def in_pairs(simulation: Simulation, seed: int = 0) -> Simulation:
    """Make two or three candidates right, one of them the true one, as when only the unit group is known."""
    queries, features, right, n = simulation
    answered = np.zeros(n, dtype=bool)
    answered[queries[right]] = True
    also = np.random.default_rng(seed).random(len(queries)) < 0.3
    return queries, features, right | (also & answered[queries]), n


@pytest.fixture
def loss(monkeypatch: pytest.MonkeyPatch) -> Callable[[Simulation], Callable[..., Any]]:
    """Return the function that `fit` minimises on some data."""

    def catch(simulation: Simulation) -> Callable[..., Any]:
        caught: list[Callable[..., Any]] = []

        def spy(function: Callable[..., Any], *args: object, **options: Any) -> object:
            caught.append(function)
            return minimize(function, *args, **options)

        monkeypatch.setattr("scipy.optimize.minimize", spy)
        ConditionalLogit.fit(*simulation)
        return caught[0]

    return catch


def test_probabilities_by_hand() -> None:
    """Utilities ln 1 and ln 2 against ln 1 for none: 1/4 and 2/4; one with ln 3: 3/4."""
    logit = ConditionalLogit(np.array([1.0]), 0.0)
    features = np.log(np.array([[1.0], [2.0], [3.0]], np.float32))
    result = logit.probabilities(np.array([0, 0, 2]), logit.utilities(features), 3)
    assert result.tolist() == pytest.approx([0.25, 0.5, 0.75], abs=1e-6)


def test_utilities_are_weighted_sums() -> None:
    """2 * 0.5 + 3 * 1 = 4."""
    logit = ConditionalLogit(np.array([2.0, 3.0]), 0.0)
    assert logit.utilities(np.array([[0.5, 1.0], [0.0, 0.0]], np.float32)).tolist() == [4.0, 0.0]


@given(st.lists(st.tuples(st.integers(0, 4), st.floats(-800, 800)), max_size=12).map(sorted), st.floats(-800, 800))
@settings(max_examples=200, deadline=None)
def test_probabilities_and_none_sum_to_one(candidates: list[tuple[int, float]], none: float) -> None:
    """For every query, also without candidates, and for large utilities."""
    queries = np.array([query for query, _ in candidates], np.intp)
    utilities = np.array([utility for _, utility in candidates], float)
    result = ConditionalLogit(np.array([1.0]), none).probabilities(queries, utilities, 5)
    assert np.isfinite(result).all()
    for query in range(5):
        mine = utilities[queries == query]
        top = max([none, *mine])
        of_none = math.exp(none - top) / sum(math.exp(u - top) for u in [none, *mine])
        assert result[queries == query].sum() + of_none == pytest.approx(1.0)
        assert (np.diff(result[queries == query][np.argsort(mine)]) >= 0).all()


def test_no_candidates_at_all() -> None:
    """The fit learns only that 'none' is always right."""
    nothing = np.empty(0, np.intp)
    logit = ConditionalLogit(np.array([1.0, 2.0]), 3.0)
    assert logit.probabilities(nothing, np.empty(0), 4).shape == (0,)
    fitted = ConditionalLogit.fit(nothing, np.empty((0, 2), np.float32), np.empty(0, bool), 4)
    assert np.isfinite([*fitted.weights, fitted.none]).all()
    assert (fitted.weights >= 0).all()


@pytest.mark.parametrize("seed", [1, 2, 3])
def test_fit_recovers_the_weights(seed: int) -> None:
    """From 6,000 queries, within 0.3; an uninformative feature gets about zero."""
    logit = ConditionalLogit.fit(*simulate(WEIGHTS, NONE, N_QUERIES, seed))
    assert logit.weights == pytest.approx(WEIGHTS, abs=0.3)
    assert logit.none == pytest.approx(NONE, abs=0.3)


def test_weights_are_never_negative() -> None:
    """Data simulated with a weight of -4: a higher similarity must never lower a probability."""
    logit = ConditionalLogit.fit(*simulate(np.array([2.0, -4.0]), 0.0, 2000, 7))
    assert logit.weights[1] == 0.0
    assert logit.weights[0] > 1.0


@pytest.mark.parametrize("several", [False, True])
def test_loss_equals_the_naive_loop(loss: Callable[[Simulation], Callable[..., Any]], *, several: bool) -> None:
    """With one or several right candidates, and a ridge of 1e-4 on the weights, but not on none."""
    simulation = simulate(WEIGHTS, NONE, 40, 5)
    simulation = in_pairs(simulation) if several else simulation
    for parameters in (np.array([1.0, 0.5, 2.0, 1.0]), np.array([0.0, 0.0, 0.0, -3.0]), np.array([9.0, 1.0, 0.0, 9.0])):
        value, _ = loss(simulation)(parameters)
        assert value == pytest.approx(
            naive_loss(parameters, simulation) + 1e-4 * (parameters[:-1] ** 2).sum(), rel=1e-6
        )


@pytest.mark.parametrize("several", [False, True])
def test_gradient_equals_finite_differences(loss: Callable[[Simulation], Callable[..., Any]], *, several: bool) -> None:
    """At a few points, in every direction, with one and with several right candidates."""
    simulation = simulate(WEIGHTS, NONE, 200, 6)
    function = loss(in_pairs(simulation) if several else simulation)
    for parameters in (np.array([1.0, 0.5, 2.0, 1.0]), np.array([0.0, 0.0, 0.0, 0.0]), np.array([5.0, 3.0, 1.0, 6.0])):
        numeric = approx_fprime(parameters, lambda p: function(p)[0], 1e-6)
        np.testing.assert_allclose(function(parameters)[1], numeric, atol=1e-4)


def test_no_step_away_from_the_fit_is_better(loss: Callable[[Simulation], Callable[..., Any]]) -> None:
    """Allowed perturbations of the weights do not raise the likelihood."""
    simulation = simulate(WEIGHTS, NONE, 500, 8)
    logit = ConditionalLogit.fit(*simulation)
    function = loss(simulation)
    fitted = np.append(logit.weights, logit.none)
    best, _ = function(fitted)
    random = np.random.default_rng(0)
    for _ in range(100):
        other = fitted + random.normal(scale=0.3, size=len(fitted))
        other[:-1] = np.maximum(other[:-1], 0.0)
        assert function(other)[0] >= best - 1e-6


def test_fit_is_deterministic() -> None:
    """The same data give the same weights."""
    first, second = (ConditionalLogit.fit(*simulate(WEIGHTS, NONE, 300, 9)) for _ in range(2))
    assert first.weights.tolist() == second.weights.tolist()
    assert first.none == second.none


def test_fit_with_several_right_candidates_recovers_the_weights() -> None:
    """The fit does not know the true one among them, and needs more queries for the same precision."""
    logit = ConditionalLogit.fit(*in_pairs(simulate(WEIGHTS, NONE, N_QUERIES, 4)))
    assert logit.weights == pytest.approx(WEIGHTS, abs=0.6)
    assert logit.weights[1] < logit.weights[2] < logit.weights[0]


def test_settled_by_hand() -> None:
    """Query 0: 0.5 and 0.1 of 0.8 become 5/6 and 1/6 of 0.92; 0.2 of the other 0.4 becomes 0.04.

    Query 1 has nothing chosen, query 2 more than 0.92 already. Query 3's two chosen ones have 0, and share evenly.
    """
    queries = np.array([0, 0, 0, 1, 2, 2, 3, 3, 3])
    probabilities = np.array([0.5, 0.2, 0.1, 0.7, 0.95, 0.01, 0.0, 0.0, 0.5])
    chosen = np.array([True, False, True, False, True, False, True, True, False])
    assert EXACT_NAME == 0.92
    assert settled(queries, probabilities, chosen).tolist() == pytest.approx(
        [0.92 * 5 / 6, 0.04, 0.92 / 6, 0.7, 0.95, 0.01, 0.46, 0.46, 0.04]
    )


def test_settled_without_any_chosen() -> None:
    """Probabilities stay the same, also without candidates."""
    probabilities = np.array([0.2, 0.3])
    assert settled(np.array([0, 1]), probabilities, np.zeros(2, bool)) is probabilities
    assert len(settled(np.empty(0, np.intp), np.empty(0), np.empty(0, bool))) == 0


def naively_settled(
    queries: list[int], probabilities: list[float], chosen: list[bool], share: float, exactly: bool
) -> list[float]:
    """Settle query by query."""
    result = list(probabilities)
    for query in set(queries):
        mine = [row for row, of in enumerate(queries) if of == query]
        picked = [row for row in mine if chosen[row]]
        total = sum(probabilities[row] for row in picked)
        if not picked or (total >= share and not exactly):
            continue
        for row in mine:
            if not chosen[row]:
                result[row] = probabilities[row] * (1 - share) / (1 - total) if total < 1 else 0.0
            else:
                result[row] = share * (probabilities[row] / total if total else 1 / len(picked))
    return result


@given(
    st.lists(st.tuples(st.integers(0, 3), st.floats(1e-9, 1) | st.just(0.0), st.booleans()), min_size=1, max_size=12),
    st.floats(0.5, 0.99),
    st.floats(0.0, 1.0),
    st.booleans(),
)
@settings(max_examples=200, deadline=None)
def test_settled_equals_the_naive_loop(
    candidates: list[tuple[int, float, bool]], share: float, of_none: float, exactly: bool
) -> None:
    """Any queries in any order; sums stay at most one, and the others keep their order."""
    queries, weights, chosen = (list(column) for column in zip(*candidates, strict=True))
    totals = [of_none + sum(w for q, w in zip(queries, weights, strict=True) if q == query) for query in range(4)]
    probabilities = [w / totals[q] if totals[q] else 0.0 for q, w in zip(queries, weights, strict=True)]
    result = settled(np.array(queries), np.array(probabilities), np.array(chosen), share, exactly=exactly)
    assert result.tolist() == pytest.approx(naively_settled(queries, probabilities, chosen, share, exactly), abs=1e-9)
    for query in range(4):
        mine = np.array(queries) == query
        assert result[mine].sum() <= 1 + 1e-6  # what is left to the others is a difference of nearly equal numbers
        if (mine & np.array(chosen)).any():
            assert result[mine & np.array(chosen)].sum() >= share - 1e-9
            assert not exactly or result[mine & np.array(chosen)].sum() <= share + 1e-9
        others = mine & ~np.array(chosen)
        assert (np.diff(result[others][np.argsort(np.array(probabilities)[others])]) >= 0).all()
