"""Judgments on the page 'Link titles' that the store refuses or cannot write."""

import sqlite3
from contextlib import closing
from pathlib import Path

import pytest
from streamlit.testing.v1 import AppTest

import db.database
from db.label_store import LabelStore
from jobmatch_core.entities import Verdict
from tests.pages.observed import failing, link_list, stored_judgments, texts, words


def take_back_elsewhere(home: Path) -> None:
    """Withdraw the last judgment, as the view 'History' does in another tab."""
    with LabelStore.open(home / "jobmatch.db") as store:
        assert store.undo("me") is not None


def test_what_is_refused_holds_nothing_back(app: AppTest, home: Path) -> None:
    """A judgment already withdrawn elsewhere is refused with a message; later ones are stored."""
    link_list(app, "nurse", "Koch")
    app.button(key="accept").click().run()
    take_back_elsewhere(home)
    app.button(key="undo").click().run()
    assert not app.exception
    assert "**1 judgment was refused and discarded; all others are saved.**" in texts(app)
    assert "already withdrawn" in texts(app)
    assert "not saved yet" not in texts(app)
    app.button(key="accept").click().run()
    assert len(stored_judgments(home)) == 1
    assert "refused" not in texts(app)


def test_of_what_is_held_the_good_is_kept(app: AppTest, home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Valid held judgments are stored although the store refuses one of them."""
    app.query_params["title"] = "nurse"
    app.run()
    app.button(key="judge_1_positive").click().run()
    with monkeypatch.context() as patch:
        patch.setattr(LabelStore, "record_each", failing)
        app.button(key="judge_1_undo").click().run()
        app.button(key="judge_2_negative").click().run()
    assert "**2 judgments are not saved yet.**" in texts(app)
    take_back_elsewhere(home)
    app.button(key="judging_again").click().run()
    assert "not saved yet" not in texts(app)
    assert "**1 judgment was refused and discarded; all others are saved.**" in texts(app)
    assert [each.verdict for each in stored_judgments(home)] == [Verdict.NEGATIVE]


def test_a_store_that_is_locked_holds_judgments(app: AppTest, home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Judgments are held while another program locks the store, and stored once it is free."""
    monkeypatch.setattr(db.database, "WAIT_SECONDS", 0.1)
    app.query_params["title"] = "nurse"
    app.run()
    app.button(key="judge_1_positive").click().run()
    with closing(sqlite3.connect(home / "jobmatch.db", isolation_level=None)) as other:
        other.execute("BEGIN IMMEDIATE")
        app.button(key="judge_2_negative").click().run()
        app.button(key="judge_3_negative").click().run()
        assert "**2 judgments are not saved yet.**" in texts(app)
        assert "has been locked by another program for too long" in texts(app)
        app.button(key="judging_again").click().run()
        assert "**2 judgments are not saved yet.**" in texts(app)
        assert len(stored_judgments(home)) == 1
    app.button(key="judging_again").click().run()
    assert not app.exception
    assert "not saved yet" not in texts(app)
    assert sorted(str(each.verdict) for each in stored_judgments(home)) == ["negative", "negative", "positive"]


def test_an_undo_in_two_tabs_is_one(app: AppTest, home: Path) -> None:
    """The second undo changes nothing and says so."""
    app.query_params["title"] = "nurse"
    app.run()
    app.button(key="judge_1_positive").click().run()
    take_back_elsewhere(home)
    app.button(key="judge_1_undo").click().run()
    assert not app.exception
    assert [each.value for each in app.toast] == ["Nothing to undo: this verdict is already withdrawn or replaced."]
    assert stored_judgments(home) == []
    assert "judge_1_undo" not in [button.key for button in app.button]
    app.button(key="judge_1_positive").click().run()
    assert words(stored_judgments(home)) == [("nurse", "nurse", "positive")]
