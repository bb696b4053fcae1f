"""How an annotator gets on: pace, streak and progress, worked out from when they judged."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import UTC, date, datetime, timedelta, tzinfo
from statistics import median

from jobmatch_core.entities import Judgment, Verdict
from jobmatch_core.labelling.current import current_judgments

SITTING_GAP = timedelta(minutes=10)  # who pauses longer begins anew
_RECENT = 50  # judgments that the pace is measured on: it changes as one learns


@dataclass(frozen=True, slots=True)
class Pace:
    """How an annotator gets on; what was skipped or taken back does not count.

    Attributes:
        total: judgments in all.
        today: of them today.
        in_a_row: of them in the current sitting, without a pause of more than `SITTING_GAP`; 0 after one.
        days_in_a_row: days with judgments up to today, or up to yesterday where today has none yet.
        seconds: the median time of the last 50 whose time was measured; None where none was.
        per_hour: judgments an hour in the current sitting; None before its second judgment.
    """

    total: int
    today: int
    in_a_row: int
    days_in_a_row: int
    seconds: float | None
    per_hour: float | None


def pace(judgments: Iterable[Judgment], annotator: str, now: datetime, *, zone: tzinfo = UTC) -> Pace:
    """Work out an annotator's pace.

    Args:
        judgments: the whole history, or what is current of it, of anybody, in the order of recording; that of others
            is left out.
        annotator: whose pace.
        now: the moment.
        zone: where a day begins at midnight.
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
    return Pace(
        total=len(own),
        today=days.count(today),
        in_a_row=len(sitting),
        days_in_a_row=_days_in_a_row(set(days), today),
        seconds=median(measured[-_RECENT:]) if measured else None,
        per_hour=_per_hour(sitting),
    )


def _sitting(moments: Sequence[datetime], now: datetime) -> Sequence[datetime]:
    """Return the last moments, none of which is more than a gap before the next; the last one before *now*."""
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
