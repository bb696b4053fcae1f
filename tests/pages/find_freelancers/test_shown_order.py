"""The list of 'Find freelancers' while two models are compared by what people open and judge to fit."""

from pathlib import Path

import pytest

from db.label_store import LabelStore
from jobmatch.services.home_services import home_services
from jobmatch.services.search_log import comparison_credit
from jobmatch_core.marketplace.marketplace_store import MarketplaceStore
from jobmatch_core.model_store.model_spec import UNTRAINED, ModelKind
from jobmatch_core.retraining.online_comparison import OnlineComparison, start_comparison
from jobmatch_core.retraining.promotion import promote
from jobmatch_core.retrieval.match_models import load_match_model
from jobmatch_core.settings import Settings
from jobmatch_core.towers.tower_recipe import TowerConfig
from jobmatch_core.towers.two_towers import TwoTowers
from tests.pages.find_freelancers.conftest import Open, cards

PROJECT = "p000004"  # the models differ in its first ten


@pytest.fixture
def comparison(market: MarketplaceStore, home: Path) -> OnlineComparison:
    """Other towers, compared with the untrained ones, their index built."""
    untrained, settings = load_match_model(UNTRAINED), Settings(home)
    config = TowerConfig(section_embeddings=False, head=False, weighted_pooling=False)
    TwoTowers(untrained.encoder, untrained.backbone, config).save(home / "models" / "flat", {})
    promote(ModelKind.TOWERS, UNTRAINED, settings, who="ann")
    comparison = start_comparison(ModelKind.TOWERS, "flat", settings, who="ann")
    home_services().matching.opening("demo", "flat").result()
    return comparison


def test_results_of_two_models_are_mixed(
    page: Open, home: Path, cookies: dict[str, str], comparison: OnlineComparison
) -> None:
    """With consent; whoever is judged to fit is credited to the model that brought them, others are not."""
    cookies["jobmatch_search_log"] = "swaps"
    app = page(project=PROJECT)
    for rank, verdict in ((2, "positive"), (3, "negative")):
        app.button(key=f"find_judge_{rank}_{verdict}").click().run()
    assert not app.exception
    assert cards(app) == 10
    with LabelStore.open(Settings(home).label_store) as store:
        [shown], [choice] = store.searches(), store.search_choices()
        result = comparison_credit(store, comparison)
    assert (shown.model, shown.candidate) == comparison.encoders
    assert (shown.source, shown.pair, len(shown.items)) == ("demo", 0, 100)
    assert (choice.item, choice.rank) == (shown.items[1], 2)
    assert (result.searches, result.opened) == (1, 1)


@pytest.mark.first_case
@pytest.mark.usefixtures("comparison")
@pytest.mark.parametrize(("consent", "model"), [("", UNTRAINED), ("plain", UNTRAINED), ("swaps", "flat")])
def test_nothing_is_mixed_or_stored(page: Open, home: Path, cookies: dict[str, str], consent: str, model: str) -> None:
    """Without consent, without varied orders, or by a model that somebody chose instead of the one in use."""
    cookies["jobmatch_search_log"] = consent
    app = page(project=PROJECT, model=model)
    app.button(key="find_judge_2_positive").click().run()
    assert not app.exception
    with LabelStore.open(Settings(home).label_store) as store:
        assert store.search_log_size().searches == 0
