"""Bearer tokens: JSON Web Tokens of the provider, checked against the keys that it publishes.

Sources: RFC 7519 (claims), RFC 8725 (best practices: the algorithms are pinned, the issuer and the audience must be
ours), OpenID Connect Discovery 1.0.
"""

import asyncio
import time
from collections.abc import Callable
from math import ceil
from typing import Any

import httpx
from joserfc import jwt
from joserfc.errors import BadSignatureError, ExpiredTokenError, InvalidKeyIdError, JoseError
from joserfc.jwk import KeySet

from jobmatch.access.access_config import SignIn
from jobmatch.access.denials import UNAVAILABLE, UNKNOWN, Denial

ALGORITHMS = ("RS256", "PS256", "ES256")  # all with a public key; never `none`, never one with a shared secret
_TYPES = ("jwt", "at+jwt", "application/at+jwt")  # a logout token is signed with the same keys
_MALFORMED = (JoseError, ValueError, TypeError, KeyError, AttributeError, RecursionError)  # whatever strangers send
_LEEWAY = 30  # seconds, by which clocks may differ
KEYS_SECONDS = 600.0  # for which the provider's keys are trusted; it may withdraw one at any time
FETCH_AGAIN = 60.0  # seconds; tokens with an unknown key or a bad signature must not make us ask all the time
RETRY = 5.0  # seconds, where the provider could not be asked and there are no keys to trust
_TIMEOUT = 10  # seconds
_LONGEST = 16_000  # characters of a token


class TokenVerifier:
    """The check of tokens, with the provider's keys once they are known. For one event loop."""

    def __init__(
        self,
        sign_in: SignIn,
        transport: httpx.AsyncBaseTransport | None = None,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        """Set the provider; it is asked at the first token.

        Args:
            sign_in: the provider.
            transport: how it is asked; by the network where not given.
            clock: returns seconds.
        """
        self._sign_in = sign_in
        self._transport = transport
        self._clock = clock
        self._keys: KeySet | None = None
        self._fetched = -float("inf")
        self._tried = -float("inf")
        self._fetching = asyncio.Lock()
        self._claims = jwt.JWTClaimsRegistry(
            leeway=_LEEWAY,
            iss={"essential": True, "value": sign_in.issuer},
            aud={"essential": True, "values": list(sign_in.audiences)},
            exp={"essential": True},
            iat={"essential": True},
            sub={"essential": True},
        )

    async def claims(self, token: str) -> dict[str, Any]:
        """Return what a token says.

        Raises:
            Denial: it is not valid, or the provider cannot be asked.
        """
        if len(token) > _LONGEST:
            raise _refused("it is too long")
        try:
            decoded = self._decoded(token, await self._known_keys())
        except (InvalidKeyIdError, BadSignatureError):  # the provider may have new keys, also under an old name
            decoded = self._decoded_again(token, await self._known_keys(again=True))
        if str(decoded.header.get("typ", "jwt")).lower() not in _TYPES:
            raise _refused("it is a token for another purpose")
        try:
            self._claims.validate(decoded.claims)
        except ExpiredTokenError:
            raise _refused("it has expired") from None
        except JoseError as error:
            raise _refused(f"its claims are not for this server ({error})") from None
        return decoded.claims

    def _decoded(self, token: str, keys: KeySet) -> jwt.Token:
        try:
            return jwt.decode(token, keys, algorithms=ALGORITHMS)
        except (InvalidKeyIdError, BadSignatureError):
            raise
        except _MALFORMED:
            raise _bad_signature() from None

    def _decoded_again(self, token: str, keys: KeySet) -> jwt.Token:
        try:
            return self._decoded(token, keys)
        except (InvalidKeyIdError, BadSignatureError):
            raise _bad_signature() from None

    async def _known_keys(self, *, again: bool = False) -> KeySet:
        """Return the provider's keys, and ask for them where there are none to trust, or *again* after a while.

        Raises:
            Denial: the provider cannot be asked; keys that are still to be trusted stay.
        """
        if not again and (keys := self._trusted_keys()) is not None:
            return keys  # without waiting while somebody else's token makes us ask
        async with self._fetching:
            now, keys = self._clock(), self._trusted_keys()
            if keys is not None and not (again and now - self._tried >= FETCH_AGAIN):
                return keys
            if keys is None and now - self._tried < RETRY:
                raise _no_keys("The provider could not be asked a moment ago.", self._tried + RETRY - now)
            self._tried = now
            self._keys = await self._fetch()
            self._fetched = now
            return self._keys

    def _trusted_keys(self) -> KeySet | None:
        return self._keys if self._clock() - self._fetched < KEYS_SECONDS else None

    async def _fetch(self) -> KeySet:
        try:
            async with httpx.AsyncClient(transport=self._transport, timeout=_TIMEOUT) as client:
                metadata = (await client.get(self._sign_in.metadata_url)).raise_for_status().json()
                if metadata["issuer"] != self._sign_in.issuer:
                    raise ValueError(f"it calls itself {metadata['issuer']!r}")
                return KeySet.import_key_set((await client.get(metadata["jwks_uri"])).raise_for_status().json())
        except (httpx.HTTPError, httpx.InvalidURL, JoseError, ValueError, KeyError, TypeError) as error:
            raise _no_keys(f"({type(error).__name__}: {error})", RETRY) from error


def _no_keys(reason: str, seconds: float) -> Denial:
    return Denial(UNAVAILABLE, "The provider's keys cannot be read", f"Try again later. {reason}", wait=ceil(seconds))


def _bad_signature() -> Denial:
    return _refused("its signature is not the provider's")


def _refused(reason: str) -> Denial:
    return Denial(UNKNOWN, f"The token is not valid: {reason}", "Get a new one from the provider, and send that.")
