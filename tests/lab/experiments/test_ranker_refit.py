"""A refit on simulated judgments of a small generated marketplace."""

import pytest

from jobmatch_core.marketplace.demo.generator import DemoSpec, demo_marketplace
from jobmatch_core.settings import Settings
from jobmatch_core.taxonomy import BUNDLED_ID, TaxonomyStore
from lab.experiments.ranker_refit import measure_refit


@pytest.mark.long
def test_judgments_move_the_weights_from_the_past_to_the_skills(tmp_path_factory: pytest.TempPathFactory) -> None:
    """The list is measured on judged projects first, then on the latest ones."""
    taxonomy = TaxonomyStore.open(Settings(tmp_path_factory.mktemp("home"))).load(BUNDLED_ID)
    row = measure_refit(demo_marketplace(taxonomy, DemoSpec(projects=60, freelancers=400, seed=5)), 40)
    assert (row.projects, row.judgments) == (40, 800)
    assert row.ranker.change is not None
    assert row.ranker.change.figure == "judged_at_10"
    figures = {change.figure: change for change in row.lists.changes}
    assert list(figures)[:2] == ["judged_at_10", "ndcg_at_10"]
    assert (figures["ndcg_at_10"].after > figures["ndcg_at_10"].before) == row.ranker.adopted
