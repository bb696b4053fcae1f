import csv
import io
import re
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from tests.e2e.conftest import NewVisitor, OpenPage, settle

# Chromium types 20,000 lines for a minute, but takes them at once like this, as it does from the clipboard.
_PASTE = """(box, text) => {
    Object.getOwnPropertyDescriptor(HTMLTextAreaElement.prototype, "value").set.call(box, text);
    box.dispatchEvent(new Event("input", { bubbles: true }));
}"""


def type_title(page: Page, title: str) -> None:
    """Type a title and press Enter."""
    box = page.get_by_label("Job title in any language")
    box.fill(title)
    box.press("Enter")


def paste(page: Page, titles: list[str]) -> None:
    """Put titles into the box and press Link."""
    box = page.get_by_role("textbox", name="Or job titles, one per line")
    box.evaluate(_PASTE, "\n".join(titles))
    box.press("Control+Enter")
    page.get_by_role("button", name=f"Link {len(titles):,} titles").click()


def no_traceback(page: Page) -> None:
    """No exception is on the page."""
    expect(page.get_by_test_id("stException")).to_have_count(0)
    assert "Traceback" not in page.inner_text("body")


def test_a_german_title_is_linked_by_enter(open_page: OpenPage) -> None:
    """Typing and Enter are all it takes, and the address carries the title."""
    page = open_page("/")
    type_title(page, "Krankenschwester")
    expect(page.locator(".st-key-card_1").first).to_contain_text("Nursing professionals")
    expect(page.locator(".st-key-card_1").first).to_contain_text("Matched “Krankenschwester”, German")
    expect(page).to_have_url(re.compile("title=Krankenschwester"))
    no_traceback(page)


@pytest.mark.thorough
def test_an_example_is_linked_by_a_click(open_page: OpenPage) -> None:
    """The examples under the input work."""
    page = open_page("/")
    page.get_by_role("button", name="roofer").click()
    expect(page.locator(".st-key-card_1")).to_contain_text("Roofers")
    expect(page.locator(".st-key-card_1")).to_contain_text("sure")


@pytest.mark.thorough
def test_details_open_and_lead_to_the_taxonomy(open_page: OpenPage) -> None:
    """A card opens, and links to the occupation's page with the item in the address."""
    page = open_page("/?title=nurse")
    page.locator(".st-key-card_1").get_by_text("Description, skills, all names").click()
    page.locator(".st-key-card_1").get_by_role("link", name="Show it in the taxonomy").click()
    expect(page.get_by_role("heading", name="Nursing professionals")).to_be_visible()
    expect(page).to_have_url(re.compile("occupation="))


@pytest.mark.thorough
def test_text_is_never_markup(open_page: OpenPage) -> None:
    """Titles that look like Markdown or HTML are shown letter by letter."""
    page = open_page("/")
    title = "**x** <b>y</b> [z](http://a.org) :smile: :red[r] $x^2$ www.b.org -> nurse"
    type_title(page, title)
    page.get_by_text("Many titles").click()
    paste(page, [title, "<img src=x onerror=alert(1)>"])
    panel = page.locator(".st-key-panel")
    expect(panel).to_contain_text(re.compile("<b>y</b>|<img"))
    page.locator(".st-key-none_of_these button").click()
    expect(panel).to_contain_text(re.compile("<b>y</b>|<img"))
    assert panel.locator("a, img, b, .katex").count() == 0


def test_fifty_titles_are_pasted_linked_and_downloaded(open_page: OpenPage) -> None:
    """The downloaded CSV has every row in order, its links, and no formula."""
    page = open_page("/?view=many")
    titles = [f"{title} {number}" for number in range(10) for title in ("Koch", "infirmière", "=1+1", "nurse", "zzzz")]
    paste(page, titles)
    expect(page.get_by_text("of 50 decided")).to_be_visible()
    page.get_by_role("button", name="Download", exact=True).click()
    with page.expect_download() as download:
        page.locator(".st-key-download_csv button").click()
    assert download.value.suggested_filename == "Koch 0 and 49 more linked.csv"
    rows = list(csv.DictReader(io.StringIO(Path(download.value.path()).read_text("utf-8-sig"))))
    assert len(rows) == 50
    assert rows[0]["title"] == "Koch 0"
    assert rows[0]["link_occupation"] == "Cooks"
    assert rows[2]["title"] == "'=1+1 0"
    assert rows[4]["link_status"] == "to check"
    no_traceback(page)


@pytest.mark.long
def test_stop_keeps_what_is_done(open_page: OpenPage) -> None:
    """After Stop the linked rows are there, and the rest can be linked later."""
    page = open_page("/?view=many")
    paste(page, [f"nurse {number}" for number in range(60_000)])
    # at once: the bar above it grows, and a click that waits for the button to stand still comes late
    page.get_by_role("button", name="Stop and save the results so far").dispatch_event("click")
    expect(page.get_by_text(re.compile(r"Stopped: [\d,]+ titles are linked"))).to_be_visible()
    expect(page.get_by_role("button", name="Link the rest")).to_be_visible()
    no_traceback(page)


@pytest.mark.thorough
@pytest.mark.parametrize(
    "name", ["broken.xlsx", *(pytest.param(f"broken.{kind}", marks=pytest.mark.long) for kind in ("parquet", "jsonl"))]
)
def test_a_broken_file_is_an_error_in_words(open_page: OpenPage, tmp_path: Path, name: str) -> None:
    """A broken upload names the file and shows no traceback."""
    page = open_page("/?view=many")
    file = tmp_path / name
    file.write_text("this is no table\n")
    page.get_by_test_id("stFileUploaderDropzoneInput").set_input_files(file)
    expect(page.get_by_test_id("stAlert")).to_contain_text(name)
    no_traceback(page)


@pytest.mark.thorough
def test_taxonomies_show_attribution_and_lead_to_an_occupation(open_page: OpenPage) -> None:
    """From the cards down the ISCO tree to one occupation."""
    page = open_page("/taxonomies")
    expect(page.get_by_text("International Labour Organization")).to_be_visible()
    page.get_by_role("button", name="Browse").click()
    for code in ("2", "22", "222", "2221"):
        page.get_by_role("button", name=re.compile(f"^{code} ")).click()
    expect(page.get_by_text("2221 Nursing professionals").first).to_be_visible()
    settle(page)
    page.get_by_test_id("stDataFrame").click(position={"x": 18, "y": 52})
    expect(page.get_by_role("heading", name="Nursing professionals")).to_be_visible()
    expect(page).to_have_url(re.compile("group=2221&occupation="))


@pytest.mark.long
def test_a_taxonomy_is_imported_linked_to_and_removed(open_page: OpenPage, tmp_path: Path) -> None:
    """A taxonomy's whole life, by upload."""
    file = tmp_path / "ours.csv"
    file.write_text(
        "concept_id,language,preferred,alternatives,parent,description\njob1,en,cloud whisperer,,2512,Whispers.\n"
    )
    page = open_page("/taxonomies?section=import")
    page.get_by_test_id("stFileUploaderDropzoneInput").set_input_files(file)
    page.get_by_role("button", name="Import", exact=True).click()
    page.get_by_role("link", name="Next: link titles to ours").click()
    type_title(page, "cloud whisperer")
    expect(page.locator(".st-key-card_1")).to_contain_text("cloud whisperer")
    page.get_by_role("link", name="Taxonomies").click()
    page.get_by_text("Installed", exact=True).click()
    page.locator(".st-key-remove_ours-1").get_by_role("button").click()
    page.get_by_role("dialog").get_by_role("button", name="Remove").click()
    expect(page.locator(".st-key-installed_ours-1")).to_have_count(0)
    no_traceback(page)


@pytest.mark.long
@pytest.mark.parametrize(
    "path",
    [
        "/",
        "/?view=many",
        "/?title=zzzz",
        "/taxonomies",
        "/taxonomies?section=browse",
        "/taxonomies?section=import",
        f"/?title={'Donaudampfschiff' * 30}",
    ],
)
def test_nothing_is_wider_than_the_window(open_page: OpenPage, path: str) -> None:
    """No page scrolls sideways at 1280 pixels."""
    page = open_page(path)
    width = page.evaluate("Math.max(...[...document.querySelectorAll('[data-testid=stMain]')].map(e => e.scrollWidth))")
    assert width <= 1280


@pytest.mark.long
def test_a_fresh_server_opens_any_page(new_visitor: NewVisitor, fresh_address: str) -> None:
    """The first address that a server is asked for may be any page; it has its navigation."""
    page = new_visitor().new_page()
    page.goto(f"{fresh_address}/taxonomies?section=browse&group=2")
    expect(page.get_by_role("link", name="Link titles")).to_be_visible()
    expect(page.get_by_role("button", name=re.compile("^22 "))).to_be_visible()
    expect(page.get_by_text("review table")).to_have_count(0)


@pytest.mark.thorough
def test_two_users_do_not_mix(open_page: OpenPage) -> None:
    """Each session has its own title and answer."""
    first, second = open_page("/"), open_page("/")
    type_title(first, "plombier")
    type_title(second, "camarero")
    expect(first.locator(".st-key-card_1")).to_contain_text("Plumbers")
    expect(second.locator(".st-key-card_1")).to_contain_text("Waiters")
    expect(first.locator(".st-key-card_1")).to_contain_text("Plumbers")
