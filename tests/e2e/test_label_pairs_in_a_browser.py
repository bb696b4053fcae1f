"""Labelling as an annotator does: twelve pairs by keyboard, one taken back, a note, guidelines, two people, history."""

import csv
import io
import re
from pathlib import Path
from uuid import uuid4

import pytest
from playwright.sync_api import Locator, Page, expect

from db.history import JudgmentFilter
from db.label_store import LabelStore
from jobmatch_core.entities import Judgment, Verdict
from jobmatch_core.marketplace.demo.generator import DemoSpec, demo_blocks
from jobmatch_core.marketplace.marketplace import Marketplace
from jobmatch_core.marketplace.marketplace_store import MarketplaceStore
from jobmatch_core.settings import Settings
from jobmatch_core.taxonomy import BUNDLED_ID, TaxonomyStore
from tests.e2e.conftest import OpenPage, settle
from tests.e2e.test_in_a_browser import no_traceback

_PAGE = "/label_pairs"
_KEYS = {"1": Verdict.POSITIVE, "2": Verdict.NEGATIVE, "3": Verdict.UNSURE, "4": Verdict.SKIP}


@pytest.fixture(autouse=True)
def market(home: Path) -> Marketplace:
    """A small demo marketplace in the app's home, so that no test waits for the large one."""
    settings = Settings(home)
    store = MarketplaceStore.open(settings)
    if not store.installed():
        taxonomy, spec = TaxonomyStore.open(settings).load(BUNDLED_ID), DemoSpec(projects=40, freelancers=300)
        store.save("demo", demo_blocks(taxonomy, spec), origin=spec.origin(taxonomy), generated=True)
    return store.load("demo")


@pytest.fixture
def annotator() -> str:
    """Somebody who has judged nothing yet."""
    return f"Ann {uuid4().hex[:6]}"


def kept(home: Path, annotator: str) -> list[Judgment]:
    """Return what somebody judged, oldest first."""
    with LabelStore.open(Settings(home).label_store) as store:
        return store.judgments(JudgmentFilter(annotator=annotator))[::-1]


def opened(open_page: OpenPage, annotator: str, address: str = "") -> Page:
    """Open the page as somebody, and wait until a pair can be judged."""
    page = open_page(f"{_PAGE}?{address}", annotator)
    ready(page)
    settle(page)
    return page


def ready(page: Page, pair: str = "") -> str:
    """Wait until a pair that is not *pair* has been visible for long enough to be judged; return what it goes by."""
    guard = page.locator(f'#said[data-ready]:not([data-ready="{pair}"])')
    expect(guard).to_be_attached()
    return str(guard.get_attribute("data-ready"))


def sides(page: Page) -> tuple[str, str]:
    """Return the texts of both sides of the pair at hand."""
    return page.locator(".st-key-label_pair_project").inner_text(), page.locator(
        ".st-key-label_pair_freelancer"
    ).inner_text()


def fits(page: Page) -> Locator:
    """Return the first button, which is another one for each pair."""
    return page.locator("[class*=st-key-label_positive_]:visible")


def judge(page: Page, key: str) -> tuple[str, str]:
    """Press a key once the pair is there; wait for the next, and return what was judged."""
    pair, shown = ready(page), sides(page)
    page.keyboard.press(key)
    ready(page, pair)
    expect(fits(page)).to_have_count(1)
    settle(page)
    return shown


def test_twelve_pairs_by_keyboard(open_page: OpenPage, home: Path, market: Marketplace, annotator: str) -> None:
    """What is in the store is what was on the page, and one that is taken back comes again."""
    page = opened(open_page, annotator)
    shown = [judge(page, key) for key in "123412123"]
    page.keyboard.press("e")
    expect(page.get_by_role("button", name="Experience E", pressed=True)).to_be_visible()
    settle(page)
    shown += [judge(page, key) for key in "11"]
    again = judge(page, "2")
    page.keyboard.press("u")
    expect(page.get_by_text("Undone: lacks skills.")).to_be_visible()
    settle(page)
    assert sides(page) == again
    shown.append(judge(page, "1"))

    said = kept(home, annotator)
    assert len(said) == 14
    assert said[12].undoes == said[11].id
    standing = [*said[:11], said[13]]
    assert [each.verdict for each in standing] == [_KEYS[key] for key in "123412123111"]
    assert [each.reasons for each in standing] == [*[()] * 9, ("experience",), (), ()]
    for judgment, (left, right) in zip(standing, shown, strict=True):
        assert market.projects[market.project_rows[judgment.pair.left]].title in left
        assert market.freelancers[market.freelancer_rows[judgment.pair.right]].title in right
        assert judgment.provenance.policy in ("uncertain", "second-opinion")
        assert judgment.seconds is not None
    assert len({each.pair for each in standing}) == 12
    expect(page.locator(".st-key-label_progress")).to_contain_text("11 of 50 today")  # a skip does not count
    no_traceback(page)

    page.get_by_text("History", exact=True).click()
    rows = page.locator("[class*=st-key-label_row_]")
    expect(rows.first).to_be_visible()
    page.get_by_role("combobox", name="Annotator").click()
    page.get_by_role("option", name=annotator).click()
    expect(rows).to_have_count(14)
    expect(page.get_by_text("withdrawn since")).to_have_count(1)
    settle(page)  # a run that is not over yet would replace what a click downloads
    with page.expect_download() as download:
        page.get_by_role("button", name="CSV").click()
    table = list(csv.DictReader(io.StringIO(Path(download.value.path()).read_text("utf-8-sig"))))
    assert [row["id"] for row in table] == [each.id for each in said]
    no_traceback(page)


@pytest.mark.long
def test_a_note_by_keyboard(open_page: OpenPage, home: Path, annotator: str) -> None:
    """Its letters are no keys of the page, and neither is anything while it is open."""
    page = opened(open_page, annotator)
    for _ in range(2):  # Enter leaves an empty note, too
        page.keyboard.press("n")
        expect(page.get_by_role("dialog").get_by_role("textbox")).to_be_focused()
        settle(page)
        page.keyboard.press("Enter")
        expect(page.get_by_role("dialog")).to_have_count(0)
        settle(page)
    page.keyboard.press("n")
    expect(page.get_by_role("dialog")).to_be_visible()
    expect(fits(page).locator("button")).to_be_disabled()
    expect(page.get_by_role("dialog").get_by_role("textbox")).to_be_focused()
    settle(page)
    page.keyboard.type("1 understudy, 4 gigs")
    page.keyboard.press("Enter")
    expect(page.get_by_role("dialog")).to_have_count(0)
    expect(page.get_by_text("note: 1 understudy, 4 gigs")).to_be_visible()
    settle(page)
    judge(page, "3")
    [judgment] = kept(home, annotator)
    assert (judgment.verdict, judgment.note) == (Verdict.UNSURE, "1 understudy, 4 gigs")
    no_traceback(page)


@pytest.mark.thorough
def test_guidelines_by_keyboard(open_page: OpenPage, home: Path, annotator: str) -> None:
    """Read, written anew by somebody, and the earlier version is there."""
    page = opened(open_page, annotator)
    page.keyboard.press("g")
    dialog = page.get_by_role("dialog")
    expect(dialog.get_by_role("heading", name="What to judge")).to_be_visible()
    page.keyboard.press("1")
    dialog.get_by_text("Edit", exact=True).click()
    dialog.get_by_role("textbox").fill("# Ours\n- no <b>travel</b>")
    dialog.get_by_role("button", name="Save this version").click()
    expect(dialog).to_have_count(0)
    settle(page)
    page.keyboard.press("g")
    expect(page.get_by_role("dialog")).to_contain_text("no <b>travel</b>")
    page.get_by_role("dialog").get_by_text("Earlier versions").click()
    expect(page.get_by_role("dialog")).to_contain_text(f"{annotator} · in use")
    page.keyboard.press("Escape")
    expect(fits(page).locator("button")).to_be_enabled()
    assert kept(home, annotator) == []
    with LabelStore.open(Settings(home).label_store) as store:
        store.write_guidelines("# What to judge", "the next test")
    no_traceback(page)


@pytest.mark.long
def test_two_people_and_one_disagreement(open_page: OpenPage, home: Path, market: Marketplace, annotator: str) -> None:
    """A pair that both were sent is judged differently, and settled by a third."""
    pair = f"project={market.projects[0].id}&freelancer={market.freelancers[5].id}"
    for name, key in ((annotator, "1"), (f"{annotator} II", "2")):
        page = opened(open_page, name, pair)
        expect(page.get_by_text("Why this pair: chosen")).to_be_visible()
        page.keyboard.press(key)
        expect(page.get_by_text("You have gone through the chosen pair.")).to_be_visible()
    page = opened(open_page, f"{annotator} III")
    page.get_by_text("Agreement", exact=True).click()
    expect(page.get_by_text("Disagreements to settle: ")).to_be_visible()
    expect(page.get_by_test_id("stPlotlyChart")).to_have_count(2)
    card = page.locator(".st-key-label_dispute_card")
    while annotator not in card.inner_text():
        page.get_by_role("button", name="Next").click()
        settle(page)
    card.get_by_role("textbox").fill("the first is right")
    card.get_by_role("button", name="Settle: fits").click()
    expect(page.get_by_text("Settled:")).to_be_visible()
    settled = kept(home, f"{annotator} III")[-1]
    assert (settled.adjudicates, settled.verdict, settled.note) == (True, Verdict.POSITIVE, "the first is right")
    no_traceback(page)


@pytest.mark.thorough
def test_two_presses_at_once_are_one_verdict(open_page: OpenPage, home: Path, annotator: str) -> None:
    """The second, 60 ms later, is for a pair that nobody has seen: it is not counted, and that is said."""
    page = opened(open_page, annotator)
    pair = ready(page)
    page.keyboard.press("1")
    page.wait_for_timeout(60)  # what the test is about
    page.keyboard.press("2")
    expect(page.get_by_text("Not counted: ")).to_be_visible()
    pair = ready(page, pair)
    page.keyboard.press("3")
    ready(page, pair)
    assert [each.verdict for each in kept(home, annotator)] == [Verdict.POSITIVE, Verdict.UNSURE]
    no_traceback(page)


@pytest.mark.long
def test_the_name_is_asked_for_and_stays_with_the_browser(open_page: OpenPage, annotator: str) -> None:
    """Given once, it outlives a reload; it is in no address, and another browser does not know it."""
    page = open_page(f"{_PAGE}?annotator=anna")
    expect(page.get_by_role("textbox", name="Your name")).to_be_focused()
    page.keyboard.type(annotator)
    page.keyboard.press("Enter")
    ready(page)
    expect(page).not_to_have_url(re.compile("anna|Ann"))
    page.reload()
    ready(page)
    expect(page.locator(".st-key-annotator_popover")).to_contain_text(annotator)
    other = open_page(page.url.removeprefix(page.evaluate("location.origin")))
    expect(other.get_by_role("textbox", name="Your name")).to_be_visible()
    expect(fits(other)).to_have_count(0)
    no_traceback(page)


@pytest.mark.thorough
def test_the_end_of_chosen_pairs_leads_back(open_page: OpenPage, market: Marketplace, annotator: str) -> None:
    """The button below the last one opens the queue."""
    page = opened(open_page, annotator, f"project={market.projects[1].id}&freelancer={market.freelancers[7].id}")
    page.keyboard.press("3")
    page.get_by_role("button", name="Back to the queues").click()
    ready(page)
    expect(page.get_by_text("left in this queue")).to_be_visible()
    no_traceback(page)


@pytest.mark.thorough
def test_texts_and_verdicts_are_in_sight(open_page: OpenPage, annotator: str) -> None:
    """The texts are above the fold of 900 pixels; the verdicts stay in sight on the way down, also on a phone."""
    page = opened(open_page, annotator)
    text = page.locator(".st-key-label_pair_project p").nth(2).bounding_box()
    assert text is not None
    assert text["y"] < 500
    for width in (1280, 390):
        page.set_viewport_size({"width": width, "height": 500})
        page.get_by_test_id("stMain").evaluate("main => main.scrollTo(0, main.scrollHeight)")
        expect(page.locator(".st-key-label_ids")).to_be_in_viewport()
        for button in page.locator(".st-key-label_verdicts button").all():
            expect(button).to_be_in_viewport(ratio=1)


@pytest.mark.long
@pytest.mark.parametrize("view", ["label", "agreement", "history"])
def test_nothing_is_wider_than_the_window(open_page: OpenPage, view: str) -> None:
    """No view scrolls sideways at 1280 pixels, or breaks."""
    page = open_page(f"{_PAGE}?view={view}")
    width = page.evaluate("Math.max(...[...document.querySelectorAll('[data-testid=stMain]')].map(e => e.scrollWidth))")
    assert width <= 1280
    no_traceback(page)
