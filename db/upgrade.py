"""Upgrade of a database's tables from an empty database or any earlier revision."""

from pathlib import Path
from threading import Lock

from alembic import command
from alembic.config import Config
from alembic.runtime.migration import MigrationContext
from alembic.script import ScriptDirectory
from sqlalchemy import Connection, inspect

from db.database import Database
from db.models import Base
from jobmatch_core.errors import LabelStoreUnavailableError

REVISION_TABLE = "jobmatch_revision"  # not Alembic's default: the database may hold another program's tables, too
_ALEMBIC = Lock()  # Alembic's `op` and `context` are global to the process


def migrations() -> Config:
    """Return Alembic's configuration: the folder of the revisions and the table of the current revision."""
    config = Config(attributes={"version_table": REVISION_TABLE})
    config.set_main_option("script_location", str(Path(__file__).parent / "migrations").replace("%", "%%"))
    return config


def upgrade(database: Database, to: str = "head") -> None:
    """Run the missing revisions up to *to* in one transaction; concurrent upgrades wait for each other.

    Raises LabelStoreUnavailableError if a newer release wrote the database, another program uses our table names, or
    the database cannot be used.
    """
    if database.path:
        try:
            database.path.parent.mkdir(0o700, parents=True, exist_ok=True)
        except OSError as error:
            raise LabelStoreUnavailableError(
                f"{database.name} cannot be created ({error.strerror}: '{error.filename}'): choose a folder "
                "that this user may write to."
            ) from error
    config = migrations()
    script = ScriptDirectory.from_config(config)
    with database.reading() as connection:
        if _revision(connection) == script.as_revision_number(to):
            return
    with _ALEMBIC, database.writing() as connection:
        revisions = {revision.revision for revision in script.walk_revisions()}
        _check(database.name, _revision(connection), revisions, set(inspect(connection).get_table_names()))
        config.attributes["connection"] = connection
        command.upgrade(config, to)


def _revision(connection: Connection) -> str | None:
    context = MigrationContext.configure(connection, opts={"version_table": REVISION_TABLE})
    return context.get_current_revision()


def _check(name: str, revision: str | None, revisions: set[str], tables: set[str]) -> None:
    if revision is not None and revision not in revisions:
        raise LabelStoreUnavailableError(
            f"{name} was written by a newer release of jobmatch (its revision is {revision}): "
            "install that release, or choose another store."
        )
    foreign = sorted(tables & set(Base.metadata.tables)) if revision is None else []
    if foreign:
        raise LabelStoreUnavailableError(
            f"{name} already has a table '{foreign[0]}' of another program: choose another database or schema."
        )
