"""Models for each kind of items, and the vectors of a model's word."""

from pathlib import Path

import numpy as np
import pytest

from jobmatch_core.encoders.loading import TITLES, shipped_encoder
from jobmatch_core.errors import MapError
from jobmatch_core.maps.items import ItemKind, Items
from jobmatch_core.maps.market_items import freelancer_items
from jobmatch_core.maps.models import TF_IDF, item_vectors, model_words, tf_idf_vectors
from jobmatch_core.marketplace.demo.generator import DemoSpec, demo_blocks
from jobmatch_core.marketplace.marketplace_store import MarketplaceStore
from jobmatch_core.retrieval.match_models import load_match_model
from jobmatch_core.settings import Settings
from jobmatch_core.taxonomy import BUNDLED_ID, TaxonomyStore


def test_words_of_people_and_of_titles() -> None:
    """Only people have towers; a name that is also another model's gets a prefix."""
    towers = ("titles", "mine", "untrained")
    assert model_words(ItemKind.FREELANCERS, towers) == ["towers:titles", "mine", "untrained", TITLES, TF_IDF]
    assert model_words(ItemKind.OCCUPATIONS, towers) == [TITLES, TF_IDF]


@pytest.fixture
def people(jobmatch_home: Path) -> Items:
    """Return the freelancers of a small marketplace."""
    settings = Settings(jobmatch_home)
    taxonomy, store = TaxonomyStore.open(settings).load(BUNDLED_ID), MarketplaceStore.open(settings)
    store.save("small", demo_blocks(taxonomy, DemoSpec(projects=4, freelancers=12)), origin={}, generated=True)
    return freelancer_items(store.load("small"), taxonomy)


def test_towers_that_are_called_titles(people: Items, jobmatch_home: Path) -> None:
    """`towers:titles` are the towers, `titles` is the title encoder."""
    settings = Settings(jobmatch_home)
    load_match_model("untrained", settings).save(settings.home / "models" / "titles", {})
    untrained, named, encoder = (
        item_vectors(people, word, settings) for word in ("untrained", "towers:titles", TITLES)
    )
    assert named == pytest.approx(untrained, abs=1e-3)
    assert encoder.shape[1] == shipped_encoder().encode(["x"]).shape[1]
    assert encoder.shape != named.shape or np.abs(encoder - named).max() > 0.1


def test_towers_do_not_read_occupations(jobmatch_home: Path) -> None:
    """The error names models that do."""
    items = Items(ItemKind.OCCUPATIONS, "isco-08", ("a", "b"), ("baker", "nurse"), {})
    with pytest.raises(MapError, match="reads projects and freelancers, not occupations; try titles"):
        item_vectors(items, "untrained", Settings(jobmatch_home))


def test_letters() -> None:
    """Case makes no difference, other letters do; texts of signs only are refused."""
    vectors = tf_idf_vectors(["Baker", "baker", "nurse practitioner", "baking"])
    assert float(vectors[0] @ vectors[1]) == pytest.approx(1.0, abs=1e-5)
    assert float(vectors[0] @ vectors[3]) > float(vectors[0] @ vectors[2])
    with pytest.raises(MapError, match="nothing to compare"):
        tf_idf_vectors(["!!!", ""])
