"""A provider in memory, with keys of its own, and the tokens that it and others sign."""

import base64
import hashlib
import hmac
import time
from typing import Any

import httpx
from joserfc import jwt
from joserfc.jwk import KeySet, RSAKey

from jobmatch.access.access_config import AccessConfig, RoleRules, SignIn
from jobmatch.access.principal import Role

ISSUER = "https://id.example.org"
CLIENT = "jobmatch"
SIGN_IN = SignIn(ISSUER, CLIENT, "https://jobmatch.example.org", "secret", "c" * 32)
GROUPS = {f"{role}s": role for role in Role}
CONFIG = AccessConfig(keys=True, sign_in=SIGN_IN, roles=RoleRules(groups=GROUPS))
KEY = RSAKey.generate_key(2048, {"kid": "first", "use": "sig"})
FORGER = RSAKey.generate_key(2048, {"kid": "first", "use": "sig"})


class Provider:
    """A provider, with the number of requests to it."""

    def __init__(self, *keys: RSAKey) -> None:
        """Publish keys."""
        self.keys = list(keys or (KEY,))
        self.issuer = ISSUER
        self.asked: list[str] = []
        self.up = True

    def transport(self) -> httpx.MockTransport:
        """Return a transport to the provider."""
        return httpx.MockTransport(self._answer)

    def _answer(self, request: httpx.Request) -> httpx.Response:
        self.asked.append(request.url.path)
        if not self.up:
            raise httpx.ConnectError("down", request=request)
        if request.url.path == "/keys":
            return httpx.Response(200, json=KeySet(self.keys).as_dict(private=False))
        return httpx.Response(200, json={"issuer": self.issuer, "jwks_uri": f"{ISSUER}/keys"})


def claims(**changed: Any) -> dict[str, Any]:
    """Return the claims of Ada, an annotator, in a token valid for an hour; None leaves a claim out."""
    now = int(time.time())
    all_of_them = {
        "iss": ISSUER,
        "sub": "248289",
        "aud": CLIENT,
        "iat": now,
        "exp": now + 3600,
        "name": "Ada Lovelace",
        "groups": ["annotators"],
        **changed,
    }
    return {name: value for name, value in all_of_them.items() if value is not None}


def token(key: RSAKey = KEY, header: dict[str, Any] | None = None, **changed: Any) -> str:
    """Return a token, by default signed by the provider; None leaves a part of the header out."""
    said = {"alg": "RS256", "kid": "first", **(header or {})}
    return jwt.encode({name: value for name, value in said.items() if value is not None}, claims(**changed), key)


def _signed_with_public_key(body: str) -> str:
    """Return a token signed with the public key as shared secret, which the library refuses to make."""
    signed = f"eyJhbGciOiJIUzI1NiIsImtpZCI6ImZpcnN0In0.{body}"  # {"alg":"HS256","kid":"first"}
    digest = hmac.digest(KEY.as_pem(private=False), signed.encode(), hashlib.sha256)
    return f"{signed}.{base64.urlsafe_b64encode(digest).decode().rstrip('=')}"


def bad_tokens() -> dict[str, str]:
    """Return invalid tokens by their fault."""
    good, now = token(), int(time.time())
    head, body, signature = good.split(".")
    other_body = token(groups=["admins"]).split(".")[1]
    none_head = "eyJhbGciOiJub25lIiwidHlwIjoiSldUIn0"  # {"alg":"none","typ":"JWT"}
    return {
        "expired": token(exp=now - 60),
        "forged": token(FORGER),
        "other claims": f"{head}.{other_body}.{signature}",
        "signature cut": good[:-8],
        "no signature": f"{head}.{body}.",
        "alg none": f"{none_head}.{body}.",
        "alg none, signature kept": f"{none_head}.{body}.{signature}",
        "public key as a secret": _signed_with_public_key(body),
        "another algorithm": jwt.encode({"alg": "RS512", "kid": "first"}, claims(), KEY, algorithms=["RS512"]),
        "wrong audience": token(aud="another"),
        "no audience": token(aud=None),
        "wrong issuer": token(iss="https://id.example.com"),
        "issuer with a slash": token(iss=f"{ISSUER}/"),
        "no issuer": token(iss=None),
        "no subject": token(sub=None),
        "no expiry": token(exp=None),
        "no time of issue": token(iat=None),
        "not yet": token(nbf=now + 86_400),
        "logout token": token(header={"typ": "logout+jwt"}),
        "unknown key": token(header={"kid": "second"}),
        "subject is a list": token(sub=["248289"]),
    }
