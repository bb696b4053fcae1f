"""Bearer tokens: JSON Web Tokens of the provider, checked against the keys that it publishes.

Sources: RFC 7519 (claims), RFC 8725 (best practices: the algorithms are pinned, the issuer and the audience must be
ours), OpenID Connect Discovery 1.0.
"""

import asyncio
import time
from typing import Any

import httpx
from joserfc import jwt
from joserfc.errors import ExpiredTokenError, InvalidKeyIdError, JoseError
from joserfc.jwk import KeySet

from jobmatch.serve.access.access_config import SignIn
from jobmatch.serve.access.principal import UNAVAILABLE, UNKNOWN, Denial

ALGORITHMS = ("RS256", "PS256", "ES256")  # all with a public key; never `none`, never one with a shared secret
_TYPES = ("jwt", "at+jwt", "application/at+jwt")  # a logout token is signed with the same keys
_LEEWAY = 30  # seconds, by which clocks may differ
_FETCH_AGAIN = 60  # seconds; a token with an unknown key must not make us ask the provider all the time
_TIMEOUT = 10  # seconds
_LONGEST = 16_000  # characters of a token


class TokenVerifier:
    """The check of tokens, with the provider's keys once they are known. For one event loop."""

    def __init__(self, sign_in: SignIn, transport: httpx.AsyncBaseTransport | None = None) -> None:
        """Set the provider; it is asked at the first token.

        Args:
            sign_in: the provider.
            transport: how it is asked; by the network where not given.
        """
        self._sign_in = sign_in
        self._transport = transport
        self._keys: KeySet | None = None
        self._fetched = -float("inf")
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
        except InvalidKeyIdError:
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
        except InvalidKeyIdError:
            raise
        except (JoseError, ValueError, TypeError, KeyError, AttributeError):  # whatever strangers send
            raise _refused("its signature is not the provider's") from None

    def _decoded_again(self, token: str, keys: KeySet) -> jwt.Token:
        try:
            return self._decoded(token, keys)
        except InvalidKeyIdError:
            raise _refused("its signature is not the provider's") from None

    async def _known_keys(self, *, again: bool = False) -> KeySet:
        """Return the provider's keys, and ask for them where they are not known, or *again* after a while."""
        async with self._fetching:
            if self._keys is None or (again and time.monotonic() - self._fetched > _FETCH_AGAIN):
                self._keys = await self._fetch()
                self._fetched = time.monotonic()
            return self._keys

    async def _fetch(self) -> KeySet:
        try:
            async with httpx.AsyncClient(transport=self._transport, timeout=_TIMEOUT) as client:
                metadata = (await client.get(self._sign_in.metadata_url)).raise_for_status().json()
                if metadata["issuer"] != self._sign_in.issuer:
                    raise ValueError(f"it calls itself {metadata['issuer']!r}")
                return KeySet.import_key_set((await client.get(metadata["jwks_uri"])).raise_for_status().json())
        except (httpx.HTTPError, httpx.InvalidURL, JoseError, ValueError, KeyError, TypeError) as error:
            raise Denial(
                UNAVAILABLE, "The provider's keys cannot be read", f"Try again later. ({type(error).__name__}: {error})"
            ) from error


def _refused(reason: str) -> Denial:
    return Denial(UNKNOWN, f"The token is not valid: {reason}", "Get a new one from the provider, and send that.")
