"""The ISCO group that a title most likely belongs to, where no occupation alone is sure."""

import numpy as np
from numpy.typing import NDArray

from jobmatch_core.entities import GroupOffer
from jobmatch_core.linking.scorers import Indices
from jobmatch_core.taxonomy import Taxonomy

GROUP_CONFIDENCE = 0.5  # a group is offered when its occupations' probabilities add up to this
_NEGLIGIBLE = 0.001  # less likely candidates cannot make a group sure


def likely_group(
    taxonomy: Taxonomy, concepts: Indices, probabilities: NDArray[np.float64], show: str
) -> GroupOffer | None:
    """Return the deepest ISCO group whose occupations' probabilities add up to `GROUP_CONFIDENCE`; None without one.

    Args:
        taxonomy: the taxonomy of the occupations.
        concepts: (candidate,) concept numbers.
        probabilities: (candidate,) probability of each.
        show: language of the group's name.
    """
    likely = probabilities >= _NEGLIGIBLE
    codes = [taxonomy.isco_codes[concept] for concept in concepts[likely].tolist()]
    for digits in (4, 3, 2, 1):
        sums: dict[str, float] = {}
        for code, probability in zip(codes, probabilities[likely].tolist(), strict=True):
            if len(code) >= digits:
                sums[code[:digits]] = sums.get(code[:digits], 0.0) + probability
        best = max(sums, key=sums.__getitem__, default=None)
        if best is not None and sums[best] >= GROUP_CONFIDENCE:
            return GroupOffer(best, taxonomy.group_name(best, show), min(sums[best], 1.0))
    return None
