"""Recording of judgments, their withdrawal by further judgments, and their reassignment."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from uuid import uuid4

from sqlalchemy import Connection, Row, delete, func, insert, select, tuple_

from db.database import in_parts
from db.models import CURRENT, STANDING, JudgmentRow, LeaseRow, PairRow
from db.rows import JUDGMENTS, check_judgment, judgment_columns, judgment_of, pair_columns, pair_key
from jobmatch_core.entities import Judgment, Verdict
from jobmatch_core.errors import LabelStoreError
from jobmatch_core.judgment_tallies import is_among


@dataclass(frozen=True, slots=True)
class _Link:
    judgment: Judgment
    chain: str
    depth: int


def add(connection: Connection, judgments: Sequence[Judgment]) -> int:
    """Add new judgments in their order, and end the annotators' leases on their pairs.

    Args:
        judgments: judgments that passed `rows.check_judgment`.

    Returns:
        The number of new ones.

    Raises LabelStoreError if a judgment with the same id differs, or a judgment withdraws one that it may not.
    """
    return sum(_add(connection, part) for part in in_parts(judgments))


def add_each(connection: Connection, judgments: Sequence[Judgment]) -> dict[str, str]:
    """Add the valid judgments as `add` does, and return the reasons against the others by id.

    If a judgment is refused, each half is added again; `add` skips judgments that are already stored.
    """
    try:
        checked = [check_judgment(judgment) for judgment in judgments]
        check_settlers(connection, checked)
        add(connection, checked)
    except LabelStoreError as error:  # of a judgment; database errors are raised when the transaction ends
        if len(judgments) == 1:
            return {judgments[0].id: str(error)}
        half = len(judgments) // 2
        return add_each(connection, judgments[:half]) | add_each(connection, judgments[half:])
    return {}


def check_settlers(connection: Connection, judgments: Sequence[Judgment]) -> None:
    """Check that no annotator settles a disagreement in which they took part; the judgments are in their order.

    Raises LabelStoreError if the annotator of a new adjudication has judged the pair, and somebody else disagreed.
    """
    settled = {
        pair_key(judgment.pair) for judgment in judgments if judgment.adjudicates and judgment.verdict is not None
    }
    if not settled:
        return
    verdicts_by_pair = _verdicts(connection, settled)
    recorded = _recorded(connection, {judgment.id for judgment in judgments})
    for judgment in judgments:
        verdicts = verdicts_by_pair.get(pair_key(judgment.pair))
        if verdicts is None or judgment.id in recorded:
            continue
        if judgment.adjudicates and judgment.verdict not in (None, Verdict.SKIP):
            took_part = any(is_among(judgment.annotator, [name]) for name in verdicts)
            if took_part and len(set(verdicts.values())) > 1:
                raise LabelStoreError(
                    f"{judgment.annotator!r} has judged this pair, and others disagree: somebody else must settle it."
                )
        elif not judgment.adjudicates:
            verdicts.pop(judgment.annotator, None)
            if judgment.verdict is not None and judgment.verdict is not Verdict.SKIP:
                verdicts[judgment.annotator] = judgment.verdict


def _verdicts(connection: Connection, keys: Iterable[str]) -> dict[str, dict[str, Verdict]]:
    """Return the current verdicts on some pairs by key and annotator, without skips and adjudications."""
    verdicts: dict[str, dict[str, Verdict]] = {key: {} for key in keys}
    counted = select(CURRENT.c.pair_key, CURRENT.c.annotator, CURRENT.c.verdict).where(
        ~CURRENT.c.adjudicates, CURRENT.c.verdict != Verdict.SKIP
    )
    for part in in_parts(verdicts):
        for key, annotator, verdict in connection.execute(counted.where(CURRENT.c.pair_key.in_(part))):
            verdicts[key][annotator] = Verdict(verdict)
    return verdicts


def undo(connection: Connection, annotator: str, judgment_id: str | None, at: datetime) -> Judgment | None:
    """Add a judgment that withdraws one, and return it, as `LabelStore.undo` does."""
    if judgment_id is None:
        chain = connection.scalar(
            select(JudgmentRow.chain)
            .join(STANDING, STANDING.c.number == JudgmentRow.number)
            .where(STANDING.c.annotator == annotator)
            .order_by(STANDING.c.number.desc())
            .limit(1)
        )
        if chain is None:
            return None
        judgment_id, _ = _last_of(connection, chain)
    return _taken_back(connection, annotator, judgment_id, at)


def take_back(connection: Connection, annotator: str, judgment_id: str, at: datetime) -> Judgment:
    """Add a judgment that withdraws a current one, and return it, as `LabelStore.take_back` does."""
    link = select(JudgmentRow.chain, JudgmentRow.depth).where(JudgmentRow.id == judgment_id)
    row = connection.execute(link).one_or_none()
    if row is None:
        raise LabelStoreError(f"There is no judgment {judgment_id!r} to withdraw.")
    last, depth = _last_of(connection, row.chain)
    if (depth - row.depth) % 2:
        raise LabelStoreError(f"The judgment {judgment_id!r} is already withdrawn.")
    return _taken_back(connection, annotator, last, at)


def _last_of(connection: Connection, chain: str) -> tuple[str, int]:
    # to withdraw a chain's current judgment, its last one must be withdrawn
    rows = select(JudgmentRow.id, JudgmentRow.depth).where(JudgmentRow.chain == chain)
    last = connection.execute(rows.order_by(JudgmentRow.depth.desc()).limit(1)).one()
    return last.id, last.depth


def _taken_back(connection: Connection, annotator: str, judgment_id: str, at: datetime) -> Judgment:
    row = connection.execute(JUDGMENTS.where(JudgmentRow.id == judgment_id)).one_or_none()
    if row is None:
        raise LabelStoreError(f"There is no judgment {judgment_id!r} to withdraw.")
    undone = judgment_of(row)
    taking = Judgment(
        id=str(uuid4()),
        pair=undone.pair,
        verdict=None,
        annotator=annotator,
        at=at,
        provenance=undone.provenance,
        undoes=undone.id,
        adjudicates=undone.adjudicates,
    )
    _add(connection, [taking])
    return taking


def _add(connection: Connection, judgments: Sequence[Judgment]) -> int:
    undone = {judgment.undoes for judgment in judgments if judgment.undoes}
    recorded = _recorded(connection, undone | {judgment.id for judgment in judgments})
    chains = {recorded[judgment_id].chain for judgment_id in undone if judgment_id in recorded}
    deepest = _deepest(connection, chains) if chains else {}
    new: list[_Link] = []
    for judgment in judgments:
        if judgment.id in recorded:
            _check_same(judgment, recorded[judgment.id].judgment)
            continue
        link = _Link(judgment, chain=judgment.id, depth=0)
        if judgment.undoes:
            before = _undone(judgment, recorded.get(judgment.undoes))
            if before.depth < deepest.get(before.chain, 0):
                raise LabelStoreError(f"The judgment {judgment.undoes!r} is already withdrawn.")
            link = _Link(judgment, before.chain, before.depth + 1)
            deepest[link.chain] = link.depth
        recorded[judgment.id] = link
        new.append(link)
    _insert(connection, new)
    return len(new)


def _deepest(connection: Connection, chains: Iterable[str]) -> dict[str, int]:
    depths = select(JudgmentRow.chain, func.max(JudgmentRow.depth)).group_by(JudgmentRow.chain)
    return dict(connection.execute(depths.where(JudgmentRow.chain.in_(chains))).all())


def _recorded(connection: Connection, ids: Iterable[str]) -> dict[str, _Link]:
    return {
        row.id: _Link(judgment_of(row), row.chain, row.depth)
        for part in in_parts(ids)
        for row in connection.execute(JUDGMENTS.where(JudgmentRow.id.in_(part)))
    }


def _check_same(judgment: Judgment, old: Judgment) -> None:
    if judgment != old:
        raise LabelStoreError(
            f"The id {judgment.id!r} belongs to a judgment of {old.annotator!r}, and judgments are never changed: "
            "give the new one its own id."
        )


def _undone(judgment: Judgment, undone: _Link | None) -> _Link:
    if undone is None:
        raise LabelStoreError(
            f"The judgment {judgment.id!r} withdraws {judgment.undoes!r}, which is not stored; record that one first."
        )
    if undone.judgment.annotator != judgment.annotator:
        raise LabelStoreError(
            f"{judgment.annotator!r} cannot withdraw a judgment of {undone.judgment.annotator!r}; adjudicate instead."
        )
    if undone.judgment.pair != judgment.pair:
        raise LabelStoreError(f"The judgment {judgment.id!r} withdraws one of another pair.")
    return undone


def _insert(connection: Connection, links: Sequence[_Link]) -> None:
    if not links:
        return
    pairs = {pair_key(link.judgment.pair): link.judgment.pair for link in links}
    stored = set(connection.scalars(select(PairRow.key).where(PairRow.key.in_(pairs))))
    new_pairs = [pair_columns(key, pair) for key, pair in pairs.items() if key not in stored]
    if new_pairs:
        connection.execute(insert(PairRow), new_pairs)
    rows = [judgment_columns(link.judgment, chain=link.chain, depth=link.depth) for link in links]
    connection.execute(insert(JudgmentRow), rows)
    judged = {(row["pair_key"], row["annotator"]) for row in rows}
    connection.execute(delete(LeaseRow).where(tuple_(LeaseRow.pair_key, LeaseRow.annotator).in_(judged)))


def claim(connection: Connection, old: str, new: str, claimed_by: str, at: datetime) -> int:
    """Reassign an annotator's current judgments to another annotator, with their times, reasons and notes.

    Where *new* has judged a pair too, that judgment stays and the old one is withdrawn. An adjudication overruled by
    a later one of somebody else is not reassigned, because it would then be the later one.

    Args:
        old: annotator whose judgments are withdrawn.
        new: annotator under whom they are recorded again.
        claimed_by: person who claims them, named in the notes of the withdrawals.
        at: time of the withdrawals.

    Returns:
        The number of reassigned judgments.

    Raises LabelStoreError if both annotators are the same.
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
    add(connection, [*_withdrawals(connection, rows, note, at), *moved])
    return len(moved)


def _current(connection: Connection, annotator: str) -> Sequence[Row[*tuple[object, ...]]]:
    wanted = JUDGMENTS.join(CURRENT, CURRENT.c.number == JudgmentRow.number)
    return connection.execute(wanted.where(CURRENT.c.annotator == annotator).order_by(JudgmentRow.number)).all()


def _may_move(connection: Connection, row: Row[*tuple[object, ...]]) -> bool:
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
