"""The section 'Versions' of the page 'Taxonomies'."""

from pathlib import Path

import pytest
from streamlit.testing.v1 import AppTest

from db.label_store import LabelStore
from jobmatch_core.entities import Pair, PairKind
from jobmatch_core.settings import Settings
from tests.db.made_judgments import make_judgment
from tests.made_taxonomy import install
from tests.made_versions import uri, versions
from tests.pages.observed import texts


def section(app: AppTest) -> AppTest:
    """Open the section."""
    app.session_state["section"] = "versions"
    return app.run()


@pytest.fixture
def trades(home: Path) -> Settings:
    """A home with both versions."""
    for taxonomy in versions():
        install(taxonomy, home)
    return Settings(home)


def test_one_version_alone(taxonomies: AppTest) -> None:
    """The page says what is compared here."""
    app = section(taxonomies)
    assert not app.exception
    assert "Import another version" in texts(app)


@pytest.mark.usefixtures("trades")
def test_changes_without_decisions(taxonomies: AppTest) -> None:
    """The counts, and a table without the occupations that were added."""
    app = section(taxonomies)
    assert not app.exception
    assert "**2** unchanged · **2** removed" in texts(app)
    table = app.dataframe[0].value
    assert table["Change"].tolist() == ["removed", "removed", "split", "replaced", "moved", "renamed"]
    assert not [button for button in app.button if button.key == "versions_carry_over"]


def test_decisions_are_carried_over(taxonomies: AppTest, trades: Settings) -> None:
    """A click records them; what changed is listed, and its text is shown as typed."""
    decisions = {"ward nurse": "nurse", "RTT": "radio", "**b** <i>scribe</i>": "scribe"}
    with LabelStore.open(trades.label_store) as store:
        store.record_all(
            make_judgment(pair=Pair(PairKind.TITLE_OCCUPATION, "trades-1", title, uri(key)))
            for title, key in decisions.items()
        )
    app = section(taxonomies)
    assert app.button(key="versions_carry_over").label == "Carry over 2 decisions"
    assert app.dataframe[1].value["Title"].tolist() == ["**b** <i>scribe</i>", "RTT"]
    app.button(key="versions_carry_over").click().run()
    assert not app.exception
    assert "Carried over 2 decisions." in texts(app)
    assert "**2** already carried over" in texts(app)
    with LabelStore.open(trades.label_store) as store:
        assert len(store.current()) == 5
