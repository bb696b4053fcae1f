"""Counts of the current judgments of a history; records beside those of `entities`."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from datetime import datetime

import numpy as np
from numpy.typing import NDArray

from jobmatch_core.entities import Pair, PairKind, Verdict


@dataclass(frozen=True, slots=True)
class Votes:
    """The current judgments of a pair.

    Attributes:
        positive, negative, unsure, skip: numbers of annotators with that verdict, without adjudications.
        settled: verdict of the last adjudication that is no skip; None without one.
        adjudications: number of adjudications, skips included.
    """

    positive: int = 0
    negative: int = 0
    unsure: int = 0
    skip: int = 0
    settled: Verdict | None = None
    adjudications: int = 0

    @property
    def judgments(self) -> int:
        """The number of all."""
        return self.positive + self.negative + self.unsure + self.skip + self.adjudications

    @property
    def disputed(self) -> bool:
        """True if annotators disagree, and nobody has adjudicated."""
        return not self.adjudications and sum(n > 0 for n in (self.positive, self.negative, self.unsure)) > 1

    def plus(self, verdict: Verdict, *, adjudicates: bool) -> "Votes":
        """Return them with another judgment, the last recorded."""
        if not adjudicates:
            return replace(self, **{verdict.value: getattr(self, verdict.value) + 1})
        settled = self.settled if verdict is Verdict.SKIP else verdict
        return replace(self, settled=settled, adjudications=self.adjudications + 1)


NO_VOTES = Votes()


@dataclass(frozen=True, slots=True)
class AlikePairs:
    """The number of judged pairs of a kind whose votes are equal."""

    kind: PairKind
    votes: Votes
    pairs: int


@dataclass(frozen=True, slots=True, eq=False)
class Work:
    """The current judgments of one annotator by one policy.

    Attributes:
        annotator, policy: fields of the judgments.
        verdicts: number of judgments by verdict.
        seconds: (judgment,) measured times.
        last: UTC time of the last of them.
    """

    annotator: str
    policy: str
    verdicts: Mapping[Verdict, int]
    seconds: NDArray[np.float64]
    last: datetime


@dataclass(frozen=True, slots=True)
class HistoryTallies:
    """A whole history.

    Attributes:
        stale: number of judgments by kind that do not count: withdrawn ones, withdrawals, and replaced ones.
        pairs: the judged pairs.
        work: the judgments by annotator and policy.
    """

    stale: Mapping[PairKind, int]
    pairs: tuple[AlikePairs, ...]
    work: tuple[Work, ...]


@dataclass(frozen=True, slots=True)
class JudgedPair:
    """A pair as one annotator finds it.

    Attributes:
        pair: the judged pair.
        votes: everybody's; none where only the number of others is asked for.
        others: number of other annotators with a verdict but a skip.
        own: true if the annotator has judged or skipped it.
        own_verdict: true if the annotator has judged it, and not only skipped it.
    """

    pair: Pair
    votes: Votes
    others: int
    own: bool = False
    own_verdict: bool = False


@dataclass(frozen=True, slots=True)
class TimedVerdict:
    """A current judgment in time: its verdict, its UTC time, and the seconds that it took, None where not measured."""

    verdict: Verdict
    at: datetime
    seconds: float | None
