"""Keys of programs. Only their hashes are stored, so that nobody who reads the store can use them."""

from dataclasses import dataclass
from datetime import datetime

from sqlalchemy import Connection, Row, func, insert, select

from db.checks import check_name, check_text
from db.models import AccessEndRow, AccessKeyDayRow, AccessKeyRow
from jobmatch_core.errors import LabelStoreError


@dataclass(frozen=True, slots=True)
class AccessKey:
    """A program's key.

    Attributes:
        id: short public id, by which it is revoked.
        name: what it is for.
        role: name of its role.
        scopes: the faces of the API that it opens; all where empty.
        sha256: hash of the key, 64 hexadecimal digits.
        made_by: who made it.
        at: UTC time of its making.
        last_day: last day of use, such as '2026-11-21'; '' for never.
        revoked: UTC time of its revocation, None while it is valid.
    """

    id: str
    name: str
    role: str
    scopes: tuple[str, ...]
    sha256: str
    made_by: str
    at: datetime
    last_day: str = ""
    revoked: datetime | None = None


_LAST_DAY = (
    select(func.max(AccessKeyDayRow.day)).where(AccessKeyDayRow.key_id == AccessKeyRow.id).scalar_subquery()
)  # fmt: skip
_REVOKED = select(func.min(AccessEndRow.at)).where(AccessEndRow.subject == AccessKeyRow.id).scalar_subquery()
_KEYS = select(AccessKeyRow.__table__, _LAST_DAY.label("last_day"), _REVOKED.label("revoked"))


def check_key(key: AccessKey) -> AccessKey:
    """Return a key that can be stored.

    Raises:
        LabelStoreError: a text cannot be stored.
    """
    check_name("key", key.name)
    check_name("key's maker", key.made_by)
    for scope in key.scopes:
        check_text("scope", scope)
    return key


def add_key(connection: Connection, key: AccessKey) -> None:
    """Add a key."""
    values = {
        "id": key.id, "name": key.name, "role": key.role, "scopes": list(key.scopes), "sha256": key.sha256,
        "made_by": key.made_by, "at": key.at,
    }  # fmt: skip
    connection.execute(insert(AccessKeyRow), [values])


def keys(connection: Connection) -> list[AccessKey]:
    """Return all keys, revoked ones too, newest first."""
    return [_key_of(row) for row in connection.execute(_KEYS.order_by(AccessKeyRow.at.desc(), AccessKeyRow.id))]


def key_of_hash(connection: Connection, sha256: str) -> AccessKey | None:
    """Return the key with a hash, None if there is none; it may be revoked."""
    row = connection.execute(_KEYS.where(AccessKeyRow.sha256 == sha256)).one_or_none()
    return None if row is None else _key_of(row)


def check_known(connection: Connection, key_id: str) -> None:
    """Check that a key exists.

    Raises:
        LabelStoreError: there is none of that id.
    """
    if connection.scalar(select(AccessKeyRow.id).where(AccessKeyRow.id == check_text("id", key_id))) is None:
        raise LabelStoreError(f"There is no key {key_id!r}; `jobmatch keys list` names them.")


def used(connection: Connection, key_id: str, day: str) -> None:
    """Record that a key was used on a day, once."""
    known = (AccessKeyDayRow.key_id == key_id, AccessKeyDayRow.day == day)
    if connection.scalar(select(AccessKeyDayRow.day).where(*known)) is None:
        connection.execute(insert(AccessKeyDayRow), [{"key_id": key_id, "day": day}])


def _key_of(row: Row[*tuple[object, ...]]) -> AccessKey:
    return AccessKey(
        row.id, row.name, row.role, tuple(row.scopes), row.sha256, row.made_by, row.at, row.last_day or "", row.revoked
    )
