"""The tour of a first visit in a browser: where it stands, and that it stays closed."""

import shutil
from pathlib import Path

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Page, expect

from tests.e2e.conftest import NewVisitor, settle


@pytest.fixture
def page(new_visitor: NewVisitor, own_address: str, own_linker_home: Path) -> Page:
    """The first page that anybody opens here."""
    shutil.rmtree(own_linker_home / "tours")
    page = new_visitor().new_page()
    page.goto(own_address)
    settle(page)
    return page


def test_the_tour_leaves_the_entry_in_sight_and_stays_closed(page: Page) -> None:
    """Each step passes axe, and the entry lies above the fold, on a phone, too; a reload does not bring it back."""
    page.set_viewport_size({"width": 390, "height": 800})
    tour, entry = page.locator(".st-key-tour"), page.get_by_label("Job title in any language")
    for reader in ("Recruiters", "Data scientists", "Annotators"):
        expect(tour).to_contain_text(reader)
        settle(page)
        expect(entry).to_be_in_viewport(ratio=1)
        found = Axe().run(page).response["violations"]
        assert [each["id"] for each in found if each["impact"] in ("serious", "critical")] == []
        tour.get_by_role("button", name="Close" if reader == "Annotators" else "Next").click()
    expect(tour).to_have_count(0)
    page.reload()
    settle(page)
    expect(entry).to_be_visible()
    expect(tour).to_have_count(0)


@pytest.mark.long
def test_help_shows_the_tour_again(page: Page) -> None:
    """One button on 'Help' opens it above the entry; a step leads to its page."""
    page.locator(".st-key-tour_close").get_by_role("button").click()
    page.get_by_role("link", name="Help", exact=True).click()
    page.get_by_role("button", name="Show the tour").click()
    tour = page.locator(".st-key-tour")
    tour.get_by_role("button", name="Next").click()
    tour.get_by_role("link", name="Scoreboard").click()
    expect(page.get_by_role("heading", name="Scoreboard")).to_be_visible()
    expect(page.get_by_role("radio", name="Your titles")).to_be_checked()
