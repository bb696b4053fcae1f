"""Stored lists: reloaded, opened in a second tab and a later session, renamed, listed and deleted."""

import re
from pathlib import Path

import pytest
from streamlit.testing.v1 import AppTest

from jobmatch_core.linking import Linker
from jobmatch_core.linking.list_store import ListStore
from jobmatch_core.linking.review import Review
from jobmatch_core.linking.stored_list import StoredList
from jobmatch_core.settings import Settings
from tests.pages.conftest import ROOT, TINY_ID
from tests.pages.observed import headline, link_list, pick, stored_judgments, table, texts


def opened(list_id: str, **parameters: str) -> AppTest:
    """Open a list's address in a new session."""
    app = AppTest.from_file(str(ROOT / "app.py"), default_timeout=30)
    app.query_params.update({"taxonomy": TINY_ID, "view": "many", "list": list_id} | parameters)
    return app.run()


def list_of(app: AppTest) -> str:
    """Return the id of the list in the address."""
    return "".join(app.query_params["list"])


def test_a_list_comes_back_with_its_decisions(app: AppTest) -> None:
    """The address, which holds no title, restores the list."""
    link_list(app, "nurse", "Koch", "accounts of a cook")
    app.button(key="none_of_these").click().run()
    assert re.fullmatch(r"[A-Za-z0-9_-]{22}", list_of(app))
    again = opened(list_of(app))
    assert not again.exception
    assert table(again) == table(app)
    assert [row["Status"] for row in table(again)].count("none of these") == 1
    assert "**nurse and 2 more**" in texts(again)
    assert "1 of 3 decided" in headline(again)


@pytest.mark.thorough
def test_two_tabs_see_each_others_decisions(app: AppTest) -> None:
    """A decision on a row that the other tab has decided meanwhile is reported."""
    link_list(app, "nurse", "Koch")
    other = opened(list_of(app))
    app.button(key="accept").click().run()
    other.button(key="none_of_these").click().run()
    assert not other.exception
    assert "was decided in another tab meanwhile" in texts(other)
    assert {row["Title"]: row["Status"] for row in table(other)} == {row["Title"]: row["Status"] for row in table(app)}
    other.button(key="none_of_these").click().run()
    assert "was decided in another tab meanwhile" not in texts(other)
    app.run()
    assert sorted(str(row["Status"]) for row in table(app)) == ["accepted", "none of these"]


def test_a_new_list_keeps_the_old_one(app: AppTest) -> None:
    """The old list is listed with its progress and can be opened."""
    link_list(app, "nurse", "Koch")
    first = list_of(app)
    app.button(key="accept").click().run()
    app.button(key="new_list").click().run()
    assert "list" not in app.query_params
    assert "1 of 2 decided in this list · used today" in texts(app)
    link_list(app, "cook")
    assert list_of(app) != first
    app.button(key="new_list").click().run()
    app.button(key=f"open_{first}").click().run()
    assert not app.exception
    assert list_of(app) == first
    assert {row["Title"] for row in table(app)} == {"nurse", "Koch"}


def test_lists_are_renamed_and_deleted(app: AppTest, home: Path) -> None:
    """Deleting asks for confirmation; other tabs report the deleted list."""
    link_list(app, "nurse", "**Koch**")
    list_id = list_of(app)
    other = opened(list_id)
    app.button(key="new_list").click().run()
    app.text_input(key=f"name_{list_id}").set_value("<b>November</b>").run()
    assert ListStore.open(Settings(home)).listed()[0].card.name == "<b>November</b>"
    app.button(key=f"delete_{list_id}").click().run()
    assert "will be deleted for everybody: 2 rows" in texts(app)
    assert len(ListStore.open(Settings(home)).listed()) == 1
    app.button(key="delete_confirmed").click().run()
    assert not app.exception
    assert ListStore.open(Settings(home)).listed() == []
    other.run()
    assert not other.exception
    assert "may have been deleted in another tab" in texts(other)
    other.button(key="new_list").click().run()
    assert other.text_area(key="many_paste")


@pytest.mark.first_case
@pytest.mark.parametrize("list_id", ["x" * 22, "../../taxonomies", "<b>"])
def test_an_unknown_list_offers_a_new_start(app: AppTest, list_id: str) -> None:
    """The page says what may have happened."""
    again = opened(list_id)
    assert not again.exception
    assert "There is no such list here. It may have been deleted, or nobody used it for 90 days." in texts(again)
    again.button(key="new_list").click().run()
    link_list(again, "nurse")
    assert len(table(again)) == 1


def test_linking_that_was_cut_off_goes_on_after_a_reload(app: AppTest, monkeypatch: pytest.MonkeyPatch) -> None:
    """Linked rows remain, and a button links the rest."""

    def step_and_stop(self: Review, linker: Linker, n_titles: int) -> None:
        original(self, linker, 2)
        self.stop()

    original = Review.step
    monkeypatch.setattr(Review, "step", step_and_stop)
    link_list(app, "nurse", "Koch", "Kellner")
    monkeypatch.setattr(Review, "step", original)
    again = opened(list_of(app))
    assert "2 titles are linked, 1 are not" in texts(again)
    again.button(key="resume").click().run()
    assert len(table(again)) == 3
    assert len(table(opened(list_of(app)))) == 3


def test_a_decision_that_cannot_be_kept_is_not_taken(app: AppTest, monkeypatch: pytest.MonkeyPatch) -> None:
    """No judgment is recorded."""

    def full(self: StoredList, line: bytes) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(StoredList, "_append", full)
    link_list(app, "nurse")
    app.button(key="accept").click().run()
    assert not app.exception
    assert "could not be written (No space left on device)" in texts(app)
    assert table(app)[0]["Status"] != "accepted"
    assert "Earlier verdicts" not in texts(app)


def test_a_decision_that_is_changed_tomorrow_is_taken_back(app: AppTest, home: Path) -> None:
    """The label store holds the withdrawal, so the title is not linked to two occupations."""
    link_list(app, "Kellner Koch Krankenpfleger")
    app.button(key="accept").click().run()
    [first] = stored_judgments(home)
    again = opened(list_of(app))
    pick(again, "waiter")
    assert not again.exception
    [second] = stored_judgments(home)
    assert (first.pair.left, first.verdict) == (second.pair.left, second.verdict)
    assert first.pair.right != second.pair.right
