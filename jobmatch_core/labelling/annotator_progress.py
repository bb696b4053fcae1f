"""Progress of an annotator: speed, streak and totals, from the times of their judgments."""

from bisect import bisect_left, bisect_right, insort
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import UTC, date, datetime, timedelta, tzinfo
from itertools import islice
from operator import attrgetter
from statistics import median

from jobmatch_core.entities import Verdict
from jobmatch_core.judgment_tallies import TimedVerdict

SITTING_GAP = timedelta(minutes=10)  # a longer pause ends a sitting
_RECENT = 50  # judgments that the speed is measured on: it changes with practice
_AT = attrgetter("at")


@dataclass(frozen=True, slots=True)
class AnnotatorProgress:
    """Progress of an annotator; skipped and withdrawn judgments do not count.

    Attributes:
        today: number of judgments today.
        in_a_row: number of judgments in the current sitting, without a pause of more than `SITTING_GAP`; 0 after one.
        days_in_a_row: consecutive days with judgments up to today, or up to yesterday if today has none yet.
        seconds: median time of the last 50 judgments with a measured time; None without any.
        per_hour: judgments per hour in the current sitting; None before its second judgment.
    """

    today: int
    in_a_row: int
    days_in_a_row: int
    seconds: float | None
    per_hour: float | None


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
        sitting = self._sitting(now)
        today = now.astimezone(zone).date()
        return AnnotatorProgress(
            today=self._on(today, zone),
            in_a_row=len(sitting),
            days_in_a_row=self._days_in_a_row(today, zone),
            seconds=median(recent) if recent else None,
            per_hour=_per_hour(sitting),
        )

    def _sitting(self, now: datetime) -> list[datetime]:
        """Return the times of the last judgments without a gap between them and *now*, the earliest first."""
        moments: list[datetime] = []
        for each in reversed(self._counted):
            if (moments[-1] if moments else now) - each.at > SITTING_GAP:
                break
            moments.append(each.at)
        return moments[::-1]

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


def _per_hour(sitting: Sequence[datetime]) -> float | None:
    if len(sitting) < 2 or sitting[0] == sitting[-1]:
        return None
    return (len(sitting) - 1) / ((sitting[-1] - sitting[0]) / timedelta(hours=1))
