"""Triggers that forbid changes of rows; released revisions use this file, so do not change it."""

from alembic import op

_SQLITE = """
CREATE TRIGGER {table}_never_{change} BEFORE {change} ON {table}
BEGIN SELECT RAISE(ABORT, '{table} are only ever added'); END
"""
_POSTGRESQL_FUNCTION = """
CREATE FUNCTION {table}_are_kept() RETURNS trigger LANGUAGE plpgsql AS
$$ BEGIN RAISE EXCEPTION '{table} are only ever added'; END $$
"""
_POSTGRESQL = """
CREATE TRIGGER {table}_are_kept BEFORE UPDATE OR DELETE OR TRUNCATE ON {table}
FOR EACH STATEMENT EXECUTE FUNCTION {table}_are_kept()
"""


def make_append_only(table: str) -> None:
    """Let the database refuse to change or delete a table's rows."""
    if op.get_context().dialect.name == "sqlite":
        op.execute(_SQLITE.format(table=table, change="update"))
        op.execute(_SQLITE.format(table=table, change="delete"))
    else:
        op.execute(_POSTGRESQL_FUNCTION.format(table=table))
        op.execute(_POSTGRESQL.format(table=table))
