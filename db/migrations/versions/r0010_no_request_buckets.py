"""Drop the counts of requests: each server counts for itself."""

from alembic import op

revision = "0010"
down_revision = "0009"


def upgrade() -> None:
    """Drop the table and its index."""
    op.drop_table("request_buckets")
