"""Bearer tokens: only what the provider signed for this server, and only as long as it says."""

import asyncio
import base64
import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from joserfc.jwk import RSAKey
from joserfc.jws import JWSRegistry

from jobmatch.serve.access.bearer_tokens import TokenVerifier
from jobmatch.serve.access.principal import Denial, Principal
from jobmatch.serve.access.sessions import signed_in_principal
from tests.jobmatch.serve.access.made_tokens import (
    CONFIG,
    FORGER,
    ISSUER,
    KEY,
    SIGN_IN,
    Provider,
    bad_tokens,
    claims,
    token,
)
from tests.jobmatch.serve.own_loop import finished

BAD = bad_tokens()
RS256 = JWSRegistry.algorithms["RS256"]


def read(provider: Provider, *tokens: str) -> list[Any]:
    """Return the claims of each token, or the denial."""

    async def each() -> list[Any]:
        verifier = TokenVerifier(SIGN_IN, provider.transport())
        return await asyncio.gather(*map(verifier.claims, tokens), return_exceptions=True)

    return finished(each())


def test_a_token_of_the_provider() -> None:
    """Its claims, also where there are several audiences or the type is that of access tokens (RFC 9068)."""
    kinds = token(), token(aud=["account", "jobmatch"]), token(header={"typ": "at+jwt"})
    assert [claims["sub"] for claims in read(Provider(), *kinds)] == ["248289"] * 3


@pytest.mark.parametrize("wrong", BAD)
def test_what_is_wrong_with_a_token(wrong: str) -> None:
    """Each is refused as unknown, which says nothing of who it would have been."""
    [denial] = read(Provider(), BAD[wrong])
    assert isinstance(denial, Denial)
    assert denial.status == 401
    assert "Ada" not in str(denial)


@pytest.mark.parametrize("text", ["", ".", "..", "a.b.c", "é.é.é", "e30.e30.e30", "x" * 20_000, f"{'A' * 9}.W10.AA"])
def test_what_is_no_token(text: str) -> None:
    """Whatever strangers send is refused, and no error of ours."""
    [denial] = read(Provider(), text)
    assert isinstance(denial, Denial)
    assert denial.status == 401


def test_the_provider_is_asked_once() -> None:
    """For its description and its keys, however many tokens come at the same time."""
    provider = Provider()
    assert all(isinstance(each, dict) for each in read(provider, *[token()] * 20))
    assert provider.asked == ["/.well-known/openid-configuration", "/keys"]


class Clock:
    """Seconds that a test lets pass."""

    def __init__(self) -> None:
        self.now = 0.0

    def __call__(self) -> float:
        """Return the time."""
        return self.now


async def status(verifier: TokenVerifier, sent: str) -> int:
    """Return the status that a token gets."""
    try:
        await verifier.claims(sent)
    except Denial as denial:
        return denial.status
    return 200


def signed(header: dict[str, Any], content: dict[str, Any], key: RSAKey = KEY) -> str:
    """Return a token with a header and claims that the library would not sign."""
    head, body = (
        base64.urlsafe_b64encode(json.dumps(part).encode()).decode().rstrip("=")
        for part in ({"alg": "RS256"} | header, content)
    )
    signature = RS256.sign(f"{head}.{body}".encode(), key)
    return f"{head}.{body}.{base64.urlsafe_b64encode(signature).decode().rstrip('=')}"


NEW = RSAKey.generate_key(2048, {"kid": "second"})
SAME_NAME = RSAKey.generate_key(2048, {"kid": "first", "use": "sig"})
NAMELESS = RSAKey.generate_key(2048)


@pytest.mark.parametrize(
    ("key", "newer"),
    [
        (NEW, token(NEW, {"kid": "second"})),
        (SAME_NAME, token(SAME_NAME)),
        (NAMELESS, signed({}, claims(), NAMELESS)),
    ],
    ids=["unknown key", "key of the same name", "key without a name"],
)
def test_new_keys_of_the_provider(key: RSAKey, newer: str) -> None:
    """They are read when a token is not signed with a known one, whatever it says of its key; once a minute at most."""
    provider, clock = Provider(), Clock()

    async def rotated() -> list[tuple[int, int]]:
        verifier = TokenVerifier(SIGN_IN, provider.transport(), clock)
        steps = []
        for seconds, sent in ((0, token()), (30, newer), (61, newer), (70, newer), (90, token(FORGER)), (130, newer)):
            clock.now = float(seconds)
            if seconds == 30:
                provider.keys[:] = [key]
            steps.append((await status(verifier, sent), len(provider.asked) // 2))
        return steps

    assert finished(rotated()) == [(200, 1), (401, 1), (200, 2), (200, 2), (401, 2), (200, 2)]


def test_a_withdrawn_key() -> None:
    """It is trusted for ten minutes more, though no token of another key comes."""
    provider, clock = Provider(), Clock()

    async def withdrawn() -> list[int]:
        verifier = TokenVerifier(SIGN_IN, provider.transport(), clock)
        statuses = [await status(verifier, token())]
        provider.keys[:] = [NEW]
        for clock.now in (599.0, 601.0):
            statuses.append(await status(verifier, token()))
        return statuses

    assert finished(withdrawn()) == [200, 200, 401]


def test_keys_that_cannot_be_read_again() -> None:
    """Nothing is trusted on old keys; the provider is asked at most every five seconds, and trusted when it is back."""
    provider, clock = Provider(), Clock()

    async def down() -> list[tuple[int, int]]:
        verifier = TokenVerifier(SIGN_IN, provider.transport(), clock)
        await verifier.claims(token())
        provider.up = False
        steps = []
        for clock.now in (601.0, 602.0, 607.0, 613.0):
            provider.up = clock.now > 610
            steps.append((await status(verifier, token()), len(provider.asked)))
        return steps

    assert finished(down()) == [(503, 3), (503, 3), (503, 4), (200, 6)]


ANYTHING = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(st.characters()),
    lambda inner: st.lists(inner, max_size=2) | st.dictionaries(st.text(max_size=4), inner, max_size=2),
    max_leaves=4,
)
CLAIMS = ("iss", "sub", "aud", "exp", "iat", "nbf", "name", "email", "groups", "preferred_username")


@given(st.dictionaries(st.sampled_from(CLAIMS), ANYTHING, min_size=1, max_size=3), ANYTHING)
def test_claims_of_any_type(changed: dict[str, Any], key_id: object) -> None:
    """Whatever a provider signs, somebody who can be stored is recognised, or nobody is; nothing fails."""

    async def recognised() -> Principal | Denial:
        try:
            verifier = TokenVerifier(SIGN_IN, Provider().transport())
            header = {} if key_id is None else {"kid": key_id}
            return signed_in_principal(CONFIG, await verifier.claims(signed(header, claims() | changed)))
        except Denial as denial:
            return denial

    answer = finished(recognised())
    if isinstance(answer, Denial):
        assert answer.status == 401
    else:
        assert "\0" not in answer.name
        assert answer.name.encode()


@pytest.mark.parametrize("subject", ["a\ud800b", "a\0b", "", "a\nb", "x" * 3000])
def test_subjects_that_cannot_be_stored(subject: str) -> None:
    """They are nobody's, and no error of ours."""
    [content] = read(Provider(), signed({"kid": "first"}, claims(sub=subject)))
    if isinstance(content, dict):
        with pytest.raises(Denial) as refused:
            signed_in_principal(CONFIG, content)
        content = refused.value
    assert content.status == 401


def test_a_provider_that_is_down() -> None:
    """The request may be repeated later: it is not the token's fault."""
    provider = Provider()
    provider.up = False
    [denial] = read(provider, token())
    assert isinstance(denial, Denial)
    assert denial.status == 503


def test_a_provider_of_another_name() -> None:
    """What calls itself otherwise is not believed."""
    provider = Provider()
    provider.issuer = f"{ISSUER}/other"
    [denial] = read(provider, token())
    assert isinstance(denial, Denial)
    assert "calls itself" in str(denial)
