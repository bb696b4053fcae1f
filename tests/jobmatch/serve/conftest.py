"""The API over the bundled taxonomy, without pages, and a client of it."""

from collections.abc import Callable, Iterator
from contextlib import ExitStack
from pathlib import Path

import pytest
from starlette.testclient import TestClient

from jobmatch.serve.serve_config import ServeConfig
from jobmatch.serve.server import build_api
from jobmatch.services.linking import LinkingService
from jobmatch_core.settings import Settings

ADDRESS = "http://localhost"
Serving = Callable[..., TestClient]  # (config)


@pytest.fixture
def service(own_linker_home: Path) -> LinkingService:
    """What links, in a home of the test's own."""
    return LinkingService(Settings(own_linker_home))


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
