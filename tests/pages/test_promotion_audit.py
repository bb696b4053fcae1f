"""'Train models' audits twins before a promotion; what is lost has to be accepted."""

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest
import streamlit as st
from streamlit.testing.v1 import AppTest

from jobmatch.services import promoting
from jobmatch_core.audit.report import AuditReport
from jobmatch_core.marketplace.marketplace_store import MarketplaceStore
from jobmatch_core.metrics.comparisons import Interval
from jobmatch_core.model_store.model_spec import UNTRAINED, ModelKind
from jobmatch_core.model_store.registry import Registry
from jobmatch_core.settings import Settings
from tests.core.audit.test_report import REPORT
from tests.made_marketplace import marketplace
from tests.pages.made_trainings import COMPARISON, store_compared, store_model
from tests.pages.observed import texts

Overlaps = Callable[[float, float], None]


@pytest.fixture
def overlaps(home: Path, monkeypatch: pytest.MonkeyPatch) -> Overlaps:
    """Store a marketplace, and set the overlaps that audits find of the model in use and of the new one."""
    MarketplaceStore.open(Settings(home)).save("made", marketplace().blocks(), origin={}, generated=True)
    Registry(Settings(home)).keep_in_use(ModelKind.TOWERS, UNTRAINED)

    def found(in_use: float, new: float) -> None:
        def report(_settings: Settings, word: str, *_sample: object, **_rest: object) -> AuditReport:
            overlap = in_use if word == UNTRAINED else new
            cue = replace(REPORT.cues[0], overlap=Interval(5, overlap, overlap, overlap))
            return replace(REPORT, subject=word, cues=(cue, *REPORT.cues[1:]))

        monkeypatch.setattr(promoting, "model_report", report)

    return found


@pytest.fixture
def train(app: AppTest) -> AppTest:
    """The page before its first run."""
    return app.switch_page("pages/train_models/train_models.py")


def in_use(home: Path) -> str:
    """Return the name of the towers in use."""
    return Registry(Settings(home)).promoted(ModelKind.TOWERS)


def rolled_back(home: Path) -> None:
    """Roll back on the command line, which the page notices after some seconds."""
    Registry(Settings(home)).roll_back(ModelKind.TOWERS, who="me")
    st.cache_resource.clear()


@pytest.mark.thorough
def test_a_drop_asks_and_its_acceptance_is_recorded(train: AppTest, home: Path, overlaps: Overlaps) -> None:
    """Nothing is promoted before; the primary button keeps the model in use; afterwards the page shows the drop."""
    store_model(home, "new")
    overlaps(0.99, 0.9)
    app = train.run()
    assert "it is audited with the same twins as the model in use" in texts(app)
    app.button(key="train_promote").click().run()
    assert not app.exception
    shown = texts(app).replace("\\", "")
    assert "treats twins less equally than the model in use" in shown
    assert "- names: rank-biased overlap 0.990 before, 0.900 after" in shown
    assert "worse than the model it was compared with" not in shown
    assert in_use(home) == UNTRAINED
    assert app.button(key="train_promote_cancelled").proto.type == "primary"
    app.button(key="train_promote_confirmed").click().run()
    assert not app.exception
    assert in_use(home) == "new"
    assert Registry(Settings(home)).history()[-1].why.startswith("accepted: names: rank-biased overlap 0.990 before")
    rolled_back(home)
    assert "1 cue less equal" in texts(app.run()).replace("*", "")


@pytest.mark.thorough
def test_worse_figures_and_drops_are_asked_together(train: AppTest, home: Path, overlaps: Overlaps) -> None:
    """In one dialog."""
    store_compared(home, COMPARISON)
    overlaps(0.99, 0.9)
    app = train.run()
    app.button(key="train_promote").click().run()
    shown = texts(app)
    assert "is worse than the model it was compared with in 2 figures" in shown
    assert "treats twins less equally" in shown


def test_without_a_drop_nothing_is_asked(train: AppTest, home: Path, overlaps: Overlaps) -> None:
    """The page says what the audit found."""
    store_model(home, "new")
    overlaps(0.99, 0.98)
    app = train.run()
    app.button(key="train_promote").click().run()
    assert not app.exception
    assert "In use now, on every page: new." in texts(app)
    assert in_use(home) == "new"
    rolled_back(home)
    assert "no cue lost more than 0.02" in texts(app.run()).replace("\\", "")
