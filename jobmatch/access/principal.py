"""Principals, the senders of requests: people, programs, and the user of this machine."""

import hashlib
from dataclasses import dataclass
from enum import StrEnum

from jobmatch.access.roles import Role

PERSON = "person-"  # how the key of a person begins


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
