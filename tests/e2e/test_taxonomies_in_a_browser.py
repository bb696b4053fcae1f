"""The page 'Taxonomies' in a browser: a click on a name opens the occupation."""

import re

import pytest
from playwright.sync_api import Page, expect

from tests.e2e.conftest import OpenPage, settle


def click_name(page: Page, row: int) -> None:
    """Click the name in a row, counted from 0, of the list of occupations."""
    canvas = page.get_by_test_id("data-grid-canvas").first
    expect(canvas).to_be_visible()
    box = canvas.bounding_box()
    assert box is not None
    page.mouse.click(box["x"] + 80, box["y"] + 37 + 35 * row + 17)


def test_a_click_on_a_name_opens_its_occupation(open_page: OpenPage) -> None:
    """The row is selected, too, and the address leads there."""
    page = open_page("/taxonomies?section=browse&group=2221&taxonomy=isco-08")
    click_name(page, 0)
    expect(page.get_by_role("heading", name="Nursing professionals")).to_be_visible()
    expect(page).to_have_url(re.compile("occupation="))


@pytest.mark.thorough
def test_a_search_opens_the_closest_name_and_a_click_another(open_page: OpenPage) -> None:
    """A group of the trail leads from a hit to its neighbours."""
    page = open_page("/taxonomies?section=browse&taxonomy=isco-08")
    box = page.get_by_role("textbox", name="Search")
    box.fill("midwi")
    box.press("Enter")
    first = page.get_by_role("heading", level=2)
    expect(first).to_contain_text("idwi")
    name = first.inner_text()
    settle(page)
    click_name(page, 1)
    expect(first).not_to_have_text(name)
    page.get_by_role("button", name="All groups").click()
    expect(page.get_by_role("button", name=re.compile("^2 Professionals"))).to_be_visible()
    expect(box).to_have_value("")
