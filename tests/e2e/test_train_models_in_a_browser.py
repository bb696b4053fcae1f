"""A full round in a browser: label by keyboard, undo, train, compare, promote, search again with the new model."""

import re
import shutil
from collections.abc import Iterator
from datetime import date
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from db.history import JudgmentFilter
from db.label_store import LabelStore
from jobmatch_core.demo.annotators import ANNOTATORS, judgments
from jobmatch_core.entities import Pair, PairKind
from jobmatch_core.marketplace.demo.generator import DemoSpec, demo_blocks
from jobmatch_core.marketplace.marketplace_store import MarketplaceStore
from jobmatch_core.settings import Settings
from jobmatch_core.taxonomy import BUNDLED_ID, TaxonomyStore
from tests.e2e.conftest import NewVisitor, _running_app, annotator_cookie, settle
from tests.e2e.test_in_a_browser import no_traceback
from tests.e2e.test_label_pairs_in_a_browser import judge

_A_TRAINING_MS = 240_000


@pytest.fixture
def page(new_visitor: NewVisitor, linker_home: Path, tmp_path: Path) -> Iterator[Page]:
    """An app over a small marketplace of which a made-up annotator has judged two freelancers a project."""
    shutil.copytree(linker_home, tmp_path, dirs_exist_ok=True)
    settings = Settings(tmp_path)
    blocks = demo_blocks(TaxonomyStore.open(settings).load(BUNDLED_ID), DemoSpec(projects=30, freelancers=60))
    MarketplaceStore.open(settings).save("small", blocks, origin={}, generated=True)
    market = MarketplaceStore.open(settings).load("small")
    answered = {(each.project, each.positive): each for each in market.interactions}
    pairs = [Pair(PairKind.PROJECT_FREELANCER, "small", each.project, each.freelancer) for each in answered.values()]
    with LabelStore.open(settings.label_store) as store:
        store.record_all(judgments(market, pairs, ANNOTATORS[0], date(2026, 11, 1)))
    with _running_app(tmp_path) as address:
        context = new_visitor()
        context.add_cookies([annotator_cookie("Ann", address)])
        page = context.new_page()
        page.goto(f"{address}/label_pairs?marketplace=small&queue=random")
        expect(page.locator(".st-key-label_ids")).to_be_visible()  # the last of the desk: before it keys are not heard
        settle(page)
        yield page


@pytest.mark.long
def test_a_full_round(page: Page, tmp_path: Path) -> None:
    """Four pairs, the last of which is taken back; a stop, a reload in the middle; found again, and rolled back."""
    for key in "1212":
        judge(page, key)
    page.keyboard.press("u")
    expect(page.get_by_text("Undone: lacks skills.")).to_be_visible()
    settle(page)
    with LabelStore.open(Settings(tmp_path).label_store) as store:
        assert len(store.current(JudgmentFilter(annotator="Ann"))) == 3

    page.get_by_role("link", name="Train models").click()
    settle(page)
    page.get_by_role("button", name="Freeze current labels").click()
    expect(page.get_by_text("Frozen. Next: train.")).to_be_visible()
    page.locator(".st-key-train_start button").click()
    expect(page.get_by_text("One training runs at a time")).to_be_visible()
    page.locator(".st-key-train_stop button").first.click()
    expect(page.get_by_text(re.compile(r"Stopped: towers-\d.*Nothing was saved"))).to_be_visible()
    page.locator(".st-key-train_start button").click()
    expect(page.get_by_text("One training runs at a time")).to_be_visible()
    page.reload()
    settle(page)
    expect(page.get_by_text(re.compile(r"Trained: towers-\d"))).to_be_visible(timeout=_A_TRAINING_MS)
    expect(page.get_by_text(re.compile(r"Of \d+ figures, \d+ better, \d+ worse"))).to_be_visible()
    expect(page.get_by_text("In use on every page: word vectors, untrained")).to_be_visible()
    page.get_by_text(re.compile("All figures of towers-")).click()
    expect(page.get_by_text(re.compile("After minus before, with 95% intervals, 6 projects"))).to_be_visible()
    expect(page.get_by_text(re.compile("At least 30 (projects|pairs) are needed"))).to_be_visible()
    page.locator(".st-key-train_promote button").first.click()
    dialog = page.get_by_role("dialog")
    promoted = page.get_by_text("In use now, on every page").or_(dialog).first
    expect(promoted).to_be_visible(timeout=_A_TRAINING_MS)  # after the audit of twins
    if dialog.count():
        dialog.get_by_role("button", name=re.compile("Promote anyway|Accept the audit")).click()
    expect(page.get_by_text(re.compile(r"In use now, on every page: towers-\d"))).to_be_visible()
    page.get_by_role("link", name="Find freelancers").click()
    expect(page.get_by_role("combobox", name=re.compile("Model")).first).to_have_value(
        re.compile(r"towers-\d"), timeout=_A_TRAINING_MS
    )
    expect(page.locator(".st-key-find_card_10")).to_contain_text("Similarity 0.", timeout=_A_TRAINING_MS)
    no_traceback(page)
    page.get_by_role("link", name="Train models").click()
    page.locator(".st-key-train_roll_back button").first.click()
    expect(page.get_by_role("dialog")).to_contain_text("word vectors, untrained will be used on every page again")
    page.get_by_role("dialog").get_by_role("button", name="Roll back").click()
    expect(page.get_by_text("Rolled back. In use now, on every page: word vectors, untrained.")).to_be_visible()
    settle(page)  # a run that is not over yet would replace what a click downloads
    page.get_by_text("History of promotions").click()
    settle(page)
    with page.expect_download() as download:
        page.get_by_role("button", name="Download the history").click()
    assert "rolled back to" in Path(download.value.path()).read_text("utf-8")
    width = page.evaluate("Math.max(...[...document.querySelectorAll('[data-testid=stMain]')].map(e => e.scrollWidth))")
    assert width <= 1280
    no_traceback(page)
