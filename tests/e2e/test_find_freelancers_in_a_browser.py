"""Finding freelancers as a recruiter does: an example, filters, nobody, one's own text, the map, a download."""

import csv
import io
import re
from pathlib import Path

import pytest
from playwright.sync_api import FloatRect, Locator, Page, expect

from jobmatch_core.marketplace.demo.generator import DemoSpec, demo_blocks
from jobmatch_core.marketplace.marketplace_store import MarketplaceStore
from jobmatch_core.settings import Settings
from jobmatch_core.taxonomy import BUNDLED_ID, TaxonomyStore
from tests.e2e.conftest import OpenPage, settle
from tests.e2e.test_in_a_browser import no_traceback

_PAGE = "/find_freelancers"
_OWN = "Spedytor\nSzukamy osoby, która zna SQL i Python.\nMile widziane: Docker"


@pytest.fixture(autouse=True)
def _marketplace(home: Path) -> None:
    """A small demo marketplace in the app's home, so that no test waits for the large one."""
    settings = Settings(home)
    store = MarketplaceStore.open(settings)
    if not store.installed():
        taxonomy, spec = TaxonomyStore.open(settings).load(BUNDLED_ID), DemoSpec(projects=40, freelancers=300)
        store.save("demo", demo_blocks(taxonomy, spec), origin=spec.origin(taxonomy), generated=True)


@pytest.fixture
def german(home: Path) -> str:
    """The id of a German project that asks for several skills."""
    projects = MarketplaceStore.open(Settings(home)).load("demo").projects
    return next(each.id for each in projects if each.language == "de" and len(each.mandatory) > 1)


def card(page: Page, rank: int) -> Locator:
    """Return the card of a rank."""
    return page.locator(f".st-key-find_card_{rank}")


def box_of(element: Locator) -> FloatRect:
    """Return where an element is drawn."""
    box = element.bounding_box()
    assert box is not None
    return box


@pytest.mark.long
def test_a_german_project_finds_polish_and_english_profiles(open_page: OpenPage, german: str) -> None:
    """From the navigation; the address carries the view, and a profile unfolds."""
    page = open_page("/")
    page.get_by_role("link", name="Find freelancers").click()
    expect(card(page, 10)).to_contain_text("Similarity 0.")
    expect(page.get_by_text("all synthetic")).to_be_visible()
    page = open_page(f"{_PAGE}?project={german}&language=pl,en")
    expect(card(page, 10)).to_contain_text("Similarity 0.")
    settle(page)
    facts = " ".join(page.locator("[class*=st-key-find_card_]").all_inner_texts())
    assert "Polish" in facts
    assert "English" in facts
    assert "German ·" not in facts
    card(page, 1).get_by_text("Profile").click()
    expect(card(page, 1)).to_contain_text("Parts of the profile: skills")
    expect(page).to_have_url(re.compile("language=pl%2Cen"))
    no_traceback(page)


@pytest.mark.long
def test_nobody_and_back(open_page: OpenPage) -> None:
    """The filter that leaves nobody is named, and taken out by a click."""
    page = open_page(f"{_PAGE}?by=2000-01-01&language=de")
    expect(page.get_by_text("No freelancers match these filters.")).to_be_visible()
    page.get_by_role("button", name="Without the filter on availability").click()
    expect(card(page, 1)).to_contain_text("German")
    expect(page).not_to_have_url(re.compile("by="))
    no_traceback(page)


@pytest.mark.thorough
def test_a_pasted_text_is_read_and_its_chips_removed(open_page: OpenPage) -> None:
    """Skills are found in it; without one of them the others are compared."""
    page = open_page(f"{_PAGE}?source=own")
    box = page.get_by_role("textbox", name="Text, in any language")
    box.fill(_OWN)
    page.get_by_role("button", name="Find freelancers", exact=True).click()
    expect(page.get_by_text("language: Polish")).to_be_visible()
    # the example, whose answer stands there before, has two that are nice to have
    expect(card(page, 1)).to_contain_text(re.compile(r"Must have, \d of 2"))
    settle(page)
    page.locator("[class*=st-key-find_own_mandatory]").get_by_label("Remove SQL").last.click()
    expect(card(page, 1)).to_contain_text(re.compile(r"Must have, \d of 1"))
    expect(page).to_have_url(re.compile(r"text=[\w-]{10,}"))
    no_traceback(page)


@pytest.mark.long
def test_a_circle_of_the_map_is_clicked(open_page: OpenPage) -> None:
    """The freelancers of the circle are shown; nothing is fetched from elsewhere for it."""
    page = open_page(f"{_PAGE}?view=map")
    elsewhere: list[str] = []
    page.on("request", lambda request: elsewhere.append(request.url) if "127.0.0.1" not in request.url else None)
    page.locator(".st-key-find_map .scatterlayer .trace").nth(1).locator("path.point").first.click(force=True)
    expect(page.locator("[class*=st-key-find_map_card_]").first).to_contain_text("Similarity")
    assert [url for url in elsewhere if not url.startswith(("data:", "blob:"))] == []
    no_traceback(page)


@pytest.mark.thorough
def test_the_table_is_downloaded(open_page: OpenPage) -> None:
    """A hundred rows, the best first, as they are on the page."""
    page = open_page(_PAGE)
    first = card(page, 1).inner_text()
    with page.expect_download() as download:
        page.get_by_role("button", name="Download CSV").click()
    rows = list(csv.DictReader(io.StringIO(Path(download.value.path()).read_text("utf-8-sig"))))
    assert len(rows) == 100
    assert rows[0]["rank"] == "1"
    assert rows[0]["title"].removeprefix("'") in first
    assert rows[0]["generated"] == "True"


@pytest.mark.thorough
def test_on_a_phone_the_freelancers_come_before_another_search(open_page: OpenPage) -> None:
    """The search without a project is below the list; a profile has the card's width once it is open."""
    page = open_page(_PAGE)
    page.set_viewport_size({"width": 390, "height": 800})
    expect(card(page, 10)).to_contain_text("Similarity 0.")
    assert box_of(page.get_by_label("Search freelancers without a project"))["y"] > box_of(card(page, 10))["y"]
    card(page, 1).get_by_text("Profile").click()
    expect(card(page, 1)).to_contain_text("Parts of the profile: skills")
    profile = card(page, 1).get_by_test_id("stExpander")
    assert box_of(profile)["width"] > 0.8 * box_of(card(page, 1))["width"]
    no_traceback(page)


@pytest.mark.long
@pytest.mark.parametrize(
    "query",
    [
        "",
        "?view=map",
        "?view=compare",
        "?source=own",
        "?language=pl&by=2000-01-01",
        f"?title={'Donaudampfschiff' * 30}&text={'Kapitaen' * 90}",
    ],
)
def test_nothing_is_wider_than_the_window(open_page: OpenPage, query: str) -> None:
    """No view scrolls sideways at 1280 pixels, or breaks."""
    page = open_page(_PAGE + query)
    width = page.evaluate("Math.max(...[...document.querySelectorAll('[data-testid=stMain]')].map(e => e.scrollWidth))")
    assert width <= 1280
    no_traceback(page)
