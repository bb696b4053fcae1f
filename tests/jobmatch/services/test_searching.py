"""Search indexes opened once for pages and API."""

import os
from pathlib import Path

import pytest

from jobmatch.services.searching import SearchingService
from jobmatch_core.io.folders import atomic_folder
from jobmatch_core.model_store.registry import Registry
from jobmatch_core.search_events import SearchKind
from jobmatch_core.settings import Settings
from jobmatch_core.taxonomy import BUNDLED_ID


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
