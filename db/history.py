"""The history of judgments, including withdrawn ones."""

from collections.abc import Iterable, Iterator

from sqlalchemy import Connection, func, select
from sqlalchemy.orm import aliased

from db.filters import JudgmentFilter, conditions
from db.models import JudgmentRow, PairRow
from db.rows import JUDGMENTS, judgment_of
from jobmatch_core.entities import Judgment

ROWS_AT_ONCE = 1000


def judgments(connection: Connection, which: JudgmentFilter, limit: int | None, offset: int) -> list[Judgment]:
    """Return judgments, the last recorded first."""
    wanted = JUDGMENTS.where(*conditions(which)).order_by(JudgmentRow.number.desc())
    return [judgment_of(row) for row in connection.execute(wanted.limit(limit).offset(offset))]


def count(connection: Connection, which: JudgmentFilter) -> int:
    """Return the number of judgments."""
    counted = select(func.count()).select_from(JudgmentRow).where(*conditions(which))
    if which.kind is not None or which.source is not None or which.text:
        counted = counted.join(PairRow)
    return connection.scalar(counted) or 0


def as_recorded(connection: Connection) -> Iterator[Judgment]:
    """Return every judgment in the order of recording, a thousand in memory at a time."""
    rows = connection.execute(JUDGMENTS.order_by(JudgmentRow.number).execution_options(yield_per=ROWS_AT_ONCE))
    return map(judgment_of, rows)


def taken_back(connection: Connection, ids: Iterable[str]) -> frozenset[str]:
    """Return the ids of withdrawn judgments among some ids."""
    later = aliased(JudgmentRow)
    last = select(func.max(later.depth)).where(later.chain == JudgmentRow.chain).scalar_subquery()
    undone = select(JudgmentRow.id).where(JudgmentRow.id.in_(ids), last % 2 != JudgmentRow.depth % 2)
    return frozenset(connection.scalars(undone))
