"""Versions of the annotators' quotas."""

from dataclasses import dataclass
from datetime import datetime

from sqlalchemy import Connection, insert, select

from db.models import QuotasRow
from jobmatch_core.quotas import Quotas


@dataclass(frozen=True, slots=True)
class QuotasVersion:
    """A version of the quotas, with its author and UTC time."""

    quotas: Quotas
    author: str
    at: datetime


def versions(connection: Connection, limit: int | None = None) -> list[QuotasVersion]:
    """Return the versions of the quotas, newest first."""
    rows = connection.execute(select(QuotasRow.__table__).order_by(QuotasRow.number.desc()).limit(limit))
    return [
        QuotasVersion(Quotas(row.judgments, tuple((name, share) for name, share in row.shares)), row.author, row.at)
        for row in rows
    ]


def add_version(connection: Connection, version: QuotasVersion) -> None:
    """Add a version, unless the newest has the same quotas."""
    if [newest.quotas for newest in versions(connection, limit=1)] != [version.quotas]:
        values = {
            "judgments": version.quotas.judgments,
            "shares": version.quotas.shares,
            "author": version.author,
            "at": version.at,
        }
        connection.execute(insert(QuotasRow), [values])
