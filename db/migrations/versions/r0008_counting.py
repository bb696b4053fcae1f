"""Covering indexes for counts: the votes of pairs, and the judgments of annotators by policy."""

from alembic import op

revision = "0008"
down_revision = "0007"


def upgrade() -> None:
    """Widen the index of a pair's judgments, and add one by annotator and policy.

    PostgreSQL gets only the first: it counts by hashing, and cannot index texts as long as a policy may be.
    """
    op.drop_index("judgments_of_pair", "judgments")
    op.create_index("judgments_of_pair", "judgments", ["pair_key", "annotator", "verdict", "adjudicates"])
    if op.get_context().dialect.name == "sqlite":
        op.create_index("judgments_by_policy", "judgments", ["annotator", "policy", "verdict", "at", "seconds"])
