"""Bearer tokens: only what the provider signed for this server, and only as long as it says."""

import asyncio
from typing import Any

import pytest
from joserfc.jwk import RSAKey

from jobmatch.serve.access import bearer_tokens
from jobmatch.serve.access.bearer_tokens import TokenVerifier
from jobmatch.serve.access.principal import Denial
from tests.jobmatch.serve.access.made_tokens import ISSUER, SIGN_IN, Provider, bad_tokens, token
from tests.jobmatch.serve.own_loop import finished

BAD = bad_tokens()


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


def test_new_keys_of_the_provider(monkeypatch: pytest.MonkeyPatch) -> None:
    """They are read when a token names one that is not known, but not for each such token."""
    provider, new = Provider(), RSAKey.generate_key(2048, {"kid": "second"})

    async def rotated() -> list[Any]:
        verifier = TokenVerifier(SIGN_IN, provider.transport())
        await verifier.claims(token())
        provider.keys.append(new)
        with pytest.raises(Denial):
            await verifier.claims(token(new, {"kid": "second"}))  # within a minute of the last time
        asked = len(provider.asked)
        monkeypatch.setattr(bearer_tokens, "_FETCH_AGAIN", -1)
        return [asked, await verifier.claims(token(new, {"kid": "second"}))]

    asked, claims = finished(rotated())
    assert asked == 2
    assert claims["sub"] == "248289"


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
