"""The scoreboard as a user sees it: published figures at first, then a measurement of one's own."""

import csv
import io
import re
from pathlib import Path

import pytest
from playwright.sync_api import expect

from tests.e2e.conftest import OpenPage, settle
from tests.e2e.test_in_a_browser import no_traceback
from tests.made_results import write_melo

CODED_TITLES = Path(__file__).parents[1] / "data" / "dirty_titles.csv"


@pytest.fixture
def dataset(home: Path) -> Path:
    """A dataset in the app's home, named after a published one."""
    folder = home / "benchmarks" / "melo" / "usa_q_en_c_en"
    return folder if folder.exists() else write_melo(folder.parent, folder.name)


@pytest.mark.thorough
def test_a_system_is_measured_and_stands_beside_the_published(open_page: OpenPage, dataset: Path) -> None:
    """From the navigation to the downloaded table."""
    page = open_page("/")
    page.get_by_role("link", name="Scoreboard").click()
    expect(page.get_by_text("All systems by name: mean MRR on")).to_be_visible()
    page.get_by_role("radio", name="Measure", exact=True).click()
    expect(page.get_by_text(str(dataset.parent))).to_be_visible()
    page.locator(".st-key-board_start button").click()
    expect(page.get_by_text("Measured: 2 of 2.")).to_be_visible()
    page.get_by_role("button", name="See the standings").click()
    expect(page.get_by_text(re.compile(r"MRR [01]\.\d+ .* on English titles, English ESCO"))).to_be_visible()
    expect(page).to_have_url(re.compile("section=standings"))
    with page.expect_download() as download:
        page.get_by_role("button", name="Download CSV").click()
    rows = list(csv.DictReader(io.StringIO(Path(download.value.path()).read_text("utf-8-sig"))))
    assert {row["dataset"] for row in rows} == {"usa_q_en_c_en"}
    assert {(row["source"], row["ranking"]) for row in rows} == {
        ("yours", "by_name"),
        ("yours", "by_occupation"),
        ("published", "by_name"),
        ("shipped", "by_name"),
        ("shipped", "by_occupation"),
    }
    no_traceback(page)


@pytest.mark.thorough
def test_searches_are_shown_from_the_start(open_page: OpenPage) -> None:
    """The authors' figures of both sets; nothing scrolls sideways."""
    page = open_page("/scoreboard?task=search")
    expect(page.get_by_text(re.compile("Occupations by what people do: the app's search"))).to_be_visible()
    page.get_by_role("radio", name="Freelancers of the demo marketplace").click()
    expect(page.get_by_text(re.compile("Freelancers of the demo marketplace: the app's search"))).to_be_visible()
    settle(page)
    width = page.evaluate("Math.max(...[...document.querySelectorAll('[data-testid=stMain]')].map(e => e.scrollWidth))")
    assert width <= 1280
    no_traceback(page)


@pytest.mark.long
def test_own_titles_are_measured_while_another_page_is_open(open_page: OpenPage) -> None:
    """From the upload to the target precision on 'Link titles'; the form gives way to the progress."""
    page = open_page("/scoreboard?task=own-titles")
    page.locator("input[type=file]").set_input_files(
        {"name": "sample.csv", "mimeType": "text/csv", "buffer": CODED_TITLES.read_bytes()}
    )
    page.get_by_role("button", name="Measure", exact=True).click()
    expect(page.locator(".st-key-rate_stop button")).to_be_visible()
    expect(page.get_by_text("Column with job titles")).to_have_count(0)
    page.get_by_role("link", name="Help").first.click()
    settle(page)
    page.get_by_role("link", name="Scoreboard").first.click()
    expect(
        page.get_by_text(re.compile(r"Of your \d+ titles, \d+% can be coded with at most 1% wrong codes"))
    ).to_be_visible()
    settle(page)
    width = page.evaluate("Math.max(...[...document.querySelectorAll('[data-testid=stMain]')].map(e => e.scrollWidth))")
    assert width <= 1280
    page.get_by_role("button", name="Use on Link titles").click()
    expect(page.get_by_text("Link job titles to occupations")).to_be_visible()
    no_traceback(page)


@pytest.mark.long
@pytest.mark.parametrize("section", ["standings", "queries", "overlap", "measure"])
@pytest.mark.usefixtures("dataset")
def test_nothing_is_wider_than_the_window(open_page: OpenPage, section: str) -> None:
    """No section scrolls sideways at 1280 pixels, or breaks."""
    page = open_page(f"/scoreboard?section={section}")
    settle(page)
    width = page.evaluate("Math.max(...[...document.querySelectorAll('[data-testid=stMain]')].map(e => e.scrollWidth))")
    assert width <= 1280
    no_traceback(page)
