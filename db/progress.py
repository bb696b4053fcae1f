"""Counts of judgments by annotator and policy, for the lists of pages."""

from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass

from sqlalchemy import Connection, func, select

from db.current import current_only
from db.models import JudgmentRow, PairRow
from jobmatch_core.entities import PairKind


@dataclass(frozen=True, slots=True)
class Tally:
    """The number of current verdicts of one annotator by one policy, including adjudications."""

    annotator: str
    policy: str
    judgments: int


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
        """The number by annotator."""
        return self._sums(lambda tally: tally.annotator)

    @property
    def by_policy(self) -> dict[str, int]:
        """The number by queue or page."""
        return self._sums(lambda tally: tally.policy)

    def _sums(self, key: Callable[[Tally], str]) -> dict[str, int]:
        sums: Counter[str] = Counter()
        for tally in self.tallies:
            sums[key(tally)] += tally.judgments
        return dict(sums)


def counts(connection: Connection, kind: PairKind | None) -> Counts:
    """Count the current verdicts, all or those on one kind of pair."""
    alike = (JudgmentRow.annotator, JudgmentRow.policy)
    counted = select(*alike, func.count()).group_by(*alike).order_by(*alike)
    if kind is not None:
        counted = counted.join(PairRow).where(PairRow.kind == kind)
    return Counts(tuple(Tally(*row) for row in connection.execute(current_only(counted))))
