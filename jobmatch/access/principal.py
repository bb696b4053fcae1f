"""Principals, the senders of requests: people, programs, and the user of this machine; their roles, and denials.

Each role may do all that the ones before it may. A denial says why somebody does not get what they ask for, and what
to do.
"""

import hashlib
from dataclasses import dataclass
from enum import StrEnum

from jobmatch_core.errors import JobMatchError


class Role(StrEnum):
    """A role."""

    VIEWER = "viewer"
    ANNOTATOR = "annotator"
    REVIEWER = "reviewer"
    ADMIN = "admin"

    def reaches(self, needed: "Role") -> bool:
        """Return whether this role may do what another one is needed for."""
        order = list(Role)
        return order.index(self) >= order.index(needed)


def highest(roles: list[Role]) -> Role | None:
    """Return the highest of some roles, None without any."""
    return max(roles, key=list(Role).index, default=None)


UNKNOWN, FORBIDDEN, TOO_MANY, UNAVAILABLE = 401, 403, 429, 503  # statuses of HTTP
PERSON = "person-"  # how the key of a person begins


class Denial(JobMatchError):
    """Somebody is not known, may not do it, or cannot be checked.

    Attributes:
        status: status of HTTP.
        title: the reason in some words.
        wait: seconds until it is worth trying again; 0 where waiting does not help.
    """

    def __init__(self, status: int, title: str, remedy: str, *, wait: int = 0) -> None:
        """Set the reason and the remedy, which is the rest of the message."""
        super().__init__(f"{title}. {remedy}")
        self.status = status
        self.title = title
        self.wait = wait


class PrincipalKind(StrEnum):
    """Way in which a principal was authenticated."""

    LOCAL = "local"  # the server asks for nothing
    PERSON = "person"  # signed in, or a program that acts for somebody who did
    KEY = "key"


@dataclass(frozen=True, slots=True)
class Principal:
    """Somebody who asks for something.

    Attributes:
        id: stable key, and the annotator of their judgments.
        name: name to show.
        role: what they may do; None for nothing.
        kind: how they were recognised.
        scopes: faces of the API that they may use; all where empty.
    """

    id: str
    name: str
    role: Role | None
    kind: PrincipalKind
    scopes: tuple[str, ...] = ()


LOCAL = Principal("local", "local", Role.ADMIN, PrincipalKind.LOCAL)


def person_id(issuer: str, subject: str) -> str:
    """Return the stable key of a person: a hash of 128 bits, because subjects are longer than names may be.

    Args:
        issuer: claim `iss`.
        subject: claim `sub`, unique for that issuer.
    """
    digest = hashlib.blake2b(f"{issuer}\0{subject}".encode(), digest_size=16)
    return f"{PERSON}{digest.hexdigest()}"


def key_principal_id(key_id: str) -> str:
    """Return the annotator of the judgments that come with a key."""
    return f"key-{key_id}"
