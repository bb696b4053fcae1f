"""Names that equal a title, and how far they are trusted.

A title that a taxonomy has as a name may still mean something else: ESCO has `Fejlesztő`, a developer, among the names
of those who develop games of chance. So the trust in the unit group of such a name is fitted, on titles of known unit
groups: a logistic model of the probability that the other evidence gives it, and of whether the name is preferred.
"""

# Names of the lexicon are not in the fit: nearly all titles that equal one are of its unit group, see
# lab/notes/2026-11-27.md.

from dataclasses import dataclass
from typing import Self

import numpy as np

from jobmatch_core.linking.arrays import Flags, Floats, Indices, ParallelArrays, unit_keys
from jobmatch_core.linking.index import NO_UNIT, NameIndex

_LEAST_MASS = 1e-3  # of the group's probability, whose log odds are a feature
_LEAST_TRUST = 0.5  # so that people find the name that they look for, and no other unit group is linked instead


@dataclass(frozen=True, slots=True)
class EqualNames(ParallelArrays):
    """What is known of the names of candidates.

    Attributes:
        equal: (candidate,) true if its best name equals the title.
        further: (candidate,) true if it is equal, and not the taxonomy's own.
        preferred: (candidate,) true if it is equal, and is, or is a form of, a preferred name.
        units: (candidate,) code of its unit group as a number; NO_UNIT without one.
    """

    equal: Flags
    further: Flags
    preferred: Flags
    units: Indices

    @classmethod
    def of(cls, index: NameIndex, concepts: Indices, entries: Indices, equal: Flags) -> Self:
        """Look up candidates in an index.

        Args:
            index: the index.
            concepts: (candidate,) concept numbers.
            entries: (candidate,) entry numbers; those of own names are further names, and not preferred.
            equal: (candidate,) true if the entry equals the title.
        """
        further = index.are_further(entries)
        preferred = ~further & index.preferred.take(entries, mode="clip")
        return cls(equal, equal & further, equal & preferred, index.units[concepts])

    def in_named_groups(self, sets: Indices) -> Flags:
        """Return (candidate,) true if an equal name of its choice set has the same unit group.

        Args:
            sets: (candidate,) choice-set numbers.
        """
        groups = unit_keys(sets, self.units)
        return np.isin(groups, groups[self.equal])

    def group_masses(self, sets: Indices, probabilities: Floats, n_sets: int = 0) -> Floats:
        """Return (set,) the probability of the unit groups of the equal names.

        Args:
            sets: (candidate,) choice-set numbers.
            probabilities: (candidate,) probabilities.
            n_sets: number of choice sets; by default up to the last with a candidate.
        """
        return np.bincount(sets, probabilities * self.in_named_groups(sets), n_sets).astype(np.float64)

    def of_taxonomy(self, sets: Indices, n_sets: int) -> Flags:
        """Return (set,) true if names equal the title, all of them the taxonomy's own and with a unit group.

        Args:
            sets: (candidate,) choice-set numbers.
            n_sets: number of choice sets.
        """
        others = self.equal & (self.further | (self.units == NO_UNIT))
        return in_sets(sets, self.equal, n_sets) & ~in_sets(sets, others, n_sets)


def in_sets(sets: Indices, flags: Flags, n_sets: int) -> Flags:
    """Return (set,) true if a flag of its candidates is; *sets* and *flags* are (candidate,)."""
    some: Flags = np.bincount(sets[flags], minlength=n_sets) > 0
    return some


@dataclass(frozen=True, slots=True)
class NameTrust:
    """The fitted model: the log odds are `bias` + `slope` * log odds by the other evidence (+ `preferred`)."""

    bias: float
    slope: float
    preferred: float

    @classmethod
    def fit(cls, masses: Floats, preferred: Flags, right: Flags) -> Self:
        """Fit on titles that equal names of the taxonomy, right ones and wrong ones among them.

        Args:
            masses: (title,) probability of the names' unit groups by the other evidence.
            preferred: (title,) true if one of the names is preferred.
            right: (title,) true if one of them is of a right unit group.
        """
        from sklearn.linear_model import LogisticRegression  # the import takes longer than linking a title

        features = np.stack([_log_odds(masses), preferred], axis=1)
        fitted = LogisticRegression(C=10.0).fit(features, right)
        slope, of_preferred = fitted.coef_[0].tolist()
        return cls(float(fitted.intercept_[0]), slope, of_preferred)

    def probabilities(self, masses: Floats, preferred: Flags) -> Floats:
        """Return (title,) the probability that a name's unit group is right; arguments as of `fit`."""
        return np.asarray(1 / (1 + np.exp(-(self.bias + self.slope * _log_odds(masses) + self.preferred * preferred))))

    def shares(self, masses: Floats, preferred: Flags) -> Floats:
        """Return (title,) the probability that the names' unit groups are given; arguments as of `fit`."""
        return np.maximum(self.probabilities(masses, preferred), _LEAST_TRUST)


def _log_odds(masses: Floats) -> Floats:
    clipped = np.clip(masses, _LEAST_MASS, 1 - _LEAST_MASS)
    return np.asarray(np.log(clipped / (1 - clipped)))
