"""Fusion of the scorers into one probability: a conditional logit with an outside option.

Each candidate has a utility, a weighted sum of its features with weights of at least zero; 'none of these'
has a constant one. Probabilities are the softmax over both (McFadden 1974), so that those of a title's
candidates and of 'none' sum to one, and those of an ISCO group's candidates can be added up.
"""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from jobmatch_core.entities import FloatArray
from jobmatch_core.linking.corrections import EXACT_NAME
from jobmatch_core.linking.scorers import Indices

_L2 = 1e-4


@dataclass(frozen=True, slots=True)
class ConditionalLogit:
    """Weights of the features, the utility of 'none of these', and how far an equal name is trusted.

    Attributes:
        weights: (feature,).
        none: utility of 'none of these'.
        exact_name: probability, together, of the occupations that have a title as a name, as judged titles have it;
            None for at least `EXACT_NAME`.
    """

    weights: NDArray[np.float64]
    none: float
    exact_name: float | None = None

    def utilities(self, features: FloatArray) -> NDArray[np.float64]:
        """Return each candidate's utility, shape (candidate,)."""
        return np.asarray(features @ self.weights, dtype=np.float64)

    def probabilities(self, queries: Indices, utilities: NDArray[np.float64], n: int) -> NDArray[np.float64]:
        """Return each candidate's probability.

        Args:
            queries: (candidate,) query numbers, ascending.
            utilities: (candidate,) utilities.
            n: number of queries.
        """
        log_totals = _log_totals(queries, utilities, self.none, n)
        return np.exp(utilities - log_totals[queries])

    def with_names(
        self, queries: Indices, probabilities: NDArray[np.float64], equal: NDArray[np.bool_]
    ) -> NDArray[np.float64]:
        """Return the probabilities with what an equal name is worth; `equal` marks the candidates that have one."""
        if self.exact_name is None:
            return settled(queries, probabilities, equal)
        return settled(queries, probabilities, equal, self.exact_name, exactly=True)

    @classmethod
    def fit(cls, queries: Indices, features: FloatArray, right: NDArray[np.bool_], n: int) -> "ConditionalLogit":
        """Maximise the likelihood of any of the right candidates, and of 'none' where a query has no right one.

        Args:
            queries: (candidate,) query numbers, ascending.
            features: (candidate, feature).
            right: (candidate,) true if it may be the right one: several where only the right unit group is known.
            n: number of queries.
        """
        from scipy.optimize import minimize  # which takes longer than linking a title

        answered = np.zeros(n, dtype=bool)
        answered[queries[right]] = True
        of_right, right_features = queries[right], features[right]
        n_none = int((~answered).sum())

        def loss(parameters: NDArray[np.float64]) -> tuple[float, NDArray[np.float64]]:
            weights, none = parameters[:-1], float(parameters[-1])
            utilities = np.asarray(features @ weights, dtype=np.float64)
            log_totals = _log_totals(queries, utilities, none, n)
            probabilities = np.exp(utilities - log_totals[queries])
            log_rights = log_sums(of_right, utilities[right], n)
            of_these = np.exp(utilities[right] - log_rights[of_right])
            value = log_totals.sum() - log_rights[answered].sum() - n_none * none
            slope = np.append(
                probabilities @ features - of_these @ right_features, np.exp(none - log_totals).sum() - n_none
            )
            slope[:-1] += 2 * _L2 * n * weights
            return float(value / n + _L2 * (weights**2).sum()), slope / n

        start = np.append(np.full(features.shape[1], 2.0), 5.0)
        bounds = [(0.0, None)] * features.shape[1] + [(None, None)]
        found = minimize(loss, start, jac=True, method="L-BFGS-B", bounds=bounds)
        return cls(weights=found.x[:-1], none=float(found.x[-1]))


def settled(
    queries: Indices,
    probabilities: NDArray[np.float64],
    chosen: NDArray[np.bool_],
    share: float = EXACT_NAME,
    *,
    exactly: bool = False,
) -> NDArray[np.float64]:
    """Give the chosen candidates of each query a share of its probability together, and the others the rest.

    Where none is chosen, nothing changes; 'none of these' is one of the others.

    Args:
        queries: (candidate,) query numbers.
        probabilities: (candidate,) probability of each; one minus a query's sum is that of 'none of these'.
        chosen: (candidate,) true for those that are right by more than their features, such as an equal name.
        share: probability of a query's chosen candidates.
        exactly: true if they get it too where they have a higher one already, which otherwise stays.
    """
    if not chosen.any():
        return probabilities
    n = int(queries.max()) + 1
    totals = np.bincount(queries[chosen], probabilities[chosen], minlength=n)
    counts = np.bincount(queries[chosen], minlength=n)
    moved = (counts > 0) & (exactly | (totals < share))
    even = 1 / np.maximum(counts, 1)
    among = np.where(totals[queries] > 0, probabilities / np.maximum(totals, 1e-300)[queries], even[queries])
    others = probabilities * ((1 - share) / np.maximum(1 - totals, 1e-12))[queries]
    return np.where(moved[queries], np.where(chosen, share * among, others), probabilities)


def log_sums(queries: Indices, utilities: NDArray[np.float64], n: int) -> NDArray[np.float64]:
    """Return log(sum of exp(utility) over some candidates of each query), shape (n,); -inf without any."""
    highest = np.full(n, -np.inf)
    np.maximum.at(highest, queries, utilities)
    totals = np.bincount(queries, np.exp(utilities - highest[queries]), minlength=n)
    with np.errstate(divide="ignore"):
        return np.asarray(np.log(totals) + highest)


def _log_totals(queries: Indices, utilities: NDArray[np.float64], none: float, n: int) -> NDArray[np.float64]:
    """Return log(sum of exp(utility) over a query's candidates and 'none'), shape (n,)."""
    highest = np.full(n, none)
    np.maximum.at(highest, queries, utilities)
    totals = np.bincount(queries, np.exp(utilities - highest[queries]), minlength=n) + np.exp(none - highest)
    return np.asarray(np.log(totals) + highest)
