"""Requests that callers may still send, counted by all servers on one store together. Rows change, and are deleted."""

import sqlalchemy as sa
from alembic import op

revision = "0009"
down_revision = "0008"


def upgrade() -> None:
    """Make the table; a caller without a row has sent nothing."""
    op.create_table(
        "request_buckets",
        sa.Column("caller", sa.String(32), primary_key=True),
        sa.Column("left", sa.Double(), nullable=False),
        sa.Column("at", sa.DateTime(timezone=True), nullable=False),
    )
    op.create_index("buckets_in_time", "request_buckets", ["at"])
