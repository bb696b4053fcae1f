"""Counts of judgments by annotator, day, verdict and policy."""

from collections import Counter
from collections.abc import Callable, Hashable
from dataclasses import dataclass
from datetime import date
from typing import TypeVar

from sqlalchemy import Connection, Date, func, select

from db.filters import JudgmentFilter, conditions, conditions_on_view
from db.models import CURRENT, JudgmentRow, PairRow
from jobmatch_core.entities import Verdict

Key = TypeVar("Key", bound=Hashable)


@dataclass(frozen=True, slots=True)
class Tally:
    """The current verdicts that are equal in all counted fields.

    Attributes:
        annotator, verdict, policy: fields of the judgments.
        day: UTC date.
        judgments: number of judgments.
        timed: number of judgments with a measured time.
        seconds: sum of the measured times.
    """

    annotator: str
    day: date
    verdict: Verdict
    policy: str
    judgments: int
    timed: int
    seconds: float


@dataclass(frozen=True, slots=True)
class Counts:
    """Numbers of current verdicts."""

    tallies: tuple[Tally, ...]

    @property
    def total(self) -> int:
        """The number of all."""
        return sum(tally.judgments for tally in self.tallies)

    @property
    def by_annotator(self) -> dict[str, int]:
        """The number by annotator, including adjudications."""
        return self._sums(lambda tally: tally.annotator)

    @property
    def by_day(self) -> dict[date, int]:
        """The number by UTC date, oldest first, without empty days."""
        return self._sums(lambda tally: tally.day)

    @property
    def by_verdict(self) -> dict[Verdict, int]:
        """The number by verdict."""
        return self._sums(lambda tally: tally.verdict)

    @property
    def by_policy(self) -> dict[str, int]:
        """The number by queue or page."""
        return self._sums(lambda tally: tally.policy)

    @property
    def pace(self) -> float | None:
        """Mean measured seconds per judgment; None without any."""
        timed = sum(tally.timed for tally in self.tallies)
        return sum(tally.seconds for tally in self.tallies) / timed if timed else None

    def _sums(self, key: Callable[[Tally], Key]) -> dict[Key, int]:
        sums: Counter[Key] = Counter()
        for tally in self.tallies:
            sums[key(tally)] += tally.judgments
        return dict(sums)


def counts(connection: Connection, which: JudgmentFilter) -> Counts:
    """Count the current verdicts in one pass."""
    day = func.date(JudgmentRow.at, type_=Date).label("day")
    alike = (day, JudgmentRow.annotator, CURRENT.c.verdict, JudgmentRow.policy)
    rows = connection.execute(
        select(*alike, func.count(), func.count(JudgmentRow.seconds), func.sum(JudgmentRow.seconds))
        .join(PairRow)
        .join(CURRENT, CURRENT.c.number == JudgmentRow.number)
        .where(*conditions(which), *conditions_on_view(which))
        .group_by(*alike)
        .order_by(*alike)
    )
    return Counts(
        tuple(
            Tally(annotator, date_, Verdict(verdict), policy, judgments, timed, seconds or 0.0)
            for date_, annotator, verdict, policy, judgments, timed, seconds in rows
        )
    )
