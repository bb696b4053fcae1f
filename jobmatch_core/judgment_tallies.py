"""Counts and columns of the current judgments of a history."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime

import numpy as np
from numpy.typing import NDArray

from jobmatch_core.entities import Judgment, Pair, PairKind, Verdict
from jobmatch_core.judgment_origin import Origin

VERDICTS = tuple(Verdict)


@dataclass(frozen=True, slots=True)
class Votes:
    """The current judgments of a pair."""

    # positive, negative, unsure, skip: numbers of annotators with that verdict, without adjudications
    positive: int = 0
    negative: int = 0
    unsure: int = 0
    skip: int = 0
    settled: Verdict | None = None  # verdict of the last adjudication other than a skip; None without one
    adjudications: int = 0  # number of adjudications, skips included

    @property
    def judgments(self) -> int:
        """The number of all judgments."""
        return self.positive + self.negative + self.unsure + self.skip + self.adjudications

    @property
    def disputed(self) -> bool:
        """True if annotators disagree, and nobody has adjudicated."""
        return not self.adjudications and sum(n > 0 for n in (self.positive, self.negative, self.unsure)) > 1

    def plus(self, verdict: Verdict, *, adjudicates: bool) -> "Votes":
        """Return the votes with another judgment, the last recorded one."""
        if not adjudicates:
            return replace(self, **{verdict.value: getattr(self, verdict.value) + 1})
        settled = self.settled if verdict is Verdict.SKIP else verdict
        return replace(self, settled=settled, adjudications=self.adjudications + 1)


NO_VOTES = Votes()


def is_among(annotator: str, names: Iterable[str]) -> bool:
    """Return whether an annotator is among *names*, ignoring case and extra white space."""
    return annotator.casefold().split() in (name.casefold().split() for name in names)


@dataclass(frozen=True, slots=True)
class AlikePairs:
    """The number of judged pairs of a kind whose votes are equal."""

    kind: PairKind
    votes: Votes
    pairs: int


@dataclass(frozen=True, slots=True, eq=False)
class Work:
    """The current judgments of one annotator with the same policy and origin."""

    annotator: str
    policy: str
    verdicts: Mapping[Verdict, int]  # number of judgments by verdict
    seconds: NDArray[np.float64]  # (judgment,) measured times
    last: datetime  # UTC time of the last judgment
    origin: Origin = Origin.LOOKED_AT


@dataclass(frozen=True, slots=True)
class HistoryTallies:
    """Counts of a whole history."""

    # number of judgments by kind that are not current: withdrawn or replaced ones, and withdrawals
    stale: Mapping[PairKind, int]
    pairs: tuple[AlikePairs, ...]  # the judged pairs
    work: tuple[Work, ...]  # the current judgments by annotator, policy and origin


@dataclass(frozen=True, slots=True)
class JudgedPair:
    """A judged pair from the view of one annotator."""

    pair: Pair
    votes: Votes  # votes of all annotators; empty if only the number of others was requested
    others: int  # number of other annotators with a verdict other than a skip
    own: bool = False  # true if the annotator has judged or skipped it
    own_verdict: bool = False  # true if the annotator has judged it, and not only skipped it


@dataclass(frozen=True, slots=True)
class TimedVerdict:
    """Verdict, UTC time and duration (None if not measured) of a current judgment."""

    verdict: Verdict
    at: datetime
    seconds: float | None


@dataclass(frozen=True, slots=True)
class VotedPair:
    """A judged pair and its votes."""

    pair: Pair
    votes: Votes


@dataclass(frozen=True, slots=True)
class PairJudgments:
    """A pair and its current judgments, in the order of recording."""

    pair: Pair
    judgments: tuple[Judgment, ...]


@dataclass(frozen=True, slots=True, eq=False)
class JudgmentColumns:
    """Judgments with verdicts as columns of equal length, by the names of `label_records.COLUMNS`."""

    id: Sequence[str]
    kind: Sequence[str]
    source: Sequence[str]
    left: Sequence[str]
    right: Sequence[str]
    verdict: Sequence[str]
    annotator: Sequence[str]
    at: Sequence[str]  # UTC times in ISO 8601 with microseconds, without a time zone
    policy: Sequence[str]
    model: Sequence[str]
    rank: Sequence[int | None]
    score: Sequence[float | None]
    reasons: Sequence[tuple[str, ...]]
    note: Sequence[str]
    seconds: Sequence[float | None]
    undoes: Sequence[str]
    adjudicates: Sequence[bool]
    origin: Sequence[str]


@dataclass(frozen=True, slots=True, eq=False)
class CurrentJudgments:
    """The current judgments of a history at one moment."""

    pairs: tuple[AlikePairs, ...]  # the judged pairs by their votes
    blocks: Iterator[JudgmentColumns]  # the judgments in the order of recording, in blocks, none of them empty


@dataclass(frozen=True, slots=True, eq=False)
class VerdictColumns:
    """The current judgments of all pairs of a kind as arrays, in the order of recording."""

    keys: NDArray[np.bytes_]  # (pair,) ASCII keys of the judged pairs in the label store
    annotators: tuple[str, ...]
    pair: NDArray[np.intp]  # (judgment,) indices of `keys`
    annotator: NDArray[np.intp]  # (judgment,) indices of `annotators`
    verdict: NDArray[np.int8]  # (judgment,) indices of `VERDICTS`
    adjudicates: NDArray[np.bool_]  # (judgment,) true for adjudications
    at: NDArray[np.datetime64]  # (judgment,) UTC times, datetime64[us]
    seconds: NDArray[np.float64]  # (judgment,) durations; NaN if not measured
    bulk: NDArray[np.bool_]  # (judgment,) true for judgments in bulk
