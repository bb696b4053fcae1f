"""Keys of programs: `jm_` and 256 random bits."""

import hashlib
import re
import secrets
from collections.abc import Collection
from datetime import datetime

from db.access_store import AccessKey
from jobmatch.access.denials import FORBIDDEN, Denial
from jobmatch.access.permissions import SCOPES
from jobmatch.access.principal import Principal, PrincipalKind, Role
from jobmatch_core.errors import SettingsError

_BYTES = 32
_FORM = re.compile(r"jm_[A-Za-z0-9_-]{43}")
_ID_BYTES = 4
_SCOPE_IN_ADDRESS = "reconcile"


def new_key(name: str, role: Role, scopes: Collection[str], made_by: str, at: datetime) -> tuple[str, AccessKey]:
    """Return a new key and its stored record; no scopes mean all. Raises SettingsError if a scope is unknown."""
    if unknown := sorted(set(scopes) - set(SCOPES)):
        raise SettingsError(f"Unknown scope {unknown[0]!r}; choose from {', '.join(SCOPES)}.")
    key = f"jm_{secrets.token_urlsafe(_BYTES)}"
    stored_scopes = tuple(scope for scope in SCOPES if scope in scopes)
    return key, AccessKey(secrets.token_hex(_ID_BYTES), name.strip(), role, stored_scopes, key_hash(key), made_by, at)


def is_key(text: str) -> bool:
    """Return whether a text has the form of a key."""
    return _FORM.fullmatch(text) is not None


def key_hash(key: str) -> str:
    """Return the hash under which a key is stored."""
    return hashlib.sha256(key.encode()).hexdigest()


def check_in_address(principal: Principal) -> None:
    """Raise Denial if a key in an address allows more than reading from the reconciliation service."""
    reads_only = principal.role is Role.VIEWER and principal.scopes == (_SCOPE_IN_ADDRESS,)
    if principal.kind is PrincipalKind.KEY and not reads_only:
        raise Denial(
            FORBIDDEN,
            f"The key {principal.name} is not allowed in an address",
            f"Others may see it there: create one with only the role {Role.VIEWER} and the scope {_SCOPE_IN_ADDRESS}.",
        )
