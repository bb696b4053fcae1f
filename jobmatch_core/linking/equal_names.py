"""Names that equal a title, and how far they are trusted.

A title that a taxonomy has as a name may still mean something else: ESCO has `Fejlesztő`, a developer, among the names
of those who develop games of chance. So the trust in the unit group of such a name is fitted, on titles of known unit
groups: a logistic model of the probability that the other evidence gives it, of whether the name is preferred, and of
what the lexicon and the bundled taxonomy, which were written independently of it, say of the name.
"""

# Names of the lexicon are not in the fit: nearly all titles that equal one are of its unit group, see
# lab/notes/2026-11-27.md.

from dataclasses import dataclass
from typing import Self

import numpy as np
from numpy.typing import NDArray

from jobmatch_core.linking.arrays import Flags, Floats, Indices, ParallelArrays, unit_keys
from jobmatch_core.linking.index import NO_UNIT, NameIndex

_LEAST_MASS = 1e-3  # of the group's probability, whose log odds are a feature
_LEAST_TRUST = 0.5  # so that people find the name that they look for, and no other unit group is linked instead


@dataclass(frozen=True, slots=True)
class EqualNames(ParallelArrays):
    """What is known of the names of candidates."""

    equal: Flags  # (candidate,) true if its best name equals the title
    further: Flags  # (candidate,) true if it is equal, and not the taxonomy's own
    preferred: Flags  # (candidate,) true if it is equal, and is, or is a form of, a preferred name
    part: Flags  # (candidate,) true if it is equal, and only a form of a name
    # (candidate, 2) what the lexicon and the bundled taxonomy say of it if it is equal, see `NameIndex.votes`
    votes: NDArray[np.int8]
    units: Indices  # (candidate,) code of its unit group as a number; NO_UNIT without one

    @classmethod
    def of(cls, index: NameIndex, concepts: Indices, entries: Indices, equal: Flags) -> Self:
        """Look up candidates in an index.

        Args:
            concepts: (candidate,) concept numbers.
            entries: (candidate,) entry numbers; those of own names are further names, and not preferred.
            equal: (candidate,) true if the entry equals the title.
        """
        further = index.are_further(entries)
        preferred = ~further & index.preferred.take(entries, mode="clip")
        in_index = equal & (entries < len(index.texts))
        part = in_index & ~index.whole.take(entries, mode="clip")
        votes = index.votes.take(entries, axis=0, mode="clip") * in_index[:, None]
        return cls(equal, equal & further, equal & preferred, part, votes, index.units[concepts])

    def in_named_groups(self, sets: Indices) -> Flags:
        """Return (candidate,) true if an equal name of its choice set, by number in *sets*, has the same unit group."""
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

    @property
    def agreed(self) -> Flags:
        """(candidate,) true if it is equal, and the lexicon and the bundled taxonomy have the name in its group."""
        return np.asarray((self.votes > 0).all(axis=1), dtype=bool)

    @property
    def alternative(self) -> Flags:
        """(candidate,) true if it is equal, and is the taxonomy's own name, but neither preferred nor agreed on."""
        return self.equal & ~self.further & ~self.preferred & ~self.agreed

    def against(self, sets: Indices, chosen: Flags) -> Flags:
        """Return (candidate,) true if its choice set has a chosen name, but none of its unit group.

        *sets* are the candidates' choice-set numbers, *chosen* some of the equal names.
        """
        groups = unit_keys(sets, self.units)
        others: Flags = ~np.isin(groups, groups[chosen])
        return others & np.isin(sets, sets[chosen])

    def foreign(self, sets: Indices) -> Flags:
        """Return (candidate,) true if it is equal and the lexicon's, and its choice set has a name of the taxonomy.

        And the lexicon has no title that equals that name, in its language, in other unit groups alone.

        Args:
            sets: (candidate,) choice-set numbers.
        """
        lexicons = self.further & (self.votes[:, 0] > 0)
        uncontradicted = self.equal & ~self.further & ~self.part & (self.votes[:, 0] >= 0)
        return np.asarray(lexicons & np.isin(sets, sets[uncontradicted]), dtype=bool)

    def disputed(self, sets: Indices, n_sets: int) -> Flags:
        """Return (set,) true if the lexicon alone has a name of the taxonomy, not a preferred one, in another group."""
        alone = self.further & ~self.agreed
        disputed = in_sets(sets, self.alternative & self.against(sets, alone), n_sets)
        return disputed & ~in_sets(sets, self.preferred | self.agreed, n_sets)

    def votes_of(self, sets: Indices, n_sets: int) -> Floats:
        """Return (set, 2) the votes on the names of a choice set: for any of them, else against any of them."""
        columns = [
            np.where(in_sets(sets, votes > 0, n_sets), 1.0, -1.0 * in_sets(sets, votes < 0, n_sets))
            for votes in self.votes.T
        ]
        return np.stack(columns, axis=1)

    def of_taxonomy(self, sets: Indices, n_sets: int) -> Flags:
        """Return (set,) true if names equal the title, all of them the taxonomy's own and with a unit group."""
        others = self.equal & (self.further | (self.units == NO_UNIT))
        return in_sets(sets, self.equal, n_sets) & ~in_sets(sets, others, n_sets)


def in_sets(sets: Indices, flags: Flags, n_sets: int) -> Flags:
    """Return (set,) true if a flag of its candidates is; *sets* and *flags* are (candidate,)."""
    some: Flags = np.bincount(sets[flags], minlength=n_sets) > 0
    return some


@dataclass(frozen=True, slots=True)
class NameTrust:
    """The fitted model: what is added up to the log odds that a name's unit group is right."""

    bias: float  # always
    slope: float  # times the log odds by the other evidence
    preferred: float  # where the name is preferred
    # lexicon, bundled: where these have the name in the same unit group
    lexicon: float = 0.0
    # not_lexicon, not_bundled: where they have it in others alone
    not_lexicon: float = 0.0
    bundled: float = 0.0
    not_bundled: float = 0.0

    @classmethod
    def fit(cls, masses: Floats, preferred: Flags, votes: Floats, right: Flags) -> Self:
        """Fit on titles that equal names of the taxonomy, right ones and wrong ones among them.

        Args:
            masses: (title,) probability of the names' unit groups by the other evidence.
            preferred: (title,) true if one of the names is preferred.
            votes: (title, 2) see `EqualNames.votes_of`.
            right: (title,) true if one of them is of a right unit group.
        """
        from sklearn.linear_model import LogisticRegression  # the import takes longer than linking a title

        fitted = LogisticRegression(C=10.0).fit(_features(masses, preferred, votes), right)
        return cls(float(fitted.intercept_[0]), *fitted.coef_[0].tolist())

    def probabilities(self, masses: Floats, preferred: Flags, votes: Floats) -> Floats:
        """Return (title,) the probability that a name's unit group is right; arguments as of `fit`."""
        weights = [self.slope, self.preferred, self.lexicon, self.not_lexicon, self.bundled, self.not_bundled]
        return np.asarray(1 / (1 + np.exp(-(self.bias + _features(masses, preferred, votes) @ np.array(weights)))))

    def shares(self, masses: Floats, preferred: Flags, votes: Floats) -> Floats:
        """Return (title,) the probability that the names' unit groups are given; arguments as of `fit`."""
        return np.maximum(self.probabilities(masses, preferred, votes), _LEAST_TRUST)


def _features(masses: Floats, preferred: Flags, votes: Floats) -> Floats:
    lexicon, bundled = np.asarray(votes).T
    return np.stack([_log_odds(masses), preferred, lexicon > 0, lexicon < 0, bundled > 0, bundled < 0], axis=1)


def _log_odds(masses: Floats) -> Floats:
    clipped = np.clip(masses, _LEAST_MASS, 1 - _LEAST_MASS)
    return np.asarray(np.log(clipped / (1 - clipped)))
