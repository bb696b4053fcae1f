"""Judging beside other work, in a real browser: what is accepted is known at once, and undone it is forgotten."""

import re

import pytest
from playwright.sync_api import Locator, Page, expect

from tests.e2e.conftest import OpenPage, settle
from tests.e2e.test_in_a_browser import no_traceback, type_title


def button(page: Page, key: str) -> Locator:
    """Return a button; one with a help text is there twice, once hidden, which has no role."""
    return page.locator(f".st-key-{key}").get_by_role("button")


def press(page: Page, key: str) -> None:
    """Press a button, once its predecessor of before the last run is gone, and wait for the run."""
    expect(button(page, key)).to_have_count(1)
    button(page, key).click()
    settle(page)


@pytest.mark.long
def test_a_title_is_accepted_undone_and_a_typing_error_of_another_is_linked(open_page: OpenPage) -> None:
    """Accept, see the evidence, undo; accept a title with a typing error, and see it linked with its evidence."""
    page = open_page("/", "Ann")
    type_title(page, "Vibe Wrangler")
    expect(page.get_by_text("No confident match.")).to_be_visible()
    press(page, "judge_2_positive")
    first = page.locator(".st-key-card_1")
    expect(first).to_contain_text(re.compile(r"Matched “Vibe Wrangler”, a name of your own, accepted by Ann on \d"))
    expect(first).to_contain_text("Probability 0.99 · sure")
    press(page, "judge_1_undo")
    expect(page.get_by_text("No confident match.")).to_be_visible()
    expect(page.get_by_text("a name of your own")).to_have_count(0)

    type_title(page, "Krankenschwestre")
    expect(first).to_contain_text("Nursing professionals")
    press(page, "judge_1_positive")
    group = page.locator(".st-key-unit_group")  # the answer, which has the occupation's URI here
    expect(group).to_contain_text(re.compile(r"[Aa]ccepted by Ann on \d"))
    page.reload()
    settle(page)
    expect(group).to_contain_text(re.compile(r"[Aa]ccepted by Ann on \d"))
    expect(button(page, "judge_1_positive")).to_have_attribute("kind", "primary")
    no_traceback(page)


@pytest.mark.thorough
def test_another_person_sees_what_was_said(open_page: OpenPage) -> None:
    """Their own verdict is asked for, and a disagreement takes the name away."""
    ann = open_page("/?title=Grand%20Vizier", "Ann")
    press(ann, "judge_1_positive")
    expect(ann.locator(".st-key-card_1")).to_contain_text("accepted by Ann on")
    bob = open_page("/?title=Grand%20Vizier", "Bob")
    expect(bob.locator(".st-key-card_1")).to_contain_text("Earlier verdicts:")
    expect(bob.locator(".st-key-card_1")).to_contain_text("Ann")
    expect(bob.locator(".st-key-judge_1_undo")).to_have_count(0)
    press(bob, "judge_1_negative")
    expect(bob.get_by_text("accepted by Ann")).to_have_count(0)
    no_traceback(bob)


@pytest.mark.thorough
def test_freelancers_are_judged_from_the_list(open_page: OpenPage) -> None:
    """A name is asked for first; then the verdict is there, also after a reload, and can be taken back."""
    page = open_page("/find_freelancers")
    button(page, "find_judge_1_positive").click()
    dialog = page.get_by_role("dialog")
    expect(dialog.get_by_role("textbox")).to_be_focused()
    page.keyboard.type("Ann")
    page.keyboard.press("Enter")
    expect(dialog).to_have_count(0)
    expect(button(page, "find_judge_1_positive")).to_have_attribute("kind", "primary")
    page.wait_for_function("document.cookie.includes('jobmatch_annotator=Ann')")  # the browser keeps who judges
    page.reload()
    settle(page)
    expect(button(page, "find_judge_1_positive")).to_have_attribute("kind", "primary")
    press(page, "find_judge_1_undo")
    expect(button(page, "find_judge_1_positive")).to_have_attribute("kind", "secondary")
    no_traceback(page)
