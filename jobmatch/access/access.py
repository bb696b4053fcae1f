"""Access to a server: recognises the sender of a request by a key, a token or a session."""

import logging
import time
from collections.abc import Callable, Mapping
from datetime import UTC, datetime
from threading import Lock
from typing import TYPE_CHECKING, Any

from anyio import to_thread

from jobmatch.access.access_config import AccessConfig
from jobmatch.access.api_keys import check_in_address, is_key, key_hash
from jobmatch.access.bearer_tokens import TokenVerifier
from jobmatch.access.denials import UNKNOWN, Denial
from jobmatch.access.principal import LOCAL, Principal, PrincipalKind, Role, key_principal_id
from jobmatch.access.recent import Recent
from jobmatch.access.sessions import check_not_ended, check_session, signed_in_principal, stored_person
from jobmatch_core.errors import JobMatchError

if TYPE_CHECKING:
    from db.access_store import AccessStore

_KEY_REMEDY = "Send the header 'Authorization: Bearer KEY' with a key, which `jobmatch keys create` makes"
_OTHER_REMEDY = ", or with a token of the identity provider"
RECORD_AGAIN = 60.0  # seconds until recording is tried again after a failure
_log = logging.getLogger(__name__)


class Access:
    """Access to a server. Without configuration everybody may do everything."""

    def __init__(
        self,
        config: AccessConfig,
        store: "Callable[[], AccessStore]",
        *,
        verifier: TokenVerifier | None = None,
        clock: Callable[[], datetime] = lambda: datetime.now(UTC),
        seconds: Callable[[], float] = time.monotonic,
    ) -> None:
        """Set a configuration that `access_config.checked` returned.

        Args:
            store: returns the store of people and keys; called only if a sender must be recognised.
            verifier: checks tokens; by default with the keys of the configured provider.
            clock: returns UTC time.
            seconds: monotonic clock in seconds, by which cached answers expire.
        """
        self.config = config
        self._store = store
        self._clock = clock
        self._verifier = verifier or (TokenVerifier(config.sign_in, clock=seconds) if config.sign_in else None)
        self._keys: Recent[Principal] = Recent(seconds)
        self._ended: Recent[datetime | None] = Recent(seconds)
        self._signed_in: set[tuple[str, str, Role | None]] = set()
        self._used: set[tuple[str, str]] = set()
        self._recording = Lock()
        self._record_from: float | None = None  # after a failure to record: when to try again
        self._seconds = seconds

    @property
    def signs_in(self) -> bool:
        """True if pages require sign-in."""
        return self.config.sign_in is not None

    async def authenticate(self, credential: str) -> Principal:
        """Return the sender with a key or a token, '' for none; raises Denial if the sender is not recognised."""
        if not self.config.required:
            return LOCAL
        if not credential:
            raise Denial(UNKNOWN, "Authentication is required", f"{self._remedy()}.")
        if is_key(credential):
            return await to_thread.run_sync(self.authenticate_key, credential)
        if self._verifier is None or credential.count(".") != 2:
            raise Denial(UNKNOWN, "The key is unknown", f"{self._remedy()}.")
        return await self.authenticate_token(credential)

    async def authenticate_in_address(self, key: str) -> Principal:
        """Return the owner of a key in an address.

        Raises Denial if the key is unknown or revoked, or not allowed in an address.
        """
        if not self.config.required:
            return LOCAL
        if not is_key(key):
            raise Denial(UNKNOWN, "The key is unknown", f"{self._remedy()}.")
        principal = await to_thread.run_sync(self.authenticate_key, key)
        check_in_address(principal)
        return principal

    async def authenticate_token(self, token: str) -> Principal:
        """Return the owner of a token; raises as `authenticate`."""
        if self._verifier is None:
            raise Denial(UNKNOWN, "This server has no identity provider", f"{self._remedy()}.")
        claims = await self._verifier.claims(token)
        principal = signed_in_principal(self.config, claims)
        check_not_ended(claims, await to_thread.run_sync(self._ended_at, principal.id))
        await to_thread.run_sync(self._record, claims, principal)
        return principal

    def authenticate_key(self, key: str) -> Principal:
        """Return the owner of a key; raises as `authenticate`."""
        sha256 = key_hash(key)
        principal = self._keys.get(sha256, lambda: self._stored_key(sha256))
        self._record_use(principal)
        return principal

    def authenticate_session(self, claims: Mapping[str, Any]) -> Principal:
        """Return the person with the claims of a session; raises Denial if the session expired or was ended."""
        principal = signed_in_principal(self.config, claims)
        check_session(self.config, claims, self._ended_at(principal.id), self._clock())
        self._record(claims, principal)
        return principal

    def _remedy(self) -> str:
        return f"{_KEY_REMEDY}{_OTHER_REMEDY if self._verifier else ''}"

    def _stored_key(self, sha256: str) -> Principal:
        key = self._store().key_of_hash(sha256)
        if key is None:
            raise Denial(UNKNOWN, "The key is unknown", f"{self._remedy()}.")
        if key.revoked is not None:
            raise Denial(UNKNOWN, f"The key {key.id} was revoked", f"{self._remedy()}.")
        return Principal(key_principal_id(key.id), key.name, Role(key.role), PrincipalKind.KEY, key.scopes)

    def _record_use(self, principal: Principal) -> None:
        # once a day and process
        use = (principal.id.removeprefix(key_principal_id("")), self._clock().date().isoformat())
        if use not in self._used and self._is_recorded(lambda store: store.used(*use)):
            self._used = {(key, day) for key, day in self._used if day == use[1]} | {use}

    def _ended_at(self, person_id: str) -> datetime | None:
        return self._ended.get(person_id, lambda: self._store().ended_at(person_id))

    def _record(self, claims: Mapping[str, Any], principal: Principal) -> None:
        # only if the name or role is new to this process
        seen = (principal.id, principal.name, principal.role)
        if seen not in self._signed_in:
            person = stored_person(claims, principal, self._clock())
            if self._is_recorded(lambda store: store.signed_in(person)):
                self._signed_in = {other for other in self._signed_in if other[0] != principal.id} | {seen}

    def _is_recorded(self, record: "Callable[[AccessStore], object]") -> bool:
        """Record a sign-in or the use of a key if possible, and return whether it was; access does not depend on it.

        If the store cannot be written, for example on a full disk, the error is logged once, and recording is tried
        again later. Only one request at a time waits for the lock of the store, which a long import may hold.
        """
        if self._record_from is not None and self._seconds() < self._record_from:
            return False
        if not self._recording.acquire(blocking=False):
            return False
        try:
            record(self._store())
        except JobMatchError:
            if self._record_from is None:
                _log.exception("Sign-ins and the use of keys cannot be recorded at present; access is not affected.")
            self._record_from = self._seconds() + RECORD_AGAIN
            return False
        finally:
            self._recording.release()
        self._record_from = None
        return True
