"""Selection of the current judgments, for statements over the whole history.

It is the rule of the view `current_verdicts`, which looks at every judgment. Here only those of annotators who said
something of a pair more than once are looked at: all others count.
"""

from typing import TypeVarTuple

from sqlalchemy import Select, and_, func, select
from sqlalchemy.sql.expression import except_

from db.models import STANDING, JudgmentRow

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
    .join(
        JudgmentRow,
        and_(JudgmentRow.pair_key == _SEVERAL.c.pair_key, JudgmentRow.annotator == _SEVERAL.c.annotator),
    )
)
_LAST = (
    select(func.max(STANDING.c.number))
    .select_from(_SEVERAL)
    .join(STANDING, and_(STANDING.c.pair_key == _SEVERAL.c.pair_key, STANDING.c.annotator == _SEVERAL.c.annotator))
    .group_by(STANDING.c.pair_key, STANDING.c.annotator, STANDING.c.adjudicates)
)
STALE = except_(_RECORDED, _LAST).subquery("stale")


def current_only(judgments: Select[*Columns]) -> Select[*Columns]:
    """Leave out of a statement over judgments those that are withdrawn, withdraw, or were replaced."""
    # a join, because PostgreSQL compares each row with each of a long NOT IN
    joined = judgments.outerjoin(STALE, STALE.c.number == JudgmentRow.number)
    return joined.where(STALE.c.number.is_(None))
