"""Versions of the guidelines for annotators."""

from dataclasses import dataclass
from datetime import datetime

from sqlalchemy import Connection, insert, select

from db.models import GuidelinesRow


@dataclass(frozen=True, slots=True)
class Guidelines:
    """A version of the guidelines."""

    text: str  # Markdown
    author: str  # author of this version
    at: datetime  # UTC time with microseconds


def versions(connection: Connection, limit: int | None = None) -> list[Guidelines]:
    """Return the versions of the guidelines, newest first."""
    rows = connection.execute(select(GuidelinesRow).order_by(GuidelinesRow.number.desc()).limit(limit))
    return [Guidelines(row.text, row.author, row.at) for row in rows]


def add_version(connection: Connection, version: Guidelines) -> None:
    """Add a version, unless the newest has the same text."""
    if [newest.text for newest in versions(connection, limit=1)] != [version.text]:
        connection.execute(insert(GuidelinesRow), [{"text": version.text, "author": version.author, "at": version.at}])
