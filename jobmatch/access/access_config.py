"""Access in the server's configuration: keys, the identity provider, and roles."""

import os
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from ipaddress import ip_address
from typing import Any
from urllib.parse import urlsplit

from jobmatch.access.principal import Role
from jobmatch_core.errors import SettingsError

CLIENT_SECRET, COOKIE_SECRET = "JOBMATCH_CLIENT_SECRET", "JOBMATCH_COOKIE_SECRET"
_SHORTEST_SECRET = 32  # characters; it signs the session's cookie


@dataclass(frozen=True, slots=True)
class SignIn:
    """The OpenID Connect provider, as `[access.sign_in]` describes it."""

    issuer: str  # the provider's address, exactly as in the claim `iss` of its tokens
    client_id: str  # client id of jobmatch at the provider
    address: str  # URL of this server, such as 'https://jobmatch.example.org'
    client_secret: str = field(default="", repr=False)  # client secret; by default `JOBMATCH_CLIENT_SECRET`
    # random text that signs the session's cookie; by default `JOBMATCH_COOKIE_SECRET`
    cookie_secret: str = field(default="", repr=False)
    audience: str = ""  # `aud` of the tokens that programs send; by default the client id
    groups_claim: str = "groups"  # claim with the names of a person's groups
    session_minutes: int = 0  # duration of a session in minutes; 0 for the ID token's own expiry

    @property
    def metadata_url(self) -> str:
        """Address of the provider's metadata."""
        return f"{self.issuer.rstrip('/')}/.well-known/openid-configuration"

    @property
    def audiences(self) -> tuple[str, ...]:
        """Accepted values of a token's claim `aud`."""
        return (self.audience or self.client_id,)

    def streamlit_secrets(self) -> dict[str, Any]:
        """Return the section `auth` of Streamlit's secrets, which `st.login` reads."""
        return {
            "redirect_uri": f"{self.address.rstrip('/')}/oauth2callback",
            "cookie_secret": self.cookie_secret,
            "client_id": self.client_id,
            "client_secret": self.client_secret,
            "server_metadata_url": self.metadata_url,
        }


@dataclass(frozen=True, slots=True)
class RoleRules:
    """Roles, as `[access.roles]` gives them. If several apply, the highest counts."""

    everyone: Role | None = None  # role of everybody who can sign in; None for no role
    groups: dict[str, Role] = field(default_factory=dict)  # name of a group -> role
    people: dict[str, Role] = field(default_factory=dict)  # `sub`, or verified e-mail address -> role

    def role(self, claims: Mapping[str, Any], groups_claim: str) -> Role | None:
        """Return the role of a person with claims; None for no role."""
        claim = claims.get(groups_claim)
        groups = [claim] if isinstance(claim, str) else claim if isinstance(claim, list) else []
        names = [claims.get("sub"), claims.get("email") if claims.get("email_verified") is True else None]
        roles = [self.groups[group] for group in groups if isinstance(group, str) and group in self.groups]
        roles += [self.people[name] for name in names if isinstance(name, str) and name in self.people]
        roles += [self.everyone] if self.everyone else []
        return max(roles, key=list(Role).index, default=None)


@dataclass(frozen=True, slots=True)
class AccessConfig:
    """The table `[access]`; with *keys*, programs need a key or a token of the provider."""

    keys: bool = False
    sign_in: SignIn | None = None
    roles: RoleRules = field(default_factory=RoleRules)

    @property
    def required(self) -> bool:
        """True if every caller needs a key, a token or a session."""
        return self.keys or self.sign_in is not None


def checked(config: AccessConfig) -> AccessConfig:
    """Check a configuration, and return it with secrets from the environment.

    Raises SettingsError if a value is missing or unsafe.
    """
    if config.sign_in is None:
        return config
    sign_in = replace(
        config.sign_in,
        client_secret=config.sign_in.client_secret or os.environ.get(CLIENT_SECRET, ""),
        cookie_secret=config.sign_in.cookie_secret or os.environ.get(COOKIE_SECRET, ""),
    )
    for name, address in (("issuer", sign_in.issuer), ("address", sign_in.address)):
        if not _is_safe(address):
            raise SettingsError(
                f"{name} in [access.sign_in] is {address!r}; give an address that starts with https:// "
                "(http:// is accepted for this machine only)."
            )
    for name, value, variable in (
        ("client_id", sign_in.client_id, ""),
        ("client_secret", sign_in.client_secret, f", or set {CLIENT_SECRET}"),
    ):
        if not value:
            raise SettingsError(f"{name} in [access.sign_in] is empty; take it from the provider{variable}.")
    if len(sign_in.cookie_secret) < _SHORTEST_SECRET:
        raise SettingsError(
            f"cookie_secret in [access.sign_in] has fewer than {_SHORTEST_SECRET} characters; make one with "
            f'`python -c "import secrets; print(secrets.token_urlsafe(32))"`, or set {COOKIE_SECRET}.'
        )
    if sign_in.session_minutes < 0:
        raise SettingsError("session_minutes in [access.sign_in] is negative; give 0 for the ID token's own expiry.")
    if not (config.roles.everyone or config.roles.groups or config.roles.people):
        raise SettingsError(
            "[access.roles] gives nobody a role, so nobody could do anything; give one to a group, to people, or "
            "to everyone."
        )
    return replace(config, sign_in=sign_in)


def _is_safe(address: str) -> bool:
    try:
        parts = urlsplit(address)
        host = parts.hostname or ""
    except ValueError:
        return False
    return bool(host) and (parts.scheme == "https" or (parts.scheme == "http" and is_loopback(host)))


def is_loopback(host: str) -> bool:
    """Return whether a host is this machine."""
    try:
        return host == "localhost" or ip_address(host).is_loopback
    except ValueError:
        return False
