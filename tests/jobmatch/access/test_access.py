"""Access: keys and tokens in a header, sessions, and what is recorded of them."""

import base64
import logging
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from threading import Event

import pytest

from db.access_store import AccessStore
from db.label_store import LabelStore
from jobmatch.access import recent
from jobmatch.access.access import RECORD_AGAIN, Access
from jobmatch.access.access_config import AccessConfig
from jobmatch.access.api_keys import new_key
from jobmatch.access.bearer_tokens import TokenVerifier
from jobmatch.access.denials import Denial
from jobmatch.access.principal import LOCAL, Principal, PrincipalKind, Role
from jobmatch.serve.credentials import credential_in
from jobmatch_core.errors import SettingsError
from tests.full_disk import no_room_in
from tests.jobmatch.access.made_tokens import CONFIG, SIGN_IN, Provider, claims, token
from tests.jobmatch.own_loop import finished

NOW = datetime(2026, 11, 21, 12, tzinfo=UTC)


@pytest.fixture(autouse=True)
def at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """Do not cache answers, unless a test says so."""
    monkeypatch.setattr(recent, "SECONDS", 0.0)


def made(store: LabelStore, config: AccessConfig = CONFIG) -> Access:
    """Return the access of a configuration, with the provider in memory."""
    verifier = TokenVerifier(SIGN_IN, Provider().transport()) if config.sign_in else None
    return Access(config, lambda: store.access, verifier=verifier)


def asked(access: Access, authorization: str) -> Principal:
    """Return the principal of a header."""
    return finished(access.authenticate(credential_in(authorization)))


def key_of(store: LabelStore, role: Role = Role.VIEWER) -> str:
    """Return a stored key."""
    key, stored = new_key("OpenRefine", role, ["reconcile"], "Ada", NOW)
    store.access.add_key(stored)
    return key


def test_everybody_may_do_everything_without_configuration() -> None:
    """No store is opened."""
    access = Access(AccessConfig(), lambda: pytest.fail("the store was opened"))
    assert asked(access, "") == asked(access, "Bearer nonsense") == LOCAL
    assert not access.signs_in


def test_a_key(store: LabelStore) -> None:
    """With either scheme in any case; the day of its use is recorded."""
    key = key_of(store)
    access = made(store)
    basic = base64.b64encode(f"any:{key}".encode()).decode()
    for header in (f"Bearer {key}", f"bearer  {key} ", f"Basic {basic}"):
        program = asked(access, header)
        assert (program.name, program.role, program.kind) == ("OpenRefine", Role.VIEWER, PrincipalKind.KEY)
        assert program.scopes == ("reconcile",)
    [stored] = store.access.all_keys()
    assert program.id == f"key-{stored.id}"
    assert stored.last_day == datetime.now(UTC).date().isoformat()


def test_only_the_hash_of_a_key_is_stored(store: LabelStore) -> None:
    """256 random bits each, in a form that secret scanners recognise."""
    keys = {key_of(store) for _ in range(50)}
    assert len(keys) == 50
    assert all(key.startswith("jm_") and len(key) == 46 for key in keys)
    stored = repr(store.access.all_keys())
    assert not any(key in stored or key[3:] in stored for key in keys)


def test_an_unknown_scope() -> None:
    """The message lists the scopes."""
    with pytest.raises(SettingsError, match="api, esco, reconcile"):
        new_key("x", Role.VIEWER, ["everything"], "Ada", NOW)


def test_a_revoked_key(store: LabelStore) -> None:
    """It is refused with the reason."""
    key = key_of(store)
    access = made(store)
    asked(access, f"Bearer {key}")
    store.access.revoke_key(store.access.all_keys()[0].id, "Ada")
    with pytest.raises(Denial, match="was revoked"):
        asked(access, f"Bearer {key}")


def test_a_key_is_looked_up_once_in_some_seconds(store: LabelStore, monkeypatch: pytest.MonkeyPatch) -> None:
    """A revoked one remains valid for that time."""
    monkeypatch.setattr(recent, "SECONDS", 1e9)
    key = key_of(store)
    access = made(store)
    asked(access, f"Bearer {key}")
    store.access.revoke_key(store.access.all_keys()[0].id, "Ada")
    assert asked(access, f"Bearer {key}").name == "OpenRefine"


def test_each_cached_trust_ends(store: LabelStore, monkeypatch: pytest.MonkeyPatch) -> None:
    """Of keys, sessions and tokens, however often they are used; the documentation lists the times."""
    monkeypatch.undo()
    now = [100.0]
    verifier = TokenVerifier(SIGN_IN, Provider().transport(), lambda: now[0])
    access = Access(CONFIG, lambda: store.access, verifier=verifier, seconds=lambda: now[0])
    key, said = f"Bearer {key_of(store)}", claims()
    bearer = f"Bearer {token()}"
    person = access.authenticate_session(said)
    uses = (lambda: asked(access, key), lambda: access.authenticate_session(said), lambda: asked(access, bearer))
    for use in uses:
        use()
    store.access.revoke_key(store.access.all_keys()[0].id, "Ada")
    store.access.end_sessions(person.id, "Bob")
    now[0] += recent.SECONDS - 0.1
    for use in uses:
        use()
    now[0] += 0.1
    for use in uses:
        with pytest.raises(Denial, match=r"revoked|administrator has ended"):
            use()


@pytest.mark.parametrize(
    "header",
    [
        "",
        "Bearer",
        "Bearer ",
        "Basic",
        "Basic !!",
        "Basic YQ==",
        "Digest x",
        "jm_abc",
        f"Bearer jm_{'a' * 43}",
        f"Bearer jm_{'a' * 42}",
        "Bearer é",
        f"Basic {base64.b64encode(bytes([255, 254])).decode()}",
    ],
)
def test_no_key(store: LabelStore, header: str) -> None:
    """The request is refused, and the answer says what to send."""
    key_of(store)
    with pytest.raises(Denial, match="jobmatch keys create") as caught:
        asked(made(store), header)
    assert caught.value.status == 401


def test_a_token(store: LabelStore) -> None:
    """The person is recorded once, and again when the role has changed."""
    access = made(store)
    for groups in (["annotators"], ["annotators"], ["reviewers"]):
        person = asked(access, f"Bearer {token(groups=groups)}")
    assert (person.name, person.role, person.kind) == ("Ada Lovelace", Role.REVIEWER, PrincipalKind.PERSON)
    assert [change.role for change in store.access.role_changes()] == ["reviewer", "annotator"]


def test_a_token_without_a_provider(store: LabelStore) -> None:
    """It is refused if only keys are configured."""
    with pytest.raises(Denial, match="The key is unknown"):
        asked(made(store, AccessConfig(keys=True)), f"Bearer {token()}")


def test_a_token_of_before_sessions_were_ended(store: LabelStore) -> None:
    """It is refused; a new one is not."""
    access = made(store)
    now = int(datetime.now(UTC).timestamp())
    person = asked(access, f"Bearer {token(iat=now - 100)}")
    store.access.end_sessions(person.id, "Bob")
    with pytest.raises(Denial, match="administrator has ended"):
        asked(access, f"Bearer {token(iat=now - 100)}")
    assert asked(access, f"Bearer {token(iat=now + 10)}") == person


def test_a_session(store: LabelStore) -> None:
    """The same person as by a token; it expires, and ends when an administrator ends it."""
    clock = [datetime.now(UTC)]
    access = Access(CONFIG, lambda: store.access, clock=lambda: clock[0])
    said = claims()
    person = access.authenticate_session(said)
    assert person == asked(made(store), f"Bearer {token()}")
    clock[0] += timedelta(hours=2)
    with pytest.raises(Denial, match="expired"):
        access.authenticate_session(said)
    clock[0] -= timedelta(hours=2)
    store.access.end_sessions(person.id, "Bob")
    with pytest.raises(Denial, match="ended"):
        access.authenticate_session(said)


def test_somebody_without_a_role(store: LabelStore) -> None:
    """They are recognised, and may do nothing."""
    assert asked(made(store), f"Bearer {token(groups=[])}").role is None
    assert store.access.people()[0].role == ""


def test_a_role_that_was_taken_away(store: LabelStore) -> None:
    """In the configuration, from the next start on."""
    fewer = replace(CONFIG, roles=replace(CONFIG.roles, groups={"admins": Role.ADMIN}))
    assert made(store).authenticate_session(claims()).role is Role.ANNOTATOR
    assert made(store, fewer).authenticate_session(claims()).role is None


def test_nobody_waits_for_the_records_of_others(store: LabelStore, monkeypatch: pytest.MonkeyPatch) -> None:
    """While one request waits for the store's lock, others are recognised, and recorded with their next request."""
    access, first, second = made(store), *(f"Bearer {key_of(store)}" for _ in range(2))
    writing, unlocked = Event(), Event()
    used = AccessStore.used

    def wait(self: AccessStore, key_id: str, day: str) -> None:
        writing.set()
        unlocked.wait()
        used(self, key_id, day)

    def recorded() -> int:
        return sum(bool(key.last_day) for key in store.access.all_keys())

    with ThreadPoolExecutor(1) as others, monkeypatch.context() as locked:
        locked.setattr(AccessStore, "used", wait)
        waiting = others.submit(asked, access, first)
        writing.wait()
        try:
            assert asked(access, second).role == Role.VIEWER
            assert access.authenticate_session(claims()).role == Role.ANNOTATOR
            assert (recorded(), store.access.people()) == (0, [])
        finally:
            unlocked.set()
        assert waiting.result().role == Role.VIEWER
    asked(access, second)
    access.authenticate_session(claims())
    assert (recorded(), len(store.access.people())) == (2, 1)


def test_a_full_disk_denies_nobody(store: LabelStore, caplog: pytest.LogCaptureFixture) -> None:
    """Keys, sessions and tokens stay valid if nothing can be recorded: logged once, tried again after a minute."""
    now = [100.0]
    verifier = TokenVerifier(SIGN_IN, Provider().transport())
    access = Access(CONFIG, lambda: store.access, verifier=verifier, seconds=lambda: now[0])
    keys, bearer = [f"Bearer {key_of(store)}" for _ in range(2)], f"Bearer {token(sub='2')}"
    with no_room_in(store):
        for _ in range(2):
            assert [asked(access, key).role for key in keys] == [Role.VIEWER] * 2
            assert access.authenticate_session(claims()).role == asked(access, bearer).role == Role.ANNOTATOR
            now[0] += RECORD_AGAIN
        errors = [record for record in caplog.records if record.levelno >= logging.WARNING]
        assert len(errors) == 1
        asked(access, keys[0])
    asked(access, keys[1])
    assert store.access.people() == []  # within a minute of the last time
    now[0] += RECORD_AGAIN
    for use in (
        lambda: asked(access, keys[0]),
        lambda: access.authenticate_session(claims()),
        lambda: asked(access, bearer),
    ):
        use()
    assert len(store.access.people()) == 2
    assert sum(bool(key.last_day) for key in store.access.all_keys()) == 1
