"""The search log: results that searches showed, and results that were opened.

Rows are never changed, but they are deleted: when they are old, and when somebody erases the log.
"""

import sqlalchemy as sa
from alembic import op

revision = "0005"
down_revision = "0004"

_NUMBER = sa.BigInteger().with_variant(sa.Integer, "sqlite")
_SQLITE = """
CREATE TRIGGER {table}_never_update BEFORE UPDATE ON {table}
BEGIN SELECT RAISE(ABORT, '{table} are never changed'); END
"""
_POSTGRESQL_FUNCTION = """
CREATE FUNCTION {table}_stay() RETURNS trigger LANGUAGE plpgsql AS
$$ BEGIN RAISE EXCEPTION '{table} are never changed'; END $$
"""
_POSTGRESQL = """
CREATE TRIGGER {table}_stay BEFORE UPDATE ON {table} FOR EACH STATEMENT EXECUTE FUNCTION {table}_stay()
"""


def upgrade() -> None:
    """Make the two tables; nothing was logged yet."""
    op.create_table(
        "searches",
        sa.Column("number", _NUMBER, primary_key=True),
        sa.Column("id", sa.String(36), nullable=False, unique=True),
        sa.Column("sort", sa.String(20), nullable=False),
        sa.Column("source", sa.Text(), nullable=False),
        sa.Column("query", sa.Text(), nullable=False),
        sa.Column("model", sa.Text(), nullable=False),
        sa.Column("items", sa.JSON(), nullable=False),
        sa.Column("pair", sa.Integer(), nullable=False),
        sa.Column("swapped", sa.Boolean(), nullable=False),
        sa.Column("session", sa.String(36), nullable=False),
        sa.Column("at", sa.DateTime(timezone=True), nullable=False),
    )
    op.create_index("searches_in_time", "searches", ["at"])
    op.create_table(
        "search_choices",
        sa.Column("number", _NUMBER, primary_key=True),
        sa.Column("id", sa.String(36), nullable=False, unique=True),
        sa.Column("shown", sa.String(36), sa.ForeignKey("searches.id"), nullable=False),
        sa.Column("item", sa.Text(), nullable=False),
        sa.Column("rank", sa.Integer(), nullable=False),
        sa.Column("at", sa.DateTime(timezone=True), nullable=False),
    )
    op.create_index("choices_of_search", "search_choices", ["shown", "rank"], unique=True)
    for table in ("searches", "search_choices"):
        _never_change(table)


def _never_change(table: str) -> None:
    if op.get_context().dialect.name == "sqlite":
        op.execute(_SQLITE.format(table=table))
    else:
        op.execute(_POSTGRESQL_FUNCTION.format(table=table))
        op.execute(_POSTGRESQL.format(table=table))
