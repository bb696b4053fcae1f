"""Workload: how much each annotator has judged, and at what pace; for those who share the work out."""

from dataclasses import dataclass
from datetime import UTC, datetime, timedelta

import numpy as np
from numpy.typing import NDArray

from jobmatch_core.entities import Verdict
from jobmatch_core.judgment_tallies import VERDICTS, VerdictColumns
from jobmatch_core.labelling.annotator_progress import SITTING_GAP

_WEEK = timedelta(days=7)


@dataclass(frozen=True, slots=True)
class Workload:
    """An annotator's share of the work; withdrawn judgments and adjudications do not count.

    Attributes:
        annotator: name of the annotator.
        verdicts: number of verdicts but skips.
        skipped: number of skipped pairs.
        week: number of verdicts but skips of the last seven days.
        seconds: median time of a verdict; None where none was measured.
        per_hour: verdicts per hour of sitting, pauses of more than `SITTING_GAP` left out; None without two in a row.
        last: time of the last judgment.
    """

    annotator: str
    verdicts: int
    skipped: int
    week: int
    seconds: float | None
    per_hour: float | None
    last: datetime


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
        seconds=float(np.median(measured)) if len(measured) else None,
        per_hour=_per_hour(at[said]),
        last=at[-1].item().replace(tzinfo=UTC),
    )


def _per_hour(moments: NDArray[np.datetime64]) -> float | None:
    """Return the verdicts per hour of sitting, from their times in ascending order."""
    steps = np.diff(moments)
    short = steps[steps <= np.timedelta64(SITTING_GAP)]
    sat = timedelta(microseconds=int(short.astype(np.int64).sum()))
    return len(short) / (sat / timedelta(hours=1)) if sat else None
