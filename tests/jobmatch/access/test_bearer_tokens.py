"""Bearer tokens: only what the provider signed for this server, and only as long as it says."""

import asyncio
from typing import Any

import pytest
from joserfc.jwk import RSAKey

from jobmatch.access.bearer_tokens import FETCH_AGAIN, KEYS_SECONDS, RETRY, TokenVerifier
from jobmatch.access.denials import Denial
from tests.jobmatch.access.made_tokens import FORGER, ISSUER, SIGN_IN, Provider, bad_tokens, token
from tests.jobmatch.own_loop import finished

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
    assert all(isinstance(answer, dict) for answer in read(provider, *[token()] * 20))
    assert provider.asked == ["/.well-known/openid-configuration", "/keys"]


NEW = RSAKey.generate_key(2048, {"kid": "second", "use": "sig"})
SAME_NAME = RSAKey.generate_key(2048, {"kid": "first", "use": "sig"})


class Clock:
    """Seconds that the test sets."""

    now = 1000.0

    def __call__(self) -> float:
        """Return the time."""
        return self.now


class Steps:
    """A verifier whose time passes only where the test says so."""

    def __init__(self) -> None:
        """Begin with the provider's first key."""
        self.provider, self.clock = Provider(), Clock()
        self._verifier = TokenVerifier(SIGN_IN, self.provider.transport(), self.clock)

    async def status(self, sent: str, *, after: float = 0) -> int:
        """Return how a token is answered after so many seconds more: 200, or the denial's status."""
        self.clock.now += after
        [answer] = await asyncio.gather(self._verifier.claims(sent), return_exceptions=True)
        if not isinstance(answer, Denial):
            return 200
        assert answer.status != 503 or 0 < answer.wait <= RETRY
        return answer.status

    @property
    def asked(self) -> int:
        """How often the provider was asked for keys."""
        return self.provider.asked.count("/keys")


def test_new_keys_of_the_provider() -> None:
    """They are read when a token names one that is not known, but not for each such token."""

    async def rotated() -> None:
        steps = Steps()
        assert await steps.status(token()) == 200
        steps.provider.keys.append(NEW)
        new = token(NEW, {"kid": "second"})
        assert [await steps.status(new), steps.asked] == [401, 1]  # within a minute of the last time
        assert [await steps.status(new, after=FETCH_AGAIN), steps.asked] == [200, 2]

    finished(rotated())


def test_a_key_that_the_provider_withdrew() -> None:
    """It is trusted for ten minutes at most, although no token names another key."""

    async def withdrawn() -> None:
        steps = Steps()
        assert await steps.status(token()) == 200
        steps.provider.keys[:] = [NEW]
        assert await steps.status(token(), after=KEYS_SECONDS - 1) == 200
        assert await steps.status(token(), after=1) == 401

    finished(withdrawn())


@pytest.mark.parametrize("header", [{}, {"kid": None}])
def test_a_key_that_was_replaced_under_its_name(header: dict[str, Any]) -> None:
    """A bad signature leads to one look at the keys, at most once a minute, whether or not the token names its key."""

    async def replaced() -> None:
        steps = Steps()
        assert await steps.status(token()) == 200
        steps.provider.keys[:] = [SAME_NAME]
        assert await steps.status(token(SAME_NAME, header), after=FETCH_AGAIN) == 200
        assert await steps.status(token()) == 401
        for _ in range(5):
            assert await steps.status(token(FORGER), after=FETCH_AGAIN / 5 - 1) == 401
        assert steps.asked == 2
        assert [await steps.status(token(FORGER), after=FETCH_AGAIN), steps.asked] == [401, 3]

    finished(replaced())


def test_a_provider_that_is_down_when_its_keys_end() -> None:
    """Nobody is trusted, everybody may try again, and the provider is not asked by each request."""

    async def down() -> None:
        steps = Steps()
        assert await steps.status(token()) == 200
        steps.provider.up = False
        assert await steps.status(token(FORGER), after=FETCH_AGAIN) == 503  # which it may know of, or not
        assert await steps.status(token()) == 200  # others are trusted until the keys end
        assert await steps.status(token(), after=KEYS_SECONDS - FETCH_AGAIN) == 503
        tries = len(steps.provider.asked)
        assert await steps.status(token(), after=RETRY / 2) == 503
        assert len(steps.provider.asked) == tries
        steps.provider.up = True
        assert await steps.status(token(), after=RETRY / 2) == 200

    finished(down())


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
