"""The API over the bundled taxonomy, without pages, and a client of it."""

import os
import shutil
from collections.abc import Callable, Iterator
from contextlib import ExitStack, closing
from pathlib import Path

import pytest
from starlette.testclient import TestClient

from jobmatch.serve.serve_config import Limits, ServeConfig
from jobmatch.serve.server import build_api
from jobmatch.services.linking import LinkingService
from jobmatch_core.linking import open_linker
from jobmatch_core.settings import Settings
from tests.jobmatch.serve.made_esco import import_esco

ADDRESS = "http://localhost"
Serving = Callable[..., TestClient]  # (config)


@pytest.fixture
def service(own_linker_home: Path) -> Iterator[LinkingService]:
    """A linking service in a home of the test's own."""
    with closing(LinkingService(Settings(own_linker_home))) as service:
        yield service


@pytest.fixture
def serving(service: LinkingService) -> Iterator[Serving]:
    """Start an API with a configuration; it runs until the test ends."""
    with ExitStack() as running:

        def started(config: ServeConfig | None = None) -> TestClient:
            return running.enter_context(TestClient(build_api(service, config), base_url=ADDRESS))

        yield started


@pytest.fixture
def client(serving: Serving) -> TestClient:
    """A client of an API with the default configuration."""
    return serving()


@pytest.fixture(scope="session")
def esco_home(linker_home: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A home with a tiny ESCO and its index, to be read or copied."""
    home = tmp_path_factory.mktemp("esco_home") / "home"
    shutil.copytree(linker_home, home, copy_function=os.link)
    taxonomy = import_esco(Settings(home), tmp_path_factory.mktemp("esco_files"))
    open_linker(taxonomy, settings=Settings(home))
    return home


@pytest.fixture
def own_esco_home(esco_home: Path, jobmatch_home: Path) -> Path:
    """A copy of that home for the test, which may change it."""
    shutil.copytree(esco_home, jobmatch_home, copy_function=os.link)
    return jobmatch_home


@pytest.fixture(scope="module")
def esco_client(esco_home: Path) -> Iterator[TestClient]:
    """A client of an API over a tiny ESCO, for tests that only read."""
    config = ServeConfig(limits=Limits(requests_a_minute=0))
    service = LinkingService(Settings(esco_home))
    with closing(service), TestClient(build_api(service, config), base_url=ADDRESS) as client:
        yield client
