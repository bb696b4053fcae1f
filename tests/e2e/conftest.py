"""The app as a user starts it, and a real browser in front of it."""

import json
import os
import re
import shutil
import socket
import subprocess
import sys
import time
import urllib.error
import urllib.request
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from urllib.parse import quote

import pytest
from playwright.sync_api import Browser, BrowserContext, Page, expect, sync_playwright

from jobmatch_core.linking.batch import PART_ROWS
from jobmatch_core.marketplace.demo.generator import DemoSpec, demo_blocks
from jobmatch_core.marketplace.marketplace_store import MarketplaceStore
from jobmatch_core.settings import Settings
from jobmatch_core.taxonomy import BUNDLED_ID, TaxonomyStore

ROOT = Path(__file__).parents[2]
N_TITLES = 3 * PART_ROWS
_BROWSERS = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable")
_ARGUMENTS = ["--no-sandbox", "--disable-gpu", "--disable-background-networking"]
_START_SECONDS = 60
_PATIENCE_MS = 60_000  # the first page waits for the bundled taxonomy's index

expect.set_options(timeout=_PATIENCE_MS)

OpenPage = Callable[..., Page]  # (path, annotator)


@pytest.fixture(scope="session")
def browser() -> Iterator[Browser]:
    """The installed Chromium; skipped without one, unless REQUIRE_BROWSER=1."""
    path = next((found for name in _BROWSERS if (found := shutil.which(name))), None)
    if path is None:
        reason = "no Chromium found; install it, for example with 'apt install chromium'"
        if os.environ.get("REQUIRE_BROWSER") == "1":
            pytest.fail(reason)
        pytest.skip(reason)
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=path, args=_ARGUMENTS)
        yield browser
        browser.close()


@pytest.fixture(scope="session")
def home(linker_home: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Where the apps of this run keep their things: at first an index and a small demo marketplace."""
    home = shutil.copytree(linker_home, tmp_path_factory.mktemp("home") / "home")
    settings, spec = Settings(home), DemoSpec(projects=40, freelancers=300)
    taxonomy = TaxonomyStore.open(settings).load(BUNDLED_ID)
    blocks = demo_blocks(taxonomy, spec)
    MarketplaceStore.open(settings).save("demo", blocks, origin=spec.origin(taxonomy), generated=True)
    return home


@pytest.fixture(scope="session")
def address(home: Path) -> Iterator[str]:
    """Where the app runs."""
    with _running_app(home) as address:
        yield address


@pytest.fixture
def fresh_address(tmp_path: Path) -> Iterator[str]:
    """Where an app runs that nobody has opened yet, in an empty home."""
    with _running_app(tmp_path) as address:
        yield address


@pytest.fixture
def many_titles(own_linker_home: Path, tmp_path: Path) -> Path:
    """A file of different titles, which takes some seconds."""
    names = list(dict.fromkeys(TaxonomyStore.open(Settings(own_linker_home)).load().name_texts))
    titles = [f"{name} {number}" if number else name for number in range(3) for name in names][:N_TITLES]
    assert len(titles) == N_TITLES
    path = tmp_path / "titles.jsonl"
    path.write_text("".join(json.dumps({"title": title}) + "\n" for title in titles), "utf-8")
    return path


@pytest.fixture
def open_page(browser: Browser, address: str) -> Iterator[OpenPage]:
    """Open a path of the app in a browser context of its own; each call is another user, known by name if given one."""
    contexts: list[BrowserContext] = []

    def opened(path: str = "/", annotator: str = "") -> Page:
        context = browser.new_context(viewport={"width": 1280, "height": 900}, accept_downloads=True)
        context.set_default_timeout(_PATIENCE_MS)
        contexts.append(context)
        if annotator:
            context.add_cookies([annotator_cookie(annotator, address)])
        page = context.new_page()
        page.goto(address + path)
        settle(page)
        return page

    yield opened
    for context in contexts:
        context.close()


def annotator_cookie(name: str, address: str) -> dict[str, str]:
    """Return the cookie of somebody whose name the browser remembers."""
    return {"name": "jobmatch_annotator", "value": quote(name), "url": address}


def settle(page: Page) -> None:
    """Wait until the page has run to its end."""
    app = page.get_by_test_id("stApp")
    expect(app).to_have_attribute("data-test-script-state", re.compile("notRunning"))
    expect(page.get_by_test_id("stSkeleton")).to_have_count(0)


@contextmanager
def _running_app(home: Path) -> Iterator[str]:
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    log = home / f"log-{port}.txt"
    with log.open("wb") as output:
        server = subprocess.Popen(
            [sys.executable, "-m", "jobmatch", "app", f"--port={port}", "--headless"],
            cwd=ROOT,
            env={**os.environ, "JOBMATCH_HOME": str(home), "JOBMATCH_VECTOR_URL": ""},
            stdout=output,
            stderr=output,
        )
        try:
            _wait_until_healthy(f"http://127.0.0.1:{port}", server, log)
            yield f"http://127.0.0.1:{port}"
        finally:
            server.terminate()
            server.wait(timeout=10)


def _wait_until_healthy(
    address: str, server: "subprocess.Popen[bytes]", log: Path, health: str = "/_stcore/health"
) -> None:
    started = time.monotonic()
    while time.monotonic() - started < _START_SECONDS and server.poll() is None:
        try:
            with urllib.request.urlopen(f"{address}{health}", timeout=1):
                return
        except (urllib.error.URLError, OSError):
            time.sleep(0.1)  # between two attempts, not before an assertion
    pytest.fail(f"the app did not start:\n{log.read_text('utf-8', errors='replace')}")
