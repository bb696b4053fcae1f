"""A title's ranked candidates, as arrays; `LinkResult` has the names of the best of them."""

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from jobmatch_core.linking.scorers import Indices


@dataclass(frozen=True, slots=True)
class Ranking:
    """One title's candidates, best first.

    Attributes:
        concepts: (candidate,) concept numbers in the taxonomy.
        entries: (candidate,) entry of the index that matched; higher ones belong to the layer of own names.
        texts: (candidate,) which of the title's forms and readings matched, as numbered by `TitleTexts`.
        shares: (candidate, scorer) share of each scorer in the utility, see `Calibration.scorer_shares`.
        probabilities: (candidate,) probability of each.
    """

    concepts: Indices
    entries: Indices
    texts: Indices
    shares: NDArray[np.float64]
    probabilities: NDArray[np.float64]

    def take(self, order: Indices | slice) -> "Ranking":
        """Return the candidates in another order."""
        return Ranking(*(getattr(self, name)[order] for name in self.__slots__))

    @classmethod
    def mixed(cls, rankings: "Sequence[Ranking]") -> "Ranking":
        """Return the mean of the rankings of equally likely meanings; each candidate as where it is likeliest."""
        every = cls(*(np.concatenate([getattr(each, name) for each in rankings]) for name in cls.__slots__))
        every = every.take(np.lexsort((-every.probabilities, every.concepts)))
        starts = np.flatnonzero(np.diff(every.concepts, prepend=-1))
        if not len(starts):
            return every
        means = np.add.reduceat(every.probabilities, starts) / len(rankings)
        best = replace(every.take(starts), probabilities=means)
        return best.take(np.argsort(-means, kind="stable"))
