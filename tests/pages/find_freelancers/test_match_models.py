"""Models and marketplaces on the page 'Find freelancers': two side by side, unusable, empty or damaged ones."""

import json
from dataclasses import replace
from functools import partial
from pathlib import Path
from unittest.mock import Mock

import pytest

from jobmatch_core.entities import NamedSkill
from jobmatch_core.marketplace.demo import generator
from jobmatch_core.marketplace.demo.generator import DemoSpec
from jobmatch_core.marketplace.marketplace import RecordBlock
from jobmatch_core.marketplace.marketplace_store import MarketplaceStore
from jobmatch_core.model_store.model_spec import UNTRAINED
from jobmatch_core.retrieval.match_models import load_match_model
from jobmatch_core.settings import Settings
from jobmatch_core.towers.tower_recipe import TowerConfig
from jobmatch_core.towers.two_towers import TwoTowers
from pages.shared import markets
from tests import made_marketplace
from tests.pages.find_freelancers.conftest import EVIL, Open, bars, cards
from tests.pages.observed import texts


def test_a_single_model_is_no_choice(page: Open, market: MarketplaceStore) -> None:
    """There is nothing to select or to compare; an address that asks for a comparison shows the list."""
    app = page(view="compare")
    assert not app.exception
    assert app.segmented_control(key="find_view").options == ["List", "Map"]
    assert "find_model" not in [box.key for box in app.selectbox]
    assert cards(app) == 10


def test_two_models_side_by_side(page: Open, market: MarketplaceStore, home: Path) -> None:
    """The page shows each rank beside that of the other model; a damaged model is an error message."""
    untrained = load_match_model(UNTRAINED)
    config = TowerConfig(section_embeddings=False, head=False, weighted_pooling=False)
    TwoTowers(untrained.encoder, untrained.backbone, config).save(home / "models" / "flat", {})
    app = page(view="compare", model="flat", project="p000004")  # whose first ten differ
    assert not app.exception
    assert app.selectbox(key="find_against").value == UNTRAINED
    assert "of the first 10** are the same people with both models" in texts(app)
    assert ":material/arrow_upward: up " in texts(app)
    (home / "models" / "flat" / "model.safetensors").write_bytes(b"?")
    from pages.shared import resources

    resources.match_models.clear()
    app.run()
    assert not app.exception
    assert "holds no towers that can be used" in app.error[0].value.replace("\\", "")


def test_a_model_that_was_trained_again_has_its_own_words_and_rankings(monkeypatch: pytest.MonkeyPatch) -> None:
    """Its finder is another one, although its name and the marketplace are the same."""
    monkeypatch.setattr(markets, "load", Mock())
    monkeypatch.setattr(markets, "score_words", lambda finder, _market, categories: finder.model.name)
    manifest, first, second = Mock(), Mock(), Mock()
    manifest.name, manifest.created, first.model.name, second.model.name = "demo", "2026", "mine-1", "mine-2"
    before, after = (markets.with_words(manifest, finder) for finder in (first, second))
    assert (before.words, after.words) == ("mine-1", "mine-2")
    assert before.key != after.key
    assert markets.with_words(manifest, second) is after


def test_models_that_cannot_be_used_are_left_out(page: Open, market: MarketplaceStore, home: Path) -> None:
    """Another model is selected and a line explains why; an address with the unusable model shows its error."""
    untrained = load_match_model(UNTRAINED)
    folder = home / "models" / "flat"
    config = TowerConfig(section_embeddings=False, head=False, weighted_pooling=False)
    TwoTowers(untrained.encoder, untrained.backbone, config).save(folder, {})
    said = json.loads((folder / "config.json").read_text("utf-8"))
    (folder / "config.json").write_text(json.dumps(said | {"backbone_name": "older"}), "utf-8")
    app = page()
    assert not app.exception
    assert not app.error
    assert (app.session_state["find_model"], cards(app)) == (UNTRAINED, 10)
    assert "find_model" not in [box.key for box in app.selectbox]
    assert "Not usable: flat (it was trained over older, and now there is" in texts(app)
    assert "Train again on the page 'Train models'." in texts(app)
    app.query_params["model"] = "flat"
    app.run()
    assert not app.exception
    assert "they were trained over older" in app.error[0].value
    assert "Left out" not in texts(app)


def test_texts_are_not_read_as_markdown(page: Open, home: Path) -> None:
    """Titles and skills from files are shown literally, whatever their length."""
    skill = NamedSkill("k", EVIL)
    people = [replace(each, title=EVIL, description=EVIL, skills=(skill,)) for each in made_marketplace.freelancers()]
    wanted = [
        replace(each, title=EVIL, description=EVIL * 9, mandatory=(skill,)) for each in made_marketplace.projects(1)
    ]
    MarketplaceStore.open(Settings(home)).save("evil", [RecordBlock(projects=wanted, freelancers=people)], origin={})
    app = page()
    assert not app.exception
    drawn = "\n".join(str(element.value) for element in (*app.markdown, *app.caption))
    assert r"\*\*x\*\* \<b\>y" in drawn
    assert ":red[" not in drawn
    assert "](http" not in drawn
    assert not any(element.allow_html for element in app.markdown)
    assert cards(app) == 10
    assert not any("strong" in bar for bar in bars(app))  # nothing is known of past interest


def test_a_marketplace_without_projects(page: Open, home: Path) -> None:
    """A pasted project can still be matched."""
    people = made_marketplace.freelancers()
    MarketplaceStore.open(Settings(home)).save("people", [RecordBlock(freelancers=people)], origin={})
    app = page()
    assert "This marketplace has no projects." in texts(app)
    app.session_state["find_source"] = "own"
    app.run()
    assert not app.exception
    assert cards(app) == 10


def test_a_marketplace_without_freelancers(page: Open, home: Path) -> None:
    """The page shows an error message."""
    MarketplaceStore.open(Settings(home)).save("none", [RecordBlock(projects=made_marketplace.projects(1))], origin={})
    app = page()
    assert not app.exception
    assert "has no freelancers to be found" in app.error[0].value


def test_a_damaged_marketplace(page: Open, market: MarketplaceStore, home: Path) -> None:
    """The page shows an error message."""
    projects = home / "marketplaces" / "demo" / "projects.parquet"
    projects.unlink()
    projects.write_bytes(b"PAR1")
    app = page()
    assert not app.exception
    assert "The marketplace demo is damaged" in app.error[0].value


def test_a_newcomer_gets_a_marketplace(page: Open, home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The first visit generates the demo marketplace."""
    monkeypatch.setattr(generator, "DemoSpec", partial(DemoSpec, projects=3, freelancers=30))
    app = page()
    assert not app.exception
    assert "30 freelancers · all are listed" in texts(app)
    assert [each.name for each in MarketplaceStore.open(Settings(home)).installed()] == ["demo"]
