"""A list outlives the tab: reloaded, opened by somebody else, deleted."""

import re

import pytest
from playwright.sync_api import expect

from tests.e2e.conftest import OpenPage, settle
from tests.e2e.test_in_a_browser import no_traceback, paste


@pytest.mark.thorough
def test_a_list_is_reloaded_shared_and_deleted(open_page: OpenPage) -> None:
    """Fifty titles are linked, one is decided; the address is all that a second person needs."""
    page = open_page("/?view=many", "Ann")
    entries = page.evaluate("history.length")  # the form's, and the blank tab's unless the browser was slow to open it
    paste(page, [f"{title} {number}" for number in range(10) for title in ("Koch", "nurse", "cook", "baker", "zzzz")])
    expect(page.get_by_text("0 of 50 decided")).to_be_visible()
    expect(page).to_have_url(re.compile(r"list=[\w-]{22}"))
    assert page.evaluate("history.length") == entries + 1  # the list's
    settle(page)
    page.locator(".st-key-none_of_these button").click()
    expect(page.get_by_text("1 of 50 decided")).to_be_visible()
    page.reload()
    expect(page.get_by_text("1 of 50 decided")).to_be_visible()
    other = open_page(page.url.removeprefix(page.evaluate("location.origin")), "Ben")
    expect(other.get_by_text("1 of 50 decided")).to_be_visible()
    settle(other)
    other.locator(".st-key-none_of_these button").click()
    expect(other.get_by_text("2 of 50 decided")).to_be_visible()
    page.get_by_role("button", name="New list").click()
    line = page.get_by_text("2 of 50 decided")
    expect(line).to_be_visible()
    expect(page).not_to_have_url(re.compile("list="))  # the form has an entry of its own now
    settle(page)
    page.go_back()
    expect(page.get_by_text("2 of 50 decided")).to_be_visible()
    page.go_forward()
    page.locator(".st-key-shelf").get_by_role("button", name="Delete").first.click()
    page.get_by_role("dialog").get_by_role("button", name="Delete").click()
    expect(line).to_have_count(0)
    other.reload()
    expect(other.get_by_text("There is no such list here.")).to_be_visible()
    other.get_by_role("button", name="New list").click()
    expect(other.get_by_role("textbox", name="Or job titles, one per line")).to_be_visible()
    for each in (page, other):
        no_traceback(each)
