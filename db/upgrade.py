"""Upgrade of a database's tables, from nothing or from any earlier revision."""

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

REVISION_TABLE = "jobmatch_revision"  # not Alembic's usual name: the database may hold another program's tables, too
_ALEMBIC = Lock()  # Alembic's `op` and `context` are the same for all threads


def migrations() -> Config:
    """Return Alembic's configuration: the folder of the revisions and the table of the current one."""
    config = Config(attributes={"version_table": REVISION_TABLE})
    config.set_main_option("script_location", str(Path(__file__).parent / "migrations").replace("%", "%%"))
    return config


def upgrade(database: Database, to: str = "head") -> None:
    """Run the revisions that a database lacks, all of them or none; two concurrent upgrades take turns.

    Args:
        database: to upgrade.
        to: a revision.

    Raises:
        LabelStoreUnavailableError: the database was written by a newer release, holds tables of another program under
            our names, or cannot be used.
    """
    _make_folder(database)
    config = migrations()
    script = ScriptDirectory.from_config(config)
    with database.reading() as connection:
        if _revision(connection) == script.as_revision_number(to):
            return
    with _ALEMBIC, database.writing() as connection:
        known = {revision.revision for revision in script.walk_revisions()}
        _check(database.name, _revision(connection), known, set(inspect(connection).get_table_names()))
        config.attributes["connection"] = connection
        command.upgrade(config, to)


def _make_folder(database: Database) -> None:
    if database.path:
        try:
            database.path.parent.mkdir(0o700, parents=True, exist_ok=True)
        except OSError as error:
            raise LabelStoreUnavailableError(
                f"{database.name} cannot be made ({error.strerror}: '{error.filename}'): choose a folder "
                "that this user may write to."
            ) from error


def _revision(connection: Connection) -> str | None:
    context = MigrationContext.configure(connection, opts={"version_table": REVISION_TABLE})
    return context.get_current_revision()


def _check(name: str, revision: str | None, known: set[str], tables: set[str]) -> None:
    if revision is not None and revision not in known:
        raise LabelStoreUnavailableError(
            f"{name} was written by a newer release of jobmatch (its revision is {revision}): "
            "install that release, or choose another store."
        )
    foreign = sorted(tables & set(Base.metadata.tables)) if revision is None else []
    if foreign:
        raise LabelStoreUnavailableError(
            f"{name} already has a table '{foreign[0]}' that is not ours: choose another database or schema."
        )
