"""The page 'Search' over the tiny taxonomy and a tiny marketplace."""

import os
import shutil
from collections.abc import Callable
from pathlib import Path

import pytest
from streamlit.testing.v1 import AppTest

from jobmatch_core.marketplace.marketplace_store import MarketplaceStore
from jobmatch_core.search.search_store import open_search
from jobmatch_core.search_events import SearchKind
from jobmatch_core.settings import Settings
from tests import made_marketplace
from tests.pages.conftest import ROOT, TINY_ID

Open = Callable[..., AppTest]
PAGE = "pages/search/search.py"


@pytest.fixture(scope="session")
def search_home(installed_home: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A home with the tiny taxonomy's index; to be copied, not changed."""
    settings = Settings(tmp_path_factory.mktemp("search"))
    shutil.copytree(installed_home / "taxonomies", settings.taxonomies)
    open_search(SearchKind.OCCUPATIONS, TINY_ID, settings=settings)
    return settings.home


@pytest.fixture
def page(home: Path, search_home: Path) -> Open:
    """Open the page in a new session, with parameters in the address."""
    shutil.copytree(search_home / "indexes", home / "indexes", copy_function=os.link, dirs_exist_ok=True)
    market = MarketplaceStore.open(Settings(home))
    market.save("tiny", made_marketplace.marketplace(1).blocks(), origin={}, generated=True)

    def opened(**parameters: str) -> AppTest:
        app = AppTest.from_file(str(ROOT / "app.py"), default_timeout=60).switch_page(PAGE)
        app.query_params.update({"taxonomy": TINY_ID, **parameters})
        return app.run()

    return opened


def titles(app: AppTest) -> list[str]:
    """Return the titles of the cards."""
    return [
        each.value.split("**")[1] for each in app.markdown if each.value.startswith(":gray[") and "**" in each.value
    ]
