"""Sessions: the provider's claims about a person at sign-in, and their expiry."""

import unicodedata
from collections.abc import Mapping
from datetime import UTC, datetime, timedelta
from typing import Any

from db.access_store import Person
from jobmatch.access.access_config import AccessConfig, SignIn
from jobmatch.access.denials import UNKNOWN, Denial
from jobmatch.access.principal import Principal, PrincipalKind, person_id

_NAME_LENGTH = 200  # as in db.models, which is slow to import
_UNSHOWN = ("Cc", "Cs", "Zl", "Zp")  # Unicode categories
_NAMES = ("name", "preferred_username", "email", "sub")


def signed_in_principal(config: AccessConfig, claims: Mapping[str, Any]) -> Principal:
    """Return the person of claims, with their role; raises Denial if issuer or subject cannot be stored as a text."""
    sign_in = _provider(config)
    key = person_id(_text(claims, "iss"), _text(claims, "sub"))
    return Principal(key, shown_name(claims), config.roles.role(claims, sign_in.groups_claim), PrincipalKind.PERSON)


def check_session(config: AccessConfig, claims: Mapping[str, Any], ended: datetime | None, now: datetime) -> None:
    """Raise Denial if a session, the claims of an ID token, is another provider's, has expired or was ended.

    An administrator *ended* all of the person's earlier sessions; None if never.
    """
    sign_in = _provider(config)
    audience = claims.get("aud")
    audiences = audience if isinstance(audience, list) else [audience]
    if claims.get("iss") != sign_in.issuer or sign_in.client_id not in audiences:
        raise Denial(UNKNOWN, "The session belongs to another server", "Sign in again.")
    expiry = end(claims, sign_in)
    if expiry is None or expiry <= now:
        raise Denial(UNKNOWN, "Your session has expired", "Sign in again.")
    check_not_ended(claims, ended)


def check_not_ended(claims: Mapping[str, Any], ended: datetime | None) -> None:
    """Raise Denial if a session or token was issued before *ended*, or has no time of issue."""
    began = begin(claims)
    if ended is not None and (began is None or began <= ended):
        raise Denial(UNKNOWN, "An administrator has ended your sessions", "Sign in again.")


def begin(claims: Mapping[str, Any]) -> datetime | None:
    """Return the time of issue of a token; None if the claims lack it."""
    return _time(claims.get("iat"))


def end(claims: Mapping[str, Any], sign_in: SignIn) -> datetime | None:
    """Return the expiry of a session; None if the claims lack it."""
    if not sign_in.session_minutes:
        return _time(claims.get("exp"))
    began = begin(claims)
    try:
        return began + timedelta(minutes=sign_in.session_minutes) if began else None
    except OverflowError:  # past the year 9999
        return None


def stored_person(claims: Mapping[str, Any], principal: Principal, at: datetime) -> Person:
    """Return the stored record of a person who signed in."""
    return Person(principal.id, _text(claims, "iss"), _text(claims, "sub"), principal.name, principal.role or "", at)


def shown_name(claims: Mapping[str, Any]) -> str:
    """Return the display name: the first that the provider gives, without control characters."""
    for claim in _NAMES:
        text = _text_or_nothing(claims.get(claim))
        letters = (" " if unicodedata.category(letter) in _UNSHOWN else letter for letter in text)
        if name := " ".join("".join(letters).split())[:_NAME_LENGTH].strip():
            return name
    return "unknown"


def _text_or_nothing(value: object) -> str:
    return value if isinstance(value, str) else ""


def _text(claims: Mapping[str, Any], claim: str) -> str:
    value = _text_or_nothing(claims.get(claim))
    if not value or any(letter == "\0" or unicodedata.category(letter) == "Cs" for letter in value):
        raise Denial(UNKNOWN, f"The claim '{claim}' is not a text that can be stored", "Sign in again.")
    return value


def _provider(config: AccessConfig) -> SignIn:
    if config.sign_in is None:
        raise Denial(UNKNOWN, "This server has no sign-in", "Send a key.")
    return config.sign_in


def _time(seconds: object) -> datetime | None:
    if not isinstance(seconds, int | float) or isinstance(seconds, bool):
        return None
    try:
        return datetime.fromtimestamp(seconds, UTC)
    except (ValueError, OverflowError, OSError):
        return None
