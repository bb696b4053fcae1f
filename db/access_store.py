"""Access: people who signed in with the roles that they had, keys of programs, the ends of sessions and keys.

Rows are only added. Of keys only hashes are stored, so that nobody who reads the store can use them.
"""

from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from datetime import datetime

from sqlalchemy import Connection, Row, func, insert, select

from db.database import Database
from db.models import AccessEndRow, AccessKeyDayRow, AccessKeyRow, PersonRow
from db.rows import check_name, check_text
from jobmatch_core.errors import LabelStoreError

_LAST_DAY = select(func.max(AccessKeyDayRow.day)).where(AccessKeyDayRow.key_id == AccessKeyRow.id).scalar_subquery()
_REVOKED = select(func.min(AccessEndRow.at)).where(AccessEndRow.subject == AccessKeyRow.id).scalar_subquery()
_KEYS = select(AccessKeyRow.__table__, _LAST_DAY.label("last_day"), _REVOKED.label("revoked"))
_TRIED = "x" * 65536  # more than one page, so that room for it is needed
_OWN_CACHE, _NO_CACHE = "PRAGMA cache_size = -2000", "PRAGMA cache_size = 1"  # SQLite's default, and the least


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
        "id": key.id,
        "name": key.name,
        "role": key.role,
        "scopes": list(key.scopes),
        "sha256": key.sha256,
        "made_by": key.made_by,
        "at": key.at,
    }
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
    same_day = (AccessKeyDayRow.key_id == key_id, AccessKeyDayRow.day == day)
    if connection.scalar(select(AccessKeyDayRow.day).where(*same_day)) is None:
        connection.execute(insert(AccessKeyDayRow), [{"key_id": key_id, "day": day}])


def _key_of(row: Row[*tuple[object, ...]]) -> AccessKey:
    return AccessKey(
        row.id, row.name, row.role, tuple(row.scopes), row.sha256, row.made_by, row.at, row.last_day or "", row.revoked
    )


@dataclass(frozen=True, slots=True)
class Person:
    """Somebody who signed in.

    Attributes:
        id: stable key, and the annotator of their judgments; derived from *issuer* and *subject*.
        issuer, subject: claims `iss` and `sub` of the provider.
        name: name as the provider gives it, which may change and need not be unique.
        role: name of the role; '' for none.
        at: UTC time since which name and role are these.
    """

    id: str
    issuer: str
    subject: str
    name: str
    role: str
    at: datetime


def check_person(person: Person) -> Person:
    """Return a person that can be stored.

    Raises:
        LabelStoreError: a text cannot be stored.
    """
    check_name("person", person.id)
    check_name("person", person.name)
    check_text("issuer", person.issuer)
    check_text("subject", person.subject)
    return person


def signed_in(connection: Connection, person: Person) -> bool:
    """Add a row if the person is new, or has another name or role than before; return whether it was added."""
    last = select(PersonRow.__table__).where(PersonRow.id == person.id).order_by(PersonRow.number.desc()).limit(1)
    row = connection.execute(last).one_or_none()
    if row is not None and (row.name, row.role) == (person.name, person.role):
        return False
    values = {
        "id": person.id,
        "issuer": person.issuer,
        "subject": person.subject,
        "name": person.name,
        "role": person.role,
        "at": person.at,
    }
    connection.execute(insert(PersonRow), [values])
    return True


def people(connection: Connection) -> list[Person]:
    """Return everybody who ever signed in, as they were the last time, by name."""
    last = select(func.max(PersonRow.number)).group_by(PersonRow.id)
    rows = connection.execute(select(PersonRow.__table__).where(PersonRow.number.in_(last)))
    return sorted(map(_person_of, rows), key=lambda person: (person.name.casefold(), person.id))


def role_changes(connection: Connection) -> list[Person]:
    """Return all rows, newest first."""
    return [
        _person_of(row) for row in connection.execute(select(PersonRow.__table__).order_by(PersonRow.number.desc()))
    ]


def _person_of(row: Row[*tuple[object, ...]]) -> Person:
    return Person(row.id, row.issuer, row.subject, row.name, row.role, row.at)


class _TakenBackError(Exception):
    """A write that was only tried."""


class AccessStore:
    """The part of a label store that says who may use it; `LabelStore.access` is one.

    Every method raises LabelStoreError if the database cannot be used, or a text cannot be stored.
    """

    def __init__(self, database: Database, clock: Callable[[], datetime]) -> None:
        """Use a database that is up to date, and a clock."""
        self._database = database
        self._clock = clock

    def signed_in(self, person: Person) -> bool:
        """Record that somebody signed in; return whether they are new, or their name or role has changed."""
        checked = check_person(person)
        with self._database.writing() as connection:
            return signed_in(connection, checked)

    def people(self) -> list[Person]:
        """Return everybody who ever signed in, as they were the last time, by name."""
        with self._database.reading() as connection:
            return people(connection)

    def role_changes(self) -> list[Person]:
        """Return people as they were at each change of a name or a role, newest first."""
        with self._database.reading() as connection:
            return role_changes(connection)

    def add_key(self, key: AccessKey) -> None:
        """Add a key."""
        checked = check_key(key)
        with self._database.writing() as connection:
            add_key(connection, checked)

    def all_keys(self) -> list[AccessKey]:
        """Return all keys, revoked ones too, newest first."""
        with self._database.reading() as connection:
            return keys(connection)

    def key_of_hash(self, sha256: str) -> AccessKey | None:
        """Return the key with a hash, None if there is none; it may be revoked."""
        with self._database.reading() as connection:
            return key_of_hash(connection, sha256)

    def used(self, key_id: str, day: str) -> None:
        """Record that a key was used on a day, such as '2026-11-21'."""
        with self._database.writing() as connection:
            used(connection, key_id, day)

    def try_writing(self) -> None:
        """Write a row and take it back, so that a store that can only be read is noticed before something is lost.

        Raises:
            LabelStoreUnavailableError: nothing can be written.
        """
        with suppress(_TakenBackError), self._database.writing() as connection:
            in_file = self._database.path is not None
            if in_file:  # else SQLite writes nothing to the disk before the transaction ends
                connection.exec_driver_sql(_NO_CACHE)
            try:
                signed_in(connection, Person("", "", _TRIED, "", "", self._clock()))
            finally:
                if in_file:
                    connection.exec_driver_sql(_OWN_CACHE)
            raise _TakenBackError

    def revoke_key(self, key_id: str, revoked_by: str) -> None:
        """Revoke a key for good; revoking it again changes nothing.

        Raises:
            LabelStoreError: there is no such key.
        """
        check_name("revocation", revoked_by)
        with self._database.writing() as connection:
            check_known(connection, key_id)
            self._end(connection, key_id, revoked_by)

    def end_sessions(self, person_id: str, ended_by: str) -> None:
        """End all sessions that a person has begun so far."""
        check_name("person", person_id)
        check_name("end of sessions", ended_by)
        with self._database.writing() as connection:
            self._end(connection, person_id, ended_by)

    def ended_at(self, person_id: str) -> datetime | None:
        """Return the time before which a person's sessions are ended; None if none was."""
        wanted = select(func.max(AccessEndRow.at)).where(AccessEndRow.subject == check_text("person", person_id))
        with self._database.reading() as connection:
            ended: datetime | None = connection.scalar(wanted)
            return ended

    def _end(self, connection: Connection, subject: str, ended_by: str) -> None:
        connection.execute(insert(AccessEndRow), [{"subject": subject, "ended_by": ended_by, "at": self._clock()}])
