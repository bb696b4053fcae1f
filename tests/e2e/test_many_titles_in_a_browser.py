"""Lists of titles in a real browser: the count while typing, a messy workbook, and the desk to decide on them."""

import re
from contextlib import suppress
from pathlib import Path

import pytest
from openpyxl import Workbook
from playwright.sync_api import FloatRect, Locator, Page, Position, expect
from playwright.sync_api import TimeoutError as PlaywrightTimeout

from tests.e2e.conftest import OpenPage, settle
from tests.e2e.test_in_a_browser import no_traceback, paste

_HEADER, _ROW = 36, 32  # pixels of the table
_TITLE_AT = Position(x=250, y=_HEADER + _ROW + _ROW // 2)  # the title of the second row
_VERDICTS = ("accept", "none_of_these", "group_enough", "undo")
_MOST_SCROLL = """() => Math.max(...[document.scrollingElement, ...document.querySelectorAll("[data-testid=stMain]")]
    .map(each => Math.max(each.scrollHeight - each.clientHeight, each.scrollWidth - each.clientWidth)))"""


def box_at(row: int) -> Position:
    """Return where the box of a row of the table is, from 0."""
    return {"x": 18, "y": _HEADER + row * _ROW + _ROW // 2}


def linked(open_page: OpenPage, titles: list[str]) -> Page:
    """Link titles as Ann, and wait until they can be decided on."""
    page = open_page("/?view=many", "Ann")
    paste(page, titles)
    expect(page.locator(".st-key-verdicts")).to_be_visible()
    settle(page)
    return page


def decided(page: Page, count: int, total: int) -> None:
    """Wait until so many rows are decided."""
    expect(page.get_by_text(f"{count} of {total} decided")).to_be_visible()
    settle(page)


def button(page: Page, key: str) -> Locator:
    """Return a button; one with a help text is drawn twice, once for small windows."""
    return page.locator(f".st-key-{key} button:visible")


def places(page: Page) -> list[FloatRect | None]:
    """Return where the verdict buttons are."""
    return [button(page, key).bounding_box() for key in _VERDICTS]


def upload(page: Page, path: Path) -> None:
    """Upload a file."""
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
    box = page.get_by_role("textbox", name="Or job titles, one per line")
    box.fill("nurse\ncook")
    expect(page.get_by_role("button", name="Link 2 titles")).to_be_visible()
    settle(page)
    box.press_sequentially("\nplumber")
    expect(page.get_by_role("button", name="Link 3 titles")).to_be_visible()
    expect(box).to_be_focused()
    expect(box).to_have_value("nurse\ncook\nplumber")


@pytest.mark.long
def test_a_messy_workbook_is_linked_and_decided_on(open_page: OpenPage, tmp_path: Path) -> None:
    """From the upload to decisions on several titles, and back."""
    page = open_page("/?view=many", "Ann")
    upload(page, messy_workbook(tmp_path / "staff.xlsx"))
    expect(page.get_by_role("spinbutton", name="Header row")).to_have_value("3")
    page.get_by_role("button", name="Link 6 titles").click()
    panel = page.locator(".st-key-panel")
    expect(page.get_by_text("0 of 7 decided")).to_be_visible()
    settle(page)
    table = page.locator(".st-key-many_table").get_by_test_id("stDataFrame")
    first = panel.inner_text()
    table.click(position=_TITLE_AT)
    expect(panel).not_to_have_text(first, use_inner_text=True)
    settle(page)
    table.click(position=box_at(2))
    expect(panel).to_contain_text("2 titles selected")
    button(page, "none_of_these").click()
    expect(panel).not_to_contain_text("titles selected")
    button(page, "undo").click()
    expect(page.get_by_test_id("stToast").filter(has_text=re.compile("Undone: the decision on"))).to_be_visible()
    no_traceback(page)


@pytest.mark.thorough
def test_the_desk_fills_the_window(open_page: OpenPage) -> None:
    """Nothing scrolls but the table and the options; verdicts stay where they are, whatever title is shown."""
    titles = [f"{title} {number}" for number in range(6) for title in ("Koch", "nurse", "qwertz", "Kellner Koch")]
    page = linked(open_page, [*titles, "ᚠᚢᚦᚨᚱᚲ", "senior " * 60 + "cook"])
    before = places(page)
    assert None not in before
    for number, key in enumerate("na2n1"):
        assert page.evaluate(_MOST_SCROLL) == 0
        page.keyboard.press(key)
        decided(page, number + 1, len(titles) + 2)
        assert places(page) == before
    table = page.locator(".st-key-desk_table").get_by_test_id("stDataFrame")
    for letters in ("", "o"):  # what is set has a line of its own
        page.get_by_role("textbox", name="Search titles and occupations").fill(letters)
        page.keyboard.press("Enter")
        expect(page.locator(".st-key-desk_set")).to_have_count(1 if letters else 0)
        settle(page)
        box = table.bounding_box()
        assert box is not None
        assert box["height"] >= _HEADER + 16 * _ROW
        assert page.evaluate(_MOST_SCROLL) == 0
    expect(page.get_by_test_id("stElementToolbar").locator("visible=true")).to_have_count(0)
    page.set_viewport_size({"width": 390, "height": 800})  # the names of its buttons, which are icons here, are unseen
    settle(page)
    assert page.evaluate("document.querySelector('[data-testid=stMain]').scrollWidth") <= 390
    no_traceback(page)


def test_digits_decide_and_a_slash_searches(open_page: OpenPage) -> None:
    """A digit takes an option at once; in the search box it is typed, until Enter leaves the box."""
    page = linked(open_page, ["Kellner Koch", "qqdd vvdd", "wwdd zzdd"])
    panel = page.locator(".st-key-panel")
    expect(panel).to_contain_text(re.compile("qqdd vvdd|wwdd zzdd"))  # the least sure comes first
    name = button(page, "pick_2").inner_text().split(" · ")[0]
    page.keyboard.press("2")
    decided(page, 1, 3)
    search = panel.get_by_role("textbox", name="Another occupation")
    expect(search).not_to_be_focused()
    page.keyboard.press("/")
    expect(search).to_be_focused()
    expect(search).to_have_value("")
    page.keyboard.type("cook 2")
    decided(page, 1, 3)
    search.fill("cook")
    page.keyboard.press("Enter")
    expect(page.locator(".st-key-pick_1")).to_contain_text("Cooks · ISCO 5120")
    expect(search).not_to_be_focused()
    settle(page)
    page.keyboard.press("1")
    decided(page, 2, 3)
    shown = set()
    for title in ("qqdd vvdd", "wwdd zzdd"):
        page.get_by_role("textbox", name="Search titles and occupations").fill(title)
        page.keyboard.press("Enter")
        heading = page.locator(".st-key-panel_title")
        expect(heading.filter(has_text=title)).to_contain_text("changed")
        expect(heading).to_have_count(1)
        settle(page)
        shown.add(button(page, "pick_1").inner_text().split(" · ")[0])
    assert shown == {name, "Cooks"}
    no_traceback(page)


@pytest.mark.thorough
def test_a_press_before_the_next_title_is_drawn_does_not_count(open_page: OpenPage) -> None:
    """A second key, a key that is held, and a double click decide on the title in sight alone."""
    titles = [f"Kellner Bäcker {number}" for number in range(4)]
    page = linked(open_page, titles)
    for key in ("n", "a", "1"):
        page.keyboard.press("n")
        page.keyboard.press(key)
        decided(page, 1, len(titles))
        page.keyboard.press("u")
        decided(page, 0, len(titles))
    page.keyboard.down("n")
    for _ in range(5):  # without a release between them, they are repeats
        page.keyboard.down("n")
        settle(page)
    page.keyboard.up("n")
    decided(page, 1, len(titles))
    button(page, "none_of_these").dblclick()
    decided(page, 2, len(titles))
    for _ in range(3):  # a person presses again what came in a run that began just then, and did not count
        page.keyboard.press("n")
        with suppress(PlaywrightTimeout):
            page.get_by_text(f"3 of {len(titles)} decided").wait_for(timeout=5000)
            break
    decided(page, 3, len(titles))
    no_traceback(page)


@pytest.mark.thorough
def test_filters_stay_when_the_page_is_left(open_page: OpenPage) -> None:
    """Statuses and letters are still set when the visitor comes back, and apply to the table."""
    page = linked(open_page, ["plumber", "electrician", "qqaa vvaa"])
    page.locator(".st-key-many_status").get_by_text("sure 2").click()
    page.get_by_role("textbox", name="Search titles and occupations").fill("plumber")
    page.keyboard.press("Enter")
    expect(page.locator(".st-key-desk_set")).to_contain_text("1 title")
    settle(page)
    navigation = page.get_by_test_id("stTopNav")
    navigation.get_by_role("link", name="Help").click()
    expect(page.locator(".st-key-desk")).to_have_count(0)
    settle(page)
    navigation.get_by_role("link", name="Link titles").click()
    expect(page.locator(".st-key-desk_set")).to_contain_text("1 title")
    expect(page.get_by_role("textbox", name="Search titles and occupations")).to_have_value("plumber")
    expect(page.locator(".st-key-many_status button[aria-pressed=true]")).to_have_count(1)
    no_traceback(page)


@pytest.mark.thorough
def test_keys_step_clear_a_decision_and_search_the_list(open_page: OpenPage) -> None:
    """S and B show the titles below and above undecided, X clears a decision, F goes to the search of the list."""
    page = linked(open_page, ["Maler Koch 1", "Maler Koch 2", "Maler Koch 3"])
    heading = page.locator(".st-key-panel_title")
    first = heading.inner_text()
    page.keyboard.press("s")
    expect(heading).not_to_have_text(first, use_inner_text=True)
    settle(page)
    page.keyboard.press("b")
    expect(heading).to_have_text(first, use_inner_text=True)
    settle(page)
    page.keyboard.press("n")
    decided(page, 1, 3)
    letters = page.get_by_role("textbox", name="Search titles and occupations")
    page.keyboard.press("f")
    expect(letters).to_be_focused()
    expect(letters).to_have_value("")  # the key itself is no letter
    number = re.search("Koch [123]", first)
    assert number is not None
    page.keyboard.type(number[0].lower())  # no key of the page decides while letters are typed
    page.keyboard.press("Enter")
    expect(page.locator(".st-key-desk_set")).to_contain_text("1 title")
    expect(heading).to_have_count(1)  # the one of the row before stays until the run ends
    settle(page)
    expect(heading).to_contain_text("none of these")
    decided(page, 1, 3)
    letters.blur()
    page.keyboard.press("x")
    decided(page, 0, 3)
    expect(heading).to_have_count(1)
    expect(heading).to_contain_text(number[0])
    expect(button(page, "clear_decision")).to_have_count(0)
    no_traceback(page)


@pytest.mark.thorough
def test_the_table_follows_the_title_in_the_panel(open_page: OpenPage) -> None:
    """With an arrow up on the first title nothing moves; below the last row in sight the table scrolls."""
    page = linked(open_page, [f"Kellner Koch {number}" for number in range(30)])
    heading = page.locator(".st-key-panel_title")
    first = heading.inner_text()
    scrolled = page.locator(".st-key-many_table .dvn-scroller")
    for _ in range(22):
        before = heading.inner_text()
        page.keyboard.press("ArrowDown")
        expect(heading).not_to_have_text(before, use_inner_text=True)
        settle(page)
    assert scrolled.evaluate("each => each.scrollTop") > 0
    page.locator(".st-key-desk_table").get_by_test_id("stDataFrame").click(position=_TITLE_AT)
    settle(page)
    for _ in range(22):
        before = heading.inner_text()
        page.keyboard.press("ArrowUp")
        if before != first:
            expect(heading).not_to_have_text(before, use_inner_text=True)  # a key during a run does not count
        settle(page)
    expect(heading).to_have_text(first, use_inner_text=True)
    assert scrolled.evaluate("each => each.scrollTop") == 0
    no_traceback(page)


@pytest.mark.long
def test_whoever_works_by_keyboard_keeps_the_place(open_page: OpenPage) -> None:
    """A verdict that was pressed has the focus for the next title, and an option, too."""
    titles = [f"Bäcker Maler {number}" for number in range(4)]
    page = linked(open_page, titles)
    for number, key in enumerate(("none_of_these", "accept", "pick_2")):
        button(page, key).focus()
        page.keyboard.press("Enter")
        decided(page, number + 1, len(titles))
        expect(button(page, key)).to_be_focused()
    page.keyboard.press("u")
    decided(page, 2, len(titles))
    expect(button(page, "pick_2")).to_be_focused()


@pytest.mark.long
def test_a_filter_stays_while_its_titles_are_decided_on(open_page: OpenPage) -> None:
    """Although the counts of its values change with each decision; the last one can be undone."""
    titles = [f"{word} artist" for word in ("vvff", "qqff", "kkff", "wwff")]
    page = linked(open_page, [*titles, "plumber", "dentist"])
    page.get_by_role("button", name="Filter").click()
    page.locator(".st-key-many_reasons").get_by_role("combobox").click()
    page.get_by_role("option", name="unknown word · 4").click()
    page.keyboard.press("Escape")
    page.keyboard.press("Escape")
    expect(page.locator(".st-key-many_reasons")).to_have_count(0)
    shown = page.locator(".st-key-desk_set")
    expect(shown).to_contain_text("4 titles")
    settle(page)
    for number, left in enumerate(("3 titles", "2 titles", "1 title"), 1):
        page.keyboard.press("n")
        decided(page, number, 6)
        expect(shown).to_contain_text(left)
    page.keyboard.press("n")
    decided(page, 4, 6)
    expect(page.get_by_text("No rows match this filter.")).to_be_visible()
    page.keyboard.press("u")
    decided(page, 3, 6)
    expect(shown).to_contain_text("1 title")
    shown.get_by_role("button", name="Reason to check: unknown word").click()
    expect(shown).to_have_count(0)
    expect(page.locator(".st-key-many_status")).to_contain_text("none of these 3")
    no_traceback(page)


@pytest.mark.long
def test_another_list_has_no_filter(open_page: OpenPage) -> None:
    """Neither a new one nor the same titles linked again."""
    page = linked(open_page, ["plumber", "electrician", "qqaa vvaa"])
    page.locator(".st-key-many_status").get_by_text("sure 2").click()
    page.get_by_role("textbox", name="Search titles and occupations").fill("plumber")
    page.keyboard.press("Enter")
    expect(page.locator(".st-key-desk_set")).to_contain_text("1 title")
    page.get_by_role("button", name="New list").click()
    paste(page, ["baker", "qqaa vvaa", "wwaa kkaa"])
    expect(page.locator(".st-key-many_status")).to_contain_text("to check 2")
    settle(page)
    expect(page.get_by_role("textbox", name="Search titles and occupations")).to_have_value("")
    expect(page.locator(".st-key-desk_set")).to_have_count(0)
    expect(page.locator(".st-key-many_status button[aria-pressed=true]")).to_have_count(0)
    expect(page.locator(".st-key-panel")).to_contain_text(re.compile("qqaa vvaa|wwaa kkaa"))


@pytest.mark.thorough
@pytest.mark.parametrize(
    ("by_key", "title"), [pytest.param(False, "qqss vvss", marks=pytest.mark.long), (True, "wwss zzss")]
)
def test_a_key_accepts_the_occupation_that_was_chosen_for_several(
    open_page: OpenPage, by_key: bool, title: str
) -> None:
    """The letter does not go into the box, whether the choice was clicked or typed."""
    page = linked(open_page, ["Kellner Koch", title])
    panel = page.locator(".st-key-panel")
    table = page.locator(".st-key-desk_table").get_by_test_id("stDataFrame")
    expect(panel).to_contain_text(title)  # the least sure comes first, and its row has the tick of the current one
    table.click(position=box_at(1))
    expect(panel).to_contain_text("2 titles selected")
    settle(page)
    search = panel.get_by_role("textbox", name="Another occupation")
    search.fill("works in a restaurant")
    search.press("Enter")
    box = panel.get_by_role("combobox")
    expect(box).not_to_have_value("")
    settle(page)
    box.click()
    cooks = page.get_by_role("option", name="Cooks · ISCO 5120")
    if by_key:
        page.keyboard.type("Cooks · ISCO 5120")
        expect(page.get_by_role("option")).to_have_count(1)
        page.keyboard.press("Enter")
    else:
        cooks.click()
    expect(box).not_to_be_focused()
    expect(panel.get_by_role("button", name="All 2 are Cooks")).to_be_visible()
    settle(page)
    page.keyboard.press("a")
    decided(page, 2, 2)
    expect(panel).not_to_contain_text("titles selected")
    page.locator(".st-key-many_status").get_by_text(re.compile("changed [12]")).click()
    expect(page.locator(".st-key-pick_1")).to_contain_text("Cooks · ISCO 5120")
    page.keyboard.press("u")
    decided(page, 0, 2)
    no_traceback(page)
