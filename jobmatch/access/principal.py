"""Principals, the senders of requests: people, programs, and the user of this machine; their roles and names."""

import hashlib
from collections.abc import Callable
from dataclasses import dataclass
from enum import StrEnum
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from db.access_store import AccessStore

PERSON = "person-"  # prefix of a person's id


class Role(StrEnum):
    """A role, which has the permissions of the ones before it."""

    VIEWER = "viewer"
    ANNOTATOR = "annotator"
    REVIEWER = "reviewer"
    ADMIN = "admin"

    def reaches(self, needed: "Role") -> bool:
        """Return whether this role includes another one."""
        order = list(Role)
        return order.index(self) >= order.index(needed)


class PrincipalKind(StrEnum):
    """Way in which a principal was authenticated."""

    LOCAL = "local"  # the server requires no authentication
    PERSON = "person"  # signed in, or a program with a person's token
    KEY = "key"


@dataclass(frozen=True, slots=True)
class Principal:
    """The sender of a request."""

    id: str  # stable id, stored as the annotator of judgments
    name: str  # display name
    role: Role | None  # role; None permits nothing
    kind: PrincipalKind  # way of authentication
    scopes: tuple[str, ...] = ()  # permitted parts of the API; empty for all


LOCAL = Principal("local", "local", Role.ADMIN, PrincipalKind.LOCAL)


def person_id(issuer: str, subject: str) -> str:
    """Return the stable id of a person from the claims `iss` and `sub`, a hash, since these can be too long."""
    digest = hashlib.blake2b(f"{issuer}\0{subject}".encode(), digest_size=16)
    return f"{PERSON}{digest.hexdigest()}"


def key_principal_id(key_id: str) -> str:
    """Return the id of a key's principal, stored as the annotator of its judgments."""
    return f"key-{key_id}"


def annotator_names(access: "AccessStore") -> dict[str, str]:
    """Return the names of people who signed in, and of programs, by their ids."""
    names = {person.id: person.name for person in access.people()}
    return names | {key_principal_id(key.id): key.name for key in access.all_keys()}


def naming(access: "AccessStore") -> Callable[[str], str]:
    """Return a function from a stored annotator to the display name."""
    names = annotator_names(access)
    return lambda annotator: names.get(annotator, annotator)
