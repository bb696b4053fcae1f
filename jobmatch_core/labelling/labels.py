"""Labels: the current judgments of a history, and their resolution to one label of each pair, or none.

Current judgments follow the same rule as the label store's views, as a pure function. Judged pairs, as one annotator
finds them, are counted from judgments at hand; the label store counts the same in the database.
"""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from enum import StrEnum
from functools import cache

from jobmatch_core.entities import Judgment, Pair, Verdict
from jobmatch_core.judgment_origin import Origin
from jobmatch_core.judgment_tallies import NO_VOTES, JudgedPair, JudgmentColumns, Votes


def current_judgments(judgments: Iterable[Judgment]) -> list[Judgment]:
    """Return the last judgment of each annotator of each pair, in the order given; adjudications are separate.

    A withdrawn judgment does not count; if its withdrawal is withdrawn, it counts again. Times are ignored, because
    clocks are set back. Current judgments are returned unchanged.

    Args:
        judgments: the whole history, or a part of it, in the order of recording.
    """
    ordered = list(judgments)
    standing = _standing(ordered)
    last: dict[tuple[Pair, str, bool], Judgment] = {}
    for judgment in ordered:
        if judgment.verdict is not None and judgment.id in standing:
            key = (judgment.pair, judgment.annotator, judgment.adjudicates)
            last.pop(key, None)  # so that the order stays that of recording
            last[key] = judgment
    return list(last.values())


def in_columns(judgments: Sequence[Judgment]) -> JudgmentColumns:
    """Return judgments with verdicts as columns.

    Raises:
        ValueError: a time has no time zone.
    """
    if naive := next((each for each in judgments if each.at.tzinfo is None), None):
        raise ValueError(f"judgment {naive.id} has a moment without a time zone")
    return JudgmentColumns(
        ids=[each.id for each in judgments],
        kinds=[each.pair.kind for each in judgments],
        sources=[each.pair.source for each in judgments],
        lefts=[each.pair.left for each in judgments],
        rights=[each.pair.right for each in judgments],
        verdicts=[each.verdict for each in judgments if each.verdict is not None],
        annotators=[each.annotator for each in judgments],
        at=[each.at.astimezone(UTC).replace(tzinfo=None).isoformat(timespec="microseconds") for each in judgments],
        policies=[each.provenance.policy for each in judgments],
        models=[each.provenance.model for each in judgments],
        ranks=[each.provenance.rank for each in judgments],
        scores=[each.provenance.score for each in judgments],
        reasons=[each.reasons for each in judgments],
        notes=[each.note for each in judgments],
        seconds=[each.seconds for each in judgments],
        undoes=[each.undoes for each in judgments],
        adjudicates=[each.adjudicates for each in judgments],
        origins=[each.provenance.origin for each in judgments],
    )


def _standing(judgments: Sequence[Judgment]) -> set[str]:
    """Return the ids followed by an even number of withdrawals, each of the one before; others' ones are ignored."""
    known = {(judgment.annotator, judgment.id) for judgment in judgments}
    undone_by = {(judgment.annotator, judgment.undoes): judgment.id for judgment in judgments if judgment.undoes}
    standing: set[str] = set()
    for judgment in judgments:
        if (judgment.annotator, judgment.undoes) not in known:
            chain = [judgment.id]
            while (judgment.annotator, chain[-1]) in undone_by:
                chain.append(undone_by[judgment.annotator, chain[-1]])
            standing.update(chain[::-2])
    return standing


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

    @property
    def looked_at(self) -> bool:
        """True if somebody looked at the pair; false if it was only decided on in bulk."""
        return not self.judgments or any(each.provenance.origin is Origin.LOOKED_AT for each in self.judgments)


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


def labels_by_looking(judgments: Iterable[Judgment]) -> tuple[Label, ...]:
    """Return the labels of all pairs; where somebody looked at a pair, without what was decided on it in bulk.

    Args:
        judgments: the current judgments, in the order of recording.
    """
    current = list(judgments)
    bulk = [each.provenance.origin is Origin.BULK for each in current]
    seen = {
        each.pair
        for each, is_bulk in zip(current, bulk, strict=True)
        if not is_bulk and each.verdict is not Verdict.SKIP
    }
    counted = [each for each, is_bulk in zip(current, bulk, strict=True) if not (is_bulk and each.pair in seen)]
    return labels_of(counted).labels


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


def judged_pairs(judgments: Iterable[Judgment], annotator: str) -> list[JudgedPair]:
    """Return the judged pairs, in the order of their first current judgments.

    Args:
        judgments: the whole history, or the current judgments, in the order of recording.
        annotator: name of the annotator.
    """
    by_pair: dict[Pair, list[Judgment]] = {}
    for judgment in current_judgments(judgments):
        by_pair.setdefault(judgment.pair, []).append(judgment)
    return [_judged(pair, given, annotator) for pair, given in by_pair.items()]


def _judged(pair: Pair, given: list[Judgment], annotator: str) -> JudgedPair:
    own = [each.verdict for each in given if each.annotator == annotator]
    others = {each.annotator for each in given if each.annotator != annotator and each.verdict is not Verdict.SKIP}
    said = any(verdict is not Verdict.SKIP for verdict in own)
    return JudgedPair(pair, votes_of(given), len(others), own=bool(own), own_verdict=said)
