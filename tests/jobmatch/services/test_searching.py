"""Search indexes opened once for pages and API."""

import os
from pathlib import Path
from threading import Event
from typing import Any

import pytest

from jobmatch.services.searching import SearchingService
from jobmatch_core.io.folders import atomic_folder
from jobmatch_core.model_store.model_spec import ModelKind
from jobmatch_core.model_store.registry import Registry
from jobmatch_core.retraining.online_comparison import start_comparison, stop_comparison
from jobmatch_core.search.search_encoder import DOCUMENT
from jobmatch_core.search.search_index import SearchIndex
from jobmatch_core.search.search_items import Record
from jobmatch_core.search_events import SearchKind
from jobmatch_core.settings import Settings
from jobmatch_core.taxonomy import BUNDLED_ID
from tests.made_search_encoder import encoder, tower
from tests.made_taxonomy import install, skilled_taxonomy


def test_an_index_is_opened_once_until_its_model_is_trained_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A promoted model stored again under the same name is loaded again."""
    settings = Settings(tmp_path)
    service = SearchingService(settings)
    monkeypatch.setattr(SearchingService, "open", lambda *_, **__: object())
    monkeypatch.setattr(Registry, "promoted", lambda _registry, _kind: "mine")
    indexes = []
    for stored_at in (1, 2):
        with atomic_folder(settings.models / "mine") as folder:
            (folder / "config.json").write_text('{"search": ""}', "utf-8")
            os.utime(folder / "config.json", (stored_at, stored_at))
        indexes.append(service.opening(SearchKind.OCCUPATIONS, BUNDLED_ID).result())
        assert service.opening(SearchKind.OCCUPATIONS, BUNDLED_ID).result() is indexes[-1]
    assert indexes[0] is not indexes[1]


@pytest.fixture
def settings(tmp_path: Path) -> Settings:
    """A home with a small taxonomy, and two search encoders beside the shipped one."""
    home = Settings(tmp_path)
    install(skilled_taxonomy(), home.home)
    for seed, name in enumerate(("mine", "other"), start=1):
        encoder(**{DOCUMENT: tower(seed=seed)}).save(home.models / name, {})
    return home


@pytest.mark.thorough
def test_both_indexes_stay_while_a_comparison_runs(settings: Settings) -> None:
    """Afterwards, the next index that is built removes the other one."""
    service = SearchingService(settings)

    def built(*words: str) -> int:
        for word in words:
            service.open(SearchKind.OCCUPATIONS, "skilled-1", model=word)
        return len([*settings.indexes.glob("skilled-1+search-*")])

    start_comparison(ModelKind.SEARCH, "mine", settings, who="ann")
    assert built("", "mine", "") == 2
    stop_comparison(settings)
    assert built("other") == 1


def test_the_index_of_a_candidate_is_built_in_the_background(
    settings: Settings, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The first call begins it; the service says so until it is there."""
    service, built, goes_on = SearchingService(settings), SearchingService.open, Event()

    def opened(*call: Any, **options: Any) -> SearchIndex[Record]:
        assert goes_on.wait(30)
        return built(*call, **options)

    monkeypatch.setattr(SearchingService, "open", opened)
    assert service.compared(SearchKind.OCCUPATIONS, "skilled-1") is None
    assert not service.is_loading("mine")
    comparison = start_comparison(ModelKind.SEARCH, "mine", settings, who="ann")
    assert service.compared(SearchKind.OCCUPATIONS, "skilled-1") is None
    assert service.is_loading("mine")
    goes_on.set()
    service.opening(SearchKind.OCCUPATIONS, "skilled-1", "mine").result()
    assert not service.is_loading("mine")
    index = service.compared(SearchKind.OCCUPATIONS, "skilled-1")
    assert index is not None
    assert index.model == comparison.encoders[1]
