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
    """Its claims, also with several audiences or the type of access tokens (RFC 9068)."""
    kinds = token(), token(aud=["account", "jobmatch"]), token(header={"typ": "at+jwt"})
    assert [claims["sub"] for claims in read(Provider(), *kinds)] == ["248289"] * 3


@pytest.mark.parametrize("wrong", BAD)
def test_what_is_wrong_with_a_token(wrong: str) -> None:
    """Each is refused as unknown, without naming its person."""
    [denial] = read(Provider(), BAD[wrong])
    assert isinstance(denial, Denial)
    assert denial.status == 401
    assert "Ada" not in str(denial)


@pytest.mark.parametrize("text", ["", ".", "..", "a.b.c", "é.é.é", "e30.e30.e30", "x" * 20_000, f"{'A' * 9}.W10.AA"])
def test_what_is_no_token(text: str) -> None:
    """Any text is refused without an internal error."""
    [denial] = read(Provider(), text)
    assert isinstance(denial, Denial)
    assert denial.status == 401


def test_the_provider_is_asked_once() -> None:
    """For its metadata and keys, for any number of concurrent tokens."""
    provider = Provider()
    assert all(isinstance(answer, dict) for answer in read(provider, *[token()] * 20))
    assert provider.asked == ["/.well-known/openid-configuration", "/keys"]


NEW = RSAKey.generate_key(2048, {"kid": "second", "use": "sig"})
SAME_NAME = RSAKey.generate_key(2048, {"kid": "first", "use": "sig"})


class Clock:
    """A clock that the test sets."""

    now = 1000.0

    def __call__(self) -> float:
        """Return the time."""
        return self.now


class Steps:
    """A verifier with a clock of the test."""

    def __init__(self) -> None:
        """Start with the provider's first key."""
        self.provider, self.clock = Provider(), Clock()
        self._verifier = TokenVerifier(SIGN_IN, self.provider.transport(), self.clock)

    async def status(self, sent: str, *, after: float = 0) -> int:
        """Return the answer to a token after some more seconds: 200, or the denial's status."""
        self.clock.now += after
        [answer] = await asyncio.gather(self._verifier.claims(sent), return_exceptions=True)
        if not isinstance(answer, Denial):
            return 200
        assert answer.status != 503 or 0 < answer.wait <= RETRY
        return answer.status

    @property
    def asked(self) -> int:
        """Number of requests for keys."""
        return self.provider.asked.count("/keys")


def test_new_keys_of_the_provider() -> None:
    """They are fetched for a token with an unknown key, but not for each one."""

    async def rotated() -> None:
        steps = Steps()
        assert await steps.status(token()) == 200
        steps.provider.keys.append(NEW)
        new = token(NEW, {"kid": "second"})
        assert [await steps.status(new), steps.asked] == [401, 1]  # within a minute of the last time
        assert [await steps.status(new, after=FETCH_AGAIN), steps.asked] == [200, 2]

    finished(rotated())


def test_a_key_that_the_provider_withdrew() -> None:
    """It is trusted for at most ten minutes."""

    async def withdrawn() -> None:
        steps = Steps()
        assert await steps.status(token()) == 200
        steps.provider.keys[:] = [NEW]
        assert await steps.status(token(), after=KEYS_SECONDS - 1) == 200
        assert await steps.status(token(), after=1) == 401

    finished(withdrawn())


@pytest.mark.parametrize("header", [{}, {"kid": None}])
def test_a_key_that_was_replaced_under_its_name(header: dict[str, Any]) -> None:
    """A bad signature leads to one fetch of keys, at most once a minute."""

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
    """Requests are refused as temporary, and the provider is not asked for each of them."""

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
    """The request can be repeated later."""
    provider = Provider()
    provider.up = False
    [denial] = read(provider, token())
    assert isinstance(denial, Denial)
    assert denial.status == 503


def test_a_provider_of_another_name() -> None:
    """A provider with another issuer is not trusted."""
    provider = Provider()
    provider.issuer = f"{ISSUER}/other"
    [denial] = read(provider, token())
    assert isinstance(denial, Denial)
    assert "calls itself" in str(denial)
