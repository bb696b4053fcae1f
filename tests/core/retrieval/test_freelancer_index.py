"""Which folders of vectors go, and that nobody who reads them is disturbed."""

import logging
import os
import time
from pathlib import Path

import pytest

from jobmatch_core.errors import MatchingError
from jobmatch_core.marketplace.marketplace_store import MarketplaceStore
from jobmatch_core.retrieval.finder import Finder
from jobmatch_core.retrieval.freelancer_index import folder_name, open_finder, remove_orphans
from jobmatch_core.settings import Settings
from tests.core.retrieval.test_finder import PROJECT, store_market
from tests.hashing_model import HashingModel

OLD, NEW = "towers-00000001", "towers-00000002"


@pytest.fixture
def settings(tmp_path: Path) -> Settings:
    """Give a home with a marketplace."""
    settings = Settings(tmp_path / "home")
    store_market(settings)
    return settings


def opened(settings: Settings, model: str) -> Finder:
    """Open the finder of a model of some name."""
    return open_finder("market", HashingModel(name=model), settings=settings)


def folders(settings: Settings) -> list[str]:
    """Return what lies among the vectors, hidden things, too."""
    return sorted(path.name for path in settings.vectors.iterdir())


def age(settings: Settings, model: str, *, hours: float) -> None:
    """Make a folder as if it was last opened so long ago."""
    then = time.time() - hours * 3600
    os.utime(settings.vectors / folder_name("market", model) / "state.json", (then, then))


def test_each_marketplace_and_model_has_a_folder_of_its_own() -> None:
    """Whatever a model is called; the marketplace can be told from its name."""
    models = ["a/b", "a-b", "a b", "x" * 200, "x" * 201, "..", "日本語", OLD, NEW]
    names = {folder_name("market", model) for model in models}
    assert len(names) == len(models)
    assert all(name.startswith("market+") and "/" not in name and len(name) < 90 for name in names)


def test_the_vectors_of_a_removed_marketplace_go(settings: Settings) -> None:
    """Those of all its models, and what an older release left of others that are gone; the others' stay."""
    opened(settings, OLD)
    opened(settings, NEW)
    (settings.vectors / "long-gone+towers-1").mkdir()
    remove_orphans(settings)
    assert folders(settings) == [folder_name("market", OLD), folder_name("market", NEW)]
    MarketplaceStore.open(settings).remove("market")
    remove_orphans(settings)
    assert folders(settings) == []


def test_without_vectors_there_is_nothing_to_remove(tmp_path: Path) -> None:
    """Nothing is created either."""
    remove_orphans(Settings(tmp_path / "home"))
    assert not (tmp_path / "home").exists()


def test_a_folder_that_stays_is_named(settings: Settings, monkeypatch: pytest.MonkeyPatch) -> None:
    """The error names the folder, so that somebody can delete it."""

    def refuse(folder: Path) -> None:
        raise PermissionError(13, "in use", str(folder))

    opened(settings, OLD)
    MarketplaceStore.open(settings).remove("market")
    monkeypatch.setattr("jobmatch_core.retrieval.freelancer_index.remove_whole", refuse)
    with pytest.raises(MatchingError, match=r"market\+towers-00000001-\w+ could not be removed \(in use\); delete it"):
        remove_orphans(settings)


def test_a_model_that_was_trained_again_takes_the_place_of_the_older(settings: Settings) -> None:
    """When that was not opened for a day; who has it open reads on."""
    reading = opened(settings, OLD)
    expected = reading.match(PROJECT)
    age(settings, OLD, hours=23)
    opened(settings, NEW)
    assert folders(settings) == [folder_name("market", OLD), folder_name("market", NEW)]
    age(settings, OLD, hours=25)
    opened(settings, NEW)
    assert folders(settings) == [folder_name("market", NEW)]
    assert reading.match(PROJECT) == expected
    assert opened(settings, OLD).match(PROJECT) == expected


def test_opening_counts_as_use(settings: Settings) -> None:
    """A folder that is opened every day stays, however long ago it was made."""
    opened(settings, OLD)
    age(settings, OLD, hours=25)
    opened(settings, OLD)
    opened(settings, NEW)
    assert len(folders(settings)) == 2


@pytest.mark.first_case
@pytest.mark.parametrize(
    "other", ["towers-0001", "towers", "others-00000001", "towers-big-00000001", "TOWERS-00000001"]
)
def test_other_models_stay(settings: Settings, other: str) -> None:
    """However seldom they are opened."""
    opened(settings, other)
    age(settings, other, hours=1000)
    opened(settings, NEW)
    assert len(folders(settings)) == 2


def test_other_marketplaces_stay(settings: Settings) -> None:
    """Each sees to its own."""
    opened(settings, OLD)
    age(settings, OLD, hours=1000)
    market = MarketplaceStore.open(settings).load("market")
    MarketplaceStore.open(settings).save("market.2", market.blocks(), origin={})
    open_finder("market.2", HashingModel(name=NEW), settings=settings)
    assert len(folders(settings)) == 2


def test_a_superseded_folder_that_stays_disturbs_nobody(
    settings: Settings, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    """Some systems do not let go of what another process has open."""

    def refuse(folder: Path) -> None:
        raise PermissionError(13, "in use", str(folder))

    opened(settings, OLD)
    age(settings, OLD, hours=25)
    monkeypatch.setattr("jobmatch_core.retrieval.freelancer_index.remove_whole", refuse)
    with caplog.at_level(logging.WARNING):
        assert opened(settings, NEW).match(PROJECT)
    assert "is superseded, but could not be removed" in caplog.text
