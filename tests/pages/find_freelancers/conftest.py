"""A small encoded marketplace, and the page 'Find freelancers' opened on it."""

import os
import shutil
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from streamlit.testing.v1 import AppTest

from jobmatch_core.marketplace.demo.generator import DemoSpec, demo_blocks
from jobmatch_core.marketplace.marketplace_store import MarketplaceStore
from jobmatch_core.model_store.model_spec import UNTRAINED
from jobmatch_core.retrieval.freelancer_index import open_finder
from jobmatch_core.retrieval.match_models import load_match_model
from jobmatch_core.settings import Settings
from jobmatch_core.taxonomy import BUNDLED_ID, TaxonomyStore
from tests.pages.conftest import ROOT

Open = Callable[..., AppTest]
EVIL = "**x** <b>y</b> [z](http://a.org) :red[r] $x^2$ " + "Donaudampfschiff" * 20


@pytest.fixture(scope="session")
def market_home(installed_home: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A home with a small demo marketplace whose freelancers are encoded; to be copied, not changed."""
    settings = Settings(tmp_path_factory.mktemp("market"))
    shutil.copytree(installed_home / "taxonomies", settings.home / "taxonomies")
    taxonomy, spec = TaxonomyStore.open(settings).load(BUNDLED_ID), DemoSpec(projects=40, freelancers=300)
    store = MarketplaceStore.open(settings)
    store.save("demo", demo_blocks(taxonomy, spec), origin=spec.origin(taxonomy), generated=True)
    open_finder("demo", load_match_model(UNTRAINED, settings), settings=settings)
    return settings.home


@pytest.fixture
def market(market_home: Path, home: Path) -> MarketplaceStore:
    """The small demo marketplace in the test's own home."""
    for name in ("marketplaces", "vectors"):
        shutil.copytree(market_home / name, home / name, copy_function=os.link)
    return MarketplaceStore.open(Settings(home))


@pytest.fixture
def page(app: AppTest) -> Iterator[Open]:
    """Open the page, with parameters in the address."""

    def opened(**parameters: str) -> AppTest:
        del app.query_params["taxonomy"]
        app.switch_page("pages/find_freelancers/find_freelancers.py")
        app.query_params.update(parameters)
        return app.run()

    return opened


@pytest.fixture
def another(home: Path) -> Open:
    """Open the page in another session, with parameters in the address."""

    def opened(**parameters: str) -> AppTest:
        app = AppTest.from_file(str(ROOT / "app.py"), default_timeout=30).switch_page(
            "pages/find_freelancers/find_freelancers.py"
        )
        app.query_params.update(parameters)
        return app.run()

    return opened


def cards(app: AppTest) -> int:
    """Return the number of cards."""
    return sum(text.startswith("Similarity") for text in bars(app))


def bars(app: AppTest) -> list[str]:
    """Return the caption above the bars."""
    return [element.proto.text for element in app.get("progress")]
