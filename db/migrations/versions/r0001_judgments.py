"""Pairs, judgments, and what counts of them."""

import sqlalchemy as sa
from alembic import op

from db.migrations.append_only import make_append_only

revision = "0001"
down_revision = None

_NUMBER = sa.BigInteger().with_variant(sa.Integer, "sqlite")

_STANDING = """
CREATE VIEW standing_judgments AS
SELECT number, id, pair_key, annotator, verdict, adjudicates, at
FROM judgments AS judgment
WHERE verdict IS NOT NULL
  AND (SELECT max(later.depth) FROM judgments AS later WHERE later.chain = judgment.chain) % 2 = depth % 2
"""
_CURRENT = """
CREATE VIEW current_verdicts AS
SELECT number, id, pair_key, annotator, verdict, adjudicates, at
FROM (
    SELECT standing_judgments.*,
           row_number() OVER (PARTITION BY pair_key, annotator, adjudicates ORDER BY at DESC, number DESC) AS place
    FROM standing_judgments
) AS placed
WHERE place = 1
"""
# The latest adjudication that is no skip counts before all others. Without one what more than half of those say who did
# not skip; NULL where there is no such half. Windows instead of GROUP BY, because SQLite looks for a few pairs in them
# without working out the rest.
_SETTLED = """
CREATE VIEW pair_verdicts AS
SELECT pair_key,
       CASE WHEN settles THEN verdict
            WHEN positive + negative + unsure = 0 THEN 'skip'
            WHEN 2 * positive > positive + negative + unsure THEN 'positive'
            WHEN 2 * negative > positive + negative + unsure THEN 'negative'
            WHEN 2 * unsure > positive + negative + unsure THEN 'unsure'
       END AS verdict,
       settles AS adjudicated, positive, negative, unsure, skip
FROM (
    SELECT pair_key, verdict, settles,
           row_number() OVER (PARTITION BY pair_key ORDER BY settles DESC, at DESC, number DESC) AS place,
           sum(CASE WHEN verdict = 'positive' AND NOT adjudicates THEN 1 ELSE 0 END) OVER of_pair AS positive,
           sum(CASE WHEN verdict = 'negative' AND NOT adjudicates THEN 1 ELSE 0 END) OVER of_pair AS negative,
           sum(CASE WHEN verdict = 'unsure' AND NOT adjudicates THEN 1 ELSE 0 END) OVER of_pair AS unsure,
           sum(CASE WHEN verdict = 'skip' AND NOT adjudicates THEN 1 ELSE 0 END) OVER of_pair AS skip
    FROM (SELECT current_verdicts.*, adjudicates AND verdict <> 'skip' AS settles FROM current_verdicts) AS said
    WINDOW of_pair AS (PARTITION BY pair_key)
) AS counted
WHERE place = 1
"""


def upgrade() -> None:
    """Make the tables, their triggers and the views."""
    op.create_table(
        "pairs",
        sa.Column("key", sa.String(32), primary_key=True),
        sa.Column("kind", sa.String(40), nullable=False),
        sa.Column("source", sa.Text(), nullable=False),
        sa.Column("left_side", sa.Text(), nullable=False),
        sa.Column("right_side", sa.Text(), nullable=False),
    )
    op.create_table(
        "judgments",
        sa.Column("number", _NUMBER, primary_key=True),
        sa.Column("id", sa.String(36), nullable=False, unique=True),
        sa.Column("pair_key", sa.String(32), sa.ForeignKey("pairs.key"), nullable=False),
        sa.Column("verdict", sa.String(20)),
        sa.Column("annotator", sa.String(200), nullable=False),
        sa.Column("at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("policy", sa.Text(), nullable=False),
        sa.Column("model", sa.Text(), nullable=False),
        sa.Column("rank", sa.Integer()),
        sa.Column("score", sa.Double()),
        sa.Column("reasons", sa.JSON(), nullable=False),
        sa.Column("note", sa.Text(), nullable=False),
        sa.Column("seconds", sa.Double()),
        sa.Column("undoes", sa.String(36), sa.ForeignKey("judgments.id")),
        sa.Column("adjudicates", sa.Boolean(), nullable=False),
        sa.Column("chain", sa.String(36), nullable=False),
        sa.Column("depth", sa.Integer(), nullable=False),
        sa.CheckConstraint("verdict IS NOT NULL OR undoes IS NOT NULL", name="says_something"),
    )
    op.create_index("judgments_of_pair", "judgments", ["pair_key", "annotator"])
    op.create_index("judgments_of_annotator", "judgments", ["annotator", "at"])
    op.create_index("judgments_in_time", "judgments", ["at", "number"])
    op.create_index("one_undo_each", "judgments", ["chain", "depth"], unique=True)
    make_append_only("pairs")
    make_append_only("judgments")
    for view in (_STANDING, _CURRENT, _SETTLED):
        op.execute(view)
