"""Back and Forward: one entry in the browser's history for each thing that a person did."""

import re

import pytest
from playwright.sync_api import Page, expect

from tests.e2e.conftest import OpenPage, settle
from tests.e2e.test_in_a_browser import no_traceback, type_title

_BLANK = "about:blank"


def _entries(page: Page) -> int:
    """Return how many entries the tab's history has since the app was opened."""
    return int(page.evaluate("history.length")) - 1


def _shows(page: Page, title: str, occupation: str) -> None:
    expect(page).to_have_url(re.compile(f"title={title}"))
    expect(page.get_by_label("Job title in any language")).to_have_value(title)
    expect(page.locator(".st-key-card_1")).to_contain_text(occupation)
    settle(page)


def _ask(page: Page, title: str, occupation: str) -> None:
    type_title(page, title)
    _shows(page, title, occupation)


@pytest.mark.thorough
def test_three_titles_are_three_entries_that_can_be_walked(open_page: OpenPage) -> None:
    """Plumber, nurse, baker: back shows the earlier answers, forward the later, and one press more leaves."""
    page = open_page("/")
    expect(page).to_have_url(re.compile("title="))
    assert _entries(page) == 1
    _ask(page, "plumber", "Plumbers")
    _ask(page, "nurse", "Nursing")
    _ask(page, "baker", "Bakers")
    assert _entries(page) == 4
    page.go_back()
    _shows(page, "nurse", "Nursing")
    page.go_back()
    _shows(page, "plumber", "Plumbers")
    page.go_forward()
    _shows(page, "nurse", "Nursing")
    page.go_forward()
    _shows(page, "baker", "Bakers")
    assert _entries(page) == 4
    for _ in range(3):
        page.go_back()
        settle(page)
    page.go_back()
    expect(page).to_have_url(_BLANK)


@pytest.mark.long
def test_settings_and_pages_looked_at(open_page: OpenPage) -> None:
    """A setting adds nothing; another page adds one, and one press comes back from it."""
    page = open_page("/?title=plumber")
    expect(page).to_have_url(re.compile("show=en"))
    page.get_by_text("Many titles").click()
    expect(page).to_have_url(re.compile("view=many"))
    page.get_by_text("One title").click()
    expect(page).to_have_url(re.compile("view=one"))
    assert _entries(page) == 1
    page.get_by_role("link", name="Scoreboard").click()
    expect(page).to_have_url(re.compile("scoreboard.*task="))
    settle(page)
    assert _entries(page) == 2
    page.go_back()
    _shows(page, "plumber", "Plumbers")
    no_traceback(page)


@pytest.mark.thorough
@pytest.mark.parametrize("path", ["taxonomies", "scoreboard"])
def test_opening_a_page_is_one_entry(open_page: OpenPage, path: str) -> None:
    """Whatever it fills in, one press leaves it."""
    page = open_page(f"/{path}")
    expect(page).to_have_url(re.compile(r"\?"))
    assert _entries(page) == 1
    page.go_back()
    expect(page).to_have_url(_BLANK)
