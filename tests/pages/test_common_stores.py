"""Stores without owners: access to their items on the pages, where people sign in."""

from datetime import UTC, datetime
from pathlib import Path

import pytest
from streamlit.testing.v1 import AppTest

from jobmatch.access.ownership import STORES, may_act
from jobmatch.access.principal import Role
from jobmatch.services.run_status import RunState
from jobmatch_core.benchmarks.scoreboard.results import ResultStore
from jobmatch_core.crosswalks.mapping import MappingSet
from jobmatch_core.crosswalks.store import CrosswalkCard, CrosswalkStore
from jobmatch_core.entities import Pair, PairKind
from jobmatch_core.io.ownership import UNOWNED, Act
from jobmatch_core.labelling.snapshot import Snapshots
from jobmatch_core.model_store.model_spec import ModelKind
from jobmatch_core.model_store.registry import Registry
from jobmatch_core.settings import Settings
from tests.core.labelling.made_judgments import judgment
from tests.made_results import make_evaluation, write_melo
from tests.pages.conftest import ROOT, TINY_ID
from tests.pages.find_freelancers.conftest import market, market_home
from tests.pages.made_trainings import status, store_model, store_run
from tests.pages.test_sign_in import become, server  # noqa: F401  # people sign in
from tests.tiny_transformer import save_transformer

__all__ = ["market", "market_home"]  # fixtures
CROSSWALK_ID = "c" * 22
SHOWN = {  # store -> the page, the address, and what of the item it shows
    "crosswalks": ("crosswalks", {}, "to Tiny 1 · begun"),
    "taxonomies": ("taxonomies", {}, "Tiny 1"),
    "marketplaces": ("find_freelancers", {}, "demo, synthetic"),
    "models": ("find_freelancers", {}, "made-model"),
    "benchmarks": ("scoreboard", {"section": "overlap"}, "over 3 queries"),
    "evaluations": ("scoreboard", {}, "made-system"),
    "snapshots": ("train_models", {}, "**1 label**: 1 fit, 0 do not."),
    "training": ("train_models", {}, "Started by ann"),
    "promoted": ("train_models", {}, "In use on every page: **made-model**"),
}
DELETED = {  # store -> the page that deletes an item, and the key of its button
    "crosswalks": ("crosswalks", f"delete_{CROSSWALK_ID}"),
    "taxonomies": ("taxonomies", f"remove_{TINY_ID}"),
    "models": ("train_models", "encoder_remove_made-encoder"),
}


@pytest.fixture
def items(home: Path, market: object) -> None:
    """Store an item in each store; the taxonomy and the marketplace are there."""
    settings = Settings(home)
    store_model(home, "made-model")
    save_transformer(home / "models" / "made-encoder")
    write_melo(home / "benchmarks" / "melo")
    ResultStore.open(settings).save(make_evaluation("made-system"))
    pair = Pair(PairKind.PROJECT_FREELANCER, "demo", "p1", "f1")
    Snapshots(settings).freeze([judgment("+", of=pair)], datetime(2026, 11, 21, 9, tzinfo=UTC))
    store_run(home, status(RunState.DONE))
    Registry(settings).keep_in_use(ModelKind.TOWERS, "made-model")
    crosswalk = CrosswalkStore.open(settings).new(CrosswalkCard("list", TINY_ID, "en"), [], MappingSet(()))
    (settings.crosswalks / crosswalk).rename(settings.crosswalks / CROSSWALK_ID)


def shown(page: str, address: dict[str, str]) -> tuple[str, set[str]]:
    """Return all texts, options and cells of a page, and the keys of its buttons."""
    app = AppTest.from_file(str(ROOT / "app.py"), default_timeout=60)
    app.switch_page(f"pages/{page}/{page}.py")
    app.query_params.update(address)
    app.run()
    assert not app.exception
    elements = [*app.markdown, *app.caption, *app.subheader, *app.success]
    lines = [str(element.value) for element in elements]
    lines += [option for box in app.selectbox for option in box.options]
    lines += [frame.value.to_string() for frame in app.dataframe]
    return "\n".join(lines).replace("\\", ""), {str(button.key) for button in app.button}


@pytest.mark.first_case
@pytest.mark.usefixtures("items")
@pytest.mark.parametrize("role", [None, *Role])
def test_who_finds_an_item_of_everybody(monkeypatch: pytest.MonkeyPatch, role: Role | None) -> None:
    """Access follows the table of stores, and so does who is offered a deletion."""
    somebody = become(monkeypatch, role)
    for store, (page, address, item) in SHOWN.items():
        text, _ = shown(page, address)
        assert (item in text) == may_act(somebody, store, Act.LIST, UNOWNED), store
    for store, (page, button) in DELETED.items():
        _, buttons = shown(page, {})
        assert (button in buttons) == may_act(somebody, store, Act.DELETE, UNOWNED), store


def test_every_store_of_everybody_is_looked_at() -> None:
    """The test above covers every store; items of all other stores have an owner."""
    common = {name for name, acts in STORES.items() if acts and not any(rule.owner for rule in acts.values())}
    assert common == set(SHOWN)
    assert {name for name in common if Act.DELETE in STORES[name]} == set(DELETED)
