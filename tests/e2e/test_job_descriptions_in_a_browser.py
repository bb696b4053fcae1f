"""The page of descriptions as a user sees it: four postings in four languages, a click on a sentence, the downloads."""

import csv
import io
import re
from pathlib import Path

import pytest
from playwright.sync_api import expect

from tests.e2e.conftest import OpenPage, settle
from tests.e2e.test_in_a_browser import no_traceback

POSTINGS = {
    "care-worker": "prescribed medicine",
    "mitarbeiter": "Lkw mit Anhänger",
    "boulanger": "Vous préparez les pâtes",
    "inzhener": "бетонните",
}
FIRST, *OTHERS = POSTINGS.items()


@pytest.mark.parametrize(
    ("posting", "sentence"), [FIRST, *(pytest.param(*each, marks=pytest.mark.long) for each in OTHERS)]
)
def test_a_posting_is_read(open_page: OpenPage, posting: str, sentence: str) -> None:
    """Its sentences with their signs and bars; nothing scrolls sideways."""
    page = open_page(f"/job_descriptions?posting={posting}")
    line = page.locator("button.row").filter(has_text=sentence)
    expect(line).to_be_visible()
    expect(line.locator(".role")).to_have_text(re.compile("▶ task"))
    expect(page.get_by_text("What this job is")).to_be_visible()
    expect(page.get_by_text(re.compile("Rank correlation")).first).to_be_visible()
    width = page.evaluate("Math.max(...[...document.querySelectorAll('[data-testid=stMain]')].map(e => e.scrollWidth))")
    assert width <= 1280
    no_traceback(page)


@pytest.mark.thorough
def test_a_click_takes_a_sentence_out(open_page: OpenPage) -> None:
    """Without the sentence the answer changes; another click restores it."""
    page = open_page("/job_descriptions?posting=care-worker")
    line = page.locator("button.row").nth(2)
    line.click()
    expect(page.get_by_text("The answer is without")).to_be_visible()
    expect(page.locator("button.row").nth(2)).to_have_attribute("aria-pressed", "true")
    settle(page)
    page.locator("button.row").nth(2).click()
    expect(page.get_by_text("The answer is without")).to_have_count(0)
    no_traceback(page)


@pytest.mark.thorough
def test_a_posting_is_pasted(open_page: OpenPage) -> None:
    """The button reads it at once, the form is folded, and a click that comes right after it changes nothing."""
    page = open_page("/job_descriptions")
    page.get_by_label("Description", exact=True).fill("Baker\n\nYou bake bread.\nYou sell it.")
    page.get_by_role("button", name="Read the posting").click()
    expect(page.locator("button.row")).to_have_text([re.compile("You bake bread"), re.compile("You sell it")])
    expect(page.get_by_label("Description", exact=True)).not_to_be_visible()
    expect(page).to_have_url(re.compile("posting=own"))
    no_traceback(page)


@pytest.mark.long
def test_what_is_pasted_stays_text_and_is_downloaded(open_page: OpenPage) -> None:
    """HTML in a posting becomes text, and text that looks like HTML is none on the page and in the files."""
    page = open_page("/job_descriptions?section=download")
    text = page.get_by_label("Description", exact=True)
    text.fill("<img src=x onerror=alert(1)> bakes bread.\nYou knead dough.\nApply by Friday.")
    text.press("Control+Enter")
    expect(page.locator("button.row").first).to_have_text(re.compile("^((?!img).)*bakes bread[.]((?!img).)*$"))
    page.get_by_text("Edit this posting").click()
    text.fill("Knows List<String> & bakes bread.\nYou knead dough.\nApply by Friday.")
    text.press("Control+Enter")
    expect(page.locator("button.row").first).to_contain_text("Knows List<String> & bakes bread.")
    settle(page)
    page.get_by_role("button", name="Download", exact=True).click()
    with page.expect_download() as table:
        page.get_by_role("button", name="CSV, one row per sentence").click()
    rows = list(csv.DictReader(io.StringIO(Path(table.value.path()).read_text("utf-8-sig"))))
    assert [row["number"] for row in rows] == ["1", "2", "3"]
    with page.expect_download() as whole:
        page.get_by_role("button", name=re.compile("HTML")).click()
    written = Path(whole.value.path()).read_text("utf-8")
    assert "<String" not in written
    assert "List&lt;String&gt; &amp; bakes" in written
    with page.expect_download() as picture:
        page.locator(".modebar-btn").first.click(force=True)
    assert Path(picture.value.path()).read_bytes().startswith(b"\x89PNG")
    no_traceback(page)


@pytest.mark.thorough
def test_sentences_are_read_on_a_phone(open_page: OpenPage) -> None:
    """The text has the line to itself below its role and bar; the answer is between the form and the text."""
    page = open_page("/job_descriptions?posting=care-worker")
    page.set_viewport_size({"width": 390, "height": 844})
    line = page.locator("button.row").filter(has_text="prescribed medicine")
    expect(line).to_be_visible()
    settle(page)
    assert line.locator(".text").evaluate("e => e.getBoundingClientRect().width") > 280
    form, answer = page.locator(".st-key-describe_form"), page.locator(".st-key-describe_answer")
    tops = [each.evaluate("e => e.getBoundingClientRect().top") for each in (form, answer, line)]
    assert tops == sorted(tops)


@pytest.mark.thorough
def test_an_answer_is_judged_and_leads_to_the_taxonomy(open_page: OpenPage) -> None:
    """Right is kept and taken back; the occupation's name opens its page."""
    page = open_page("/job_descriptions?posting=boulanger", "Ann")
    card = page.locator(".st-key-describe_card_1")
    card.get_by_role("button", name="Right").click()
    expect(card.get_by_role("button", name="Undo")).to_be_visible()
    settle(page)
    card.get_by_role("button", name="Undo").click()
    expect(card.get_by_role("button", name="Undo")).to_have_count(0)
    settle(page)
    card.get_by_role("link").click()
    expect(page).to_have_url(re.compile("taxonomies.*occupation="))
    expect(page.get_by_role("heading", name="Bakers")).to_be_visible()
