"""Bearer tokens: JSON Web Tokens of the provider, checked with its published keys.

Sources: RFC 7519 (claims), RFC 8725 (best practices: algorithms, issuer and audience are pinned), OpenID Connect
Discovery 1.0.
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

ALGORITHMS = ("RS256", "PS256", "ES256")  # all use public keys; `none` and shared secrets are refused
_TYPES = ("jwt", "at+jwt", "application/at+jwt")  # logout tokens are signed with the same keys
_MALFORMED = (JoseError, ValueError, TypeError, KeyError, AttributeError, RecursionError)  # of untrusted input
_LEEWAY = 30  # seconds of difference between clocks
KEYS_SECONDS = 600.0  # for which the provider's keys are trusted; it may withdraw one at any time
FETCH_AGAIN = 60.0  # seconds between requests for keys because of an unknown key or a bad signature
RETRY = 5.0  # seconds between requests while the provider does not answer and no keys are trusted
_TIMEOUT = 10  # seconds
_LONGEST = 16_000  # characters of a token


class TokenVerifier:
    """Checks tokens with the provider's published keys, for one event loop."""

    def __init__(
        self,
        sign_in: SignIn,
        transport: httpx.AsyncBaseTransport | None = None,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        """Set the provider; its keys are fetched with the first token. *clock* is monotonic, in seconds."""
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
        """Return the claims of a token; raises Denial if the token is not valid, or the provider cannot be reached."""
        if len(token) > _LONGEST:
            raise _refused("it is too long")
        try:
            decoded = self._decoded(token, await self._provider_keys())
        except (InvalidKeyIdError, BadSignatureError):  # the provider may have new keys, also under an old name
            decoded = self._decoded_again(token, await self._provider_keys(again=True))
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

    async def _provider_keys(self, *, again: bool = False) -> KeySet:
        """Return the provider's keys; fetch them if none are trusted, or with *again* if `FETCH_AGAIN` has passed.

        Raises Denial if the provider cannot be reached; trusted keys stay in use.
        """
        if not again and (keys := self._trusted_keys()) is not None:
            return keys  # without waiting for a request that another token caused
        async with self._fetching:
            now, keys = self._clock(), self._trusted_keys()
            if keys is not None and not (again and now - self._tried >= FETCH_AGAIN):
                return keys
            if keys is None and now - self._tried < RETRY:
                raise _no_keys("The provider could not be reached a moment ago.", self._tried + RETRY - now)
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
