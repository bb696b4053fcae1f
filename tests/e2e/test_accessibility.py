"""Accessibility of every page in both themes, by axe-core, and what screen readers are told."""

import re
from collections.abc import Iterator
from typing import Literal

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Browser, Page, expect

from pages.shared.page_list import PAGES
from tests.e2e.conftest import OpenPage, settle
from tests.e2e.test_find_freelancers_in_a_browser import _marketplace  # noqa: F401  # a small one, for all tests here
from tests.e2e.test_many_titles_in_a_browser import box_at, linked

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
THEMES: tuple[Literal["light", "dark"], ...] = ("light", "dark")
_BACKGROUNDS = {"light": "rgb(255, 255, 255)", "dark": "rgb(20, 25, 29)"}


@pytest.fixture(scope="module")
def visitor(browser: Browser) -> Iterator[Page]:
    """One page for all tests here, so that its browser compiles the app once."""
    context = browser.new_context(viewport={"width": 1280, "height": 900})
    yield context.new_page()
    context.close()


@pytest.mark.parametrize("path", _CASES)
def test_axe_finds_nothing(visitor: Page, address: str, path: str) -> None:
    """No finding of axe-core from moderate impact on in either theme; one main heading; the page's name."""
    visitor.emulate_media(color_scheme="light")
    visitor.goto(address + path)
    assert findings(visitor, path, "light") == []
    visitor.emulate_media(color_scheme="dark")
    if path in _DRAWN_BY_THEME:
        visitor.reload()
    assert findings(visitor, path, "dark") == []


@pytest.mark.long
def test_axe_finds_nothing_on_an_open_desk(open_page: OpenPage) -> None:
    """With a title in the panel, with two, and with the facets open; in a wide and in a narrow window."""
    page = linked(open_page, ["Maler Kellner", "nurse", "qqgg vvgg"])
    for state in ("one", "two", "facets"):
        page.set_viewport_size({"width": 1280, "height": 900})
        if state == "two":
            page.locator(".st-key-many_table").get_by_test_id("stDataFrame").click(position=box_at(2))
            expect(page.get_by_text("2 titles selected")).to_be_visible()
        elif state == "facets":
            page.get_by_role("button", name="Filter").click()
            expect(page.locator(".st-key-many_reasons")).to_be_visible()
        for width in (1280, 390):
            page.set_viewport_size({"width": width, "height": 900})
            for theme in THEMES:
                page.emulate_media(color_scheme=theme)
                assert findings(page, "/", theme) == []


def findings(page: Page, path: str, theme: str) -> list[tuple[str, list[tuple[str, str]]]]:
    """Return what axe-core finds once the page has a theme and has run to its end."""
    expect(page.get_by_test_id("stApp")).to_have_css("background-color", _BACKGROUNDS[theme])
    settle(page)
    expect(page.locator("h1")).to_have_count(1)
    expect(page).to_have_title(f"{PAGES[_FOLDERS[path.partition('?')[0]]].title} · jobmatch")
    return [
        (each["id"], [(node["html"][:200], node["failureSummary"]) for node in each["nodes"]])
        for each in Axe().run(page).response["violations"]
        if each["impact"] != "minor"
    ]


@pytest.mark.thorough
def test_an_answer_is_announced(open_page: OpenPage) -> None:
    """The live region holds the answer as one sentence, and changes with it."""
    page = open_page("/?title=plumber")
    region = page.get_by_role("status").and_(page.locator("#jobmatch-announcer"))
    expect(region).to_have_text(re.compile("^plumber: Plumbers"))
    box = page.get_by_role("textbox", name="Job title in any language")
    box.fill("baker")
    box.press("Enter")
    expect(region).to_have_text(re.compile("^baker: Bakers"))
