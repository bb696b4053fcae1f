"""The browser that searched, by a random id, so that somebody can erase their own searches; '' for older searches."""

import sqlalchemy as sa
from alembic import op

revision = "0011"
down_revision = "0010"


def upgrade() -> None:
    """Add the column."""
    op.add_column("searches", sa.Column("searcher", sa.String(36), nullable=False, server_default=""))
