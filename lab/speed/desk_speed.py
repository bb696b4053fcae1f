"""Speed of the review desk in Chromium: from a workbook to a linked table, keys, a correction, and changes of page.

A made-up workbook of everyday titles in 15 languages is uploaded to `jobmatch app`, whose home has the taxonomies and
indexes of the user's, and no lists or judgments. Seconds are from a key or click until the next state is drawn and
nothing runs any more.
"""

import re
import tempfile
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from openpyxl import Workbook
from playwright.sync_api import Locator, Page, ViewportSize, expect

from jobmatch_core.entities import Progress, no_progress
from jobmatch_core.metrics.gauges import timed
from jobmatch_core.settings import Settings
from lab.experiments.real_titles import read_real_titles
from lab.speed.chromium import open_page
from lab.speed.process_gauges import process_seconds
from lab.speed.running_server import running_server

_WINDOW = ViewportSize(width=1280, height=900)
_N_ROWS = 376
_HEADER, _ROW = 36, 32  # pixels of the table
_WARM_UP = 3  # keys that are not counted
_PAGES = ("Job descriptions", "Link titles", "Taxonomies", "Link titles", "Help", "Link titles")
_SEED = 7
# from the press of a key to a drawn next title, in the browser's own time
_WATCH_JS = """() => {
  const heading = () => document.querySelector(".st-key-panel_title")?.innerText;
  const isRunning = () => document.querySelector("[data-testid=stApp]").dataset.testScriptState !== "notRunning";
  const before = heading();
  window.deskSeconds = null;
  window.addEventListener("keydown", () => {
    const start = performance.now();
    const look = () => {
      if (heading() && heading() !== before && !isRunning()) window.deskSeconds = (performance.now() - start) / 1000;
      else requestAnimationFrame(look);
    };
    look();
  }, { capture: true, once: true });
}"""


@dataclass(frozen=True, slots=True)
class KeySpeed:
    """Seconds from a key to the next title, and what they cost."""

    # p50_s, p95_s: median and 95th percentile
    p50_s: float
    p95_s: float
    server_s: float  # mean processor seconds of the server
    received_kb: float  # mean size of what the server sends, in kB before compression


@dataclass(frozen=True, slots=True)
class DeskSpeed:
    """What is measured at the desk."""

    taxonomy: str  # id of the taxonomy
    rows: int  # number of rows of the workbook
    upload_clicks: int  # clicks from the page to the linked table
    # read_s, link_s: seconds from the chosen file to the button 'Link', and from it to the linked table
    read_s: float
    link_s: float
    upload_server_s: float  # processor seconds of the server for both, and of the processes that it starts
    # skip, accept: 'S', which decides nothing, and 'A'
    skip: KeySpeed
    accept: KeySpeed
    correction_s: float  # seconds from '/' to the next title with another occupation: words, Enter, 1
    rows_visible: int  # rows of the table in sight, of a window of 1280 x 900
    page_p95_s: float  # 95th percentile of changes between pages that were open before


def measure_desk_speed(
    taxonomy: str, *, keys: int = 10, settings: Settings | None = None, progress: Progress = no_progress
) -> DeskSpeed:
    """Start the app, and use it in Chromium.

    Args:
        taxonomy: id of an installed taxonomy whose index is built.
        keys: number of presses of each key.
        settings: locations of the taxonomies and indexes; from the environment by default.
        progress: called with steps done and steps in all.

    Raises:
        SettingsError: there is no Chromium.
        LinkingError: the app did not start.
    """
    settings = settings or Settings.from_environment()
    with tempfile.TemporaryDirectory() as folder:
        home = _home(Path(folder) / "home", settings)
        book = _workbook(Path(folder) / "staff.xlsx")
        command, ready = ["jobmatch", "app", "--headless", "--port"], "/_stcore/health"
        with running_server(command, ready, home) as server, open_page(_WINDOW) as page:
            desk = _Desk(page, f"http://127.0.0.1:{server.port}", server.process)
            desk.open(f"/?view=many&taxonomy={taxonomy}")
            progress(1, 5)
            clicks, read_s, link_s, upload_server_s = desk.upload(book)
            progress(2, 5)
            rows_visible = desk.rows_visible()
            skip, accept = desk.press("s", keys), desk.press("a", keys)
            progress(3, 5)
            correction_s = desk.correct("nurse")
            progress(4, 5)
            page_p95_s = desk.change_pages()
            progress(5, 5)
    return DeskSpeed(
        taxonomy, _N_ROWS, clicks, read_s, link_s, upload_server_s, skip, accept, correction_s, rows_visible, page_p95_s
    )


def _home(home: Path, settings: Settings) -> Settings:
    home.mkdir()
    for name in ("taxonomies", "indexes"):
        if (settings.home / name).exists():
            (home / name).symlink_to((settings.home / name).resolve())
    return Settings(home)


def _workbook(path: Path) -> Path:
    """Write two sheets; the second has a heading, and titles some of which are untidy or occur twice."""
    chosen = np.random.default_rng(_SEED)
    titles = [title.title for title in read_real_titles()]
    titles += [f"{title} (m/w/d)" for title in titles[: (_N_ROWS - len(titles)) // 2]]
    titles += list(map(str, chosen.choice(titles, _N_ROWS - len(titles))))
    book = Workbook()
    book.active.append(["Customers"])
    sheet = book.create_sheet("Positions")
    for row in (["Positions, November"], [], ["No", "Customer", "Job title", "Hours"]):
        sheet.append(row)
    for number, title in enumerate(chosen.permutation(titles), 1):
        sheet.append([number, f"Customer {number // 6}", str(title), 40])
    book.save(path)
    return path


class _Desk:
    def __init__(self, page: Page, address: str, server: int) -> None:
        self._page, self._address, self._server = page, address, server
        self._received = 0
        page.on("websocket", lambda socket: socket.on("framereceived", self._receive))

    def open(self, path: str) -> None:
        cookie = {"name": "jobmatch_annotator", "value": "bench", "url": self._address}
        self._page.context.add_cookies([cookie])  # type: ignore[list-item]  # a dict of its own type
        self._page.goto(self._address + path)
        self._settle()

    def upload(self, book: Path) -> tuple[int, float, float, float]:
        page, before = self._page, process_seconds(self._server)
        field = page.get_by_test_id("stFileUploaderDropzoneInput")
        expect(field).to_be_attached()
        link = page.get_by_role("button", name=re.compile(r"^Link \d+ titles$"))

        def read() -> None:
            field.set_input_files(book)
            expect(link).to_be_enabled()

        def linked() -> None:
            link.click()
            expect(page.locator(".st-key-verdicts")).to_be_visible()
            self._settle()

        read_s, link_s = timed(read)[0], timed(linked)[0]
        clicks = 2  # the file, 'Link'
        return clicks, read_s, link_s, process_seconds(self._server) - before

    def rows_visible(self) -> int:
        box = self._page.locator(".st-key-desk_table").get_by_test_id("stDataFrame").bounding_box()
        if box is None:  # it is not drawn
            return 0
        return int(min(box["height"], _WINDOW["height"] - box["y"]) - _HEADER) // _ROW

    def press(self, key: str, count: int) -> KeySpeed:
        seconds: list[float] = []
        for number in range(_WARM_UP + count):
            if number == _WARM_UP:
                before, received = process_seconds(self._server), self._received
            seconds.append(self._watched(lambda: self._page.keyboard.press(key)))
        server_s = (process_seconds(self._server) - before) / count
        kept = seconds[_WARM_UP:]
        received_kb = (self._received - received) / count / 1000
        return KeySpeed(float(np.median(kept)), float(np.percentile(kept, 95)), server_s, received_kb)

    def correct(self, words: str) -> float:
        """Decide for a hit of a search, as one who types ten letters a second does."""
        hits = self._page.locator(".st-key-panel_options").get_by_text("Found as")

        def decided() -> None:
            self._page.keyboard.press("/")
            self._page.keyboard.type(words, delay=100)
            self._page.keyboard.press("Enter")
            expect(hits.first).to_be_visible()
            self._settle()
            self._page.keyboard.press("1")

        self._watched(decided)  # the first search opens its index
        return self._watched(decided)

    def change_pages(self) -> float:
        seconds = [timed(lambda name=name: self._go_to(name))[0] for name in _PAGES * 3]  # type: ignore[misc]
        return float(np.percentile(seconds[len(_PAGES) :], 95))

    def _go_to(self, name: str) -> None:
        self._page.get_by_test_id("stTopNavLink").filter(has_text=name).first.click()
        expect(self._page).to_have_title(f"{name} · jobmatch")
        self._settle()

    def _watched(self, act: Callable[[], None]) -> float:
        self._page.evaluate(_WATCH_JS)
        act()
        self._page.wait_for_function("() => window.deskSeconds !== null")
        return float(self._page.evaluate("() => window.deskSeconds"))

    def _settle(self) -> None:
        app: Locator = self._page.get_by_test_id("stApp")
        expect(app).to_have_attribute("data-test-script-state", "notRunning")
        expect(self._page.get_by_test_id("stSkeleton")).to_have_count(0)

    def _receive(self, frame: bytes | str) -> None:
        self._received += len(frame)
