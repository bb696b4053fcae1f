"""Counts of a list of links by status, probability and ISCO-08 group, and the time left."""

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np

from jobmatch_core.taxonomy import Taxonomy


@dataclass(frozen=True, slots=True)
class StatusCount:
    """Number of rows of a status and their share in per cent; the shares of all statuses add up to 100."""

    word: str
    count: int
    percent: int


@dataclass(frozen=True, slots=True)
class ProbabilityBin:
    """Number of links with a probability from `start` up to `end`."""

    start: float
    end: float
    count: int


@dataclass(frozen=True, slots=True)
class GroupCount:
    """Number of links in an ISCO-08 group; `parent` is the code one level above, '' at the top."""

    code: str
    name: str
    parent: str
    count: int


def count_statuses(words: Iterable[str], order: Sequence[str]) -> list[StatusCount]:
    """Count statuses, listed in *order*; the largest remainders are rounded up so that shares add up to 100."""
    counts = Counter(words)
    total = sum(counts.values()) or 1
    percents = {word: 100 * counts[word] // total for word in order}
    left_over = 100 - sum(percents.values()) if counts else 0
    for word in sorted(order, key=lambda word: -(100 * counts[word] % total))[:left_over]:
        percents[word] += 1
    return [StatusCount(word, counts[word], percents[word]) for word in order]


def count_probabilities(probabilities: Sequence[float], *, n_bins: int = 20) -> list[ProbabilityBin]:
    """Count probabilities in bins of equal width from 0 to 1."""
    counts, edges = np.histogram(np.asarray(probabilities, dtype=float), bins=n_bins, range=(0.0, 1.0))
    return [
        ProbabilityBin(round(float(start), 4), round(float(end), 4), int(count))
        for start, end, count in zip(edges, edges[1:], counts, strict=False)
    ]


def count_groups(taxonomy: Taxonomy, codes: Iterable[str], *, show: str) -> list[GroupCount]:
    """Count ISCO-08 codes in their groups of every level, ordered by code; empty codes and groups are left out.

    Args:
        taxonomy: names the groups.
        codes: one ISCO-08 code per link.
        show: language of the names.
    """
    counts = Counter(code[:digits] for code in codes for digits in range(1, len(code) + 1))
    return [GroupCount(code, taxonomy.group_name(code, show), code[:-1], counts[code]) for code in sorted(counts)]


def seconds_left(done: int, total: int, elapsed: float) -> float | None:
    """Return the estimated remaining seconds at the speed so far; None if nothing is done yet."""
    return elapsed / done * (total - done) if done else None
