"""People who signed in, with the roles that they had: a row for each change, none is ever changed."""

from dataclasses import dataclass
from datetime import datetime

from sqlalchemy import Connection, Row, func, insert, select

from db.checks import check_name, check_text
from db.models import PersonRow


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
        "id": person.id, "issuer": person.issuer, "subject": person.subject, "name": person.name, "role": person.role,
        "at": person.at,
    }  # fmt: skip
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
