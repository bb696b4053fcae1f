"""Searching as people do: answers while typing stops, and a log that is kept, shown and erased as one agreed."""

from pathlib import Path

from playwright.sync_api import Page, expect

from db.label_store import LabelStore
from jobmatch_core.settings import Settings
from tests.e2e.conftest import OpenPage, settle
from tests.e2e.test_in_a_browser import no_traceback


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
    expect(log).to_contain_text("off: nothing is kept")
    log.locator("summary").click()
    page.get_by_text("Keep my searches").click()
    expect(log).to_contain_text("on: your searches are kept")
    typed(page, "nurse")
    card = page.locator(".st-key-search_card_1")
    expect(card).to_contain_text("Words nurse")
    settle(page)
    card.get_by_role("button", name="Open").click()
    expect(card).to_contain_text("All names")
    expect(log).to_contain_text("1 search of everybody here")
    expect(log.get_by_test_id("stDataFrame")).to_be_visible()
    assert sizes(home) == (1, 1)
    page.reload()
    settle(page)
    expect(log).to_contain_text("on: your searches are kept")
    log.locator("summary").click()
    log.get_by_role("button", name="Erase …").click()
    page.get_by_role("button", name="Erase all searches").click()
    expect(log).to_contain_text("No searches are kept here")
    assert sizes(home) == (0, 0)
    no_traceback(page)


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
