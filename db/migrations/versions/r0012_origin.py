"""The origin of judgments: looked at, or decided on in bulk."""

import sqlalchemy as sa
from alembic import op

revision = "0012"
down_revision = "0011"


def upgrade() -> None:
    """Add the column; judgments are never changed, so that of earlier ones stays empty and follows from their policy.

    The covering index is widened by it; PostgreSQL has none, see 0008.
    """
    op.add_column("judgments", sa.Column("origin", sa.String(20)))
    if op.get_context().dialect.name == "sqlite":
        op.drop_index("judgments_by_policy", "judgments")
        op.create_index(
            "judgments_by_policy", "judgments", ["annotator", "policy", "origin", "verdict", "at", "seconds"]
        )
