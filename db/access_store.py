"""People who signed in, keys of programs, and the ends of sessions and keys. Rows are only added."""

from collections.abc import Callable
from datetime import datetime

from sqlalchemy import Connection, func, insert, select

from db import access_keys, people
from db.access_keys import AccessKey, check_key
from db.checks import check_name, check_text
from db.database import Database
from db.models import AccessEndRow
from db.people import Person, check_person


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
            return people.signed_in(connection, checked)

    def people(self) -> list[Person]:
        """Return everybody who ever signed in, as they were the last time, by name."""
        with self._database.reading() as connection:
            return people.people(connection)

    def role_changes(self) -> list[Person]:
        """Return people as they were at each change of a name or a role, newest first."""
        with self._database.reading() as connection:
            return people.role_changes(connection)

    def add_key(self, key: AccessKey) -> None:
        """Add a key."""
        checked = check_key(key)
        with self._database.writing() as connection:
            access_keys.add_key(connection, checked)

    def all_keys(self) -> list[AccessKey]:
        """Return all keys, revoked ones too, newest first."""
        with self._database.reading() as connection:
            return access_keys.keys(connection)

    def key_of_hash(self, sha256: str) -> AccessKey | None:
        """Return the key with a hash, None if there is none; it may be revoked."""
        with self._database.reading() as connection:
            return access_keys.key_of_hash(connection, sha256)

    def used(self, key_id: str, day: str) -> None:
        """Record that a key was used on a day, such as '2026-11-21'."""
        with self._database.writing() as connection:
            access_keys.used(connection, key_id, day)

    def revoke_key(self, key_id: str, revoked_by: str) -> None:
        """Revoke a key for good; revoking it again changes nothing.

        Raises:
            LabelStoreError: there is no such key.
        """
        check_name("revocation", revoked_by)
        with self._database.writing() as connection:
            access_keys.check_known(connection, key_id)
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
