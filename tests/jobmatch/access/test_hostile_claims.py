"""Claims of any type and text, in tokens and sessions: somebody is recognised, or refused as unknown."""

import base64
import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st
from joserfc import jws

from db.label_store import LabelStore
from jobmatch.access.access import Access
from jobmatch.access.access_config import RoleRules
from jobmatch.access.denials import Denial
from jobmatch.access.principal import Principal, Role
from jobmatch.serve.access_middleware import answer_denial
from jobmatch.serve.credentials import credential_in
from tests.jobmatch.access.made_sessions import made
from tests.jobmatch.access.made_tokens import CONFIG, ISSUER, KEY, claims, token
from tests.jobmatch.own_loop import finished

CLAIMS = (
    "iss",
    "sub",
    "name",
    "preferred_username",
    "groups",
    "email",
    "email_verified",
    "aud",
    "iat",
    "exp",
    "nbf",
    "jti",
)
TEXTS = st.text(st.characters(exclude_categories=())) | st.sampled_from(
    ["\0", "a\0", "\ud800", "a\udfff", "\u2028", ""]
)
VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | TEXTS | st.sampled_from([ISSUER, 1e300, 253402300799]),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(TEXTS, inner, max_size=3),
    max_leaves=6,
)
EVERYBODY = RoleRules(everyone=Role.VIEWER, groups={"admins": Role.ADMIN})


@pytest.fixture(scope="module")
def access(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Access]:
    """Access by tokens and sessions."""
    folder: Path = tmp_path_factory.mktemp("access")
    with LabelStore.open(folder / "jobmatch.db") as store:
        yield made(store, CONFIG)


def check(answer: Principal | BaseException) -> None:
    """Check an answer: a person with a printable name, or a denial that can be sent."""
    if isinstance(answer, Principal):
        answer.name.encode()
        assert answer.name.isprintable() or answer.name.strip()
        return
    assert isinstance(answer, Denial), repr(answer)
    assert answer.status == 401
    assert answer_denial(answer).status_code == 401


def answered(access: Access, authorization: str) -> Principal | BaseException:
    """Return the principal of a header, or the error."""
    try:
        return finished(access.authenticate(credential_in(authorization)))
    except Exception as error:
        return error


@settings(max_examples=150, deadline=None)
@given(claim=st.sampled_from(CLAIMS), value=VALUES)
@example(claim="sub", value="\ud800")
@example(claim="sub", value="a\0b")
@example(claim="iss", value="\ud800")
@example(claim="iat", value=253402300799)
@example(claim="name", value="\ud800")
@example(claim="groups", value=[{"a": []}, ["admins"], "\0"])
def test_any_claim(access: Access, claim: str, value: Any) -> None:
    """In a session, and in a token that the provider signed."""
    said = claims() | {claim: value}
    try:
        check(access.authenticate_session(said))
    except Denial as denial:
        check(denial)
    content = json.dumps(said).encode()  # which escapes what is no Unicode
    check(answered(access, f"Bearer {jws.serialize_compact({'alg': 'RS256', 'kid': 'first'}, content, KEY)}"))


@settings(max_examples=150, deadline=None)
@given(part=st.sampled_from(["kid", "alg", "typ", "crit", "b64", "jwk", "jku", "x5c", "cty"]), value=VALUES)
@example(part="kid", value="\ud800")
@example(part="kid", value="\0")
@example(part="kid", value=["first"])
def test_any_header_of_a_token(access: Access, part: str, value: Any) -> None:
    """It is refused before its content is used."""
    head = base64.urlsafe_b64encode(json.dumps({"alg": "RS256", "kid": "first", part: value}).encode()).decode()
    _, body, signature = token().split(".")
    check(answered(access, f"Bearer {head.rstrip('=')}.{body}.{signature}"))


@pytest.mark.parametrize("deep", ["[" * 9000, '{"alg":' * 1200])
def test_a_header_that_nests_too_deep(access: Access, deep: str) -> None:
    """It is not an internal error."""
    head = base64.urlsafe_b64encode(deep.encode()).decode().rstrip("=")
    check(answered(access, f"Bearer {head}.e30.e30"))


@pytest.mark.parametrize("value", ["\ud800", "a\0", "", None, 5, ["x"]])
@pytest.mark.parametrize("claim", ["iss", "sub"])
def test_who_cannot_be_stored(access: Access, claim: str, value: Any) -> None:
    """Such a session is invalid."""
    with pytest.raises(Denial) as caught:
        access.authenticate_session(claims() | {claim: value})
    assert caught.value.status == 401
