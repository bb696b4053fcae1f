"""Rank-biased overlap of two rankings (Webber, Moffat and Zobel 2010, equation 7)."""

from collections.abc import Hashable, Sequence

PERSISTENCE = 0.9  # the first ten ranks have 86 % of the weight


def rank_biased_overlap(left: Sequence[Hashable], right: Sequence[Hashable], p: float = PERSISTENCE) -> float:
    """Return the overlap of two rankings of the same depth: 1 for equal ones, 0 for such as share nothing.

    It is the mean share of common elements among the first d of both, with weights that fall by *p* from one depth d to
    the next. The sum ends with the rankings and is divided by its own weights, so that equal rankings have 1.

    Args:
        left: elements, best first, each once.
        right: as many elements.
        p: the weight of each depth relative to the one before, above 0 and below 1.
    """
    seen: set[Hashable] = set()
    common, total, weight, weights = 0, 0.0, 1.0, 0.0
    for depth, pair in enumerate(zip(left, right, strict=True), start=1):
        for element in dict.fromkeys(pair):
            common += element in seen or pair[0] == pair[1]
            seen.add(element)
        total += weight * common / depth
        weights += weight
        weight *= p
    return total / weights if weights else 1.0
