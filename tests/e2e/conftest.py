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
from urllib.parse import quote, urlsplit

import pytest
from playwright.sync_api import Browser, BrowserContext, Page, ViewportSize, expect, sync_playwright

from jobmatch_core.linking import open_linker
from jobmatch_core.linking.batch import PART_ROWS, link_file
from jobmatch_core.marketplace.demo.generator import DemoSpec, demo_blocks
from jobmatch_core.marketplace.marketplace_store import MarketplaceStore
from jobmatch_core.settings import Settings
from jobmatch_core.taxonomy import BUNDLED_ID, TaxonomyStore
from tests.core.linking.made_files import TITLED

ROOT = Path(__file__).parents[2]
N_TITLES = 3 * PART_ROWS
_BROWSERS = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable")
_ARGUMENTS = ["--no-sandbox", "--disable-gpu", "--disable-background-networking", "--process-per-site"]
_VIEWPORT = ViewportSize(width=1280, height=900)
_ANCHORS = ("http://127.0.0.1/", "http://localhost/")  # the sites of the tests' servers; nobody is asked for these
_START_SECONDS = 60
_PATIENCE_MS = 60_000  # the first page waits for the bundled taxonomy's index

expect.set_options(timeout=_PATIENCE_MS)

OpenPage = Callable[..., Page]  # (path, annotator)
NewVisitor = Callable[[], BrowserContext]


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
def own_address(own_linker_home: Path) -> Iterator[str]:
    """Where an app runs over a home of the test's own, which has the bundled taxonomy's indexes."""
    with _running_app(own_linker_home) as address:
        yield address


@pytest.fixture(scope="session")
def many_titles(linker_home: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A file of different titles, which takes some seconds."""
    names = list(dict.fromkeys(TaxonomyStore.open(Settings(linker_home)).load().name_texts))
    titles = [f"{name} {number}" if number else name for number in range(3) for name in names][:N_TITLES]
    assert len(titles) == N_TITLES
    path = tmp_path_factory.mktemp("titles") / "titles.jsonl"
    path.write_text("".join(json.dumps({"title": title}) + "\n" for title in titles), "utf-8")
    return path


@pytest.fixture(scope="session")
def many_links(linker_home: Path, many_titles: Path) -> bytes:
    """What `jobmatch link --file` writes for them: made once, what is linked depends on nothing else."""
    linked = many_titles.with_name("linked.jsonl")
    link_file(open_linker(settings=Settings(linker_home)), many_titles, linked, layout=TITLED)
    return linked.read_bytes()


@pytest.fixture(scope="session")
def idle_visitors() -> list[BrowserContext]:
    """Browser contexts that nobody uses at the moment, and in which nothing is left of those who did."""
    return []


@pytest.fixture
def new_visitor(browser: Browser, idle_visitors: list[BrowserContext]) -> Iterator[NewVisitor]:
    """Give a browser context of somebody who was never here; each call is another user.

    A context is used again by later tests, emptied. Its first pages, empty ones that stay open, hold the process of a
    site's pages and what that has compiled: a new process for each page would take twice the time.
    """
    visitors: list[BrowserContext] = []

    def visitor() -> BrowserContext:
        visitors.append(idle_visitors.pop() if idle_visitors else _anchored(browser))
        return visitors[-1]

    yield visitor
    for each in visitors:
        _empty(each)
    idle_visitors.extend(visitors)


def _anchored(browser: Browser) -> BrowserContext:
    context = browser.new_context(viewport=_VIEWPORT, accept_downloads=True)
    context.set_default_timeout(_PATIENCE_MS)
    for address in _ANCHORS:
        anchor = context.new_page()
        anchor.route(address, lambda route: route.fulfill(body="", content_type="text/html"))
        anchor.goto(address)
    return context


def _empty(context: BrowserContext) -> None:
    """Close a context's pages but the anchors, and remove what they stored."""
    pages = context.pages[len(_ANCHORS) :]
    origins = {f"{url.scheme}://{url.netloc}" for url in (urlsplit(page.url) for page in pages) if url.netloc}
    for page in pages:
        page.close()
    storage = context.new_cdp_session(context.pages[0])
    for origin in origins:
        storage.send("Storage.clearDataForOrigin", {"origin": origin, "storageTypes": "all"})
    storage.detach()
    context.clear_cookies()


@pytest.fixture
def open_page(new_visitor: NewVisitor, address: str) -> OpenPage:
    """Open a path of the app as somebody who was never here, known by name if given one."""

    def opened(path: str = "/", annotator: str = "") -> Page:
        context = new_visitor()
        if annotator:
            context.add_cookies([annotator_cookie(annotator, address)])
        page = context.new_page()
        page.goto(address + path)
        settle(page)
        return page

    return opened


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
            server.wait(timeout=_START_SECONDS)


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
