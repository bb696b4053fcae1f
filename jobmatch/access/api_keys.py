"""Keys of programs: `jm_` and 256 random bits, in a header or, where a client sends none, in the address."""

import hashlib
import re
import secrets
from collections.abc import Collection
from datetime import datetime

from db.access_store import AccessKey
from jobmatch.access.denials import FORBIDDEN, Denial
from jobmatch.access.permissions import SCOPES
from jobmatch.access.principal import Principal, PrincipalKind
from jobmatch.access.roles import Role
from jobmatch_core.errors import SettingsError

_BYTES = 32
_FORM = re.compile(r"jm_[A-Za-z0-9_-]{43}")
_ID_BYTES = 4
_SCOPE_IN_ADDRESS = "reconcile"


def new_key(name: str, role: Role, scopes: Collection[str], made_by: str, at: datetime) -> tuple[str, AccessKey]:
    """Return a new key, and what is stored of it.

    Args:
        name: what it is for.
        role: what it may do.
        scopes: faces of the API that it opens, of `SCOPES`; all where empty.
        made_by: who makes it.
        at: present UTC time.

    Raises:
        SettingsError: a scope is unknown.
    """
    if unknown := sorted(set(scopes) - set(SCOPES)):
        raise SettingsError(f"There is no scope {unknown[0]!r}; give some of {', '.join(SCOPES)}.")
    key = f"jm_{secrets.token_urlsafe(_BYTES)}"
    kept = tuple(scope for scope in SCOPES if scope in scopes)
    return key, AccessKey(secrets.token_hex(_ID_BYTES), name.strip(), role, kept, hash_of(key), made_by, at)


def is_key(text: str) -> bool:
    """Return whether a text has the form of a key."""
    return _FORM.fullmatch(text) is not None


def hash_of(key: str) -> str:
    """Return the hash under which a key is stored."""
    return hashlib.sha256(key.encode()).hexdigest()


def check_in_address(principal: Principal) -> None:
    """Check that a key may stand in an address.

    Raises:
        Denial: it opens more than reading the reconciliation service.
    """
    harmless = principal.role is Role.VIEWER and principal.scopes == (_SCOPE_IN_ADDRESS,)
    if principal.kind is PrincipalKind.KEY and not harmless:
        raise Denial(
            FORBIDDEN,
            f"The key {principal.name} may not stand in an address",
            f"Others may see it there: make one with the role {Role.VIEWER} and the scope {_SCOPE_IN_ADDRESS} alone.",
        )
