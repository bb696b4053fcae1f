"""People who signed in, keys of programs, and the ends of sessions and keys.

Rows are only added. Keys are stored as hashes.
"""

from collections.abc import Callable
from contextlib import suppress
from dataclasses import asdict, dataclass
from datetime import datetime

from sqlalchemy import Connection, Select, func, insert, select

from db.database import Database
from db.models import AccessEndRow, AccessKeyDayRow, AccessKeyRow, PersonRow
from db.rows import check_name, check_text
from jobmatch_core.errors import LabelStoreError

_LAST_DAY = select(func.max(AccessKeyDayRow.day)).where(AccessKeyDayRow.key_id == AccessKeyRow.id).scalar_subquery()
_REVOKED = select(func.min(AccessEndRow.at)).where(AccessEndRow.subject == AccessKeyRow.id).scalar_subquery()
_KEYS = select(AccessKeyRow.__table__, _LAST_DAY.label("last_day"), _REVOKED.label("revoked"))
_MORE_THAN_A_PAGE = "x" * 65536  # so that writing it needs free disk space
_OWN_CACHE, _NO_CACHE = "PRAGMA cache_size = -2000", "PRAGMA cache_size = 1"  # SQLite's default, and the least


@dataclass(frozen=True, slots=True)
class AccessKey:
    """A program's key."""

    id: str  # short public id, used to revoke it
    name: str  # purpose
    role: str
    scopes: tuple[str, ...]  # parts of the API that it opens; empty for all
    sha256: str  # hash of the key, 64 hexadecimal digits
    made_by: str  # person who created it
    at: datetime  # UTC time of creation
    last_day: str = ""  # last day of use, such as '2026-11-21'; '' for never
    revoked: datetime | None = None  # UTC time of its revocation, None while it is valid


@dataclass(frozen=True, slots=True)
class Person:
    """A person who signed in."""

    id: str  # stable key derived from *issuer* and *subject*; the annotator of their judgments
    # issuer, subject: claims `iss` and `sub` of the provider
    issuer: str
    subject: str
    name: str  # name from the provider; may change and need not be unique
    role: str  # name of the role; '' for none
    at: datetime  # UTC time from which this name and role apply


class _RollBackError(Exception):
    pass


class AccessStore:
    """The part of a label store that holds people and keys; see `LabelStore.access`.

    Every method raises LabelStoreError if the database cannot be used, or a text cannot be stored.
    """

    def __init__(self, database: Database, clock: Callable[[], datetime]) -> None:
        self._database = database
        self._clock = clock

    def signed_in(self, person: Person) -> bool:
        """Record a sign-in; return whether the person is new, or their name or role has changed."""
        check_name("person", person.id)
        check_name("person", person.name)
        check_text("issuer", person.issuer)
        check_text("subject", person.subject)
        last = select(PersonRow.__table__).where(PersonRow.id == person.id).order_by(PersonRow.number.desc()).limit(1)
        with self._database.writing() as connection:
            row = connection.execute(last).one_or_none()
            if row is not None and (row.name, row.role) == (person.name, person.role):
                return False
            connection.execute(insert(PersonRow), [asdict(person)])
        return True

    def people(self) -> list[Person]:
        """Return everybody who ever signed in, with their latest name and role, by name."""
        last = select(func.max(PersonRow.number)).group_by(PersonRow.id)
        newest = self._persons(select(PersonRow.__table__).where(PersonRow.number.in_(last)))
        return sorted(newest, key=lambda person: (person.name.casefold(), person.id))

    def role_changes(self) -> list[Person]:
        """Return people after each change of their name or role, newest first."""
        return self._persons(select(PersonRow.__table__).order_by(PersonRow.number.desc()))

    def _persons(self, wanted: Select[*tuple[object, ...]]) -> list[Person]:
        with self._database.reading() as connection:
            rows = connection.execute(wanted).all()
        return [Person(row.id, row.issuer, row.subject, row.name, row.role, row.at) for row in rows]

    def add_key(self, key: AccessKey) -> None:
        """Add a key."""
        check_name("key", key.name)
        check_name("key's maker", key.made_by)
        for scope in key.scopes:
            check_text("scope", scope)
        values = asdict(key) | {"scopes": list(key.scopes)}
        del values["last_day"], values["revoked"]
        with self._database.writing() as connection:
            connection.execute(insert(AccessKeyRow), [values])

    def all_keys(self) -> list[AccessKey]:
        """Return all keys, including revoked ones, newest first."""
        return self._keys(_KEYS.order_by(AccessKeyRow.at.desc(), AccessKeyRow.id))

    def key_of_hash(self, sha256: str) -> AccessKey | None:
        """Return the key with a hash, or None; it may be revoked."""
        return next(iter(self._keys(_KEYS.where(AccessKeyRow.sha256 == sha256))), None)

    def _keys(self, wanted: Select[*tuple[object, ...]]) -> list[AccessKey]:
        with self._database.reading() as connection:
            rows = connection.execute(wanted).all()
        return [
            AccessKey(**row._asdict() | {"scopes": tuple(row.scopes), "last_day": row.last_day or ""}) for row in rows
        ]

    def used(self, key_id: str, day: str) -> None:
        """Record that a key was used on a day, such as '2026-11-21'; repeated calls add nothing."""
        same_day = (AccessKeyDayRow.key_id == key_id, AccessKeyDayRow.day == day)
        with self._database.writing() as connection:
            if connection.scalar(select(AccessKeyDayRow.day).where(*same_day)) is None:
                connection.execute(insert(AccessKeyDayRow), [{"key_id": key_id, "day": day}])

    def try_writing(self) -> None:
        """Write a row and roll it back, to detect a store that can only be read.

        Raises LabelStoreUnavailableError if nothing can be written.
        """
        with suppress(_RollBackError), self._database.writing() as connection:
            in_file = self._database.path is not None
            if in_file:  # else SQLite writes nothing to the disk before the transaction ends
                connection.exec_driver_sql(_NO_CACHE)
            try:
                person = Person("", "", _MORE_THAN_A_PAGE, "", "", self._clock())
                connection.execute(insert(PersonRow), [asdict(person)])
            finally:
                if in_file:
                    connection.exec_driver_sql(_OWN_CACHE)
            raise _RollBackError

    def revoke_key(self, key_id: str, revoked_by: str) -> None:
        """Revoke a key permanently; revoking it again changes nothing.

        Raises LabelStoreError if there is no such key.
        """
        check_name("revocation", revoked_by)
        same_id = AccessKeyRow.id == check_text("id", key_id)
        with self._database.writing() as connection:
            if connection.scalar(select(AccessKeyRow.id).where(same_id)) is None:
                raise LabelStoreError(f"There is no key {key_id!r}; `jobmatch keys list` names them.")
            self._end(connection, key_id, revoked_by)

    def end_sessions(self, person_id: str, ended_by: str) -> None:
        """End all sessions that a person has started so far."""
        check_name("person", person_id)
        check_name("end of sessions", ended_by)
        with self._database.writing() as connection:
            self._end(connection, person_id, ended_by)

    def ended_at(self, person_id: str) -> datetime | None:
        """Return the time before which a person's sessions are ended, or None."""
        wanted = select(func.max(AccessEndRow.at)).where(AccessEndRow.subject == check_text("person", person_id))
        with self._database.reading() as connection:
            ended: datetime | None = connection.scalar(wanted)
            return ended

    def _end(self, connection: Connection, subject: str, ended_by: str) -> None:
        connection.execute(insert(AccessEndRow), [{"subject": subject, "ended_by": ended_by, "at": self._clock()}])
