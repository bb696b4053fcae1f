"""The resolved verdicts of judged pairs, read from the view that the store's queries share."""

from dataclasses import dataclass

from sqlalchemy import select

from db.label_store import LabelStore
from db.models import SETTLED, PairRow
from db.rows import pair_of
from jobmatch_core.entities import Pair, Verdict


@dataclass(frozen=True, slots=True)
class PairVerdict:
    """Resolved verdict of a pair."""

    pair: Pair
    # verdict of the last adjudication that is no skip; else a skip if all annotators skipped it; else the verdict of
    # more than half of those who did not skip; None if there is no such majority
    verdict: Verdict | None
    adjudicated: bool
    # positive, negative, unsure, skip: numbers of annotators with that verdict, without adjudications
    positive: int
    negative: int
    unsure: int
    skip: int


def pair_verdicts(store: LabelStore, source: str = "") -> list[PairVerdict]:
    """Return the resolved verdicts of the judged pairs, or those of one source."""
    wanted = select(PairRow, SETTLED).join(SETTLED, SETTLED.c.pair_key == PairRow.key).order_by(PairRow.key)
    if source:
        wanted = wanted.where(PairRow.source == source)
    with store._database.reading() as connection:
        return [
            PairVerdict(
                pair_of(row),
                None if row.verdict is None else Verdict(row.verdict),
                row.adjudicated,
                row.positive,
                row.negative,
                row.unsure,
                row.skip,
            )
            for row in connection.execute(wanted)
        ]
