"""Candidates for annotation, and hash sampling: reproducible pseudo-random numbers from texts."""

import json
from collections.abc import Hashable, Sequence
from dataclasses import dataclass
from functools import cached_property
from hashlib import blake2b

import numpy as np
from numpy.typing import NDArray

from jobmatch_core.entities import Pair

Codes = NDArray[np.uint64]
Rows = NDArray[np.intp]
Ranks = NDArray[np.int64]
Floats = NDArray[np.floating]

_WHOLE = 2.0**64


def code_of(*texts: str) -> int:
    """Return a 64-bit hash of texts, which depends on their order and boundaries."""
    return int.from_bytes(blake2b(json.dumps(texts).encode(), digest_size=8).digest(), "big")


def share_of(*texts: str) -> float:
    """Return a hash of texts as a number in [0, 1)."""
    return code_of(*texts) / _WHOLE % 1.0


def draws(codes: Codes, seed: int) -> Codes:
    """Return 64-bit hashes that depend on the seed; different codes stay different."""
    mask, factor = np.uint64(code_of("mask", str(seed))), np.uint64(code_of("factor", str(seed)) | 1)
    return (codes ^ mask) * factor  # with overflow; an odd factor is a bijection


def shares(codes: Codes, seed: int) -> NDArray[np.float64]:
    """Return hashes as numbers from 0 to 1, different for each seed."""
    return draws(codes, seed) / _WHOLE


@dataclass(frozen=True, eq=False)
class PairCandidates:
    """Pairs that may be shown to an annotator, one row each; all sequences have the same length."""

    pairs: Sequence[Pair]  # distinct pairs that this annotator has not judged
    scores: Floats  # scores of the model in use, probabilities or cosines
    # left_categories, right_categories: category keys of the project and the freelancer, '' where unknown
    left_categories: Sequence[str]
    right_categories: Sequence[str]
    n_judgments: NDArray[np.integer]  # number of others' verdicts
    other_scores: Floats | None = None  # scores of a second model, higher is better; None without one
    # decision threshold of the model: 0.5 for probabilities, the result of `decision_boundary` for cosines; None if
    # unknown, then the median score is used
    boundary: float | None = None

    def __post_init__(self) -> None:
        columns = (self.scores, self.left_categories, self.right_categories, self.n_judgments, self.other_scores)
        lengths = {len(self.pairs), *(len(column) for column in columns if column is not None)}
        if len(lengths) > 1:
            raise ValueError(f"all columns must have the same length; got {sorted(lengths)}")

    def __len__(self) -> int:
        return len(self.pairs)

    @cached_property
    def codes(self) -> Codes:
        """A reproducible hash of each pair."""
        return codes_of(self.pairs)

    @cached_property
    def projects(self) -> Rows:
        """A number for each row; equal for pairs of the same project or title."""
        return numbered([(pair.source, pair.left) for pair in self.pairs])


def codes_of(pairs: Sequence[Pair]) -> Codes:
    """Return a reproducible hash of each pair."""
    codes = (code_of(pair.kind, pair.source, pair.left, pair.right) for pair in pairs)
    return np.fromiter(codes, dtype=np.uint64, count=len(pairs))


def numbered(groups: Sequence[Hashable]) -> Rows:
    """Return a number for each row, equal for equal groups."""
    number_of = {group: number for number, group in enumerate(dict.fromkeys(groups))}
    return np.fromiter((number_of[group] for group in groups), dtype=np.intp, count=len(groups))


def ranks_within(groups: Rows, scores: Floats) -> Ranks:
    """Return each row's rank by score within its `numbered` group: 1 for the highest; ties share the best rank."""
    order = np.lexsort((-scores, groups))
    place = turns(groups[order])
    first = np.ones(len(order), dtype=np.bool_)
    first[1:] = (np.diff(groups[order]) != 0) | (np.diff(scores[order]) != 0)
    ranks = np.empty(len(order), dtype=np.int64)
    ranks[order] = place[np.maximum.accumulate(np.where(first, np.arange(len(order)), 0))] + 1
    return ranks


def turns(groups: Rows) -> Rows:
    """Return the number of earlier rows of the same group for each row."""
    order = np.argsort(groups, kind="stable")
    new = np.ones(len(order), dtype=np.bool_)
    new[1:] = np.diff(groups[order]) != 0
    start = np.maximum.accumulate(np.where(new, np.arange(len(order)), 0))
    before = np.empty(len(order), dtype=np.intp)
    before[order] = np.arange(len(order)) - start
    return before


def interleaved(order: Rows, groups: Rows) -> Rows:
    """Interleave the rows of groups in the given order: the first row of each group, then the second of each.

    *groups* are those of all rows, not only those in *order*.
    """
    return order[np.argsort(turns(groups[order]), kind="stable")]
