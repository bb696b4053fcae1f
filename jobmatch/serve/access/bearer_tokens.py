"""Bearer tokens: JSON Web Tokens of the provider, checked against the keys that it publishes.

Sources: RFC 7519 (claims), RFC 8725 (best practices: the algorithms are pinned, the issuer and the audience must be
ours), OpenID Connect Discovery 1.0.
"""

import asyncio
import time
from collections.abc import Callable
from typing import Any

import httpx
from joserfc import jwt
from joserfc.errors import BadSignatureError, ExpiredTokenError, InvalidKeyIdError, JoseError
from joserfc.jwk import KeySet

from jobmatch.serve.access.access_config import SignIn
from jobmatch.serve.access.principal import UNAVAILABLE, UNKNOWN, Denial

ALGORITHMS = ("RS256", "PS256", "ES256")  # all with a public key; never `none`, never one with a shared secret
_TYPES = ("jwt", "at+jwt", "application/at+jwt")  # a logout token is signed with the same keys
_LEEWAY = 30  # seconds, by which clocks may differ
_KEYS_SECONDS = 600  # that keys are trusted without another look: the provider may have withdrawn one
_FETCH_AGAIN = 60  # seconds; a token with an unknown key, or a bad signature, must not make us ask all the time
_DOWN_SECONDS = 5  # until a provider that did not answer is asked again
_TIMEOUT = 10  # seconds
_LONGEST = 16_000  # characters of a token
_NOT_SIGNED = "its signature is not the provider's"


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
        self._asked = -float("inf")  # when the provider was asked for the last time
        self._failure: Denial | None = None  # of that time
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
            decoded = _decoded(token, await self._trusted_keys())
        except (InvalidKeyIdError, BadSignatureError):
            decoded = await self._decoded_by_new_keys(token)
        if str(decoded.header.get("typ", "jwt")).lower() not in _TYPES:
            raise _refused("it is a token for another purpose")
        try:
            self._claims.validate(decoded.claims)
        except ExpiredTokenError:
            raise _refused("it has expired") from None
        except JoseError as error:
            raise _refused(f"its claims are not for this server ({error})") from None
        except (TypeError, ValueError, OverflowError):  # claims of types that the library does not expect
            raise _refused("its claims are not those of a token") from None
        return decoded.claims

    async def _decoded_by_new_keys(self, token: str) -> jwt.Token:
        """Decode a token whose key is not known, or not good: the provider may have changed its keys."""
        try:
            return _decoded(token, await self._trusted_keys(again=True))
        except (InvalidKeyIdError, BadSignatureError):
            raise _refused(_NOT_SIGNED) from None

    async def _trusted_keys(self, *, again: bool = False) -> KeySet:
        """Return the provider's keys; ask for them where they are not known or too old, or *again* after a while.

        Raises:
            Denial: the provider cannot be asked, so that no key can be trusted.
        """
        async with self._fetching:
            age = self._clock() - self._asked
            if self._failure is not None and age < _DOWN_SECONDS:
                raise self._failure
            if self._keys is None or age > (_FETCH_AGAIN if again else _KEYS_SECONDS):
                self._keys, self._failure, self._asked = None, None, self._clock()
                try:
                    self._keys = await self._fetch()
                except Denial as denial:
                    self._failure = denial
                    raise
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
                UNAVAILABLE,
                "The provider's keys cannot be read",
                f"Try again later. ({type(error).__name__}: {error})",
                wait=_DOWN_SECONDS,
            ) from error


def _decoded(token: str, keys: KeySet) -> jwt.Token:
    """Return a token whose signature is one of these keys'.

    Raises:
        InvalidKeyIdError, BadSignatureError: it is not, and might be with newer keys.
        Denial: it is no token.
    """
    try:
        return jwt.decode(token, keys, algorithms=ALGORITHMS)
    except (InvalidKeyIdError, BadSignatureError):
        raise
    except (JoseError, ValueError, TypeError, KeyError, AttributeError):  # whatever strangers send
        raise _refused(_NOT_SIGNED) from None


def _refused(reason: str) -> Denial:
    return Denial(UNKNOWN, f"The token is not valid: {reason}", "Get a new one from the provider, and send that.")
