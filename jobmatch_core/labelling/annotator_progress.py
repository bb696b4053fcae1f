"""Progress of an annotator: speed, streak and totals, from the times of their judgments."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import UTC, date, datetime, timedelta, tzinfo
from statistics import median

from jobmatch_core.entities import Judgment, Verdict
from jobmatch_core.labelling.current import current_judgments

SITTING_GAP = timedelta(minutes=10)  # a longer pause ends a sitting
_RECENT = 50  # judgments that the speed is measured on: it changes with practice


@dataclass(frozen=True, slots=True)
class AnnotatorProgress:
    """Progress of an annotator; skipped and withdrawn judgments do not count.

    Attributes:
        total: number of judgments.
        today: number of judgments today.
        in_a_row: number of judgments in the current sitting, without a pause of more than `SITTING_GAP`; 0 after one.
        days_in_a_row: consecutive days with judgments up to today, or up to yesterday if today has none yet.
        seconds: median time of the last 50 judgments with a measured time; None without any.
        per_hour: judgments per hour in the current sitting; None before its second judgment.
    """

    total: int
    today: int
    in_a_row: int
    days_in_a_row: int
    seconds: float | None
    per_hour: float | None


def annotator_progress(
    judgments: Iterable[Judgment], annotator: str, now: datetime, *, zone: tzinfo = UTC
) -> AnnotatorProgress:
    """Compute an annotator's progress.

    Args:
        judgments: the whole history, or the current judgments, of anybody, in the order of recording; those of others
            are left out.
        annotator: name of the annotator.
        now: the present time.
        zone: time zone of the days.
    """
    counted = [
        judgment
        for judgment in current_judgments(judgments)
        if judgment.annotator == annotator and judgment.verdict is not Verdict.SKIP
    ]
    own = sorted(counted, key=lambda judgment: judgment.at)
    moments = [judgment.at for judgment in own]
    days = [moment.astimezone(zone).date() for moment in moments]
    measured = [judgment.seconds for judgment in own if judgment.seconds is not None]
    sitting = _sitting(moments, now)
    today = now.astimezone(zone).date()
    return AnnotatorProgress(
        total=len(own),
        today=days.count(today),
        in_a_row=len(sitting),
        days_in_a_row=_days_in_a_row(set(days), today),
        seconds=median(measured[-_RECENT:]) if measured else None,
        per_hour=_per_hour(sitting),
    )


def _sitting(moments: Sequence[datetime], now: datetime) -> Sequence[datetime]:
    """Return the times of the last judgments without a gap between them and *now*."""
    start = len(moments)
    while start and (moments[start] if start < len(moments) else now) - moments[start - 1] <= SITTING_GAP:
        start -= 1
    return moments[start:]


def _per_hour(sitting: Sequence[datetime]) -> float | None:
    if len(sitting) < 2 or sitting[0] == sitting[-1]:
        return None
    return (len(sitting) - 1) / ((sitting[-1] - sitting[0]) / timedelta(hours=1))


def _days_in_a_row(days: set[date], today: date) -> int:
    day = today if today in days else today - timedelta(days=1)
    count = 0
    while day in days:
        count += 1
        day -= timedelta(days=1)
    return count
