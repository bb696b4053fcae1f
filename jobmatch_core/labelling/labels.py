"""Labels: the current judgments of a history, and their resolution to at most one label per pair.

The rules are those of the label store's views, as pure functions.
"""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from enum import StrEnum
from functools import cache

from jobmatch_core.entities import Judgment, Pair, PairKind, Verdict
from jobmatch_core.judgment_origin import Origin
from jobmatch_core.judgment_tallies import NO_VOTES, JudgedPair, JudgmentColumns, Votes
from jobmatch_core.labelling.label_records import ATTRIBUTES


def current_judgments(judgments: Iterable[Judgment]) -> list[Judgment]:
    """Return the last judgment of each annotator on each pair, in recording order; adjudications are separate.

    Withdrawn judgments are left out; withdrawing a withdrawal restores its judgment. Times are ignored, because clocks
    are set back. Idempotent.

    Args:
        judgments: the whole history, or a part of it, in the order of recording.
    """
    ordered = list(judgments)
    standing = _standing(ordered)
    last: dict[tuple[Pair, str, bool], Judgment] = {}
    for judgment in ordered:
        if judgment.verdict is not None and judgment.id in standing:
            key = (judgment.pair, judgment.annotator, judgment.adjudicates)
            last.pop(key, None)  # keeps the order of recording
            last[key] = judgment
    return list(last.values())


def in_columns(judgments: Sequence[Judgment]) -> JudgmentColumns:
    """Return judgments with verdicts as columns; raises ValueError if a time has no time zone."""
    if naive := next((judgment for judgment in judgments if judgment.at.tzinfo is None), None):
        raise ValueError(f"judgment {naive.id} has a moment without a time zone")
    columns = {name: [read(judgment) for judgment in judgments] for name, read in ATTRIBUTES.items()}
    columns["at"] = [at.astimezone(UTC).replace(tzinfo=None).isoformat(timespec="microseconds") for at in columns["at"]]
    return JudgmentColumns(**columns)


def _standing(judgments: Sequence[Judgment]) -> set[str]:
    # a judgment stands if an even number of withdrawals by the same annotator follow it in its chain
    own_ids = {(judgment.annotator, judgment.id) for judgment in judgments}
    undone_by = {(judgment.annotator, judgment.undoes): judgment.id for judgment in judgments if judgment.undoes}
    standing: set[str] = set()
    for judgment in judgments:
        if (judgment.annotator, judgment.undoes) not in own_ids:
            chain = [judgment.id]
            while (judgment.annotator, chain[-1]) in undone_by:
                chain.append(undone_by[judgment.annotator, chain[-1]])
            standing.update(chain[::-2])
    return standing


class Resolution(StrEnum):
    """Way in which a pair was resolved to a label or to none."""

    ADJUDICATED = "adjudicated"
    UNANIMOUS = "unanimous"  # includes a single annotator
    MAJORITY = "majority"
    # without a label:
    TIE = "tie"
    UNSURE = "unsure"
    SKIPPED = "skipped"


LABELLED = (Resolution.ADJUDICATED, Resolution.UNANIMOUS, Resolution.MAJORITY)


@dataclass(frozen=True, slots=True)
class Label:
    """A pair's label."""

    pair: Pair  # the labelled pair
    positive: bool  # true if its sides belong together
    resolution: Resolution  # way of its resolution
    at: datetime  # time of its last judgment
    judgments: tuple[Judgment, ...]  # current judgments of the pair, in the order of recording

    @property
    def looked_at(self) -> bool:
        """True if somebody looked at the pair; false if all its judgments are bulk decisions."""
        return not self.judgments or any(judgment.provenance.origin is Origin.LOOKED_AT for judgment in self.judgments)


@dataclass(frozen=True, slots=True)
class LabelTally:
    """Number of a source's labels, and how many of them are positive."""

    total: int
    positive: int


def tallies_by_source(labels: Iterable[Label], kind: PairKind) -> dict[str, LabelTally]:
    """Return the numbers of labels of a kind of pair by marketplace or taxonomy, most labels first."""
    total: Counter[str] = Counter()
    positive: Counter[str] = Counter()
    for label in labels:
        if label.pair.kind is kind:
            total[label.pair.source] += 1
            positive[label.pair.source] += label.positive
    return {source: LabelTally(number, positive[source]) for source, number in total.most_common()}


@dataclass(frozen=True, slots=True)
class Labels:
    """Labels in the order of their pairs' first judgments, and the number of pairs by resolution."""

    labels: tuple[Label, ...]
    resolutions: Mapping[Resolution, int]


def labels_of(judgments: Iterable[Judgment]) -> Labels:
    """Resolve all pairs to labels, by the whole history or the current judgments, in the order of recording."""
    by_pair: dict[Pair, list[Judgment]] = {}
    for judgment in current_judgments(judgments):
        by_pair.setdefault(judgment.pair, []).append(judgment)
    labels = []
    counts: Counter[Resolution] = Counter()
    for pair, current in by_pair.items():
        verdict, resolution = resolved(votes_of(current))
        counts[resolution] += 1
        if resolution in LABELLED:
            at = max(judgment.at for judgment in current)
            labels.append(Label(pair, verdict is Verdict.POSITIVE, resolution, at, tuple(current)))
    return Labels(tuple(labels), {resolution: counts[resolution] for resolution in Resolution})


def labels_by_looking(judgments: Iterable[Judgment]) -> tuple[Label, ...]:
    """Return the labels of all pairs, ignoring bulk decisions on pairs that somebody looked at.

    The judgments are the current ones, in the order of recording.
    """
    current = list(judgments)
    seen = {
        judgment.pair
        for judgment in current
        if judgment.provenance.origin is not Origin.BULK and judgment.verdict is not Verdict.SKIP
    }
    counted = (
        judgment for judgment in current if judgment.provenance.origin is not Origin.BULK or judgment.pair not in seen
    )
    return labels_of(counted).labels


def label_of(votes: Votes) -> bool | None:
    """Return whether a pair's label is positive; None if it has none."""
    verdict, resolution = resolved(votes)
    return verdict is Verdict.POSITIVE if resolution in LABELLED else None


def resolved(votes: Votes) -> tuple[Verdict | None, Resolution]:
    """Return a pair's verdict and its resolution."""
    if votes.settled is not None:
        verdict, resolution = votes.settled, Resolution.ADJUDICATED
    else:
        counts = {Verdict.POSITIVE: votes.positive, Verdict.NEGATIVE: votes.negative, Verdict.UNSURE: votes.unsure}
        total = sum(counts.values())
        if not total:
            return None, Resolution.SKIPPED
        verdict = max(counts, key=counts.__getitem__)
        if 2 * counts[verdict] <= total:
            return None, Resolution.TIE
        resolution = Resolution.UNANIMOUS if counts[verdict] == total else Resolution.MAJORITY
    return verdict, Resolution.UNSURE if verdict is Verdict.UNSURE else resolution


def votes_of(judgments: Iterable[Judgment]) -> Votes:
    """Count the current judgments of a pair, in the order of recording."""
    votes = NO_VOTES
    for judgment in judgments:
        votes = with_vote(votes, judgment.verdict, judgment.adjudicates)
    return votes


@cache  # few are different
def with_vote(votes: Votes, verdict: Verdict | None, adjudicates: bool) -> Votes:
    """Return votes with another judgment; a verdict of None adds nothing."""
    return votes if verdict is None else votes.plus(verdict, adjudicates=adjudicates)


def judged_pairs(judgments: Iterable[Judgment], annotator: str) -> list[JudgedPair]:
    """Return the judged pairs as seen by an annotator, in the order of their first current judgments.

    The judgments are the whole history or the current ones, in the order of recording.
    """
    by_pair: dict[Pair, list[Judgment]] = {}
    for judgment in current_judgments(judgments):
        by_pair.setdefault(judgment.pair, []).append(judgment)
    judged = []
    for pair, current in by_pair.items():
        own = [judgment.verdict for judgment in current if judgment.annotator == annotator]
        voters = {judgment.annotator for judgment in current if judgment.verdict is not Verdict.SKIP}
        own_verdict = annotator in voters
        judged.append(
            JudgedPair(pair, votes_of(current), len(voters - {annotator}), own=bool(own), own_verdict=own_verdict)
        )
    return judged
