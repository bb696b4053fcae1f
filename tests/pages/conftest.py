"""A home with a tiny taxonomy and the bundled one, built and indexed once for all page tests."""

import shutil
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
import streamlit as st
from streamlit.components.v2 import manifest_scanner
from streamlit.testing.v1 import AppTest

from jobmatch_core.linking import Linker, open_linker
from jobmatch_core.linking.example_titles import example_titles
from jobmatch_core.settings import Settings
from jobmatch_core.taxonomy import TaxonomyStore
from pages.shared import resources

ROOT = Path(__file__).parents[2]
TINY = Path(__file__).parent / "tiny.csv"
TINY_ID = "tiny-1"


@pytest.fixture(autouse=True, scope="session")
def scanned_once() -> Iterator[None]:
    """Scan the installed packages for components once, because each AppTest would take long over it."""
    found = manifest_scanner.scan_component_manifests()
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(manifest_scanner, "scan_component_manifests", lambda max_workers=None: found)
        yield


@pytest.fixture(scope="session")
def installed_home(linker_home: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A home in which `tiny-1` and `isco-08` are installed and indexed; to be copied, not changed."""
    settings = Settings(tmp_path_factory.mktemp("tiny") / "home")
    shutil.copytree(linker_home, settings.home, copy_function=_link)
    TaxonomyStore.open(settings).import_from(TINY, name="Tiny", version="1")
    open_linker(TINY_ID, settings=settings)
    return settings.home


@pytest.fixture(autouse=True, scope="session")
def found_once() -> Iterator[None]:
    """Compute a linker's example titles once; all homes hold the same linkers."""
    found: dict[tuple[str, str, str], list[str]] = {}

    def once(linker: Linker) -> list[str]:
        manifest = linker.taxonomy.manifest
        key = manifest.id, manifest.created, linker.version
        if key not in found:
            found[key] = example_titles(linker)
        return list(found[key])

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(resources, "answered_titles", once)
        yield


@pytest.fixture(autouse=True)
def home(installed_home: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """A home of the test's own, with empty caches."""
    home = tmp_path / "home"
    shutil.copytree(installed_home, home, copy_function=_link)
    monkeypatch.setenv("JOBMATCH_HOME", str(home))
    yield home
    st.cache_data.clear()
    st.cache_resource.clear()


@pytest.fixture(autouse=True)
def cookies(monkeypatch: pytest.MonkeyPatch) -> dict[str, str]:
    """The browser's cookies, which AppTest lacks: annotator 'me'; change them before the first run."""
    cookies = {"jobmatch_annotator": "me"}
    monkeypatch.setattr(type(st.context), "cookies", cookies)
    return cookies


@pytest.fixture
def app() -> AppTest:
    """The app before its first run, with the tiny taxonomy."""
    app = AppTest.from_file(str(ROOT / "app.py"), default_timeout=30)
    app.query_params["taxonomy"] = TINY_ID
    return app


@pytest.fixture
def taxonomies(app: AppTest) -> AppTest:
    """The app on the page 'Taxonomies'."""
    return app.switch_page("pages/taxonomies/taxonomies.py")


def _link(source: str, target: str) -> None:
    """Link the files instead of copying them: the tests replace files, and never write into one."""
    Path(target).hardlink_to(source)


@pytest.fixture
def scoreboard(app: AppTest) -> Callable[..., AppTest]:
    """Open the page, with parameters in the address."""

    def opened(**parameters: str) -> AppTest:
        app.switch_page("pages/scoreboard/scoreboard.py")
        app.query_params.update(parameters)
        return app.run()

    return opened
