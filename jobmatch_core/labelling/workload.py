"""Workload and progress of annotators: how much each has judged, at what pace, with streaks and totals.

There is one measure of the pace: the median of the measured seconds from seeing a pair to judging it. Verdicts per hour
are 3,600 divided by it, so they are those of an hour of judging, without the time between two pairs.
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
_RECENT = 50  # judgments that the speed is measured on: it changes with practice
_AT = attrgetter("at")
_WEEK = timedelta(days=7)


@dataclass(frozen=True, slots=True)
class AnnotatorProgress:
    """Progress of an annotator; skipped and withdrawn judgments do not count.

    Attributes:
        today: number of judgments today.
        in_a_row: number of judgments in the current sitting, without a pause of more than `SITTING_GAP`; 0 after one.
        days_in_a_row: consecutive days with judgments up to today, or up to yesterday if today has none yet.
        seconds: median time of the last 50 judgments with a measured time, in tenths; None without any.
    """

    today: int
    in_a_row: int
    days_in_a_row: int
    seconds: float | None

    @property
    def per_hour(self) -> float | None:
        """The judgments per hour at that time each; None without one."""
        return _per_hour(self.seconds)


class OwnVerdicts:
    """An annotator's current verdicts in the order of time; skips count as given, and nowhere else.

    Its progress takes no longer the more there are.
    """

    def __init__(self, given: Iterable[TimedVerdict]) -> None:
        """Begin with some verdicts."""
        found = list(given)
        self._skips = sum(each.verdict is Verdict.SKIP for each in found)
        self._counted = sorted((each for each in found if each.verdict is not Verdict.SKIP), key=_AT)

    def __len__(self) -> int:
        """Return the number of verdicts, skips included."""
        return len(self._counted) + self._skips

    def add(self, verdict: TimedVerdict) -> None:
        """Add a verdict."""
        if verdict.verdict is Verdict.SKIP:
            self._skips += 1
        else:
            insort(self._counted, verdict, key=_AT)

    def remove(self, verdict: TimedVerdict) -> None:
        """Remove a verdict; one that was given elsewhere meanwhile is not here."""
        if verdict.verdict is Verdict.SKIP:
            self._skips = max(self._skips - 1, 0)
            return
        place = bisect_left(self._counted, verdict.at, key=_AT)
        if place < len(self._counted) and self._counted[place].at == verdict.at:
            del self._counted[place]

    def progress(self, now: datetime, *, zone: tzinfo = UTC) -> AnnotatorProgress:
        """Compute the progress.

        Args:
            now: the present time.
            zone: time zone of the days.
        """
        measured = (each.seconds for each in reversed(self._counted) if each.seconds is not None)
        recent = list(islice(measured, _RECENT))
        today = now.astimezone(zone).date()
        return AnnotatorProgress(
            today=self._on(today, zone),
            in_a_row=self._in_a_row(now),
            days_in_a_row=self._days_in_a_row(today, zone),
            seconds=round(median(recent), 1) if recent else None,
        )

    def _in_a_row(self, now: datetime) -> int:
        """Return the number of the last judgments without a gap between them and *now*."""
        count, after = 0, now
        for each in reversed(self._counted):
            if after - each.at > SITTING_GAP:
                break
            count, after = count + 1, each.at
        return count

    def _on(self, day: date, zone: tzinfo) -> int:
        """Return the number of verdicts of a day."""

        def day_of(verdict: TimedVerdict) -> date:
            return verdict.at.astimezone(zone).date()

        return bisect_right(self._counted, day, key=day_of) - bisect_left(self._counted, day, key=day_of)

    def _days_in_a_row(self, today: date, zone: tzinfo) -> int:
        day = today if self._on(today, zone) else today - timedelta(days=1)
        count = 0
        while self._on(day, zone):
            count += 1
            day -= timedelta(days=1)
        return count


def _per_hour(seconds: float | None) -> float | None:
    return 3600 / seconds if seconds else None


@dataclass(frozen=True, slots=True)
class Workload:
    """An annotator's share of the work; withdrawn judgments and adjudications do not count.

    Attributes:
        annotator: name of the annotator.
        verdicts: number of verdicts but skips.
        skipped: number of skipped pairs.
        week: number of verdicts but skips of the last seven days.
        seconds: median time of a verdict, in tenths; None where none was measured.
        last: time of the last judgment.
    """

    annotator: str
    verdicts: int
    skipped: int
    week: int
    seconds: float | None
    last: datetime

    @property
    def per_hour(self) -> float | None:
        """The verdicts per hour at that time each; None without one."""
        return _per_hour(self.seconds)


def workloads(judgments: VerdictColumns, now: datetime) -> list[Workload]:
    """Return the workload of each annotator, the highest first.

    Args:
        judgments: the current judgments.
        now: the present time.
    """
    counted = np.flatnonzero(~judgments.adjudicates)
    ordered = counted[np.lexsort((judgments.at[counted], judgments.annotator[counted]))]
    people, begins = np.unique(judgments.annotator[ordered], return_index=True)
    parts = np.split(ordered, begins[1:])[: len(people)]  # without any judgments there is one, which is empty
    found = [
        _workload(judgments.annotators[person], judgments, own, now) for person, own in zip(people, parts, strict=True)
    ]
    return sorted(found, key=lambda each: (-each.verdicts, each.annotator))


def _workload(annotator: str, judgments: VerdictColumns, own: NDArray[np.intp], now: datetime) -> Workload:
    """Return the workload of the judgments at some indices, ascending in time."""
    at, seconds = judgments.at[own], judgments.seconds[own]
    said = judgments.verdict[own] != VERDICTS.index(Verdict.SKIP)
    measured = seconds[said & ~np.isnan(seconds)]
    since = np.datetime64((now - _WEEK).astimezone(UTC).replace(tzinfo=None), "us")
    return Workload(
        annotator,
        verdicts=int(said.sum()),
        skipped=int((~said).sum()),
        week=int((at[said] >= since).sum()),
        seconds=round(float(np.median(measured)), 1) if len(measured) else None,
        last=at[-1].item().replace(tzinfo=UTC),
    )
