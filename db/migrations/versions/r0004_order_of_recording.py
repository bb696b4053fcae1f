"""Views that order judgments by recording, not by time: the last recorded one counts, and is withdrawn first."""

from alembic import op

revision = "0004"
down_revision = "0003"

_CURRENT = """
CREATE VIEW current_verdicts AS
SELECT number, id, pair_key, annotator, verdict, adjudicates, at
FROM (
    SELECT standing_judgments.*,
           row_number() OVER (PARTITION BY pair_key, annotator, adjudicates ORDER BY number DESC) AS place
    FROM standing_judgments
) AS placed
WHERE place = 1
"""
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
           row_number() OVER (PARTITION BY pair_key ORDER BY settles DESC, number DESC) AS place,
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
    """Recreate the two views that ordered by time, and the index that finds an annotator's last judgment."""
    for view in ("pair_verdicts", "current_verdicts"):
        op.execute(f"DROP VIEW {view}")
    for view in (_CURRENT, _SETTLED):
        op.execute(view)
    op.drop_index("judgments_of_annotator", "judgments")
    op.create_index("judgments_of_annotator", "judgments", ["annotator", "number"])
