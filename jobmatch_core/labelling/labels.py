"""Resolution of a pair's judgments to one label, or none.

An adjudication takes precedence, the last one of several. Without one, the verdict of more than half of the pair's
annotators is the label; skips are not counted. Without such a majority, or if it is unsure, there is no
label.
"""

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum
from functools import cache

from jobmatch_core.entities import Judgment, Pair, Verdict
from jobmatch_core.judgment_tallies import NO_VOTES, Votes
from jobmatch_core.labelling.current import current_judgments


class Resolution(StrEnum):
    """Way in which a pair was resolved to a label or to none."""

    ADJUDICATED = "adjudicated"
    UNANIMOUS = "unanimous"  # one annotator alone included
    MAJORITY = "majority"
    TIE = "tie"  # no label, like all below: no verdict has a majority
    UNSURE = "unsure"
    SKIPPED = "skipped"


LABELLED = (Resolution.ADJUDICATED, Resolution.UNANIMOUS, Resolution.MAJORITY)


@dataclass(frozen=True, slots=True)
class Label:
    """A pair's label.

    Attributes:
        pair: the labelled pair.
        positive: true if its sides belong together.
        resolution: way of its resolution.
        at: time of the last of its judgments; before that the label was unknown.
        judgments: current judgments of the pair, with their provenance, in the order of recording.
    """

    pair: Pair
    positive: bool
    resolution: Resolution
    at: datetime
    judgments: tuple[Judgment, ...]


@dataclass(frozen=True, slots=True)
class Labels:
    """All labels, in the order of their pairs' first judgments, and the number of pairs by resolution."""

    labels: tuple[Label, ...]
    resolutions: Mapping[Resolution, int]


def labels_of(judgments: Iterable[Judgment]) -> Labels:
    """Resolve all pairs to labels.

    Args:
        judgments: the whole history, or the current judgments, in the order of recording.
    """
    by_pair: dict[Pair, list[Judgment]] = {}
    for judgment in current_judgments(judgments):
        by_pair.setdefault(judgment.pair, []).append(judgment)
    found = []
    counts: Counter[Resolution] = Counter()
    for pair, current in by_pair.items():
        verdict, resolution = resolved(votes_of(current))
        counts[resolution] += 1
        if resolution in LABELLED:
            at = max(judgment.at for judgment in current)
            found.append(Label(pair, verdict is Verdict.POSITIVE, resolution, at, tuple(current)))
    return Labels(tuple(found), {resolution: counts[resolution] for resolution in Resolution})


def label_of(votes: Votes) -> bool | None:
    """Return whether a pair's label is positive; None if it has none."""
    verdict, resolution = resolved(votes)
    return verdict is Verdict.POSITIVE if resolution in LABELLED else None


def resolved(votes: Votes) -> tuple[Verdict | None, Resolution]:
    """Return a pair's verdict and its resolution."""
    if votes.settled is not None:
        return _sure(votes.settled, Resolution.ADJUDICATED)
    said = {Verdict.POSITIVE: votes.positive, Verdict.NEGATIVE: votes.negative, Verdict.UNSURE: votes.unsure}
    total = sum(said.values())
    if not total:
        return None, Resolution.SKIPPED
    verdict = max(said, key=said.__getitem__)
    if 2 * said[verdict] <= total:
        return None, Resolution.TIE
    return _sure(verdict, Resolution.UNANIMOUS if said[verdict] == total else Resolution.MAJORITY)


def votes_of(judgments: Iterable[Judgment]) -> Votes:
    """Count the current judgments of a pair, in the order of recording."""
    votes = NO_VOTES
    for judgment in judgments:
        votes = with_vote(votes, judgment.verdict, judgment.adjudicates)
    return votes


@cache  # few are different
def with_vote(votes: Votes, verdict: Verdict | None, adjudicates: bool) -> Votes:
    """Return votes with another judgment; None is no verdict."""
    return votes if verdict is None else votes.plus(verdict, adjudicates=adjudicates)


def _sure(verdict: Verdict, resolution: Resolution) -> tuple[Verdict, Resolution]:
    return (verdict, Resolution.UNSURE if verdict is Verdict.UNSURE else resolution)
