"""Searching as people do: answers while typing stops, and a log that is kept, shown and erased as one agreed."""

import re
from contextlib import suppress
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect
from playwright.sync_api import TimeoutError as PlaywrightTimeout

from db.label_store import LabelStore
from jobmatch_core.settings import Settings
from tests.e2e.conftest import NewVisitor, OpenPage, annotator_cookie, settle
from tests.e2e.test_in_a_browser import no_traceback

_A_TRAINING_MS = 240_000


def sizes(home: Path) -> tuple[int, int]:
    """Return how many searches and choices are kept."""
    with LabelStore.open(Settings(home).label_store) as store:
        size = store.search_log_size()
    return size.searches, size.choices


def typed(page: Page, query: str) -> None:
    """Type a search, and press nothing else."""
    page.get_by_label("What are you looking for?").press_sequentially(query)


def test_consent_search_choose_find_and_erase(open_page: OpenPage, home: Path) -> None:
    """The choice stands in the log, also after a reload, until it is erased."""
    page = open_page("/search")
    log = page.locator(".st-key-search_log")
    expect(log).to_contain_text("off: nothing is stored")
    log.locator("summary").click()
    settle(page)  # the run that the opening begins
    page.get_by_text("Store my searches").click()
    expect(log).to_contain_text("on: your searches are stored")
    typed(page, "nurse")
    card = page.locator(".st-key-search_card_1")
    expect(card).to_contain_text("Words nurse")
    settle(page)
    card.get_by_role("button", name="Open").click()
    expect(card).to_contain_text("All names")
    expect(log).to_contain_text("1 search of all users")
    expect(log.get_by_test_id("stDataFrame")).to_be_visible()
    assert sizes(home) == (1, 1)
    page.reload()
    settle(page)
    expect(log).to_contain_text("on: your searches are stored")
    log.locator("summary").click()
    settle(page)  # what is drawn above moves the box, and what it opens
    erase = page.get_by_role("button", name="Erase my searches")
    for _ in range(3):  # a run of the page that begins just then closes what was opened
        log.get_by_role("button", name="Erase mine …").click()
        with suppress(PlaywrightTimeout):
            erase.wait_for(timeout=5000)
            break
    erase.press("Enter")  # what opened leaves the window where the page moves below it
    expect(log).to_contain_text("No searches are stored here")
    assert sizes(home) == (0, 0)
    no_traceback(page)


@pytest.mark.long
def test_train_from_the_log_promote_and_roll_back(
    new_visitor: NewVisitor, own_address: str, own_linker_home: Path
) -> None:
    """What was opened is learned from in the background; the new model searches once it is promoted."""
    context = new_visitor()
    context.add_cookies(
        [
            annotator_cookie("Ann", own_address),
            {"name": "jobmatch_search_log", "value": "swaps", "url": own_address},
        ]
    )
    page = context.new_page()
    page.goto(f"{own_address}/train_models?for=search")
    expect(page.get_by_text("Nothing has been opened in a logged search yet")).to_be_visible(timeout=_A_TRAINING_MS)
    page.goto(f"{own_address}/search")
    for number, query in enumerate(("nurse", "bakes bread"), start=1):
        page.get_by_label("What are you looking for?").fill(query)
        page.keyboard.press("Enter")
        card = page.locator(".st-key-search_card_1")
        expect(card).to_contain_text(f"Words {query.split()[0]}", timeout=_A_TRAINING_MS)
        settle(page)
        card.get_by_role("button", name="Open").click()
        expect(card).to_contain_text("All names")
        expect(page.locator(".st-key-search_log")).to_contain_text(f"{number} search")
    page.goto(f"{own_address}/train_models?for=search")
    expect(page.get_by_text("2 choices in searches of everybody")).to_be_visible()
    settle(page)
    page.locator(".st-key-train_start button").click()
    expect(page.get_by_text(re.compile(r"Trained: search-\d"))).to_be_visible(timeout=_A_TRAINING_MS)
    page.locator(".st-key-train_promote button").first.click()
    dialog = page.get_by_role("dialog")
    expect(page.get_by_text("In use now, on every page").or_(dialog).first).to_be_visible()
    if dialog.count():
        dialog.get_by_role("button", name="Promote anyway").click()
    expect(page.get_by_text(re.compile(r"In use now, on every page: search-\d"))).to_be_visible()
    page.get_by_text(re.compile(r"^search-\d+.*in use$")).click()
    expect(page.get_by_text("Schedule: proportional")).to_be_visible()
    page.goto(f"{own_address}/search?query=nurse")
    card = page.locator(".st-key-search_card_1")
    expect(card).to_contain_text("Words nurse", timeout=_A_TRAINING_MS)
    settle(page)
    card.get_by_role("button", name="Open").click()
    expect(card).to_contain_text("All names")
    with LabelStore.open(Settings(own_linker_home).label_store) as store:
        assert re.match(r"search-\d", store.searches()[-1].model)
    page.goto(f"{own_address}/train_models?for=search")
    page.locator(".st-key-train_roll_back button").first.click()
    page.get_by_role("dialog").get_by_role("button", name="Roll back").click()
    expect(page.get_by_text("Rolled back. In use now, on every page: the shipped search encoder.")).to_be_visible()
    no_traceback(page)


@pytest.mark.thorough
def test_two_tabs_and_other_scripts(open_page: OpenPage) -> None:
    """Each tab has its own search; right-to-left text and ten thousand characters are answered like anything else."""
    one, other = open_page("/search"), open_page("/search?in=projects")
    typed(one, "nurse")
    typed(other, "website")
    expect(one.locator(".st-key-search_card_1")).to_contain_text("Words nurse")
    expect(other.locator(".st-key-search_card_1")).to_contain_text("similarity of meaning")
    expect(one.get_by_label("What are you looking for?")).to_have_value("nurse")
    for query in ("מורה לילדים", "nurse " * 2000):
        one.get_by_label("What are you looking for?").fill(query)
        settle(one)
        no_traceback(one)
    expect(one.get_by_text("Only the first 1,000 characters were read")).to_be_visible()
