"""An annotator's share of the pairs: which pairs are theirs, and how many judgments they still owe.

Each pair is assigned to as many people as are to judge it by systematic sampling with unequal probabilities
(Madow, 1949) in random order (Hartley and Rao, 1962): everybody gets pairs in proportion to their share, nobody gets a
pair twice, and any two people meet on some pairs. All that is random follows from hashes of pairs and names, so that
every session assigns a pair to the same people, whatever other pairs there are.
"""

from math import ceil

import numpy as np
from numpy.typing import NDArray

from jobmatch_core.labelling.hash_sampling import Codes, code_of, draws, shares
from jobmatch_core.quotas import Quotas

_ANYBODY = ""  # who has no share of their own
_START = 3  # seed of the place where the sampling of a pair begins: one for all sessions


def is_own(codes: Codes, quotas: Quotas, annotator: str) -> NDArray[np.bool_]:
    """Return which pairs are assigned to an annotator, or to anybody if they have no share of their own.

    Args:
        codes: (pair,) hashes of the pairs.
        quotas: the judgments per pair, and the shares.
        annotator: name of the annotator.
    """
    left = max(0.0, 1 - sum(share for _, share in quotas.shares))
    share_of = dict(sorted(quotas.shares)) | {_ANYBODY: left}
    lengths = quotas.judgments * np.array(list(share_of.values()))
    order = np.argsort(np.stack([draws(codes, code_of(name)) for name in share_of], axis=1), axis=1)
    ends = np.cumsum(lengths[order], axis=1)
    # each annotator has an interval; those that hold a point start, start + 1, start + 2, ... get the pair
    start = shares(codes, _START)[:, np.newaxis]
    chosen = np.ceil(ends - start) > np.ceil(ends - lengths[order] - start)
    place = list(share_of).index(annotator if annotator in share_of else _ANYBODY)
    return np.asarray((chosen & (order == place)).any(axis=1), dtype=np.bool_)


def owed(quotas: Quotas, annotator: str, n_pairs: int, n_judged: int) -> int:
    """Return the number of judgments that an annotator with a share still owes; 0 for anybody else.

    Args:
        quotas: the judgments per pair, and the shares.
        annotator: name of the annotator.
        n_pairs: number of pairs to share.
        n_judged: number of these that the annotator has judged.
    """
    share = quotas.share(annotator) or 0.0
    return max(0, ceil(share * quotas.judgments * n_pairs - 1e-9) - n_judged)
