"""Access to a server: who asks, and whether they may."""

import logging
import time
from collections.abc import Callable, Mapping
from datetime import UTC, datetime
from threading import Lock
from typing import TYPE_CHECKING, Any

from anyio import to_thread

from jobmatch.access.access_config import AccessConfig
from jobmatch.access.api_keys import check_in_address, hash_of, is_key
from jobmatch.access.bearer_tokens import TokenVerifier
from jobmatch.access.denials import UNKNOWN, Denial
from jobmatch.access.principal import LOCAL, Principal, PrincipalKind, key_principal_id
from jobmatch.access.recent import Recent
from jobmatch.access.roles import Role
from jobmatch.access.sessions import check_not_ended, check_session, person_of, signed_in_principal
from jobmatch_core.errors import JobMatchError

if TYPE_CHECKING:
    from db.access_store import AccessStore


_HOW = "Send the header 'Authorization: Bearer KEY' with a key, which `jobmatch keys create` makes"
_OTHERWISE = ", or with a token of the identity provider"
RECORD_AGAIN = 60.0  # seconds after which what could not be recorded is tried again
_log = logging.getLogger(__name__)


def utc_now() -> datetime:
    """Return the present UTC time."""
    return datetime.now(UTC)


class Access:
    """Access to a server. Without configuration everybody may do everything."""

    def __init__(
        self,
        config: AccessConfig,
        store: "Callable[[], AccessStore]",
        *,
        verifier: TokenVerifier | None = None,
        clock: Callable[[], datetime] = utc_now,
        seconds: Callable[[], float] = time.monotonic,
    ) -> None:
        """Set the configuration, checked by `access_config.checked`.

        Args:
            config: the server's.
            store: returns the people and keys; called only where somebody has to be recognised.
            verifier: check of tokens; the provider's own where not given.
            clock: returns UTC time.
            seconds: returns seconds that nobody sets back, by which cached answers end.
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
        self._record_from: float | None = None  # where something could not be recorded: when to try again
        self._seconds = seconds

    @property
    def signs_in(self) -> bool:
        """True if people have to sign in to see pages."""
        return self.config.sign_in is not None

    async def of_credential(self, credential: str) -> Principal:
        """Return who sends a request with a key or a token; '' for none.

        Raises:
            Denial: nobody is recognised.
        """
        if not self.config.required:
            return LOCAL
        if not credential:
            raise Denial(UNKNOWN, "This server has to know who asks", f"{self._how()}.")
        if is_key(credential):
            return await to_thread.run_sync(self.of_key, credential)
        if self._verifier is None or credential.count(".") != 2:
            raise Denial(UNKNOWN, "The key is unknown", f"{self._how()}.")
        return await self.of_token(credential)

    async def of_address(self, key: str) -> Principal:
        """Return whose key stands in an address.

        Raises:
            Denial: it is no key, or one that may not stand there.
        """
        if not self.config.required:
            return LOCAL
        if not is_key(key):
            raise Denial(UNKNOWN, "The key is unknown", f"{self._how()}.")
        principal = await to_thread.run_sync(self.of_key, key)
        check_in_address(principal)
        return principal

    async def of_token(self, token: str) -> Principal:
        """Return whose token it is; raises as `of_credential` does."""
        if self._verifier is None:
            raise Denial(UNKNOWN, "This server knows no identity provider", f"{self._how()}.")
        claims = await self._verifier.claims(token)
        principal = signed_in_principal(self.config, claims)
        check_not_ended(claims, await to_thread.run_sync(self._ended_at, principal.id))
        await to_thread.run_sync(self._record, claims, principal)
        return principal

    def of_key(self, key: str) -> Principal:
        """Return whose key it is; raises as `of_credential` does."""
        sha256 = hash_of(key)
        principal = self._keys.get(sha256, lambda: self._stored_key(sha256))
        self._record_use(principal)
        return principal

    def of_session(self, claims: Mapping[str, Any]) -> Principal:
        """Return who has signed in.

        Args:
            claims: what the ID token said, as the session keeps it.

        Raises:
            Denial: the session is over, or was ended.
        """
        principal = signed_in_principal(self.config, claims)
        check_session(self.config, claims, self._ended_at(principal.id), self._clock())
        self._record(claims, principal)
        return principal

    def _how(self) -> str:
        return f"{_HOW}{_OTHERWISE if self._verifier else ''}"

    def _stored_key(self, sha256: str) -> Principal:
        key = self._store().key_of_hash(sha256)
        if key is None:
            raise Denial(UNKNOWN, "The key is unknown", f"{self._how()}.")
        if key.revoked is not None:
            raise Denial(UNKNOWN, f"The key {key.id} was revoked", f"{self._how()}.")
        return Principal(key_principal_id(key.id), key.name, Role(key.role), PrincipalKind.KEY, key.scopes)

    def _record_use(self, principal: Principal) -> None:
        """Record the day on which a key is used, once a day and process."""
        use = (principal.id.removeprefix(key_principal_id("")), self._clock().date().isoformat())
        if use not in self._used and self._is_recorded(lambda store: store.used(*use)):
            self._used = {each for each in self._used if each[1] == use[1]} | {use}

    def _ended_at(self, who: str) -> datetime | None:
        return self._ended.get(who, lambda: self._store().ended_at(who))

    def _record(self, claims: Mapping[str, Any], principal: Principal) -> None:
        """Record somebody whose name or role is new to this process."""
        seen = (principal.id, principal.name, principal.role)
        if seen not in self._signed_in:
            person = person_of(claims, principal, self._clock())
            if self._is_recorded(lambda store: store.signed_in(person)):
                self._signed_in = {each for each in self._signed_in if each[0] != principal.id} | {seen}

    def _is_recorded(self, record: "Callable[[AccessStore], object]") -> bool:
        """Record what nobody's access depends on, and return whether that was possible.

        A store that cannot be written, for example on a full disk, denies nobody: this is logged once, and tried again
        later. While one request waits for the store's lock, which a long import may hold, no other one does: what it
        would record, its next request records.
        """
        if self._record_from is not None and self._seconds() < self._record_from:
            return False
        if not self._recording.acquire(blocking=False):
            return False
        try:
            record(self._store())
        except JobMatchError:
            if self._record_from is None:
                _log.exception("People and the use of keys cannot be recorded at present; this denies nobody.")
            self._record_from = self._seconds() + RECORD_AGAIN
            return False
        finally:
            self._recording.release()
        self._record_from = None
        return True
