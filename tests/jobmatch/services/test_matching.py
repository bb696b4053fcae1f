"""Finders opened once for pages and API, and projects matched by other processes."""

import json
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import Any

import pytest

from jobmatch.services import matching
from jobmatch.services.linking import LinkingService
from jobmatch.services.matching import MatchingService, MatchSpec, rows_by
from jobmatch_core.encoders.loading import TITLES, shipped_encoder
from jobmatch_core.engines import InProcess
from jobmatch_core.errors import EngineError, MarketplaceError, MatchingError, ModelError
from jobmatch_core.io.folders import atomic_folder
from jobmatch_core.marketplace.demo.generator import DemoSpec, demo_blocks
from jobmatch_core.marketplace.marketplace_store import MarketplaceStore
from jobmatch_core.model_store.model_spec import ModelKind
from jobmatch_core.ranking.ranker import RANKER_FILE, Ranker, shipped_ranker
from jobmatch_core.retraining.online_comparison import start_comparison
from jobmatch_core.retraining.promotion import promote
from jobmatch_core.retrieval.freelancer_index import open_finder
from jobmatch_core.retrieval.match_file import matched_rows
from jobmatch_core.retrieval.matches import MatchOrder
from jobmatch_core.settings import Settings
from jobmatch_core.taxonomy import TaxonomyStore
from jobmatch_core.towers.tower_recipe import TowerConfig
from jobmatch_core.towers.two_towers import TwoTowers
from jobmatch_core.vector_stores.vector_store import NO_FILTERS
from tests.core.retrieval.test_finder import store_market
from tests.hashing_model import HashingModel


@pytest.fixture
def service(tmp_path: Path) -> MatchingService:
    """A service over a home with a marketplace."""
    settings = Settings(tmp_path)
    store_market(settings)
    return MatchingService(LinkingService(settings))


def test_a_finder_is_opened_once_until_its_model_is_trained_again(
    service: MatchingService, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A model stored again under the same name is loaded again."""
    loaded: list[str] = []
    monkeypatch.setattr(matching, "load_match_model", lambda word, _settings: loaded.append(word) or HashingModel())
    config = {"tower": {}}
    for n_loads in (1, 2):
        folder = tmp_path / "models" / "mine"
        with atomic_folder(folder) as made:
            (made / "config.json").write_text(json.dumps(config))
        first = service.opening("market", "mine").result()
        assert service.opening("market", "mine").result() is first
        assert loaded == ["mine"] * n_loads


def test_a_finder_has_the_ranker_of_its_model(service: MatchingService, tmp_path: Path) -> None:
    """Without a model's own, the one that comes with jobmatch."""
    own = Ranker({"category": 2.0}, "mine")
    TwoTowers(shipped_encoder(), TITLES, TowerConfig(head=False)).save(
        tmp_path / "models" / "mine", {}, write=lambda folder: own.save(folder / RANKER_FILE)
    )
    opened = [service.open("market", word).ranker for word in ("", "mine", "untrained")]
    assert opened == [own, own, shipped_ranker()]
    assert service.opening("market").result().ranker == own


def test_the_finder_of_a_candidate(service: MatchingService, tmp_path: Path) -> None:
    """It is opened in the background, for the model in use alone."""
    settings = Settings(tmp_path)
    TwoTowers(shipped_encoder(), TITLES, TowerConfig(head=False)).save(settings.models / "mine", {})
    promote(ModelKind.TOWERS, "untrained", settings, who="ann")
    in_use = service.opening("market").result().model.name
    assert service.compared("market", in_use) is None
    comparison = start_comparison(ModelKind.TOWERS, "mine", settings, who="ann")
    assert service.compared("market", "another") is None
    service.opening("market", "mine").result()
    found = service.compared("market", in_use)
    assert found is not None
    assert found.model.name == comparison.encoders[1]
    assert not service.is_loading("mine")


def test_a_missing_market_or_model(service: MatchingService) -> None:
    """They are refused before anything is opened."""
    with pytest.raises(MarketplaceError, match="There is no marketplace 'none'"):
        service.opening("none")
    with pytest.raises(ModelError, match="There is no model 'none'"):
        service.opening("market", "none")


def test_the_reader_of_projects_is_shared(service: MatchingService) -> None:
    """Markets of one taxonomy have one reader."""
    reader = service.opening_reader(service.manifest("market")).result()
    assert service.opening_reader(service.manifest("market")).result() is reader
    assert reader.text("We need a baker.").title == "We need a baker."


@pytest.mark.usefixtures("jobmatch_home")
def test_the_rows_of_one_process(monkeypatch: pytest.MonkeyPatch) -> None:
    """List by list, in order; the model is loaded once per specification."""
    blocks = list(demo_blocks(TaxonomyStore.open().load(), DemoSpec(projects=6, freelancers=20)))
    MarketplaceStore.open().save("market", blocks, origin={}, generated=True)
    projects = [project for block in blocks for project in block.projects]
    words: list[str] = []
    monkeypatch.setattr(matching, "load_match_model", lambda word, _settings: words.append(word) or HashingModel())
    monkeypatch.setattr(matching, "load_ranker", lambda _word, _settings: shipped_ranker())
    monkeypatch.setattr(matching, "_opened", {})
    lists = [projects[:4], projects[4:]]
    finder = open_finder("market", HashingModel())
    expected = [matched_rows(finder, NO_FILTERS, 3, MatchOrder.MUST_HAVES, each) for each in lists]
    assert [len(rows) for rows in expected] == [12, 6]
    assert list(rows_by(InProcess(), MatchSpec("market", "mine", NO_FILTERS, 3), lists)) == expected
    assert words == ["mine"]
    [rows] = rows_by(InProcess(), MatchSpec("market", "", NO_FILTERS, 1), lists[:1])
    assert [row["rank"] for row in rows] == [1] * 4
    assert words == ["mine", "untrained"]


def test_a_lost_worker() -> None:
    """The message says to run the command again."""

    class Lost:
        def map(self, work: Callable[[Any], Any], tasks: Iterable[Any]) -> Iterator[Any]:
            raise EngineError("A worker process ended.")

    with pytest.raises(MatchingError, match=r"A worker process ended\. Run the command again\."):
        list(rows_by(Lost(), MatchSpec("market", "", NO_FILTERS, 3), []))
