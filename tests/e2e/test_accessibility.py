"""Accessibility of every page in both themes, by axe-core, and what screen readers are told."""

import re
from collections.abc import Iterator

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Browser, Page, expect

from pages.shared.page_list import PAGES
from tests.e2e.conftest import OpenPage, settle
from tests.e2e.test_find_freelancers_in_a_browser import _marketplace  # noqa: F401  # a small one, for all tests here

# paths of pages that draw more than one view
_VIEWS = (
    "/?view=many",
    "/search?query=nurse",
    "/search?in=freelancers&query=developer",
    "/taxonomies?section=browse&group=2",
    "/scoreboard?section=measure",
    "/scoreboard?task=own-titles",
)
_HIDDEN = ("account",)  # without sign-in
_FOLDERS = {"/" if folder == "link_titles" else f"/{folder}": folder for folder in PAGES if folder not in _HIDDEN}
_FIRST = ("/", "/label_pairs")  # the pages of a working day; the others are for `make test-long`
_CASES = [pytest.param(path, marks=() if path in _FIRST else pytest.mark.long) for path in (*_FOLDERS, *_VIEWS)]
_DRAWN_BY_THEME = ("/latent_map",)  # the server draws its picture, in the theme of the page's first run
_BACKGROUNDS = {"light": "rgb(255, 255, 255)", "dark": "rgb(20, 25, 29)"}


@pytest.fixture(scope="module")
def visitor(browser: Browser) -> Iterator[Page]:
    """One page for all tests here, so that its browser compiles the app once."""
    context = browser.new_context(viewport={"width": 1280, "height": 900})
    yield context.new_page()
    context.close()


@pytest.mark.parametrize("path", _CASES)
def test_axe_finds_nothing_serious(visitor: Page, address: str, path: str) -> None:
    """No finding of axe-core with serious or critical impact in either theme; one main heading; the page's name."""
    visitor.emulate_media(color_scheme="light")
    visitor.goto(address + path)
    assert serious_findings(visitor, path, "light") == []
    visitor.emulate_media(color_scheme="dark")
    if path in _DRAWN_BY_THEME:
        visitor.reload()
    assert serious_findings(visitor, path, "dark") == []


def serious_findings(page: Page, path: str, theme: str) -> list[tuple[str, list[tuple[str, str]]]]:
    """Return what axe-core finds once the page has a theme and has run to its end."""
    expect(page.get_by_test_id("stApp")).to_have_css("background-color", _BACKGROUNDS[theme])
    settle(page)
    expect(page.locator("h1")).to_have_count(1)
    expect(page).to_have_title(f"{PAGES[_FOLDERS[path.partition('?')[0]]].title} · jobmatch")
    return [
        (each["id"], [(node["html"][:200], node["failureSummary"]) for node in each["nodes"]])
        for each in Axe().run(page).response["violations"]
        if each["impact"] in ("serious", "critical")
    ]


def test_an_answer_is_announced(open_page: OpenPage) -> None:
    """The live region holds the answer as one sentence, and changes with it."""
    page = open_page("/?title=plumber")
    region = page.get_by_role("status").and_(page.locator("#jobmatch-announcer"))
    expect(region).to_have_text(re.compile("^plumber: Plumbers"))
    box = page.get_by_role("textbox", name="Job title in any language")
    box.fill("baker")
    box.press("Enter")
    expect(region).to_have_text(re.compile("^baker: Bakers"))
