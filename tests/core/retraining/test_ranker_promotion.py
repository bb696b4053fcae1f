"""Towers and their second stage move together: promotion, rollback, old folders, damage."""

from pathlib import Path

import pytest

from jobmatch_core.encoders.loading import TITLES, shipped_encoder
from jobmatch_core.errors import ModelError
from jobmatch_core.model_store.model_spec import UNTRAINED, ModelKind, find_model
from jobmatch_core.ranking.ranker import RANKER_FILE, Ranker, shipped_ranker
from jobmatch_core.retraining.promotion import cards, promote, roll_back
from jobmatch_core.retrieval.match_models import load_ranker, model_in_use
from jobmatch_core.settings import Settings
from jobmatch_core.towers.tower_recipe import TowerConfig
from jobmatch_core.towers.two_towers import TwoTowers

OWN = Ranker({"category": 2.0, "language": 1.5}, "mine")


def store(settings: Settings, name: str, ranker: Ranker | None = None) -> Path:
    """Store towers, with a ranker or, as older releases did, without one."""
    folder = settings.models / name
    write = (lambda temporary: ranker.save(temporary / RANKER_FILE)) if ranker else None
    TwoTowers(shipped_encoder(), TITLES, TowerConfig(head=False)).save(folder, {}, write=write)
    return folder


def test_both_stages_are_promoted_and_rolled_back(tmp_path: Path) -> None:
    """The ranker in use is always that of the towers in use; an old folder has the one that comes with jobmatch."""
    settings = Settings(tmp_path)
    store(settings, "old")
    store(settings, "new", OWN)
    used = []
    for change in (
        lambda: promote(ModelKind.TOWERS, "old", settings, who="ann"),
        lambda: promote(ModelKind.TOWERS, "new", settings, who="ann"),
        lambda: roll_back(ModelKind.TOWERS, settings, who="ann"),
        lambda: promote(ModelKind.TOWERS, UNTRAINED, settings, who="ann"),
    ):
        change()
        used.append((model_in_use(settings), load_ranker(settings=settings)))
    shipped = shipped_ranker()
    assert used == [("old", shipped), ("new", OWN), ("old", shipped), (UNTRAINED, shipped)]
    assert load_ranker("new", settings) == OWN


def test_another_ranker_is_another_model_to_caches(tmp_path: Path) -> None:
    """Open finders are opened again."""
    settings = Settings(tmp_path)
    folder = store(settings, "new", OWN)
    before = find_model("new", settings, ModelKind.TOWERS).stamp
    Ranker({"category": 1.0}, "mine").save(folder / RANKER_FILE)
    assert find_model("new", settings, ModelKind.TOWERS).stamp != before


@pytest.mark.parametrize(("old", "new"), [("1.5", "9.5"), ("mine", "yours"), ("{", "")])
def test_a_damaged_ranker_is_never_used(tmp_path: Path, old: str, new: str) -> None:
    """Weights that do not match their digest are damaged; the towers are not promoted, and the card says why."""
    settings = Settings(tmp_path)
    file = store(settings, "new", OWN) / RANKER_FILE
    file.write_text(file.read_text("utf-8").replace(old, new), "utf-8")
    with pytest.raises(ModelError, match="fit it again"):
        load_ranker("new", settings)
    with pytest.raises(ModelError, match=r"its ranker.json is damaged\. The current model stays in use"):
        promote(ModelKind.TOWERS, "new", settings, who="ann")
    assert [(card.fault, card.in_use) for card in cards(ModelKind.TOWERS, settings) if card.name == "new"] == [
        ("its ranker.json is damaged", False)
    ]
