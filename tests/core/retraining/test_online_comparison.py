"""The online comparison of a home: start, state and end."""

import json
from pathlib import Path

import pytest

from jobmatch_core.encoders.loading import TITLES, shipped_encoder
from jobmatch_core.errors import ModelError
from jobmatch_core.model_store.model_spec import ModelKind
from jobmatch_core.retraining.online_comparison import (
    latest_comparison,
    running_comparison,
    start_comparison,
    stop_comparison,
)
from jobmatch_core.retraining.promotion import promote
from jobmatch_core.retrieval.match_models import load_match_model
from jobmatch_core.search.search_encoder import DOCUMENT
from jobmatch_core.search.search_models import load_search_encoder
from jobmatch_core.settings import Settings
from jobmatch_core.towers.tower_recipe import TowerConfig
from jobmatch_core.towers.two_towers import TwoTowers
from tests.made_search_encoder import encoder, tower


@pytest.fixture
def settings(tmp_path: Path) -> Settings:
    """A home with two search encoders beside the shipped one."""
    home = Settings(tmp_path)
    for seed, name in enumerate(("mine", "other"), start=1):
        encoder(**{DOCUMENT: tower(seed=seed)}).save(home.models / name, {})
    return home


def test_start_and_stop(settings: Settings) -> None:
    """The comparison is stored with the names of both models and encoders."""
    assert latest_comparison(settings) is None
    started = start_comparison(ModelKind.SEARCH, "mine", settings, who="ann")
    assert (started.in_use, started.candidate, started.who, started.stopped) == ("search", "mine", "ann", "")
    assert started.encoders == tuple(load_search_encoder(word, settings).name for word in ("", "mine"))
    assert running_comparison(settings) == latest_comparison(settings) == started
    assert stop_comparison(settings).stopped
    assert running_comparison(settings) is None
    latest = latest_comparison(settings)
    assert latest is not None
    assert latest.stopped
    with pytest.raises(ModelError, match="No online comparison runs"):
        stop_comparison(settings)


def test_another_candidate_and_a_promotion(settings: Settings) -> None:
    """A later start replaces the comparison; a promotion ends it."""
    start_comparison(ModelKind.SEARCH, "mine", settings, who="ann")
    assert start_comparison(ModelKind.SEARCH, "other", settings, who="ann") == running_comparison(settings)
    promote(ModelKind.SEARCH, "mine", settings, who="ann")
    assert running_comparison(settings) is None


def test_towers_are_compared_by_their_names(settings: Settings) -> None:
    """With the towers in use, here the untrained ones; a promotion of a search model does not end it."""
    TwoTowers(shipped_encoder(), TITLES, TowerConfig(head=False)).save(settings.models / "towers", {})
    promote(ModelKind.TOWERS, "untrained", settings, who="ann")
    started = start_comparison(ModelKind.TOWERS, "towers", settings, who="ann")
    names = tuple(load_match_model(word, settings).name for word in ("untrained", "towers"))
    assert (started.kind, started.in_use, started.encoders) == (ModelKind.TOWERS, "untrained", names)
    promote(ModelKind.SEARCH, "mine", settings, who="ann")
    assert running_comparison(settings) == started
    promote(ModelKind.TOWERS, "towers", settings, who="ann")
    assert running_comparison(settings) is None


def test_a_file_without_a_kind(settings: Settings) -> None:
    """It is of search models, as all were."""
    started = start_comparison(ModelKind.SEARCH, "mine", settings, who="ann")
    [path] = settings.promoted.glob("online*")
    content = json.loads(path.read_text("utf-8"))
    del content["kind"]
    path.write_text(json.dumps(content), "utf-8")
    assert running_comparison(settings) == started


def test_what_cannot_be_compared(settings: Settings) -> None:
    """The model in use with itself, an unknown model; nothing is stored."""
    with pytest.raises(ModelError, match="search is the model in use"):
        start_comparison(ModelKind.SEARCH, "search", settings, who="ann")
    with pytest.raises(ModelError):
        start_comparison(ModelKind.SEARCH, "nobody", settings, who="ann")
    assert latest_comparison(settings) is None


@pytest.mark.parametrize("content", ["", "{}", '{"format": 99}', '{"format": 1, "in_use": 3}', "\x00"])
def test_a_damaged_file(settings: Settings, content: str) -> None:
    """The error names the file and says what to do; a new start repairs it."""
    start_comparison(ModelKind.SEARCH, "mine", settings, who="ann")
    [path] = settings.promoted.glob("online*")
    path.write_text(content, "utf-8")
    with pytest.raises(ModelError, match=r"remove .*online-comparison"):
        running_comparison(settings)
    start_comparison(ModelKind.SEARCH, "mine", settings, who="ann")
    assert running_comparison(settings)
