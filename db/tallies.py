"""Counts over the history: by annotator and policy, pairs by their votes, and pairs as seen by one annotator."""

from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from functools import lru_cache
from itertools import groupby
from operator import itemgetter
from typing import Any

import numpy as np
from sqlalchemy import ColumnElement, Connection, FromClause, Row, Select, and_, func, select
from sqlalchemy.orm import aliased

from db.database import in_parts
from db.history import STALE, JudgmentFilter, conditions, current_only
from db.models import CURRENT, JudgmentRow, PairRow
from db.rows import ORIGIN, check_text, pair_key, pair_of
from jobmatch_core.entities import Pair, PairKind, Verdict
from jobmatch_core.judgment_origin import Origin
from jobmatch_core.judgment_tallies import (
    NO_VOTES,
    AlikePairs,
    HistoryTallies,
    JudgedPair,
    TimedVerdict,
    VotedPair,
    Votes,
    Work,
)

_NUMBERS = ("positive", "negative", "unsure", "skip", "adjudications")
_SETTLING = aliased(JudgmentRow)  # the last adjudication of a pair


@dataclass(frozen=True, slots=True)
class Tally:
    """The number of an annotator's current verdicts of one policy and origin, including adjudications."""

    annotator: str
    policy: str
    judgments: int
    origin: Origin = Origin.LOOKED_AT


@dataclass(frozen=True, slots=True)
class Counts:
    """Numbers of current verdicts."""

    tallies: tuple[Tally, ...]

    @property
    def total(self) -> int:
        """The total number."""
        return sum(tally.judgments for tally in self.tallies)

    @property
    def by_annotator(self) -> dict[str, int]:
        """The number by annotator."""
        return self._sums(lambda tally: tally.annotator)

    @property
    def by_policy(self) -> dict[str, int]:
        """The number by policy (queue or page)."""
        return self._sums(lambda tally: tally.policy)

    def _sums(self, key: Callable[[Tally], str]) -> dict[str, int]:
        sums: Counter[str] = Counter()
        for tally in self.tallies:
            sums[key(tally)] += tally.judgments
        return dict(sums)


def counts(connection: Connection, kind: PairKind | None = None) -> Counts:
    """Return the numbers of current verdicts by annotator and policy, of all pairs or those of a kind."""
    alike = (JudgmentRow.annotator, JudgmentRow.policy, ORIGIN)
    counted = select(*alike, func.count()).group_by(*alike).order_by(*alike)
    if kind is not None:
        counted = counted.join(PairRow).where(PairRow.kind == kind)
    rows = connection.execute(current_only(counted))
    return Counts(tuple(Tally(annotator, policy, n, Origin(origin)) for annotator, policy, origin, n in rows))


def history_tallies(connection: Connection) -> HistoryTallies:
    """Return counts over the whole history: pairs by their votes, and annotators' work."""
    return HistoryTallies(_stale(connection), tuple(alike_pairs(connection)), tuple(_work(connection)))


def alike_pairs(connection: Connection) -> Iterator[AlikePairs]:
    """Count the judged pairs by kind and votes."""
    judged_kinds = kinds(connection)
    by_pair = current_only(_by_pair(JudgmentRow.__table__)).subquery()
    alike = (*(by_pair.c[name] for name in _NUMBERS), _SETTLING.verdict)
    counted = (
        select(*alike, func.count().label("pairs"))
        .select_from(by_pair)
        .outerjoin(_SETTLING, _SETTLING.number == by_pair.c.settles)
        .group_by(*alike)
        .order_by(*alike)
    )
    if len(judged_kinds) > 1:  # joining the pairs takes as long as the count itself
        counted = counted.join(PairRow, PairRow.key == by_pair.c.pair_key)
        counted = counted.add_columns(PairRow.kind).group_by(PairRow.kind).order_by(PairRow.kind)
    for row in connection.execute(counted):
        kind = PairKind(row.kind) if len(judged_kinds) > 1 else next(iter(judged_kinds))
        yield AlikePairs(kind, _votes(row), row.pairs)


def judged_pairs(connection: Connection, annotator: str, pairs: Iterable[Pair]) -> list[JudgedPair]:
    """Return those of some pairs that were judged, with the annotator's own verdicts told from the others'."""
    by_key, found = {pair_key(pair): pair for pair in pairs}, []
    for keys in in_parts(by_key):
        chosen = CURRENT.c.pair_key.in_(keys)
        judged = _by_pair(CURRENT, *_annotator_counts(CURRENT, annotator)).where(chosen).subquery()
        settled = _SETTLING.number == judged.c.settles
        for row in connection.execute(select(judged, _SETTLING.verdict).outerjoin(_SETTLING, settled)):
            pair, votes = by_key[row.pair_key], _votes(row)
            found.append(JudgedPair(pair, votes, row.others, own=row.own > 0, own_verdict=row.own_verdicts > 0))
    return found


def voted_pairs(connection: Connection, kind: PairKind | None, source: str) -> list[VotedPair]:
    """Return the judged pairs of a source, of a kind or all, in the order of their first current judgments."""
    judgments = JudgmentRow.__table__
    voted = current_only(_by_pair(judgments, func.min(judgments.c.number).label("begins"))).subquery()
    wanted = (
        select(PairRow.kind, PairRow.source, PairRow.left_side, PairRow.right_side, voted, _SETTLING.verdict)
        .select_from(voted)
        .join(PairRow, PairRow.key == voted.c.pair_key)
        .outerjoin(_SETTLING, _SETTLING.number == voted.c.settles)
        .where(PairRow.source == check_text("source", source))
        .order_by(voted.c.begins)
    )
    if kind is not None:
        wanted = wanted.where(PairRow.kind == kind)
    return [VotedPair(pair_of(row), _votes(row)) for row in connection.execute(wanted)]


def kinds(connection: Connection) -> frozenset[PairKind]:
    """Return the kinds of all judged pairs."""
    return frozenset(PairKind(kind) for kind in connection.scalars(select(PairRow.kind).distinct()))


def second_opinions(connection: Connection, annotator: str, kind: PairKind, source: str, most: int) -> list[JudgedPair]:
    """Return the pairs of a source that 1 to *most* others, but not the annotator, have judged; without votes."""
    judgments = JudgmentRow.__table__
    own, _, others = _annotator_counts(judgments, annotator)
    by_pair = current_only(select(judgments.c.pair_key, others).group_by(judgments.c.pair_key))
    judged = by_pair.having(own == 0, others.between(1, most)).subquery()
    wanted = (
        select(PairRow.left_side, PairRow.right_side, judged.c.others)
        .join(judged, judged.c.pair_key == PairRow.key)
        .where(PairRow.kind == kind, PairRow.source == check_text("source", source))
    )
    rows = connection.execute(wanted)
    return [JudgedPair(Pair(kind, source, left, right), NO_VOTES, n) for left, right, n in rows]


def timed_verdicts(connection: Connection, which: JudgmentFilter) -> list[TimedVerdict]:
    """Return current verdicts with their times, unordered."""
    columns = select(JudgmentRow.verdict, JudgmentRow.at, JudgmentRow.seconds)
    rows = connection.execute(current_only(columns.join(PairRow).where(*conditions(which))))
    return [TimedVerdict(Verdict(verdict), at, seconds) for verdict, at, seconds in rows if verdict]


def _by_pair(judgments: FromClause, *further: ColumnElement[Any]) -> Select[Any]:
    column = judgments.c
    votes = [
        func.count().filter(column.verdict == verdict, ~column.adjudicates).label(verdict.value) for verdict in Verdict
    ]
    settles = func.max(column.number).filter(column.adjudicates, column.verdict != Verdict.SKIP)
    adjudications = func.count().filter(column.adjudicates)
    return (
        select(column.pair_key, *votes, adjudications.label("adjudications"), settles.label("settles"), *further)
        .select_from(judgments)
        .group_by(column.pair_key)
    )


def _annotator_counts(judgments: FromClause, annotator: str) -> tuple[ColumnElement[int], ...]:
    """Return the numbers of an annotator's judgments, of those that are not skips, and of others who did not skip."""
    not_skipped, own = judgments.c.verdict != Verdict.SKIP, judgments.c.annotator == annotator
    others = func.count(judgments.c.annotator.distinct()).filter(and_(not_skipped, ~own))
    return (
        func.count().filter(own).label("own"),
        func.count().filter(and_(not_skipped, own)).label("own_verdicts"),
        others.label("others"),
    )


def _votes(row: Row[*tuple[Any, ...]]) -> Votes:
    return _shared_votes(row.positive, row.negative, row.unsure, row.skip, row.verdict, row.adjudications)


@lru_cache(maxsize=1000)  # few are different
def _shared_votes(
    positive: int, negative: int, unsure: int, skip: int, verdict: str | None, adjudications: int
) -> Votes:
    settled = None if verdict is None else Verdict(verdict)
    return Votes(positive, negative, unsure, skip, settled, adjudications)


def _stale(connection: Connection) -> dict[PairKind, int]:
    by_kind = (
        select(PairRow.kind, func.count())
        .select_from(STALE)
        .join(JudgmentRow, JudgmentRow.number == STALE.c.number)
        .join(PairRow, PairRow.key == JudgmentRow.pair_key)
        .group_by(PairRow.kind)
    )
    return {PairKind(kind): judgments for kind, judgments in connection.execute(by_kind)}


def _work(connection: Connection) -> Iterator[Work]:
    alike = (JudgmentRow.annotator, JudgmentRow.policy, ORIGIN)
    timed = current_only(select(JudgmentRow.seconds).where(JudgmentRow.seconds.is_not(None)))
    seconds = np.fromiter(connection.scalars(timed.order_by(*alike)), dtype=np.float64)
    numbers = (
        func.count().label("judgments"),
        func.count(JudgmentRow.seconds).label("timed"),
        func.max(JudgmentRow.at).label("last"),
    )
    grouped = select(*alike, JudgmentRow.verdict, *numbers).group_by(*alike, JudgmentRow.verdict).order_by(*alike)
    counted = connection.execute(current_only(grouped))
    begin = 0
    for (annotator, policy, origin), group in groupby(counted, key=itemgetter(0, 1, 2)):
        rows = list(group)
        end = begin + sum(row.timed for row in rows)
        verdicts = {Verdict(row.verdict): row.judgments for row in rows}
        last = max(row.last for row in rows)
        yield Work(annotator, policy, verdicts, seconds[begin:end], last, Origin(origin))
        begin = end
