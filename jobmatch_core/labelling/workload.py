"""Workload and progress of annotators: totals and speed.

Speed is the median of the measured seconds from seeing a pair to judging it, without the time between two pairs.
"""

from bisect import bisect_left, bisect_right, insort
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import UTC, date, datetime, timedelta, tzinfo
from itertools import islice
from operator import attrgetter
from statistics import median

import numpy as np
from numpy.typing import NDArray

from jobmatch_core.entities import Verdict
from jobmatch_core.judgment_tallies import VERDICTS, TimedVerdict, VerdictColumns

SITTING_GAP = timedelta(minutes=10)  # a longer pause ends a sitting
_RECENT = 50  # judgments on which speed is measured, since it changes with practice
_AT = attrgetter("at")
_WEEK = timedelta(days=7)


@dataclass(frozen=True, slots=True)
class AnnotatorProgress:
    """Progress of an annotator, without skips and withdrawn judgments."""

    today: int  # number of judgments today
    seconds: float | None  # median of the last 50 measured times, rounded to tenths; None without any


class OwnVerdicts:
    """An annotator's current verdicts, sorted by time; skips count only in its length."""

    def __init__(self, given: Iterable[TimedVerdict]) -> None:
        verdicts = list(given)
        self._counted = sorted((verdict for verdict in verdicts if verdict.verdict is not Verdict.SKIP), key=_AT)
        self._skips = len(verdicts) - len(self._counted)

    def __len__(self) -> int:
        return len(self._counted) + self._skips

    def add(self, verdict: TimedVerdict) -> None:
        """Add a verdict."""
        if verdict.verdict is Verdict.SKIP:
            self._skips += 1
        else:
            insort(self._counted, verdict, key=_AT)

    def remove(self, verdict: TimedVerdict) -> None:
        """Remove a verdict if it is present."""
        if verdict.verdict is Verdict.SKIP:
            self._skips = max(self._skips - 1, 0)
            return
        place = bisect_left(self._counted, verdict.at, key=_AT)
        if place < len(self._counted) and self._counted[place].at == verdict.at:
            del self._counted[place]

    def progress(self, now: datetime, *, zone: tzinfo = UTC) -> AnnotatorProgress:
        """Compute the progress."""
        measured = (verdict.seconds for verdict in reversed(self._counted) if verdict.seconds is not None)
        recent = list(islice(measured, _RECENT))
        today = now.astimezone(zone).date()
        return AnnotatorProgress(self._on(today, zone), round(median(recent), 1) if recent else None)

    def _on(self, day: date, zone: tzinfo) -> int:
        def day_of(verdict: TimedVerdict) -> date:
            return verdict.at.astimezone(zone).date()

        return bisect_right(self._counted, day, key=day_of) - bisect_left(self._counted, day, key=day_of)


@dataclass(frozen=True, slots=True)
class Workload:
    """An annotator's work, without withdrawn judgments and adjudications."""

    annotator: str
    verdicts: int  # number of verdicts other than skips
    skipped: int  # number of skipped pairs
    week: int  # number of verdicts other than skips in the last seven days
    seconds: float | None  # median time of a verdict, rounded to tenths; None if none was measured
    last: datetime  # time of the last judgment

    @property
    def per_hour(self) -> float | None:
        """Verdicts per hour of judging; None without a measured time."""
        return 3600 / self.seconds if self.seconds else None


def workloads(judgments: VerdictColumns, now: datetime) -> list[Workload]:
    """Return the workload of each annotator at a time, the highest first."""
    counted = np.flatnonzero(~judgments.adjudicates)
    ordered = counted[np.lexsort((judgments.at[counted], judgments.annotator[counted]))]
    people, begins = np.unique(judgments.annotator[ordered], return_index=True)
    parts = np.split(ordered, begins[1:])[: len(people)]  # np.split returns an empty part if there are no judgments
    workloads = [
        _workload(judgments.annotators[person], judgments, own, now) for person, own in zip(people, parts, strict=True)
    ]
    return sorted(workloads, key=lambda workload: (-workload.verdicts, workload.annotator))


def _workload(annotator: str, judgments: VerdictColumns, own: NDArray[np.intp], now: datetime) -> Workload:
    """Return the workload of the judgments at some indices, ascending in time."""
    at, seconds = judgments.at[own], judgments.seconds[own]
    voted = judgments.verdict[own] != VERDICTS.index(Verdict.SKIP)
    measured = seconds[voted & ~np.isnan(seconds)]
    since = np.datetime64((now - _WEEK).astimezone(UTC).replace(tzinfo=None), "us")
    return Workload(
        annotator,
        verdicts=int(voted.sum()),
        skipped=int((~voted).sum()),
        week=int((at[voted] >= since).sum()),
        seconds=round(float(np.median(measured)), 1) if len(measured) else None,
        last=at[-1].item().replace(tzinfo=UTC),
    )
