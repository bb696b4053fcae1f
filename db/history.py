"""The history of judgments, including withdrawn ones, and its filters."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from datetime import datetime
from typing import TypeVarTuple

from sqlalchemy import ColumnElement, Connection, Select, and_, func, or_, select
from sqlalchemy.orm import aliased
from sqlalchemy.sql.expression import except_

from db.database import in_parts
from db.models import CURRENT, STANDING, JudgmentRow, PairRow
from db.rows import JUDGMENTS, check_text, judgment_of, pair_keys
from jobmatch_core.entities import Judgment, Pair, PairKind, Verdict
from jobmatch_core.errors import LabelStoreError

Columns = TypeVarTuple("Columns")

_SEVERAL = (
    select(JudgmentRow.pair_key, JudgmentRow.annotator)
    .group_by(JudgmentRow.pair_key, JudgmentRow.annotator)
    .having(func.count() > 1)
    .cte("several")
)
_RECORDED = (
    select(JudgmentRow.number)
    .select_from(_SEVERAL)
    .join(JudgmentRow, and_(JudgmentRow.pair_key == _SEVERAL.c.pair_key, JudgmentRow.annotator == _SEVERAL.c.annotator))
)
_LAST = (
    select(func.max(STANDING.c.number))
    .select_from(_SEVERAL)
    .join(STANDING, and_(STANDING.c.pair_key == _SEVERAL.c.pair_key, STANDING.c.annotator == _SEVERAL.c.annotator))
    .group_by(STANDING.c.pair_key, STANDING.c.annotator, STANDING.c.adjudicates)
)
STALE = except_(_RECORDED, _LAST).subquery("stale")
LONGEST_TEXT = 1000  # characters of a text to search for
_ROWS_READ = 1000


def current_only(judgments: Select[*Columns]) -> Select[*Columns]:
    """Restrict a statement to judgments that are not withdrawn, withdraw no other, and were not replaced."""
    # a join, because PostgreSQL evaluates a long NOT IN in quadratic time
    joined = judgments.outerjoin(STALE, STALE.c.number == JudgmentRow.number)
    return joined.where(STALE.c.number.is_(None))


@dataclass(frozen=True, slots=True)
class JudgmentFilter:
    """Conditions on judgments; an empty field is no condition."""

    # kind, source: kind and source of the pair
    kind: PairKind | None = None
    source: str | None = None
    # annotator, verdict, policy: fields of the judgment
    annotator: str | None = None
    verdict: Verdict | None = None
    policy: str | None = None
    # since, until: start (inclusive) and end (exclusive) of the time; with a time zone
    since: datetime | None = None
    until: datetime | None = None
    text: str = ""  # part of the pair's left or right text, or of the note, ignoring case
    pairs: tuple[Pair, ...] | None = None  # only these, at most a few thousand
    adjudicates: bool | None = None  # True for adjudications only, False for all others


EVERYTHING = JudgmentFilter()


def conditions(which: JudgmentFilter) -> Iterator[ColumnElement[bool]]:
    """Yield the conditions on a judgment's row, joined with its pair's.

    Raises LabelStoreError if a text is too long, or cannot be stored.
    """
    for column, wanted in (
        (PairRow.kind, which.kind),
        (PairRow.source, which.source),
        (JudgmentRow.annotator, which.annotator),
        (JudgmentRow.verdict, which.verdict),
        (JudgmentRow.policy, which.policy),
    ):
        if wanted is not None:
            yield column == check_text("filter", wanted)
    if which.adjudicates is not None:
        yield JudgmentRow.adjudicates == which.adjudicates
    if which.since is not None:
        yield JudgmentRow.at >= which.since
    if which.until is not None:
        yield JudgmentRow.at < which.until
    if which.pairs is not None:
        yield JudgmentRow.pair_key.in_(pair_keys(which.pairs))
    if which.text:
        text = check_text("filter", which.text)
        if len(text) > LONGEST_TEXT:
            raise LabelStoreError(f"The searched text is longer than {LONGEST_TEXT} characters; shorten it.")
        columns = (PairRow.left_side, PairRow.right_side, JudgmentRow.note)
        yield or_(*(column.icontains(text, autoescape=True) for column in columns))


def conditions_on_view(which: JudgmentFilter) -> Iterator[ColumnElement[bool]]:
    """Yield the conditions on the view of current verdicts, so that the database need not compute all of it."""
    if which.annotator is not None:
        yield CURRENT.c.annotator == which.annotator
    if which.pairs is not None:
        yield CURRENT.c.pair_key.in_(pair_keys(which.pairs))


def judgments(
    connection: Connection, which: JudgmentFilter = EVERYTHING, *, limit: int | None = None, offset: int = 0
) -> list[Judgment]:
    """Return judgments, including withdrawn ones, the last recorded first."""
    wanted = JUDGMENTS.where(*conditions(which)).order_by(JudgmentRow.number.desc())
    return [judgment_of(row) for row in connection.execute(wanted.limit(limit).offset(offset))]


def count(connection: Connection, which: JudgmentFilter = EVERYTHING) -> int:
    """Return the number of judgments, including withdrawn ones."""
    counted = select(func.count()).select_from(JudgmentRow).where(*conditions(which))
    if which.kind is not None or which.source is not None or which.text:
        counted = counted.join(PairRow)
    return connection.scalar(counted) or 0


def as_recorded(connection: Connection) -> Iterator[Judgment]:
    """Return every judgment in the order of recording, with `_ROWS_READ` in memory at a time."""
    rows = connection.execute(JUDGMENTS.order_by(JudgmentRow.number).execution_options(yield_per=_ROWS_READ))
    return map(judgment_of, rows)


def taken_back(connection: Connection, ids: Iterable[str]) -> frozenset[str]:
    """Return the ids of withdrawn judgments among some ids."""
    later = aliased(JudgmentRow)
    last = select(func.max(later.depth)).where(later.chain == JudgmentRow.chain).scalar_subquery()
    undone = select(JudgmentRow.id).where(last % 2 != JudgmentRow.depth % 2)
    return frozenset(
        judgment_id
        for part in in_parts(check_text("id", judgment_id) for judgment_id in ids)
        for judgment_id in connection.scalars(undone.where(JudgmentRow.id.in_(part)))
    )
