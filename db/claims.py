"""Reassignment of judgments that were recorded under a typed name, before their annotator signed in.

Judgments are never changed. A claim withdraws the old name's current judgments and records them again under the new
one, so that views, exports and imports need to know nothing of claims.
"""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from datetime import datetime
from uuid import uuid4

from sqlalchemy import Connection, Row, func, select

from db import recording
from db.models import CURRENT, JudgmentRow
from db.rows import JUDGMENTS, judgment_of
from jobmatch_core.entities import Judgment, Verdict
from jobmatch_core.errors import LabelStoreError


def claim(connection: Connection, old: str, new: str, claimed_by: str, at: datetime) -> int:
    """Reassign an annotator's current judgments to another annotator, with their times, reasons and notes.

    Where *new* has judged a pair too, that judgment stays and the old one is withdrawn. An adjudication that
    somebody else's later one overrules is not reassigned: recorded again, it would be the later one.

    Args:
        connection: writing connection.
        old: annotator whose judgments are withdrawn.
        new: annotator under whom they are recorded again.
        claimed_by: name of the person who claims them, for the notes of the withdrawals.
        at: time of the withdrawals.

    Returns:
        The number of judgments that were recorded again.

    Raises:
        LabelStoreError: both annotators are the same.
    """
    if old == new:
        raise LabelStoreError(f"The judgments of {old!r} already belong to {new!r}; give two different annotators.")
    rows = [row for row in _current(connection, old) if _may_move(connection, row)]
    taken = {(row.pair_key, row.adjudicates) for row in _current(connection, new)}
    moved = [
        replace(judgment_of(row), id=str(uuid4()), annotator=new, undoes="")
        for row in rows
        if (row.pair_key, row.adjudicates) not in taken
    ]
    note = f"Claimed for {new} by {claimed_by}"
    recording.add(connection, [*_withdrawals(connection, rows, note, at), *moved])
    return len(moved)


def _current(connection: Connection, annotator: str) -> Sequence[Row[*tuple[object, ...]]]:
    """Return the rows of an annotator's current judgments, first recorded first."""
    wanted = JUDGMENTS.join(CURRENT, CURRENT.c.number == JudgmentRow.number)
    return connection.execute(wanted.where(CURRENT.c.annotator == annotator).order_by(JudgmentRow.number)).all()


def _may_move(connection: Connection, row: Row[*tuple[object, ...]]) -> bool:
    """Return whether a judgment can be reassigned: any but an overruled adjudication."""
    if not row.adjudicates:
        return True
    last = (
        select(func.max(JudgmentRow.number))
        .join(CURRENT, CURRENT.c.number == JudgmentRow.number)
        .where(JudgmentRow.pair_key == row.pair_key, JudgmentRow.adjudicates, JudgmentRow.verdict != Verdict.SKIP)
    )
    return connection.scalar(last) in (row.number, None)


def _withdrawals(
    connection: Connection, rows: Sequence[Row[*tuple[object, ...]]], note: str, at: datetime
) -> Iterator[Judgment]:
    """Yield the withdrawal of each current judgment; it withdraws the last of the chain of withdrawals."""
    if not rows:
        return
    links = select(JudgmentRow.chain, JudgmentRow.id, JudgmentRow.depth).where(
        JudgmentRow.annotator == rows[0].annotator
    )
    last = {chain: judgment_id for chain, judgment_id, _ in connection.execute(links.order_by(JudgmentRow.depth))}
    for row in rows:
        judgment = judgment_of(row)
        yield replace(
            judgment, id=str(uuid4()), verdict=None, at=at, undoes=last[row.chain], reasons=(), note=note, seconds=None
        )
