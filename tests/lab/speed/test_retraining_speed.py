"""The way from judgments to a promoted model, measured on a small marketplace: every part is there."""

import pytest

from jobmatch_core.marketplace.demo.generator import DemoSpec, demo_blocks
from jobmatch_core.marketplace.marketplace_store import MarketplaceStore
from jobmatch_core.settings import Settings
from jobmatch_core.taxonomy import BUNDLED_ID, TaxonomyStore
from jobmatch_core.towers.tower_recipe import TowerConfig, TowerRecipe, TowerTraining
from lab.speed import retraining_speed
from lab.speed.retraining_speed import measure_retraining


def small_demo(settings: Settings) -> None:
    """Store a demo of thirty projects."""
    blocks = demo_blocks(TaxonomyStore.open(settings).load(BUNDLED_ID), DemoSpec(projects=30, freelancers=60))
    MarketplaceStore.open(settings).save("demo", blocks, origin={}, generated=True)


@pytest.mark.thorough
def test_every_part_is_measured(monkeypatch: pytest.MonkeyPatch) -> None:
    """They add up; what is put aside is measured before and after."""
    monkeypatch.setattr(retraining_speed, "install_demo", small_demo)
    recipe = TowerRecipe("small", tower=TowerConfig(width=8, heads=2), training=TowerTraining(epochs=1))
    speed = measure_retraining(recipe, 60)
    assert (speed.judgments, speed.projects, speed.freelancers) == (60, 30, 60)
    assert speed.total_s == pytest.approx(speed.freeze_s + speed.retrain_s + speed.promote_s)
    assert 0 < speed.train_s < speed.retrain_s
    assert speed.held_out_auc is None or all(0 <= each <= 1 for each in speed.held_out_auc)
