"""Figures of linking postings to occupations: by their title alone, by their description alone, and by both.

Datasets: `descriptions.coded_postings`. Nothing is fitted on them. Every occupation of the taxonomy is ranked; of
several right ones the best counts, and of occupations that score the same the right one is taken to stand last. A
posting whose occupations the taxonomy does not have stays, and is missed.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from jobmatch_core.descriptions.coded_postings import CodedPosting
from jobmatch_core.entities import FloatArray, Progress, no_progress
from jobmatch_core.linking.posting_linker import PostingLinker
from jobmatch_core.metrics.ranking import mean_reciprocal_rank, recall_at
from jobmatch_core.metrics.significance import Interval, bootstrap_interval
from jobmatch_core.taxonomy import Taxonomy

TITLE, DESCRIPTION, BOTH = "title", "description", "both"


@dataclass(frozen=True, slots=True)
class PostingFigures:
    """Figures of one way of linking.

    Attributes:
        by: text that is read of a posting.
        postings: number of postings.
        accuracy_at_1, recall_at_5, recall_at_10, mrr: figures of the right occupation, higher is better.
        mrr_interval: 95 %, over the postings.
    """

    by: str
    postings: int
    accuracy_at_1: float
    recall_at_5: float
    recall_at_10: float
    mrr: float
    mrr_interval: Interval


def known_postings(
    postings: Sequence[CodedPosting], codes: Taxonomy
) -> tuple[list[CodedPosting], list[tuple[str, ...]]]:
    """Return the postings with a code that a taxonomy's occupations have, and the URIs of these occupations."""
    concepts = codes.tables.concepts.iloc[codes.occupation_numbers]
    uris = dict(zip(concepts["code"].to_list(), concepts["uri"].to_list(), strict=True))
    found = [(posting, tuple(uris[code] for code in posting.codes if code in uris)) for posting in postings]
    return [posting for posting, right in found if right], [right for _, right in found if right]


def evaluate_posting_linking(
    fused: PostingLinker,
    postings: Sequence[CodedPosting],
    right: Sequence[Sequence[str]],
    *,
    progress: Progress = no_progress,
) -> list[PostingFigures]:
    """Rank all occupations for each posting in three ways.

    Args:
        fused: linker of postings.
        postings: at least one.
        right: the URIs of each one's occupations.
        progress: called with postings done and in all.
    """
    places = {fused.linker.taxonomy.uris[concept]: place for place, concept in enumerate(fused.concepts.tolist())}
    titles = [each.posting.title for each in postings]
    descriptions = [each.posting.description for each in postings]
    weights = np.array(fused.weights.weights)
    ways = {TITLE: weights * (1, 0, 0), DESCRIPTION: weights * (0, 1, 1), BOTH: weights}
    ranks: dict[str, list[float]] = {way: [] for way in ways}
    for features in fused.features(titles, descriptions):
        done = len(ranks[BOTH])
        wanted = [[places[uri] for uri in uris if uri in places] for uris in right[done : done + len(features)]]
        for way, chosen in ways.items():
            ranks[way] += best_ranks(features @ chosen, wanted, nothing=0.0 if way == TITLE else None)
        progress(len(ranks[BOTH]), len(titles))
    return [_figures(way, np.array(found)) for way, found in ranks.items()]


def best_ranks(
    utilities: NDArray[np.float64] | FloatArray, right: Sequence[Sequence[int]], *, nothing: float | None = None
) -> list[float]:
    """Return the rank of the best of each row's right columns, infinite where there is none.

    Args:
        utilities: (posting, occupation).
        right: columns.
        nothing: the utility of what was not found at all, which has no rank.
    """
    ranks = []
    for row, columns in zip(utilities, right, strict=True):
        best = max((row[column] for column in columns), default=-np.inf)
        missed = not columns or (nothing is not None and best <= nothing)
        ranks.append(np.inf if missed else float((row >= best).sum()))
    return ranks


def _figures(by: str, ranks: NDArray[np.float64]) -> PostingFigures:
    return PostingFigures(
        by=by,
        postings=len(ranks),
        accuracy_at_1=recall_at(ranks, 1),
        recall_at_5=recall_at(ranks, 5),
        recall_at_10=recall_at(ranks, 10),
        mrr=mean_reciprocal_rank(ranks),
        mrr_interval=bootstrap_interval(1 / ranks),
    )
