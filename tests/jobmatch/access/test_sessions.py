"""Sessions: until when what the provider said counts."""

from dataclasses import replace
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest

from jobmatch.access.denials import Denial
from jobmatch.access.principal import Role, person_id
from jobmatch.access.sessions import check_session, shown_name, signed_in_principal
from tests.jobmatch.access.made_tokens import CONFIG, ISSUER, SIGN_IN, claims

NOON = datetime(2026, 11, 21, 12, tzinfo=UTC)
CLAIMS = claims(iat=int(NOON.timestamp()), exp=int(NOON.timestamp()) + 300)
LONGER = replace(CONFIG, sign_in=replace(SIGN_IN, session_minutes=60))


def test_who_it_is() -> None:
    """The id depends on issuer and subject; the name may change."""
    ada = signed_in_principal(CONFIG, CLAIMS)
    assert (ada.id, ada.name, ada.role) == (person_id(ISSUER, "248289"), "Ada Lovelace", Role.ANNOTATOR)
    assert signed_in_principal(CONFIG, {**CLAIMS, "name": "Countess"}).id == ada.id
    others = {"iss": f"{ISSUER}2"}, {"sub": "248288"}
    assert len({ada.id} | {signed_in_principal(CONFIG, {**CLAIMS, **other}).id for other in others}) == 3


def test_a_session_ends_with_its_token() -> None:
    """To the second."""
    check_session(CONFIG, CLAIMS, None, NOON + timedelta(seconds=299))
    with pytest.raises(Denial, match="expired"):
        check_session(CONFIG, CLAIMS, None, NOON + timedelta(seconds=300))


def test_a_session_of_a_given_length() -> None:
    """The token's own expiry then limits only the sign-in."""
    check_session(LONGER, CLAIMS, None, NOON + timedelta(minutes=59))
    with pytest.raises(Denial, match="expired"):
        check_session(LONGER, CLAIMS, None, NOON + timedelta(minutes=60))


def test_ended_sessions() -> None:
    """Those issued before, or at the same moment."""
    check_session(CONFIG, CLAIMS, NOON - timedelta(seconds=1), NOON)
    for ended in (NOON, NOON + timedelta(seconds=1)):
        with pytest.raises(Denial, match="administrator has ended"):
            check_session(CONFIG, CLAIMS, ended, NOON + timedelta(seconds=2))


@pytest.mark.parametrize(
    "changed",
    [
        {"iss": "https://id.example.com"},
        {"aud": "another"},
        {"aud": ["another"]},
        {"aud": None},
        {"iss": None},
        {"exp": None},
        {"exp": "never"},
        {"exp": True},
        {"exp": float("inf")},
        {"exp": float("nan")},
        {"exp": -1e18},
    ],
)
def test_what_is_no_session(changed: dict[str, Any]) -> None:
    """A cookie of another configuration, or without an expiry."""
    with pytest.raises(Denial):
        check_session(CONFIG, {**CLAIMS, **changed}, None, NOON)


@pytest.mark.parametrize(
    ("given", "name"),
    [
        ({"name": "Ada", "email": "a@b.c"}, "Ada"),
        ({"name": " \n", "preferred_username": "ada"}, "ada"),
        ({"sub": "7"}, "7"),
        ({}, "unknown"),
        ({"name": "A\x00da\u2028  L\ud800"}, "A da L"),
        ({"name": "x" * 300}, "x" * 200),
    ],
)
def test_the_name_to_show(given: dict[str, Any], name: str) -> None:
    """The first that the provider gives, as the label store can store it."""
    assert shown_name(given) == name
