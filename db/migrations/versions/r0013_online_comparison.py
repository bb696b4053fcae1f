"""Searches whose results come from two models: the candidate, and the ranking that is credited with each item."""

import sqlalchemy as sa
from alembic import op

revision = "0013"
down_revision = "0012"


def upgrade() -> None:
    """Add the columns."""
    op.add_column("searches", sa.Column("candidate", sa.Text(), nullable=False, server_default=""))
    op.add_column("searches", sa.Column("teams", sa.JSON()))
