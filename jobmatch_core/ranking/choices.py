"""Choices among freelancers, and the weights of features that explain them: a conditional logit (McFadden 1974)."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from jobmatch_core.ranking.features import Floats

_LEAST_SPREAD = 1e-9  # of a feature that is the same for all


@dataclass(frozen=True)
class Choice:
    """A choice among profiles."""

    features: Floats  # (profile, feature) what is known of those to choose from
    right: NDArray[np.bool_]  # (profile,) true for each that was chosen
    weight: float = 1.0  # how much the choice counts

    @property
    def count(self) -> float:
        """The number of chosen profiles, times the weight."""
        return self.weight * float(self.right.sum())

    @property
    def decides(self) -> bool:
        """True if some were chosen and some were not."""
        return bool(self.right.any() and not self.right.all())

    def among(self, chosen: NDArray[np.bool_]) -> "Choice":
        """Return the choice among some of the profiles."""
        return Choice(self.features[chosen], self.right[chosen], self.weight)


@dataclass(frozen=True)
class Term:
    """Choices of one source; their mean loss counts with the weight."""

    choices: Sequence[Choice]
    weight: float = 1.0

    @property
    def count(self) -> float:
        """The weighted number of chosen profiles."""
        return sum(choice.count for choice in self.choices)

    def loss(self, weights: Floats) -> tuple[float, Floats]:
        """Return the mean negative log-likelihood of a chosen profile, with its gradient, times the term's weight."""
        value, slope = 0.0, np.zeros(len(weights))
        for choice in self.choices:
            rows, n_right = choice.features, choice.count
            utilities = rows @ weights
            highest = utilities.max()
            exponentials = np.exp(utilities - highest)
            total = exponentials.sum()
            value += n_right * (np.log(total) + highest) - choice.weight * utilities[choice.right].sum()
            slope += n_right * (exponentials @ rows) / total - choice.weight * rows[choice.right].sum(axis=0)
        share = self.weight / self.count
        return value * share, slope * share


def spread(features: Sequence[Floats]) -> Floats:
    """Return the standard deviation of each feature over all profiles, (feature,), never 0."""
    return np.asarray(np.maximum(np.concatenate(features).std(axis=0), _LEAST_SPREAD))


def fit_weights(terms: Sequence[Term], scales: Floats, *, ridge: float, prior: Floats | None = None) -> Floats:
    """Return the weights of the features, (feature,), by maximum likelihood, each at least 0; deterministic.

    Args:
        terms: choices by source, at least one of each.
        scales: (feature,) spread of the features, so that the ridge weighs all alike.
        ridge: how strongly weights are drawn towards the prior.
        prior: (feature,) weights without evidence; zeros by default.
    """
    from scipy.optimize import minimize

    centre = np.zeros(len(scales)) if prior is None else prior * scales

    def loss(weights: Floats) -> tuple[float, Floats]:
        parts = [term.loss(weights / scales) for term in terms]
        off = weights - centre
        value = sum(value for value, _ in parts) + ridge * float(off @ off)
        return value, np.sum([slope for _, slope in parts], axis=0) / scales + 2 * ridge * off

    bounds = [(0.0, None)] * len(scales)
    fitted = minimize(loss, centre, jac=True, method="L-BFGS-B", bounds=bounds).x
    return np.asarray(fitted / scales)
