"""Access: people who signed in, keys of programs, and the ends of sessions and keys."""

import sqlalchemy as sa
from alembic import op

from db.migrations.append_only import make_append_only

revision = "0006"
down_revision = "0005"

_NUMBER = sa.BigInteger().with_variant(sa.Integer, "sqlite")


def upgrade() -> None:
    """Make the four tables; nobody has signed in yet."""
    op.create_table(
        "people",
        sa.Column("number", _NUMBER, primary_key=True),
        sa.Column("id", sa.String(200), nullable=False),
        sa.Column("issuer", sa.Text(), nullable=False),
        sa.Column("subject", sa.Text(), nullable=False),
        sa.Column("name", sa.String(200), nullable=False),
        sa.Column("role", sa.String(20), nullable=False),
        sa.Column("at", sa.DateTime(timezone=True), nullable=False),
    )
    op.create_index("rows_of_person", "people", ["id", "number"])
    op.create_table(
        "access_keys",
        sa.Column("id", sa.String(36), primary_key=True),
        sa.Column("name", sa.String(200), nullable=False),
        sa.Column("role", sa.String(20), nullable=False),
        sa.Column("scopes", sa.JSON(), nullable=False),
        sa.Column("sha256", sa.String(64), nullable=False, unique=True),
        sa.Column("made_by", sa.String(200), nullable=False),
        sa.Column("at", sa.DateTime(timezone=True), nullable=False),
    )
    op.create_table(
        "access_key_days",
        sa.Column("key_id", sa.String(36), sa.ForeignKey("access_keys.id"), primary_key=True),
        sa.Column("day", sa.String(10), primary_key=True),
    )
    op.create_table(
        "access_ends",
        sa.Column("number", _NUMBER, primary_key=True),
        sa.Column("subject", sa.String(200), nullable=False),
        sa.Column("ended_by", sa.String(200), nullable=False),
        sa.Column("at", sa.DateTime(timezone=True), nullable=False),
    )
    op.create_index("ends_of_subject", "access_ends", ["subject", "at"])
    for table in ("people", "access_keys", "access_key_days", "access_ends"):
        make_append_only(table)
