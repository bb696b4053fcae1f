"""The selected taxonomy: the same on every page, in a new session, and in a training."""

from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path

import pytest
from streamlit.testing.v1 import AppTest

from jobmatch.services.runs import TrainingRequest, TrainingRuns
from jobmatch.services.training_job import LinkingJob
from jobmatch_core.entities import Pair, PairKind
from jobmatch_core.labelling.snapshot import Snapshots
from jobmatch_core.settings import Settings
from jobmatch_core.taxonomy import BUNDLED_ID
from pages.shared import browser
from pages.shared.taxonomy_choice import TAXONOMY_KEY
from tests.core.labelling.made_judgments import judgment
from tests.pages.conftest import TINY_ID
from tests.pages.observed import texts

PAGES = {
    "link_titles": {"title": ""},
    "search": {"query": ""},
    "job_descriptions": {"posting": "own"},
    "latent_map": {"method": "pca"},
    "taxonomies": {"section": "browse"},
    "scoreboard": {"task": "job-normalization", "section": "measure"},
}
Turn = Callable[..., AppTest]


@pytest.fixture
def turn(app: AppTest) -> Turn:
    """Open a page in the same session, with only these parameters in the address."""

    def turned(page: str, **parameters: str) -> AppTest:
        app.switch_page(f"pages/{page}/{page}.py")
        app.query_params.clear()
        app.query_params.update(PAGES.get(page, {}) | parameters)
        app.run()
        assert not app.exception
        return app

    return turned


@pytest.fixture
def written(monkeypatch: pytest.MonkeyPatch) -> dict[str, str]:
    """The cookies as last written by the pages."""
    written: dict[str, str] = {}
    monkeypatch.setattr(browser, "save_cookie", written.__setitem__)
    return written


@pytest.mark.first_case
@pytest.mark.parametrize("page", PAGES)
def test_a_page_opens_with_what_was_chosen_on_another(turn: Turn, page: str) -> None:
    """The default has the most names; pages without the selector in between change nothing."""
    chosen_on = "scoreboard" if page == "taxonomies" else "taxonomies"
    app = turn(chosen_on)
    assert app.selectbox(key=TAXONOMY_KEY).value == BUNDLED_ID
    app.selectbox(key=TAXONOMY_KEY).set_value(TINY_ID).run()
    turn("about")
    assert turn(page).selectbox(key=TAXONOMY_KEY).value == TINY_ID


def test_an_address_wins(turn: Turn) -> None:
    """This holds also for an address older than a choice on another page."""
    turn("scoreboard", taxonomy=TINY_ID).selectbox(key=TAXONOMY_KEY).set_value(BUNDLED_ID).run()
    assert turn("scoreboard", taxonomy=TINY_ID).selectbox(key=TAXONOMY_KEY).value == BUNDLED_ID  # its own, come late
    turn("taxonomies")
    assert turn("scoreboard", taxonomy=TINY_ID).selectbox(key=TAXONOMY_KEY).value == TINY_ID


def test_a_new_session_opens_with_the_remembered_one(
    turn: Turn, cookies: dict[str, str], written: dict[str, str]
) -> None:
    """An address takes precedence; a missing taxonomy is ignored."""
    cookies["jobmatch_taxonomy"] = TINY_ID
    assert turn("scoreboard").selectbox(key=TAXONOMY_KEY).value == TINY_ID
    assert written["jobmatch_taxonomy"] == TINY_ID
    assert turn("taxonomies", taxonomy=BUNDLED_ID).selectbox(key=TAXONOMY_KEY).value == BUNDLED_ID
    assert written["jobmatch_taxonomy"] == BUNDLED_ID


@pytest.mark.parametrize("cookie", ["", "esco-9", "../etc", "<b>x</b>"])
def test_only_what_was_chosen_is_remembered(
    turn: Turn, cookies: dict[str, str], written: dict[str, str], cookie: str
) -> None:
    """A larger taxonomy imported later becomes the default; an invalid cookie is ignored and removed."""
    cookies["jobmatch_taxonomy"] = cookie
    app = turn("scoreboard")
    assert (app.selectbox(key=TAXONOMY_KEY).value, written["jobmatch_taxonomy"]) == (BUNDLED_ID, "")
    assert "not installed" not in texts(app)
    app.selectbox(key=TAXONOMY_KEY).set_value(TINY_ID).run()
    assert written["jobmatch_taxonomy"] == TINY_ID
    app.selectbox(key=TAXONOMY_KEY).set_value(BUNDLED_ID).run()
    assert written["jobmatch_taxonomy"] == BUNDLED_ID  # chosen, too


def freeze(home: Path, *sources: str, hour: int = 9) -> None:
    """Freeze a label of a title for each of these taxonomies."""
    pairs = [Pair(PairKind.TITLE_OCCUPATION, source, f"title {n}", "x") for n, source in enumerate(sources)]
    at = datetime(2026, 11, 21, hour, tzinfo=UTC)
    Snapshots(Settings(home)).freeze([judgment("+", of=pair) for pair in pairs], at)


@pytest.mark.first_case
@pytest.mark.parametrize(
    ("working_with", "judged", "trained"),
    [
        (TINY_ID, [TINY_ID, BUNDLED_ID, BUNDLED_ID], TINY_ID),
        (BUNDLED_ID, [TINY_ID, BUNDLED_ID, TINY_ID], BUNDLED_ID),
        (BUNDLED_ID, ["esco-9", "esco-9", TINY_ID], TINY_ID),
    ],
)
def test_a_training_takes_the_labels_that_are_there(
    turn: Turn, home: Path, monkeypatch: pytest.MonkeyPatch, working_with: str, judged: list[str], trained: str
) -> None:
    """Training takes the selected taxonomy, else the installed one with the most labels."""
    asked: list[tuple[TrainingRequest, LinkingJob]] = []
    monkeypatch.setattr(TrainingRuns, "start", lambda self, what, job: asked.append((what, job)))
    freeze(home, *judged)
    turn("taxonomies", taxonomy=working_with)
    app = turn("train_models", **{"for": "linking"})
    said = "no judged titles of ISCO-08, which is selected" in texts(app)
    assert said == (trained != working_with)
    app.button(key="train_start").click().run()
    assert not app.exception
    assert [(what.source, job.taxonomy) for what, job in asked] == [(trained, trained)]


def test_a_training_follows_what_is_chosen_elsewhere(turn: Turn, home: Path) -> None:
    """This holds for each snapshot."""
    freeze(home, TINY_ID, BUNDLED_ID)
    freeze(home, TINY_ID, hour=8)
    app = turn("train_models", **{"for": "linking"})
    assert [each.value for each in app.selectbox if each.label == "Taxonomy"] == [BUNDLED_ID]
    app.selectbox(key="train_snapshot").set_value("2026-11-21-080000").run()
    assert [each.value for each in app.selectbox if each.label == "Taxonomy"] == [TINY_ID]
    turn("taxonomies", taxonomy=TINY_ID)
    app = turn("train_models", **{"for": "linking", "snapshot": "2026-11-21-090000"})
    assert [each.value for each in app.selectbox if each.label == "Taxonomy"] == [TINY_ID]


def test_labels_of_a_taxonomy_that_is_gone(turn: Turn, home: Path) -> None:
    """The page names the taxonomy, and no training can be started."""
    freeze(home, "esco-9")
    app = turn("train_models", **{"for": "linking"})
    assert "Its judged titles are of esco-9, not installed here" in texts(app)
    assert "train_start" not in [button.key for button in app.button]
