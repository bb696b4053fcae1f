"""Quotas: how many people are to judge each pair, and who is to judge how much; all versions."""

import sqlalchemy as sa
from alembic import op

from db.migrations.append_only import make_append_only

revision = "0007"
down_revision = "0006"

_NUMBER = sa.BigInteger().with_variant(sa.Integer, "sqlite")


def upgrade() -> None:
    """Make the table; without a row each pair is judged once, by anybody."""
    op.create_table(
        "quotas",
        sa.Column("number", _NUMBER, primary_key=True),
        sa.Column("judgments", sa.Integer(), nullable=False),
        sa.Column("shares", sa.JSON(), nullable=False),
        sa.Column("author", sa.String(200), nullable=False),
        sa.Column("at", sa.DateTime(timezone=True), nullable=False),
    )
    make_append_only("quotas")
