"""Current verdicts by annotator and pair, and by pair. The rules are views of the database."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from sqlalchemy import Connection, select

from db.checks import check_text
from db.current import current_only
from db.filters import JudgmentFilter, conditions, conditions_on_view
from db.history import ROWS_AT_ONCE
from db.models import CURRENT, SETTLED, JudgmentRow, PairRow
from db.rows import JUDGMENTS, judgment_of, pair_keys, pair_of
from jobmatch_core.entities import Judgment, Pair, PairKind, Verdict


@dataclass(frozen=True, slots=True)
class PairVerdict:
    """Resolved verdict of a pair.

    Attributes:
        pair: the judged pair.
        verdict: verdict of the last adjudication; without one that of more than half of those who did not skip; None
            without such a majority.
        adjudicated: true if an adjudication settled it.
        positive, negative, unsure, skip: numbers of annotators with that verdict, without adjudications.
    """

    pair: Pair
    verdict: Verdict | None
    adjudicated: bool
    positive: int
    negative: int
    unsure: int
    skip: int


def current(connection: Connection, which: JudgmentFilter, limit: int | None, offset: int) -> list[Judgment]:
    """Return the current judgment of each annotator and pair, and adjudications; the last recorded first."""
    wanted = JUDGMENTS.where(*conditions(which)).order_by(JudgmentRow.number.desc())
    if on_view := list(conditions_on_view(which)):
        wanted = wanted.join(CURRENT, CURRENT.c.number == JudgmentRow.number).where(*on_view)
    else:
        wanted = current_only(wanted)
    return [judgment_of(row) for row in connection.execute(wanted.limit(limit).offset(offset))]


def current_as_recorded(connection: Connection) -> Iterator[Judgment]:
    """Return all current judgments in the order of recording, a thousand in memory at a time."""
    wanted = current_only(JUDGMENTS).order_by(JudgmentRow.number)
    return map(judgment_of, connection.execute(wanted.execution_options(yield_per=ROWS_AT_ONCE)))


def pair_verdicts(
    connection: Connection, kind: PairKind | None, source: str | None, pairs: Iterable[Pair] | None
) -> list[PairVerdict]:
    """Return resolved verdicts of pairs, of a kind, of a source, or of some; unjudged ones are left out."""
    wanted = select(PairRow, SETTLED).join(SETTLED, SETTLED.c.pair_key == PairRow.key).order_by(PairRow.key)
    if kind is not None:
        wanted = wanted.where(PairRow.kind == kind)
    if source is not None:
        wanted = wanted.where(PairRow.source == check_text("source", source))
    if pairs is not None:
        wanted = wanted.where(SETTLED.c.pair_key.in_(pair_keys(pairs)))
    return [
        PairVerdict(
            pair=pair_of(row),
            verdict=None if row.verdict is None else Verdict(row.verdict),
            adjudicated=row.adjudicated,
            positive=row.positive,
            negative=row.negative,
            unsure=row.unsure,
            skip=row.skip,
        )
        for row in connection.execute(wanted)
    ]
