"""Fusion of the scorers into one probability: a conditional logit with an outside option.

Each candidate has a utility, the sum of its features with weights of at least zero; 'none of these' has a constant one.
Probabilities are the softmax over a choice set and 'none' (McFadden 1974): they sum to one, and those of an ISCO
group's candidates can be added up.
"""

from dataclasses import dataclass, field

import numpy as np

from jobmatch_core.entities import FloatArray
from jobmatch_core.linking.arrays import Flags, Floats, Indices
from jobmatch_core.linking.corrections import DISPUTED, EXACT_NAME, NameRivals
from jobmatch_core.linking.equal_names import EqualNames, NameTrust, in_sets

_L2 = 1e-4


@dataclass(frozen=True, slots=True)
class ConditionalLogit:
    """Weights of the features, the utility of 'none of these', and the probability of an equal name."""

    weights: Floats  # (feature,)
    none: float  # utility of 'none of these'
    # probability, together, of the occupations that have a title as a name, counted on judged titles; None for that of
    # *name_trust*
    exact_name: float | None = None
    # fitted probability of the unit groups of such names; None for `EXACT_NAME` alone
    name_trust: NameTrust | None = None
    rivals: NameRivals = field(default_factory=NameRivals)  # what several such names lose to each other

    def utilities(self, features: FloatArray) -> Floats:
        """Return the utility of each candidate, shape (candidate,)."""
        return np.asarray(features @ self.weights, dtype=np.float64)

    def probabilities(self, sets: Indices, utilities: Floats, n_sets: int) -> Floats:
        """Return the probability of each candidate.

        Args:
            sets: (candidate,) choice-set numbers, ascending.
            utilities: (candidate,) utilities.
            n_sets: number of choice sets.
        """
        return np.exp(utilities - _log_totals(sets, utilities, self.none, n_sets)[sets])

    def with_names(self, sets: Indices, probabilities: Floats, names: EqualNames) -> Floats:
        """Return the probabilities after the correction for candidates with a name that equals the title."""
        if self.exact_name is not None:
            return settled(sets, probabilities, names.equal, self.exact_name, exactly=True)
        by_name = settled(sets, probabilities, names.equal)
        if self.name_trust is None or not names.equal.any():
            return by_name
        masses = names.group_masses(sets, probabilities)
        disputed = names.equal & names.disputed(sets, len(masses))[sets]
        by_name = settled(sets, by_name, disputed, DISPUTED, exactly=True)
        preferred, votes = in_sets(sets, names.preferred, len(masses)), names.votes_of(sets, len(masses))
        shares = self.name_trust.shares(masses, preferred, votes)
        fitted = names.in_named_groups(sets) & names.of_taxonomy(sets, len(masses))[sets]
        return settled(sets, by_name, fitted, shares, exactly=True)

    @classmethod
    def fit(cls, sets: Indices, features: FloatArray, right: Flags, n_sets: int) -> "ConditionalLogit":
        """Maximise the likelihood of any of the right candidates, and of 'none' where a choice set has no right one.

        Args:
            sets: (candidate,) choice-set numbers, ascending.
            features: (candidate, feature).
            right: (candidate,) true if it may be the right one: several where only the right unit group is known.
        """
        from scipy.optimize import minimize  # the import takes longer than linking a title

        answered = np.zeros(n_sets, dtype=bool)
        answered[sets[right]] = True
        right_sets, right_features = sets[right], features[right]
        n_none = int((~answered).sum())

        def loss(parameters: Floats) -> tuple[float, Floats]:
            weights, none = parameters[:-1], float(parameters[-1])
            utilities = np.asarray(features @ weights, dtype=np.float64)
            log_totals = _log_totals(sets, utilities, none, n_sets)
            probabilities = np.exp(utilities - log_totals[sets])
            log_rights = log_sums(right_sets, utilities[right], n_sets)
            right_shares = np.exp(utilities[right] - log_rights[right_sets])
            value = log_totals.sum() - log_rights[answered].sum() - n_none * none
            slope = np.append(
                probabilities @ features - right_shares @ right_features, np.exp(none - log_totals).sum() - n_none
            )
            slope[:-1] += 2 * _L2 * n_sets * weights
            return float(value / n_sets + _L2 * (weights**2).sum()), slope / n_sets

        start = np.append(np.full(features.shape[1], 2.0), 5.0)
        bounds = [(0.0, None)] * features.shape[1] + [(None, None)]
        fitted = minimize(loss, start, jac=True, method="L-BFGS-B", bounds=bounds).x
        return cls(weights=fitted[:-1], none=float(fitted[-1]))


def settled(
    sets: Indices,
    probabilities: Floats,
    chosen: Flags,
    share: float | Floats = EXACT_NAME,
    *,
    exactly: bool = False,
) -> Floats:
    """Give the chosen candidates of each choice set a share of its probability together, and the others the rest.

    Where none is chosen, nothing changes; 'none of these' is one of the others.

    Args:
        sets: (candidate,) choice-set numbers.
        probabilities: (candidate,) probabilities; one minus a set's sum is that of 'none of these'.
        chosen: (candidate,) true for those that are right by more than their features, such as an equal name.
        share: probability of the chosen candidates, of every set or (set,).
        exactly: lower a higher probability to *share*, too, instead of leaving it.
    """
    if not chosen.any():
        return probabilities
    n_sets = int(sets.max()) + 1
    totals = np.bincount(sets[chosen], probabilities[chosen], minlength=n_sets)
    counts = np.bincount(sets[chosen], minlength=n_sets)
    shares = np.broadcast_to(share, n_sets)
    moved = (counts > 0) & (exactly | (totals < shares))
    even = 1 / np.maximum(counts, 1)
    among = np.where(totals[sets] > 0, probabilities / np.maximum(totals, 1e-300)[sets], even[sets])
    others = probabilities * ((1 - shares) / np.maximum(1 - totals, 1e-12))[sets]
    return np.where(moved[sets], np.where(chosen, shares[sets] * among, others), probabilities)


def log_sums(sets: Indices, utilities: Floats, n_sets: int) -> Floats:
    """Return log(sum of exp(utility) over some candidates of each choice set), shape (set,); -inf without any."""
    highest = np.full(n_sets, -np.inf)
    np.maximum.at(highest, sets, utilities)
    totals = np.bincount(sets, np.exp(utilities - highest[sets]), minlength=n_sets)
    with np.errstate(divide="ignore"):
        return np.asarray(np.log(totals) + highest)


# the same with 'none' in every choice set
def _log_totals(sets: Indices, utilities: Floats, none: float, n_sets: int) -> Floats:
    highest = np.full(n_sets, none)
    np.maximum.at(highest, sets, utilities)
    totals = np.bincount(sets, np.exp(utilities - highest[sets]), minlength=n_sets) + np.exp(none - highest)
    return np.asarray(np.log(totals) + highest)
