"""Accessibility of every page in both themes, by axe-core, and what screen readers are told."""

import re
from collections.abc import Callable, Iterator

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Browser, Page, expect

from tests.e2e.conftest import OpenPage, settle
from tests.e2e.test_find_freelancers_in_a_browser import _marketplace  # noqa: F401  # a small one, for all tests here

# path -> the page's name in the browser's tab
_PAGES = {
    "/": "Link titles", "/?view=many": "Link titles", "/job_descriptions": "Job descriptions",
    "/search": "Search", "/search?query=nurse": "Search", "/search?in=freelancers&query=developer": "Search",
    "/find_freelancers": "Find freelancers", "/label_pairs": "Label pairs", "/train_models": "Train models",
    "/latent_map": "Latent map", "/taxonomies": "Taxonomies", "/taxonomies?section=browse&group=2": "Taxonomies",
    "/scoreboard": "Scoreboard", "/about": "Help",
}  # fmt: skip

# the pages of a working day; the others and the dark theme are thorough
_FIRST = ("/", "/label_pairs")
_CASES = [
    pytest.param(path, theme, marks=() if path in _FIRST and theme == "light" else pytest.mark.thorough)
    for path in _PAGES
    for theme in ("light", "dark")
]

OpenTheme = Callable[[str, str], Page]


@pytest.fixture(scope="module")
def open_in(browser: Browser, address: str) -> Iterator[OpenTheme]:
    """Open a path in the light or the dark theme; one browser context a theme."""
    pages: dict[str, Page] = {}

    def opened(path: str, theme: str) -> Page:
        if theme not in pages:
            pages[theme] = browser.new_context(
                viewport={"width": 1280, "height": 900}, color_scheme="dark" if theme == "dark" else "light"
            ).new_page()
        pages[theme].goto(address + path)
        settle(pages[theme])
        return pages[theme]

    yield opened
    for page in pages.values():
        page.context.close()


@pytest.mark.parametrize(("path", "theme"), _CASES)
def test_axe_finds_nothing_serious(open_in: OpenTheme, path: str, theme: str) -> None:
    """No finding of axe-core with serious or critical impact; one main heading; the page's name in the tab."""
    page = open_in(path, theme)
    expect(page.locator("h1")).to_have_count(1)
    expect(page).to_have_title(f"{_PAGES[path]} · jobmatch")
    found = Axe().run(page).response["violations"]
    serious = [
        (each["id"], [(node["html"][:200], node["failureSummary"]) for node in each["nodes"]])
        for each in found
        if each["impact"] in ("serious", "critical")
    ]
    assert serious == []


def test_an_answer_is_announced(open_page: OpenPage) -> None:
    """The live region holds the answer as one sentence, and changes with it."""
    page = open_page("/?title=plumber")
    region = page.get_by_role("status").and_(page.locator("#jobmatch-announcer"))
    expect(region).to_have_text(re.compile("^plumber: Plumbers"))
    box = page.get_by_role("textbox", name="Job title in any language")
    box.fill("baker")
    box.press("Enter")
    expect(region).to_have_text(re.compile("^baker: Bakers"))
