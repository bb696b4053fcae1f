"""Lists of titles in a real browser: the count while typing, a messy workbook, and a click that selects a row."""

import re
from pathlib import Path

import pytest
from openpyxl import Workbook
from playwright.sync_api import Page, expect

from tests.e2e.conftest import OpenPage, settle
from tests.e2e.test_in_a_browser import no_traceback, paste

_TITLE_AT = {"x": 250, "y": 37 + 35 + 15}  # the title of the second row
_BOX_AT = {"x": 18, "y": 37 + 2 * 35 + 15}  # the box of the third

# of the words, since their line is as wide as the table
_TEXT_BOX = """line => {
    const words = document.createRange();
    words.selectNodeContents(line);
    return words.getBoundingClientRect().toJSON();
}"""


def upload(page: Page, path: Path) -> None:
    """Upload a file on the page's second way in."""
    page.get_by_text("Upload a file").click()
    page.get_by_test_id("stFileUploaderDropzoneInput").set_input_files(path)


def messy_workbook(path: Path) -> Path:
    """A heading, a running number, and titles of several scripts, one of them twice."""
    book = Workbook()
    for cells in (
        ["Staff list, 2024"],
        [],
        ["No", "Name", "What they do", "Since"],
        [1, "Ann Smith", "nurse", "2024-01-05"],
        [2, "Bob Jones", "Koch", "2024-01-06"],
        [3, "Eva Berg", "nurse", "2024-01-07"],
        [4, "Li Wei", "护士", "2024"],
        [5, "Sara", "ممرضة", "2024-01-08"],
        [6, "Finn", "👩‍🍳 chef", "2024-01-09"],
        [7, "Nobody", None, None],
    ):
        book.active.append(cells)
    book.save(path)
    return path


@pytest.mark.thorough
def test_the_button_counts_while_text_is_put_in(open_page: OpenPage) -> None:
    """The box need not be left for it."""
    page = open_page("/?view=many", "Ann")
    box = page.get_by_role("textbox", name="Job titles, one per line")
    box.fill("nurse\ncook")
    expect(page.get_by_role("button", name="Link 2 titles")).to_be_visible()
    settle(page)
    box.press_sequentially("\nplumber")
    expect(page.get_by_role("button", name="Link 3 titles")).to_be_visible()
    expect(box).to_be_focused()
    expect(box).to_have_value("nurse\ncook\nplumber")


@pytest.mark.thorough
def test_a_messy_workbook_is_linked_and_decided_on(open_page: OpenPage, tmp_path: Path) -> None:
    """From the upload to decisions on several titles, and back."""
    page = open_page("/?view=many", "Ann")
    upload(page, messy_workbook(tmp_path / "staff.xlsx"))
    expect(page.get_by_text("Row 3 is the header")).to_be_visible()
    page.get_by_role("button", name="Link 6 titles").click()
    panel = page.locator(".st-key-panel")
    expect(page.get_by_text("5 titles in 6 rows, 1 row without one")).to_be_visible()
    settle(page)
    table = page.locator(".st-key-many_table").get_by_test_id("stDataFrame")
    first = panel.inner_text()
    table.click(position=_TITLE_AT)
    expect(panel).not_to_have_text(first, use_inner_text=True)
    settle(page)
    table.click(position=_BOX_AT)
    expect(panel).to_contain_text("2 titles selected")
    page.locator(".st-key-none_of_these button").click()
    expect(panel).not_to_contain_text("titles selected")
    page.locator(".st-key-undo button").click()
    expect(page.get_by_test_id("stToast").filter(has_text=re.compile("Undone: the decision on"))).to_be_visible()
    no_traceback(page)


@pytest.mark.thorough
def test_the_tables_toolbar_covers_nothing(open_page: OpenPage) -> None:
    """It floats over the empty end of a line."""
    page = open_page("/?view=many", "Ann")
    page.get_by_role("button", name=re.compile(r"Link \d+ titles")).click()
    table = page.locator(".st-key-many_table")
    expect(table).to_be_visible()
    settle(page)
    table.hover()
    toolbar = table.get_by_test_id("stElementToolbar").bounding_box()
    filters = page.locator(".st-key-many_majors").bounding_box()
    caption = page.get_by_text("Click a row to select it").evaluate(_TEXT_BOX)
    assert toolbar is not None
    assert filters is not None
    assert filters["y"] + filters["height"] <= toolbar["y"]
    assert caption["right"] <= toolbar["x"] or caption["bottom"] <= toolbar["y"]


@pytest.mark.thorough
@pytest.mark.parametrize(("by_key", "title"), [(False, "qqjj vvxx"), (True, "wwjj qqzz")])
def test_a_key_accepts_the_occupation_that_was_chosen(open_page: OpenPage, by_key: bool, title: str) -> None:
    """The letter does not go into the box, whether the choice was clicked or typed."""
    page = open_page("/?view=many", "Ann")
    paste(page, ["Kellner Koch", title])
    panel = page.locator(".st-key-panel")
    expect(panel).to_contain_text(title)  # the least sure comes first
    settle(page)
    search = panel.get_by_role("textbox", name="Another occupation")
    search.fill("works in a restaurant")
    search.press("Enter")
    expect(panel).to_contain_text("Found as")
    settle(page)
    box = panel.get_by_role("combobox")
    expect(box).not_to_have_value(re.compile("Cooks"))
    box.click()
    cooks = page.get_by_role("option", name="Cooks · ISCO 5120")
    if by_key:
        page.keyboard.type("Cooks · ISCO 5120")
        expect(page.get_by_role("option")).to_have_count(1)
        page.keyboard.press("Enter")
    else:
        cooks.click()
    expect(box).not_to_be_focused()
    page.keyboard.press("a")
    expect(page.get_by_text("1 of 2 decided")).to_be_visible()
    settle(page)
    page.locator(".st-key-many_status").get_by_text("changed 1").click()
    expect(panel).to_contain_text(title)
    expect(box).to_have_value("Cooks · ISCO 5120")
    page.keyboard.press("u")
    expect(page.get_by_text("0 of 2 decided")).to_be_visible()
    no_traceback(page)
