"""Names that equal a title, and how far they are trusted.

A title that a taxonomy has as a name may still mean something else: ESCO has `Fejlesztő`, a developer, among the names
of those who develop games of chance. So the trust in such a name is fitted, on titles of known unit groups: a logistic
model of the probability that the other evidence gives the name's unit group, and of whether the name is preferred.
"""

# Names of the lexicon are not in the fit: nearly all titles that equal one are of its unit group, see
# lab/notes/2026-11-27.md.

from dataclasses import dataclass
from typing import Self

import numpy as np

from jobmatch_core.linking.arrays import Flags, Floats, Indices, ParallelArrays
from jobmatch_core.linking.corrections import EXACT_NAME
from jobmatch_core.linking.index import NO_UNIT, NameIndex

_UNITS = 10_000  # more than any code of a unit group
_LEAST_MASS = 1e-3  # of the group's probability, whose log odds are a feature
_LEAST_TRUST = 0.5  # so that the name comes first, which people look for, and no other unit group is linked instead


@dataclass(frozen=True, slots=True)
class EqualNames(ParallelArrays):
    """What is known of the names of candidates.

    Attributes:
        equal: (candidate,) true if its best name equals the title.
        further: (candidate,) true if that name is not the taxonomy's own.
        preferred: (candidate,) true if that name is, or is a form of, a preferred name.
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

    def group_masses(self, sets: Indices, probabilities: Floats) -> Floats:
        """Return (set,) the probability of the unit groups of the equal names, up to the last set with a candidate.

        Args:
            sets: (candidate,) choice-set numbers, ascending.
            probabilities: (candidate,) probabilities by the other evidence.
        """
        groups = sets.astype(np.int64) * _UNITS + self.units
        named = np.isin(groups, groups[self.equal])
        return np.bincount(sets, probabilities * named).astype(np.float64)


@dataclass(frozen=True, slots=True)
class NameTrust:
    """The fitted model: the log odds of a name are `bias` + `slope` * log odds of its group (+ `preferred`)."""

    bias: float
    slope: float
    preferred: float

    @classmethod
    def fit(cls, masses: Floats, preferred: Flags, right: Flags) -> Self:
        """Fit on titles that equal names of the taxonomy, right ones and wrong ones among them.

        Args:
            masses: (title,) see `EqualNames.group_masses`.
            preferred: (title,) true if one of the names is preferred.
            right: (title,) true if one of them is of a right unit group.
        """
        from sklearn.linear_model import LogisticRegression  # the import takes longer than linking a title

        features = np.stack([_log_odds(masses), preferred], axis=1)
        fitted = LogisticRegression(C=10.0).fit(features, right)
        slope, of_preferred = fitted.coef_[0].tolist()
        return cls(float(fitted.intercept_[0]), slope, of_preferred)

    def probabilities(self, masses: Floats, preferred: Flags) -> Floats:
        """Return (title,) the probability that a name is right; arguments as of `fit`."""
        return np.asarray(1 / (1 + np.exp(-(self.bias + self.slope * _log_odds(masses) + self.preferred * preferred))))

    def shares(self, sets: Indices, probabilities: Floats, names: EqualNames) -> tuple[Floats, Flags]:
        """Return (set,) the probability of the equal names of each choice set, and true where it is fitted.

        Elsewhere it is `EXACT_NAME`: for names of the lexicon, and where an equal name has no unit group.

        Args:
            sets: (candidate,) choice-set numbers, ascending.
            probabilities: (candidate,) probabilities by the other evidence.
            names: their names.
        """
        masses = names.group_masses(sets, probabilities)
        n_sets = len(masses)
        equal = names.equal
        unknown = equal & (names.further | (names.units == NO_UNIT))
        is_fitted = (np.bincount(sets, equal, n_sets) > 0) & (np.bincount(sets, unknown, n_sets) == 0)
        preferred = np.bincount(sets, names.preferred, n_sets) > 0
        trust = np.maximum(self.probabilities(masses, preferred), _LEAST_TRUST)
        return np.where(is_fitted, trust, EXACT_NAME), is_fitted


def _log_odds(masses: Floats) -> Floats:
    clipped = np.clip(masses, _LEAST_MASS, 1 - _LEAST_MASS)
    return np.asarray(np.log(clipped / (1 - clipped)))
