"""What a stored marketplace's freelancers can be filtered by."""

from collections import Counter
from dataclasses import replace
from pathlib import Path

import pyarrow.parquet as pq
import pytest

from jobmatch_core.errors import MarketplaceError
from jobmatch_core.marketplace.facets import Facet, read_facets
from jobmatch_core.marketplace.marketplace import Block
from jobmatch_core.marketplace.marketplace_store import MarketplaceStore
from jobmatch_core.settings import Settings
from tests import made_marketplace


@pytest.fixture
def settings(tmp_path: Path) -> Settings:
    """Give a home of the test's own."""
    return Settings(tmp_path / "home")


def test_values_are_counted(settings: Settings) -> None:
    """As a naive loop counts them, the commonest first; a category goes by what most call it."""
    people = made_marketplace.freelancers()
    named = [replace(each, category_name="Coders" if n % 3 else "Kodierer") for n, each in enumerate(people)]
    MarketplaceStore.open(settings).save("tiny", [Block(freelancers=named)], origin={})
    facets = read_facets("tiny", settings)
    assert {each.value: each.count for each in facets.languages} == Counter(each.language for each in people)
    assert facets.categories == (Facet("art", "Coders", 12), Facet("code", "Coders", 12))
    assert facets.families == (Facet("all", "all", 24),)
    assert facets.countries == ()


def test_several_row_groups(settings: Settings) -> None:
    """A marketplace is stored in groups of some thousands, which know different values."""
    people = made_marketplace.freelancers()
    blocks = [Block(freelancers=[replace(each, id=f"{code}{each.id}", country=code) for each in people])
              for code in ("DE", "PL", "DE")]  # fmt: skip
    MarketplaceStore.open(settings).save("tiny", blocks, origin={})
    assert pq.read_metadata(settings.marketplaces / "tiny" / "freelancers.parquet").num_row_groups == 3
    assert read_facets("tiny", settings).countries == (Facet("DE", "DE", 48), Facet("PL", "PL", 24))


def test_no_freelancers(settings: Settings) -> None:
    """Nothing can be filtered by."""
    MarketplaceStore.open(settings).save("empty", [Block()], origin={})
    assert read_facets("empty", settings).languages == ()


def test_errors_are_in_words(settings: Settings) -> None:
    """There is none, or its file is damaged."""
    with pytest.raises(MarketplaceError, match="no marketplace 'nope'"):
        read_facets("nope", settings)
    MarketplaceStore.open(settings).save("tiny", [Block(freelancers=made_marketplace.freelancers())], origin={})
    (settings.marketplaces / "tiny" / "freelancers.parquet").write_bytes(b"PAR1")
    with pytest.raises(MarketplaceError, match=r"damaged.*freelancers\.parquet"):
        read_facets("tiny", settings)
