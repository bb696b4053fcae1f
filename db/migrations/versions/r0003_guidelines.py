"""Guidelines, every version of them."""

import sqlalchemy as sa
from alembic import op

from db.migrations.append_only import make_append_only

revision = "0003"
down_revision = "0002"


def upgrade() -> None:
    """Make the table; there are no guidelines yet."""
    op.create_table(
        "guidelines",
        sa.Column("number", sa.BigInteger().with_variant(sa.Integer, "sqlite"), primary_key=True),
        sa.Column("text", sa.Text(), nullable=False),
        sa.Column("author", sa.String(200), nullable=False),
        sa.Column("at", sa.DateTime(timezone=True), nullable=False),
    )
    make_append_only("guidelines")
