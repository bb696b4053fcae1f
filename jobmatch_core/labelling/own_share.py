"""An annotator's share of the pairs: which pairs are theirs.

Each pair is assigned to as many people as are to judge it by systematic sampling with unequal probabilities
(Madow, 1949) in random order (Hartley and Rao, 1962): everybody gets pairs in proportion to their share, nobody gets a
pair twice, and any two people meet on some pairs. All that is random follows from hashes of pairs and names, so that
every session assigns a pair to the same people. Chance gives some people a few pairs too many; those go to who has too
few, so that the shares hold exactly, in small pools too.
"""

import numpy as np
from numpy.typing import NDArray

from jobmatch_core.labelling.hash_sampling import Codes, code_of, draws, shares
from jobmatch_core.quotas import Quotas

Places = NDArray[np.int64]

_ANYBODY = ""  # who has no share of their own
_START, _MOVED = 3, 4  # seeds: of where the sampling of a pair begins, and of the order in which pairs are moved


def is_own(codes: Codes, quotas: Quotas, annotator: str) -> NDArray[np.bool_]:
    """Return which pairs are assigned to an annotator, or to anybody if they have no share of their own.

    Args:
        codes: (pair,) hashes of all pairs that are shared.
        quotas: the judgments per pair, and the shares.
        annotator: name of the annotator.
    """
    left = max(0.0, 1 - sum(share for _, share in quotas.shares))
    share_of = {_ANYBODY: left} | dict(sorted(quotas.shares))
    parts = quotas.judgments * np.array(list(share_of.values()))
    places = _sampled(codes, [code_of(name) for name in share_of], parts)
    _balance(places, _rounded(parts * len(codes)), draws(codes, _MOVED))
    column = list(share_of).index(annotator if annotator in share_of else _ANYBODY)
    return np.asarray(places[:, column] > 0, dtype=np.bool_)


def _sampled(codes: Codes, people: list[int], parts: NDArray[np.float64]) -> Places:
    """Return how many judgments of each pair each person is to make, (pair, person); only anybody makes several.

    Args:
        codes: (pair,) hashes of pairs.
        people: (person,) hashes of names.
        parts: (person,) mean number of judgments of a pair.
    """
    order = np.argsort(np.stack([draws(codes, person) for person in people], axis=1), axis=1)
    ends = np.cumsum(parts[order], axis=1)
    # each person has an interval; those that hold a point start, start + 1, start + 2, ... get the pair
    start = shares(codes, _START)[:, np.newaxis]
    points = np.ceil(ends - start) - np.ceil(np.pad(ends[:, :-1], ((0, 0), (1, 0))) - start)
    places = np.zeros(order.shape, dtype=np.int64)
    np.put_along_axis(places, order, points.astype(np.int64), axis=1)
    return places


def _rounded(wished: NDArray[np.float64]) -> Places:
    """Return whole numbers with the same sum, by largest remainders."""
    whole = np.floor(wished + 1e-9)
    left = round(wished.sum() - whole.sum())
    whole[np.argsort(whole - wished, kind="stable")[:left]] += 1
    return whole.astype(np.int64)


def _balance(places: Places, wished: Places, order: Codes) -> None:
    """Move judgments from people with too many to people with too few, in place, who have none of that pair yet.

    Args:
        places: (pair, person) numbers of judgments.
        wished: (person,) wished sums.
        order: (pair,) keys; of the pairs that may be moved, those with the lowest are.
    """
    over = places.sum(axis=0) - wished
    for giver in np.flatnonzero(over > 0).tolist():
        for taker in np.flatnonzero(over < 0).tolist():
            rows = np.flatnonzero((places[:, giver] > 0) & (places[:, taker] == 0))
            rows = rows[np.argsort(order[rows])][: min(over[giver], -over[taker])]
            places[rows, giver] -= 1
            places[rows, taker] += 1
            over[giver] -= len(rows)
            over[taker] += len(rows)
