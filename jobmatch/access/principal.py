"""Principals, the senders of requests: people, programs, and the user of this machine."""

import hashlib
from dataclasses import dataclass
from enum import StrEnum

from jobmatch.access.roles import Role

PERSON = "person-"  # prefix of a person's key


class PrincipalKind(StrEnum):
    """Way in which a principal was authenticated."""

    LOCAL = "local"  # the server requires no authentication
    PERSON = "person"  # signed in, or a program with a token of somebody who did
    KEY = "key"


@dataclass(frozen=True, slots=True)
class Principal:
    """The sender of a request.

    Attributes:
        id: stable key, stored as the annotator of their judgments.
        name: name to show.
        role: their role; None permits nothing.
        kind: how they were authenticated.
        scopes: parts of the API that they may use; all where empty.
    """

    id: str
    name: str
    role: Role | None
    kind: PrincipalKind
    scopes: tuple[str, ...] = ()


LOCAL = Principal("local", "local", Role.ADMIN, PrincipalKind.LOCAL)


def person_id(issuer: str, subject: str) -> str:
    """Return the stable key of a person: a hash of 128 bits, because subjects can be too long for the store.

    Args:
        issuer: claim `iss`.
        subject: claim `sub`, unique for that issuer.
    """
    digest = hashlib.blake2b(f"{issuer}\0{subject}".encode(), digest_size=16)
    return f"{PERSON}{digest.hexdigest()}"


def key_principal_id(key_id: str) -> str:
    """Return the annotator under which judgments sent with a key are stored."""
    return f"key-{key_id}"
