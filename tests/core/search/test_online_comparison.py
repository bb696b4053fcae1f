"""The online comparison of a home: start, state, end, and the indexes of both models."""

from pathlib import Path

import pytest

from jobmatch_core.errors import ModelError, SearchError
from jobmatch_core.model_store.model_spec import ModelKind
from jobmatch_core.retraining.promotion import promote
from jobmatch_core.search.online_comparison import (
    latest_comparison,
    running_comparison,
    start_comparison,
    stop_comparison,
)
from jobmatch_core.search.search_encoder import DOCUMENT
from jobmatch_core.search.search_models import load_search_encoder
from jobmatch_core.search.search_store import open_search
from jobmatch_core.search_events import SearchKind
from jobmatch_core.settings import Settings
from tests.made_search_encoder import encoder, tower
from tests.made_taxonomy import install, skilled_taxonomy


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
    started = start_comparison("mine", settings, who="ann")
    assert (started.in_use, started.candidate, started.who, started.stopped) == ("search", "mine", "ann", "")
    assert started.encoders == tuple(load_search_encoder(word, settings).name for word in ("", "mine"))
    assert running_comparison(settings) == latest_comparison(settings) == started
    assert stop_comparison(settings).stopped
    assert running_comparison(settings) is None
    latest = latest_comparison(settings)
    assert latest is not None
    assert latest.stopped
    with pytest.raises(SearchError, match="No online comparison runs"):
        stop_comparison(settings)


def test_another_candidate_and_a_promotion(settings: Settings) -> None:
    """A later start replaces the comparison; a promotion ends it."""
    start_comparison("mine", settings, who="ann")
    assert start_comparison("other", settings, who="ann") == running_comparison(settings)
    promote(ModelKind.SEARCH, "mine", settings, who="ann")
    assert running_comparison(settings) is None


def test_what_cannot_be_compared(settings: Settings) -> None:
    """The model in use with itself, an unknown model; nothing is stored."""
    with pytest.raises(SearchError, match="search is the search model in use"):
        start_comparison("search", settings, who="ann")
    with pytest.raises(ModelError):
        start_comparison("nobody", settings, who="ann")
    assert latest_comparison(settings) is None


@pytest.mark.parametrize("content", ["", "{}", '{"format": 99}', '{"format": 1, "in_use": 3}', "\x00"])
def test_a_damaged_file(settings: Settings, content: str) -> None:
    """The error names the file and says what to do; a new start repairs it."""
    start_comparison("mine", settings, who="ann")
    [path] = settings.promoted.glob("online*")
    path.write_text(content, "utf-8")
    with pytest.raises(SearchError, match=r"remove .*online-comparison"):
        running_comparison(settings)
    start_comparison("mine", settings, who="ann")
    assert running_comparison(settings)


def test_both_indexes_stay_while_a_comparison_runs(settings: Settings) -> None:
    """Afterwards, the next index that is built removes the other one."""
    install(skilled_taxonomy(), settings.home)

    def built(*words: str) -> int:
        for word in words:
            open_search(
                SearchKind.OCCUPATIONS, "skilled-1", settings=settings, encoder=load_search_encoder(word, settings)
            )
        return len([*settings.indexes.glob("skilled-1+search-*")])

    start_comparison("mine", settings, who="ann")
    assert built("", "mine", "") == 2
    stop_comparison(settings)
    assert built("other") == 1
