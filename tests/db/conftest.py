"""Label stores on SQLite and on PostgreSQL."""

import os
from collections.abc import Iterator
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest

from db.database import Database
from db.label_store import LabelStore

_MEMORY = Path("/dev/shm")  # where Linux keeps files in memory: thousands of safe commits take a disk half a minute


@pytest.fixture
def folder(tmp_path: Path) -> Iterator[Path]:
    """A folder in memory where there is one, else on the disk."""
    if not os.access(_MEMORY, os.W_OK):
        yield tmp_path
        return
    with TemporaryDirectory(dir=_MEMORY) as made:
        yield Path(made)


@pytest.fixture
def sqlite_path(folder: Path) -> Path:
    """Where a store may be made; there is none yet."""
    return folder / "jobmatch.db"


@pytest.fixture(params=["sqlite", "postgresql"])
def where(request: pytest.FixtureRequest) -> str:
    """Where a store may be made, on either database."""
    return str(request.getfixturevalue("sqlite_path" if request.param == "sqlite" else "postgres_url"))


@pytest.fixture
def store(where: str) -> Iterator[LabelStore]:
    """An empty store on either database."""
    with LabelStore.open(where) as opened:
        yield opened


@pytest.fixture
def database(where: str) -> Iterator[Database]:
    """The database of the same place, without the tables of a label store."""
    made = Database(where)
    yield made
    made.close()
