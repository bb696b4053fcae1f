"""The page 'Train models' for search: the log, the start, a model's tasks, an unusable model."""

import json
import shutil
from collections.abc import Callable
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path
from uuid import uuid4

import pytest
import streamlit as st
from streamlit.testing.v1 import AppTest

from db.label_store import LabelStore
from jobmatch.services.matching import MatchingService
from jobmatch.services.runs import TrainingRequest, TrainingRuns
from jobmatch.services.training_job import SearchJob
from jobmatch_core.encoders.loading import TITLES, shipped_encoder
from jobmatch_core.model_store.model_spec import UNTRAINED, ModelKind
from jobmatch_core.model_store.registry import Registry
from jobmatch_core.retraining.online_comparison import running_comparison
from jobmatch_core.retraining.promotion import promote
from jobmatch_core.search.search_encoder import DOCUMENT
from jobmatch_core.search.search_models import shipped_folder
from jobmatch_core.search_events import SearchChoice, SearchKind, SearchShown, Team
from jobmatch_core.settings import Settings
from jobmatch_core.towers.tower_recipe import TowerConfig
from jobmatch_core.towers.two_towers import TwoTowers
from tests.made_search_encoder import encoder, tower
from tests.pages.conftest import TINY_ID
from tests.pages.observed import texts

Open = Callable[..., AppTest]
EVIL = "**a** <b>x</b> :red[r]"


@pytest.fixture
def train(app: AppTest) -> Open:
    """Open the page for search, with parameters in the address."""

    def opened(**parameters: str) -> AppTest:
        app.switch_page("pages/train_models/train_models.py")
        app.query_params.update({"for": "search", **parameters})
        return app.run()

    return opened


@pytest.fixture
def log(home: Path) -> None:
    """Store a search and two opened results, which may have been swapped."""
    store_search(home, pair=1)


def store_search(home: Path, pair: int) -> None:
    """Store a search and two opened results, of which those at `pair` and below may have been swapped (0: none)."""
    items = ("http://data.europa.eu/esco/isco/C2221", "http://data.europa.eu/esco/isco/C5120")
    at, visitor = datetime.now(UTC), str(uuid4())
    shown = SearchShown(str(uuid4()), SearchKind.OCCUPATIONS, TINY_ID, "nurse", "m", items, pair, False, visitor, at)
    with LabelStore.open(Settings(home).label_store) as store:
        store.record_search(shown)
        for rank, item in enumerate(items, start=1):
            store.record_choice(SearchChoice(str(uuid4()), shown.id, item, rank, at))


def store_model(home: Path, name: str, **recipe: object) -> Path:
    """Store a copy of the shipped search encoder with a report."""
    folder = home / "models" / name
    shutil.copytree(shipped_folder(), folder)
    figures = {"loss_before": 0.5, "loss_after": 0.25, "documents": 9, "mrr_before": 0.4, "mrr_after": 0.75}
    tasks = [
        {"name": EVIL, "kind": "positives", "trained": 40, "held_out": 4, **figures},
        {"name": "as before", "kind": "taught", "trained": 4000, "held_out": 0}
        | dict.fromkeys(figures, None)
        | {"documents": 0},
    ]
    told = {"name": "search-log", "seed": 1, "schedule": "proportional", "start": "search", **recipe}
    (folder / "report.json").write_text(json.dumps({"recipe": told, "tasks": tasks}), "utf-8")
    return folder


def test_an_empty_log(train: Open) -> None:
    """The page links to the search and names the bundled encoder; no training can be started."""
    app = train()
    assert not app.exception
    for words in (
        "Nothing has been opened in a logged search yet",
        "In use on every page: **the shipped search encoder**",
    ):
        assert words in texts(app)
    assert not [button for button in app.button if button.key == "train_start"]


def test_position_bias_needs_swapped_results(train: Open, home: Path) -> None:
    """Before any of them was opened, no weight is shown."""
    store_search(home, pair=0)
    shown = texts(train())
    assert "Until then, all count the same." in shown
    assert "times at rank 2" not in shown


@pytest.mark.usefixtures("log")
def test_a_training_from_the_log(train: Open, home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The page explains the start model; models of another size and damaged ones are not offered."""
    asked: list[tuple[TrainingRequest, SearchJob]] = []
    monkeypatch.setattr(TrainingRuns, "start", lambda self, what, job: asked.append((what, job)))
    store_model(home, "like", dimension=256, backbone="titles")
    store_model(home, "small", dimension=32, backbone="titles")
    (store_model(home, "damaged", dimension=256, backbone="titles") / "model.safetensors").write_bytes(b"")
    app = train()
    assert not app.exception
    assert "2 choices in searches of everybody" in texts(app)
    assert app.selectbox(key="train_start_from").options == ["like", "search (in use)"]
    assert app.selectbox(key="train_recipe").options == ["Learn from results people opened"]
    app.selectbox(key="train_start_from").select("like").run()
    app.button(key="train_start").click().run()
    assert not app.exception
    [(what, job)] = asked
    assert what == TrainingRequest("search", what.model, "search-log", "search log", "", "like", "me")
    assert (Path(job.recipe).name, job.start, job.teacher, Path(job.out).name) == (
        "search-log.toml",
        "like",
        "like",
        what.model,
    )


def test_what_a_model_has_learned_from(train: Open, home: Path) -> None:
    """The card lists tasks, figures and schedule; the model is promoted and rolled back."""
    store_model(home, "mine")
    app = train()
    assert not app.exception
    assert "**Schedule**: proportional" in texts(app)
    [table] = [each.value for each in app.dataframe if "Task" in each.value]
    assert table["Task"].tolist() == [EVIL, "as before"]
    assert table["Pairs"].tolist() == [40, 4000]
    assert table["MRR after"].tolist()[0] == 0.75
    assert "without a comparison" in texts(app)
    app.button(key="train_promote_mine").click().run()
    assert "In use now, on every page: mine." in texts(app)
    app.button(key="train_roll_back").click().run()
    app.button(key="train_roll_back_confirmed").click().run()
    assert "Rolled back. In use now, on every page: the shipped search encoder." in texts(app)


def test_the_promoted_model_cannot_be_used(train: Open, home: Path) -> None:
    """The page says that searches fail and how to fix that; a damaged model is not promoted."""
    folder = store_model(home, "mine")
    app = train()
    (folder / "model.safetensors").write_bytes(b"")  # after the page was drawn
    app.button(key="train_promote_mine").click().run()
    assert "The model mine cannot be put into use" in app.error[0].value.replace("\\", "")
    shutil.rmtree(folder)
    store_model(home, "mine")
    registry = Registry(Settings(home))
    registry.keep_in_use(ModelKind.SEARCH, "search")
    registry.promote(ModelKind.SEARCH, "mine", who="ann")
    shutil.rmtree(folder)
    st.cache_resource.clear()  # as time does
    app = train()
    assert not app.exception
    assert "mine is in use, but its folder is gone. Every search ends with an error until you" in texts(app)
    app.switch_page("pages/search/search.py")
    app.query_params.update({"taxonomy": TINY_ID, "query": "nurse"})
    app.run()
    assert not app.exception
    assert "The search model in use, mine, cannot be used" in app.error[0].value.replace("\\", "")
    app.switch_page("pages/train_models/train_models.py").run()
    app.button(key="train_roll_back").click().run()
    app.button(key="train_roll_back_confirmed").click().run()
    assert "In use on every page: **the shipped search encoder**" in texts(app)
    app.switch_page("pages/search/search.py")
    app.query_params.update({"taxonomy": TINY_ID, "query": "nurse"})
    app.run()
    assert not app.error


def test_a_comparison_by_real_searches(train: Open, home: Path) -> None:
    """It is started, shows who wins, and is stopped; opened results decide."""
    encoder(**{DOCUMENT: tower()}).save(home / "models" / "mine", {})
    app = train(model="mine")
    app.button(key="train_online_start").click().run()
    assert not app.exception
    assert "No search has a winner yet." in texts(app)
    comparison = running_comparison(Settings(home))
    assert comparison is not None
    teams = (Team.IN_USE, Team.CANDIDATE)
    with LabelStore.open(Settings(home).label_store) as store:
        for _ in range(9):
            shown = replace(
                SearchShown(
                    str(uuid4()),
                    SearchKind.OCCUPATIONS,
                    TINY_ID,
                    "nurse",
                    "",
                    ("a", "b"),
                    0,
                    False,
                    "",
                    datetime.now(UTC),
                ),
                model=comparison.encoders[0],
                candidate=comparison.encoders[1],
                teams=teams,
            )
            store.record_search(shown)
            store.record_choice(SearchChoice(str(uuid4()), shown.id, "b", 2, shown.at))
    app.run()
    assert "Results of both models were mixed in 9 searches" in texts(app)
    assert not [button for button in app.button if button.key == "train_online_start"]
    app.button(key="train_online_stop").click().run()
    assert running_comparison(Settings(home)) is None
    assert app.button(key="train_online_start")


def test_a_comparison_that_cannot_start(train: Open, home: Path) -> None:
    """The model was damaged after the page was drawn; the page says so."""
    folder = store_model(home, "mine")
    app = train(model="mine")
    (folder / "model.safetensors").write_bytes(b"")
    app.button(key="train_online_start").click().run()
    assert not app.exception
    assert "mine" in app.error[0].value
    assert running_comparison(Settings(home)) is None


@pytest.mark.thorough
def test_a_comparison_of_towers(app: AppTest, home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """It names the page that mixes their results, and says when the index of the new ones is being built."""
    TwoTowers(shipped_encoder(), TITLES, TowerConfig(head=False)).save(home / "models" / "flat", {})
    promote(ModelKind.TOWERS, UNTRAINED, Settings(home), who="ann")
    app.switch_page("pages/train_models/train_models.py")
    app.query_params.update({"for": "towers", "model": "flat"})
    app.run()
    app.button(key="train_online_start").click().run()
    assert not app.exception
    comparison = running_comparison(Settings(home))
    assert comparison is not None
    assert comparison.kind is ModelKind.TOWERS
    assert "No results were mixed yet. That begins once somebody who varies the order" in texts(app)
    monkeypatch.setattr(MatchingService, "is_loading", lambda _service, model: model == "flat")
    assert "The index of this model is being built." in texts(app.run())
