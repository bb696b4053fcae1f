"""Summary of a list of links: counts by confidence, by probability and by ISCO-08 group."""

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np

from jobmatch_core.linking.records import LIKELY, SURE, TO_CHECK, UNSURE, confidence_word
from jobmatch_core.taxonomy import Taxonomy

CONFIDENCES = (SURE, LIKELY, UNSURE, TO_CHECK)


@dataclass(frozen=True, slots=True)
class ConfidenceCount:
    """Number of links of a confidence, and their share of all."""

    word: str
    count: int
    share: float


@dataclass(frozen=True, slots=True)
class ProbabilityBin:
    """Number of links with a probability from `start` up to `end`, and the word for it."""

    start: float
    end: float
    word: str
    count: int


@dataclass(frozen=True, slots=True)
class GroupCount:
    """Number of links in an ISCO-08 group; `parent` is the code one level above, '' at the top."""

    code: str
    name: str
    parent: str
    count: int


def count_confidences(words: Iterable[str]) -> list[ConfidenceCount]:
    """Count the words that `records.confidence` gave, in the order sure, likely, unsure, to check."""
    counts = Counter(words)
    total = sum(counts[word] for word in CONFIDENCES) or 1
    return [ConfidenceCount(word, counts[word], counts[word] / total) for word in CONFIDENCES]


def count_probabilities(probabilities: Sequence[float], *, n_bins: int = 20) -> list[ProbabilityBin]:
    """Count probabilities in bins of one width from 0 to 1."""
    counts, edges = np.histogram(np.asarray(probabilities, dtype=float), bins=n_bins, range=(0.0, 1.0))
    return [
        ProbabilityBin(
            round(float(start), 4), round(float(end), 4), confidence_word(round(float(start), 4)), int(count)
        )
        for start, end, count in zip(edges, edges[1:], counts, strict=False)
    ]


def count_groups(taxonomy: Taxonomy, codes: Iterable[str], *, show: str) -> list[GroupCount]:
    """Count ISCO-08 codes in their groups of every level.

    Args:
        taxonomy: names the groups.
        codes: one ISCO-08 code per link; empty ones are not counted.
        show: language of the names.

    Returns:
        Groups that have at least one link, by code; a group's count is the sum over its subgroups and
        over codes that end at it.
    """
    counts = Counter(code[:digits] for code in codes for digits in range(1, len(code) + 1))
    return [
        GroupCount(code, taxonomy.group_name(code, show), code[:-1], counts[code]) for code in sorted(counts)
    ]  # fmt: skip


def seconds_left(done: int, total: int, elapsed: float) -> float | None:
    """Return the estimated seconds for the rest at the speed so far, or None if nothing is done yet."""
    return elapsed / done * (total - done) if done else None
