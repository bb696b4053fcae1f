"""What the README promises: after the installation nothing is fetched from the network."""

import re
from collections.abc import Iterator
from urllib.parse import urlsplit

import pytest
from playwright.sync_api import Browser, Page

from tests.e2e.conftest import settle
from tests.e2e.test_find_freelancers_in_a_browser import _marketplace  # noqa: F401  # a small one, for all tests here

_PATHS = (
    "/",
    "/?title=nurse",
    "/?view=many",
    "/find_freelancers",
    "/find_freelancers?view=map",
    "/taxonomies",
    "/taxonomies?section=browse&group=2",
    "/scoreboard",
)


@pytest.fixture
def page(browser: Browser) -> Iterator[Page]:
    """A page of a user who was never here."""
    context = browser.new_context()
    yield context.new_page()
    context.close()


@pytest.mark.long
def test_no_page_asks_another_host(page: Page, address: str) -> None:
    """Neither for icons nor for fonts, maps or figures; browsers also fetch what `link` elements name."""
    asked: list[str] = []
    page.on("request", lambda request: asked.append(request.url))
    for path in _PATHS:
        page.goto(address + path)
        settle(page)
        asked += page.locator("link[href]").evaluate_all("links => links.map(link => link.href)")
    hosts = {urlsplit(url).netloc for url in asked if not re.match("data:|blob:", url)}
    assert hosts == {urlsplit(address).netloc}
    fonts = page.evaluate("[...document.fonts].filter(font => font.status == 'loaded').map(font => font.family)")
    assert any("Material Symbols" in family for family in fonts)  # so icons were drawn, with what comes with streamlit
