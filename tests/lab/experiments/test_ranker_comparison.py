"""Rankers beside each other on a small generated marketplace."""

import pytest

from jobmatch_core.marketplace.demo.generator import DemoSpec, demo_marketplace
from jobmatch_core.settings import Settings
from jobmatch_core.taxonomy import BUNDLED_ID, TaxonomyStore
from lab.experiments.ranker_comparison import compare_rankers


@pytest.mark.long
def test_all_that_is_known_finds_more_than_similarity(tmp_path_factory: pytest.TempPathFactory) -> None:
    """Every ranker retrieves more interested freelancers than the encoder alone."""
    taxonomy = TaxonomyStore.open(Settings(tmp_path_factory.mktemp("home"))).load(BUNDLED_ID)
    rows = compare_rankers(demo_marketplace(taxonomy, DemoSpec(projects=60, freelancers=800, seed=5)))
    assert [row.ranker for row in rows] == [
        "similarity",
        "ranker, shown 0",
        "ranker, shown 1",
        "ranker, shown 3",
        "shipped",
        "trees",
    ]
    similarity, *others = [row.figures.map for row in rows]
    assert similarity is not None
    assert all(other is not None and other > similarity for other in others)
