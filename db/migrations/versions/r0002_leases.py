"""Leases: who has a pair before them, until when."""

import sqlalchemy as sa
from alembic import op

revision = "0002"
down_revision = "0001"


def upgrade() -> None:
    """Make the table; no pair is leased yet."""
    op.create_table(
        "leases",
        sa.Column("pair_key", sa.String(32), primary_key=True),
        sa.Column("annotator", sa.String(200), primary_key=True),
        sa.Column("expires", sa.DateTime(timezone=True), nullable=False),
    )
    op.create_index("leases_in_time", "leases", ["expires"])
