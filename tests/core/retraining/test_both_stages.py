"""A training of towers with its second stage, from the labels to the list of freelancers."""

from datetime import UTC, datetime
from pathlib import Path

import pytest

from jobmatch.services.linking import LinkingService
from jobmatch.services.matching import MatchingService
from jobmatch_core.entities import Judgment, Provenance, Verdict
from jobmatch_core.labelling.snapshot import Snapshots, open_snapshot
from jobmatch_core.marketplace.marketplace_store import MarketplaceStore
from jobmatch_core.metrics.comparisons import headline
from jobmatch_core.model_store.model_spec import UNTRAINED, ModelKind
from jobmatch_core.ranking.ranker import RANKER_FILE, shipped_ranker
from jobmatch_core.retraining.promotion import cards, promote, roll_back
from jobmatch_core.retraining.tower_retraining import retrain_towers
from jobmatch_core.retrieval.matches import Arrangement, MatchOrder
from jobmatch_core.settings import Settings
from jobmatch_core.towers.tower_recipe import TowerConfig, TowerRecipe, TowerReport, TowerTraining
from tests.core.retraining.made_labels import labels_by_language
from tests.made_marketplace import marketplace

MARKET = marketplace(14)
RECIPE = TowerRecipe("both", tower=TowerConfig(head=False), training=TowerTraining(epochs=1))


def train(settings: Settings) -> TowerReport:
    """Train on a history, and on labels by which who speaks the project's language fits."""
    MarketplaceStore.open(settings).save("tiny", MARKET.blocks(), origin={}, generated=True)
    judged = [
        Judgment(
            f"00000000-0000-4000-8000-{number:012}",
            label.pair,
            Verdict.POSITIVE if label.positive else Verdict.NEGATIVE,
            "ann",
            label.at,
            Provenance("random"),
        )
        for number, label in enumerate(labels_by_language(MARKET))
    ]
    name = Snapshots(settings).freeze(judged, datetime(2026, 3, 2, tzinfo=UTC)).name
    out = settings.models / "both"
    return retrain_towers(
        RECIPE, MARKET, out, labels=open_snapshot(name, settings), against=UNTRAINED, settings=settings
    )


def test_judgments_reach_the_list_and_leave_it_again(tmp_path: Path) -> None:
    """The ranker lies beside its towers, orders the list once they are promoted, and goes with them."""
    settings = Settings(tmp_path)
    report = train(settings)
    assert report.ranker is not None
    assert report.ranker.adopted
    assert (settings.models / "both" / RANKER_FILE).is_file()
    told = headline(report.comparison)
    assert told.part is not None
    assert (told.part.kind, told.outcome) == ("list", "better")
    [card] = [card for card in cards(ModelKind.TOWERS, settings) if card.name == "both"]
    assert (card.ranker, card.comparison) == (report.ranker, report.comparison)
    service = MatchingService(LinkingService(settings))
    project = MARKET.projects[0]
    used = []
    for change in (
        lambda: promote(ModelKind.TOWERS, UNTRAINED, settings, who="ann"),
        lambda: promote(ModelKind.TOWERS, "both", settings, who="ann"),
        lambda: roll_back(ModelKind.TOWERS, settings, who="ann"),
    ):
        change()
        finder = service.open("tiny")
        first = finder.match(project, limit=3, arrangement=Arrangement(MatchOrder.FIT))
        same = sum(match.freelancer.language == project.language for match in first)
        used.append((finder.ranker == shipped_ranker(), same == 3))
    assert used == [(True, False), (False, True), (True, False)]


@pytest.mark.thorough
def test_every_judged_project_is_measured_once(tmp_path: Path) -> None:
    """Those trained on by cross-fitting, those put aside and later ones by the new model."""
    report = train(Settings(tmp_path))
    assert report.comparison is not None
    [lists] = [part for part in report.comparison.parts if part.kind == "list"]
    assert lists.changes[0].figure == "judged_at_10"
    assert (lists.n, lists.changes[0].n) == (len(MARKET.projects), len(MARKET.projects))
    assert report.labels is not None
    assert report.ranker is not None
    assert report.ranker.judged == report.labels.trained // 6
