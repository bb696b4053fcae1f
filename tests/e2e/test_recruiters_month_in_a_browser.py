"""A recruiter's month: a messy workbook, forty decisions, a restart, a new list; page, export and store agree."""

import csv
import io
from collections.abc import Collection, Iterator
from pathlib import Path
from typing import NamedTuple

import pytest
from openpyxl import Workbook
from playwright.sync_api import BrowserContext, Page, expect

from db.label_store import LabelStore
from jobmatch_core.entities import Verdict
from jobmatch_core.judged_title import NO_OCCUPATION_URI
from jobmatch_core.settings import Settings
from tests.e2e.conftest import NewVisitor, _running_app, annotator_cookie, settle
from tests.e2e.test_in_a_browser import no_traceback
from tests.e2e.test_many_titles_in_a_browser import upload

TITLES = (
    "Krankenschwester (m/w/d)",
    "cook - full time - Leeds",
    "infirmière H/F",
    "kierowca ciężarówki",
    "Senior Developer",
    "Elektriker",
    "plumber",
    "enfermera",
    "camarero",
    "Bäcker/in",
    "maçon",
    "cuoca",
    "verpleegkundige",
    "teacher",
    "Lagerarbeiter",
    "bookkeeper",
    "Associate",
    "Friseurin",
    "mécanicien auto",
    "Reinigungskraft",
    "dentist",
    "software engineer",
    "Kellner",
    "carpintero",
    "księgowa",
    "motorista",
    "pharmacist",
    "Rechtsanwalt",
    "welder",
    "vendedora",
    "secrétaire",
    "butcher",
    "Maler",
    "architecte",
    "pilot",
    "gardener",
    "Metzger",
    "tailor",
    "roofer",
    "electrician",
    "journalist",
    "Hausmeister",
)
ROWS = (*TITLES, *TITLES[::6])  # some people have the same position
NEW_TITLES = ("police officer", "Tierärztin", "fisherman", "=1+1")
DECISIONS = 40
_BUTTON = 40  # height in pixels


class Decided(NamedTuple):
    """What somebody decided about a title, as the page, an export and the store say it."""

    title: str
    accepted: bool


def workbook(path: Path) -> Path:
    """Write a cover sheet, and below a heading the titles in a sheet of its own, every sixth twice."""
    book = Workbook()
    book.active.title = "Read me"
    book.active.append(["Our staff, printed for the board"])
    staff = book.create_sheet("Staff")
    for cells in (["Staff list"], [], ["No", "Name", "Position", "Since"]):
        staff.append(cells)
    for number, title in enumerate(ROWS, 1):
        staff.append([number, f"Person {number}", title, "2026-11-02"])
    staff.append([None, "Nobody", None, None])
    book.save(path)
    return path


@pytest.fixture
def ann(new_visitor: NewVisitor) -> BrowserContext:
    """Give Ann's browser."""
    return new_visitor()


def opened(ann: BrowserContext, address: str, path: str) -> Page:
    """Open a path as Ann."""
    ann.add_cookies([annotator_cookie("Ann", address)])
    page = ann.new_page()
    page.goto(address + path)
    settle(page)
    return page


def decide(page: Page) -> set[Decided]:
    """Accept what is shown by its key, or press that it is none of these for every fourth title; return all."""
    decided: dict[str, Decided] = {}
    name = page.locator(".st-key-panel_title").get_by_test_id("stMarkdown").nth(1)  # below the row and its status
    for number in range(DECISIONS):
        title = name.inner_text()
        assert title not in decided
        decided[title] = Decided(title, accepted=number % 4 != 3)
        page.keyboard.press("a" if decided[title].accepted else "n")
        counts(page, decided.values())
        expect(name).not_to_have_text(title)
        settle(page)
    return set(decided.values())


def on_one_line(page: Page) -> None:
    """See that the filters, of whatever statuses there are, leave the table in its place."""
    box = page.locator(".st-key-desk_filters").bounding_box()
    assert box is not None
    assert box["height"] < 2 * _BUTTON


def counts(page: Page, decided: Collection[Decided]) -> None:
    """See that the page counts the rows of what was decided, of all that the file has."""
    rows = sum(ROWS.count(each.title) for each in decided)
    expect(page.get_by_text(f"{rows} of {len(ROWS) + 1} decided")).to_be_visible()


def exported(page: Page) -> list[dict[str, str]]:
    """Return the rows of the CSV."""
    page.get_by_role("button", name="Download", exact=True).click()
    with page.expect_download() as download:
        page.locator(".st-key-download_csv button").click()
    page.keyboard.press("Escape")
    return list(csv.DictReader(io.StringIO(Path(download.value.path()).read_text("utf-8-sig"))))


def decisions_of(rows: list[dict[str, str]], column: str) -> Iterator[Decided]:
    """Give what an export says was decided, once for each title."""
    seen = {row[column]: row for row in rows}
    for title, row in seen.items():
        if row["decision"]:
            assert row["decided_by"] == "Ann"
            assert bool(row["decided_uri"]) == (row["decision"] == "accepted")
            yield Decided(title, row["decision"] == "accepted")


def stored(home: Path) -> set[Decided]:
    """Return what the store holds of Ann, once for each title: one with an occupation that fits is accepted."""
    with LabelStore.open(Settings(home).label_store) as store:
        judgments = [each for each in store.judgments() if each.annotator == "Ann" and each.verdict is not None]
    fitting = [each.pair for each in judgments if each.verdict is Verdict.POSITIVE]
    accepted = {pair.left for pair in fitting if pair.right != NO_OCCUPATION_URI}
    return {Decided(title, title in accepted) for title in {each.pair.left for each in judgments}}


@pytest.mark.long
def test_a_recruiters_month(ann: BrowserContext, own_linker_home: Path, tmp_path: Path) -> None:
    """What was decided is on the page, in the file and in the store: at once, after a restart, and next month."""
    with _running_app(own_linker_home) as address:
        page = opened(ann, address, "/?view=many")
        upload(page, workbook(tmp_path / "staff.xlsx"))
        page.get_by_role("button", name=f"Link {len(ROWS)} titles").click()
        counts(page, [])
        settle(page)
        decided = decide(page)
        assert len(decided) == DECISIONS
        on_one_line(page)
        rows = exported(page)
        assert len(rows) == len(ROWS) + 1
        assert set(decisions_of(rows, "Position")) == decided == stored(own_linker_home)
        no_traceback(page)
        path = page.url.removeprefix(address)

    with _running_app(own_linker_home) as address:
        page = opened(ann, address, path)
        counts(page, decided)
        assert exported(page) == rows

        page.get_by_role("button", name="New list").click()
        settle(page)
        next_month = tmp_path / "december.csv"
        next_month.write_text("".join(f"{title}\n" for title in ("title", *TITLES[:20], *NEW_TITLES)), "utf-8")
        upload(page, next_month)
        page.get_by_role("button", name=f"Link {20 + len(NEW_TITLES)} titles").click()
        known = [each for each in decided if each.title in TITLES[:20]]
        expect(page.get_by_text(f"{len(known)} rows use your earlier decisions")).to_be_visible()
        on_one_line(page)
        linked = {row["title"]: row for row in exported(page)}
        before = {row["Position"]: row for row in rows}
        for title, accepted in known:
            chosen = before[title]["decided_uri" if accepted else "link_uri"]
            assert (linked[title]["link_uri"] == chosen) == (accepted or not chosen), title
        decisions = {title: row["decision"] for title, row in linked.items() if row["decision"]}
        assert decisions == {each.title: "none" for each in known if not each.accepted}
        assert set(linked) == {*TITLES[:20], *NEW_TITLES[:-1], "'=1+1"}
        assert stored(own_linker_home) == decided
        no_traceback(page)
