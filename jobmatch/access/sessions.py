"""Sessions: the provider's claims about a person at sign-in, and their expiry."""

import unicodedata
from collections.abc import Mapping
from datetime import UTC, datetime, timedelta
from typing import Any

from db.access_store import Person
from jobmatch.access.access_config import AccessConfig, SignIn
from jobmatch.access.denials import UNKNOWN, Denial
from jobmatch.access.principal import Principal, PrincipalKind, person_id

_NAME_LENGTH = 200  # as in db.models, which takes long to import
_NAMES = ("name", "preferred_username", "email", "sub")


def signed_in_principal(config: AccessConfig, claims: Mapping[str, Any]) -> Principal:
    """Return who claims are about, with the role that they have.

    Raises:
        Denial: they do not say it in a way that can be stored.
    """
    sign_in = _provider(config)
    who = person_id(_text(claims, "iss"), _text(claims, "sub"))
    return Principal(who, shown_name(claims), config.roles.role(claims, sign_in.groups_claim), PrincipalKind.PERSON)


def check_session(config: AccessConfig, claims: Mapping[str, Any], ended: datetime | None, now: datetime) -> None:
    """Check that a session counts.

    Args:
        config: the server's.
        claims: claims of the ID token.
        ended: time before which all sessions of this person are ended; None if none was.
        now: UTC time.

    Raises:
        Denial: it is another provider's, is over, or was ended.
    """
    sign_in = _provider(config)
    audience = claims.get("aud")
    audiences = audience if isinstance(audience, list) else [audience]
    if claims.get("iss") != sign_in.issuer or sign_in.client_id not in audiences:
        raise Denial(UNKNOWN, "The session is not of this server", "Sign in again.")
    over = end(claims, sign_in)
    if over is None or over <= now:
        raise Denial(UNKNOWN, "Your session has expired", "Sign in again.")
    check_not_ended(claims, ended)


def check_not_ended(claims: Mapping[str, Any], ended: datetime | None) -> None:
    """Check that a session or a token was begun after the sessions of its person were ended.

    Raises:
        Denial: it was begun before, or does not say when.
    """
    begun = begin(claims)
    if ended is not None and (begun is None or begun <= ended):
        raise Denial(UNKNOWN, "An administrator has ended your sessions", "Sign in again.")


def begin(claims: Mapping[str, Any]) -> datetime | None:
    """Return the time at which a token was issued; None where it does not say so."""
    return _moment(claims.get("iat"))


def end(claims: Mapping[str, Any], sign_in: SignIn) -> datetime | None:
    """Return the time at which a session is over; None if the claims do not state it."""
    if not sign_in.session_minutes:
        return _moment(claims.get("exp"))
    begun = begin(claims)
    try:
        return begun + timedelta(minutes=sign_in.session_minutes) if begun else None
    except OverflowError:  # in the year 9999
        return None


def person_of(claims: Mapping[str, Any], principal: Principal, at: datetime) -> Person:
    """Return what is stored of somebody who signed in."""
    return Person(principal.id, _text(claims, "iss"), _text(claims, "sub"), principal.name, principal.role or "", at)


def shown_name(claims: Mapping[str, Any]) -> str:
    """Return the name to show: the first of those that the provider gives, without control characters."""
    for claim in _NAMES:
        letters = (
            " " if unicodedata.category(each) in ("Cc", "Cs", "Zl", "Zp") else each
            for each in _text_or_nothing(claims.get(claim))
        )
        if name := " ".join("".join(letters).split())[:_NAME_LENGTH].strip():
            return name
    return "unknown"


def _text_or_nothing(value: object) -> str:
    return value if isinstance(value, str) else ""


def _text(claims: Mapping[str, Any], claim: str) -> str:
    """Return a claim that says who somebody is: a text that any database can hold."""
    value = _text_or_nothing(claims.get(claim))
    if not value or any(letter == "\0" or unicodedata.category(letter) == "Cs" for letter in value):
        raise Denial(UNKNOWN, f"The claim '{claim}' is no text that can be stored", "Sign in again.")
    return value


def _provider(config: AccessConfig) -> SignIn:
    if config.sign_in is None:
        raise Denial(UNKNOWN, "Nobody can sign in here", "Send a key.")
    return config.sign_in


def _moment(seconds: object) -> datetime | None:
    if not isinstance(seconds, int | float) or isinstance(seconds, bool):
        return None
    try:
        return datetime.fromtimestamp(seconds, UTC)
    except (ValueError, OverflowError, OSError):
        return None
