"""The page 'Account': the viewer's role, and for administrators people, sessions, claims and keys."""

from collections.abc import Iterator
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path

import pytest
from streamlit.testing.v1 import AppTest

from db.access_store import Person
from db.label_store import LabelStore
from jobmatch.access.api_keys import key_hash
from jobmatch.access.current_access import set_access
from jobmatch.access.principal import Role
from tests.db.made_judgments import make_judgment
from tests.pages.observed import texts
from tests.pages.test_sign_in import become, opened, server  # noqa: F401  # people sign in

HOSTILE = "<b>Bob</b> [x](http://x.example) $1$"
BOB = Person("person-2", "https://id.example.org", "7", HOSTILE, "annotator", datetime(2026, 11, 21, tzinfo=UTC))


@pytest.fixture
def store(home: Path) -> Iterator[LabelStore]:
    """The app's label store, in which Bob has signed in and 'bob' has judged."""
    with LabelStore.open(home / "jobmatch.db") as opened_store:
        opened_store.access.signed_in(BOB)
        opened_store.record(make_judgment(annotator="bob"))
        yield opened_store


@pytest.fixture
def account(app: AppTest, store: LabelStore, monkeypatch: pytest.MonkeyPatch) -> AppTest:
    """The page as an administrator sees it."""
    become(monkeypatch, Role.ADMIN)
    return opened(app, "account")


def test_without_sign_in(app: AppTest, home: Path) -> None:
    """The page says that everybody may do everything, so the navigation hides it."""
    set_access(None)
    opened(app, "account")
    assert "Nobody has to sign in here" in app.info[0].value


def test_of_others_only_administrators_see_anything(
    app: AppTest, store: LabelStore, monkeypatch: pytest.MonkeyPatch
) -> None:
    """All others see only their own role."""
    become(monkeypatch, Role.REVIEWER)
    opened(app, "account")
    assert "role **reviewer**" in texts(app)
    assert "Bob" not in texts(app)
    assert [each.key for each in app.button] == ["sign_out"]


def test_sessions_are_ended(account: AppTest, store: LabelStore) -> None:
    """After a question, the button ends the sessions of its row's person, whose name is escaped."""
    assert any("\\<b\\>Bob" in each.value for each in account.markdown)
    assert store.access.ended_at("person-2") is None
    account.button(key="account_end_person-2").click().run()
    assert "Bob" in texts(account)
    assert store.access.ended_at("person-2") is None  # asked first
    account.button(key="account_end_confirmed").click().run()
    assert not account.exception
    assert store.access.ended_at("person-2") is not None
    assert store.access.ended_at("person-1") is None


def test_judgments_are_claimed(account: AppTest, store: LabelStore) -> None:
    """A typed name's judgments are claimed for a person, after which none are left to claim."""
    assert "<b>Bob" in " ".join(account.selectbox(key="account_claim_to").options)
    assert account.button(key="account_claim").disabled  # nobody is chosen beforehand
    account.selectbox(key="account_claim_from").set_value("bob")
    account.selectbox(key="account_claim_to").set_value("person-2").run()
    account.button(key="account_claim").click().run()
    assert [each.annotator for each in store.current()] == ["bob"]
    account.button(key="account_claim_confirmed").click().run()
    assert not account.exception
    assert [each.annotator for each in store.current()] == ["person-2"]
    assert "account_claim" not in [each.key for each in account.button]


def test_a_key_is_shown_until_it_is_copied(account: AppTest, store: LabelStore) -> None:
    """The shown key matches the stored hash; it outlasts other clicks and is hidden by its button."""
    account.text_input(key="account_key_name").set_value("OpenRefine")
    account.multiselect(key="account_key_scopes").set_value(["reconcile"])
    account.button(key="account_key_make").click().run()
    assert not account.exception
    [key] = store.access.all_keys()
    assert (key.name, key.role, key.scopes, key.made_by) == ("OpenRefine", "viewer", ("reconcile",), "Ada Lovelace")
    account.run()
    assert key_hash(account.code[0].value) == key.sha256
    account.button(key="account_key_copied").click().run()
    assert not account.code
    assert account.text_input(key="account_key_name").value == ""  # another click makes no second key of that name
    account.button(key=f"account_revoke_{key.id}").click().run()
    assert store.access.all_keys()[0].revoked is not None
    assert "Revoked keys: 1" in [each.label for each in account.expander]


def test_a_key_without_a_name(account: AppTest, store: LabelStore) -> None:
    """The page refuses it with the reason, once."""
    account.button(key="account_key_make").click().run()
    assert "needs a name" in account.error[0].value
    assert store.access.all_keys() == []
    account.run()
    assert not account.error


def test_many_people_are_searched(account: AppTest, store: LabelStore) -> None:
    """Of many people the first are listed, and all can be found by name and role."""
    for number in range(30):
        store.access.signed_in(replace(BOB, id=f"person-x{number}", subject=f"x{number}", name=f"Guest {number:02}"))

    def listed() -> int:
        return sum((each.key or "").startswith("account_end_person") for each in account.button)

    account.run()
    assert listed() == 20
    account.text_input(key="account_search").set_value("ANNOTATOR guest 29").run()
    assert listed() == 1
    account.text_input(key="account_search").set_value("nobody").run()
    assert listed() == 0
    assert "Nobody has this name or role." in [each.value for each in account.caption]
