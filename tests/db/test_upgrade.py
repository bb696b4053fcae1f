"""Every earlier revision becomes the newest with all that it holds, and the newest is what the models say."""

from collections import Counter
from datetime import datetime
from pathlib import Path
from typing import Any

import pytest
from alembic.autogenerate import compare_metadata
from alembic.runtime.migration import MigrationContext
from alembic.script import ScriptDirectory
from sqlalchemy import (
    JSON,
    Boolean,
    Column,
    Connection,
    DateTime,
    Float,
    Integer,
    MetaData,
    Table,
    inspect,
    select,
    text,
)

from db.database import Database
from db.label_store import LabelStore
from db.models import CURRENT, SETTLED, STANDING, Base
from db.upgrade import REVISION_TABLE, migrations, upgrade
from jobmatch_core.entities import PairKind
from jobmatch_core.errors import LabelStoreError
from jobmatch_core.judgment_origin import Origin
from tests.db.made_judgments import NOON, make_judgment

DROPPED = ("request_buckets",)  # tables of earlier revisions; each server counts requests for itself now
REVISIONS = [each.revision for each in ScriptDirectory.from_config(migrations()).walk_revisions()][::-1]
# what a column of these names must hold, in whatever table and revision
VALUES: dict[str, object] = {
    "kind": "title-title",
    "verdict": "positive",
    "undoes": None,
    "origin": "bulk",
    "reasons": ["skills"],
}


def tables_of(connection: Connection) -> list[Table]:
    """Return the tables as the database describes them, those that others refer to first."""
    metadata = MetaData()
    metadata.reflect(connection)
    return [table for table in metadata.sorted_tables if table.name != REVISION_TABLE]


def made_up(column: Column[Any]) -> object:
    """Return something that a column can hold."""
    if column.name in VALUES:
        return VALUES[column.name]
    if isinstance(column.type, DateTime):
        return NOON if column.type.timezone else NOON.replace(tzinfo=None)
    values = {Boolean: True, Float: 0.5, Integer: 1, JSON: []}
    return next((value for kind, value in values.items() if isinstance(column.type, kind)), "x")


def made_up_row(table: Table) -> dict[str, object]:
    """Return a row, but for a number that the database gives."""
    counted = [column for column in table.primary_key if isinstance(column.type, Integer)]
    return {column.name: made_up(column) for column in table.columns if column not in counted}


def rows_of(connection: Connection, table: Table) -> list[dict[str, object]]:
    """Return all rows by column, moments without what SQLite does not keep."""
    return [
        {key: value.replace(tzinfo=None) if isinstance(value, datetime) else value for key, value in row.items()}
        for row in connection.execute(select(table)).mappings()
    ]


@pytest.mark.parametrize("revision", REVISIONS)
def test_from_every_earlier_revision(where: str, database: Database, revision: str) -> None:
    """A row of every table is there as it was, and can be read."""
    upgrade(database, revision)
    with database.writing() as connection:
        tables = tables_of(connection)
        for table in tables:
            connection.execute(table.insert().values(made_up_row(table)))
        before = {table.name: rows_of(connection, table) for table in tables if table.name not in DROPPED}
    assert before
    upgrade(database)
    with database.reading() as connection:
        after = {table.name: rows_of(connection, table) for table in tables_of(connection)}
    assert not after.keys() & set(DROPPED)
    for name, rows in before.items():
        kept = [{key: row[key] for key in old if key in row} for row, old in zip(after[name], rows, strict=True)]
        assert kept == [{key: value for key, value in old.items() if key in rows[0]} for old in rows]
    with LabelStore.open(where) as store:
        assert [judgment.reasons for judgment in store.current()] == [("skills",)]
        assert store.record(make_judgment())


def test_the_origin_of_earlier_judgments(where: str, database: Database) -> None:
    """It follows from the policy: what was decided on with many others was not looked at."""
    upgrade(database, "0011")
    policies = {
        "link-titles-accept-many": Origin.BULK,
        "link-titles-selection": Origin.BULK,
        "link-titles-list": Origin.LOOKED_AT,
        "my own tool": Origin.LOOKED_AT,
    }
    with database.writing() as connection:
        pairs, judgments = (Table(name, MetaData(), autoload_with=connection) for name in ("pairs", "judgments"))
        key = "ab" * 16
        connection.execute(pairs.insert().values(made_up_row(pairs) | {"key": key}))
        for number, policy in enumerate(policies):
            row = {"id": str(number), "chain": str(number), "depth": 0, "annotator": str(number), "policy": policy}
            row["pair_key"] = key
            connection.execute(judgments.insert().values(made_up_row(judgments) | row))
    with LabelStore.open(where) as store:
        assert {each.provenance.policy: each.provenance.origin for each in store.current()} == policies
        assert Counter(tally.origin for tally in store.counts().tallies) == {Origin.BULK: 2, Origin.LOOKED_AT: 2}
        assert store.verdict_columns(PairKind.TITLE_TITLE).bulk.sum() == 2


def test_revisions_are_a_line() -> None:
    """Numbered, one after the other."""
    assert [f"{number + 1:04}" for number in range(len(REVISIONS))] == REVISIONS


def test_the_tables_are_what_the_models_say(database: Database) -> None:
    """Alembic finds nothing that it would change; what it prints here belongs into a new revision."""
    upgrade(database)
    with database.reading() as connection:
        left_out = set() if connection.dialect.name == "sqlite" else {"judgments_by_policy"}  # as `ddl_if` says
        context = MigrationContext.configure(
            connection,
            opts={"version_table": REVISION_TABLE, "include_object": lambda _item, name, *_: name not in left_out},
        )
        assert compare_metadata(context, Base.metadata) == []
        found = inspect(connection)
        for view in (STANDING, CURRENT, SETTLED):
            assert {column.name for column in view.columns} <= {each["name"] for each in found.get_columns(view.name)}


def test_the_comparison_itself(database: Database) -> None:
    """It would notice."""
    upgrade(database, REVISIONS[0])
    with database.reading() as connection:
        context = MigrationContext.configure(connection, opts={"version_table": REVISION_TABLE})
        assert compare_metadata(context, Base.metadata) != []


def test_a_revision_that_fails_leaves_nothing(database: Database, monkeypatch: pytest.MonkeyPatch) -> None:
    """All of them, or none; the next time it goes well."""
    with monkeypatch.context() as patch:
        patch.setattr("alembic.op.create_index", lambda *_: 1 / 0)
        with pytest.raises(ZeroDivisionError):
            upgrade(database)
    with database.reading() as connection:
        assert tables_of(connection) == []
    upgrade(database)


def test_a_newer_store(where: str, database: Database) -> None:
    """It is not touched; the message says what to install."""
    LabelStore.open(where).close()
    with database.writing() as connection:
        connection.execute(text(f"UPDATE {REVISION_TABLE} SET version_num = '9999'"))
    with pytest.raises(LabelStoreError, match=r"newer release.*9999"):
        LabelStore.open(where)


def test_tables_of_another_program(where: str, database: Database) -> None:
    """They are not touched; other names do not matter."""
    with database.writing() as connection:
        connection.execute(text("CREATE TABLE something (id INTEGER)"))
        connection.execute(text("CREATE TABLE pairs (id INTEGER)"))
    with pytest.raises(LabelStoreError, match="already has a table 'pairs' of another program"):
        LabelStore.open(where)
    with database.writing() as connection:
        connection.execute(text("DROP TABLE pairs"))
    LabelStore.open(where).close()


def test_a_path_with_percent_signs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Alembic takes them for something else unless they are doubled."""
    monkeypatch.setattr("db.upgrade.__file__", str(tmp_path / "100%s" / "upgrade.py"))
    assert migrations().get_main_option("script_location") == str(tmp_path / "100%s" / "migrations")
