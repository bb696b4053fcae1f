"""The task 'Your titles' of the page 'Scoreboard': the upload, the figures, and the target precision handed over."""

from collections.abc import Callable
from threading import Event
from time import sleep
from typing import Any

import pytest
import streamlit as st
from streamlit.testing.v1 import AppTest

from jobmatch.services.production_rate import ProductionReport, ProductionStudy
from jobmatch_core.entities import Progress, no_progress
from jobmatch_core.errors import LinkingError
from tests.pages.conftest import TINY_ID
from tests.pages.observed import texts

EVIL = "**bold** [z](http://a.org)"
JOBS = {
    "Krankenschwester": ("2221", "2221", "de"),
    "registered nurse": ("2221", "3221", "en"),
    "line cook": ("5120", "5120", "xx"),
    "Kellnerin": ("5131", "5131", "de"),
    "=1+1 " + EVIL: ("7512", "7512", ""),
}
Open = Callable[..., AppTest]


def csv(jobs: dict[str, tuple[str, ...]], repeats: int = 5) -> bytes:
    """Write a table of jobs, the last row without a code."""
    rows = [";".join((title, *cells)) for title, cells in jobs.items()] * repeats
    return "\n".join(["title;isco;other;lang", *rows, "Head of Vibes;;;en"]).encode()


@pytest.fixture
def board(scoreboard: Open) -> AppTest:
    """The page with the task 'Your titles'."""
    return scoreboard(task="own-titles")


def upload(board: AppTest, content: bytes, name: str = "sample.csv") -> AppTest:
    """Upload a file."""
    return board.file_uploader(key="rate_upload").set_value((name, content, "text/csv")).run()


def box(board: AppTest, label: str) -> str:
    """Return the key of the select box with a label."""
    return next(str(each.key) for each in board.selectbox if label in each.label)


def measure(board: AppTest) -> AppTest:
    """Press Measure and wait."""
    return board.button(key="rate_start").click().run(timeout=90)


def test_without_a_file_the_tab_says_what_is_needed(board: AppTest) -> None:
    """The columns in words and an example."""
    assert not board.exception
    assert "at least 20 titles with their ISCO-08 codes" in texts(board)
    assert "Krankenschwester;2221;de" in board.code[0].value
    assert not board.dataframe


def test_a_sample_is_measured(board: AppTest) -> None:
    """Columns are detected; the sentence, the levels, the agreement of people and the download appear."""
    upload(board, csv(JOBS))
    assert not board.exception
    assert board.selectbox(key=box(board, "job titles")).value == "title"
    assert board.selectbox(key=box(board, "ISCO-08")).value == "isco"
    board.selectbox(key=box(board, "second")).set_value("other").run()
    board.selectbox(key=box(board, "languages")).set_value("lang").run()
    measure(board)
    assert not board.exception
    said = texts(board)
    assert "Of your 25 titles, 80% can be coded with at most 1% wrong codes" in said
    assert "Two people agree on 80% of the titles." in said
    assert "sample.csv, linked to Tiny 1; figures for unit groups." in said
    assert "1 row is left out" in said
    assert "No language has 50 titles" in said
    levels = board.dataframe[0].value.to_dict("records")
    assert [row["Level"] for row in levels[::4]] == ["Unit groups", "Minor groups", "Sub-major groups", "Major groups"]
    assert [row["Coder"] for row in levels[:2]] == ["Linker", "Dictionary of equal names"]
    assert (levels[0]["First"], levels[0]["People agree"]) == (0.8, 0.8)
    [download] = board.get("download_button")
    assert download.proto.label == "Download CSV"


def test_figures_by_language(board: AppTest) -> None:
    """A language with 50 titles has figures of its own."""
    upload(board, csv(JOBS, 25))
    board.selectbox(key=box(board, "languages")).set_value("lang").run()
    measure(board)
    assert not board.exception
    languages = board.dataframe[1].value.to_dict("records")
    assert {(row["Language"], row["Titles"]) for row in languages} == {("German", 50)}


@pytest.mark.thorough
def test_figures_outlast_another_page(board: AppTest) -> None:
    """They stay for the session, until a new sample is wanted."""
    measure(upload(board, csv(JOBS)))
    board.switch_page("pages/about/about.py").run()
    board.switch_page("pages/scoreboard/scoreboard.py").run()
    assert not board.exception
    assert "Of your 25 titles" in texts(board)
    board.button(key="rate_new").click().run()
    assert "Of your 25 titles" not in texts(board)
    assert board.file_uploader(key="rate_upload").value is None


def test_the_target_precision_is_used_on_link_titles(board: AppTest) -> None:
    """Its slider, the taxonomy and all languages are set, also if the page was open before with other values."""
    board.switch_page("pages/link_titles/link_titles.py").run()
    board.slider(key="precision").set_value(0.85).run()
    board.multiselect(key="match_languages").set_value(["de"]).run()
    board.switch_page("pages/scoreboard/scoreboard.py").run()
    unsure = {"cooking": ("5120", "5120", "en"), "kitchen": ("5120", "5120", "en")}
    measure(upload(board, csv(JOBS | unsure)))
    board.segmented_control(key="rate_error").set_value(0.10).run()
    [said] = [each.value for each in board.markdown if "Target precision for" in each.value]
    board.button(key="rate_use").click().run()
    assert not board.exception
    assert "Link job titles to occupations" in texts(board)
    assert f"**{board.slider(key='precision').value:.2f}**" in said
    assert board.multiselect(key="match_languages").value == []
    assert board.selectbox(key="taxonomy").value == TINY_ID
    assert not board.warning


@pytest.mark.thorough
def test_a_threshold_above_those_of_all_precisions(board: AppTest) -> None:
    """Equal names have higher scores than any target precision asks for, and the page says so."""
    measure(upload(board, csv(JOBS)))
    assert not board.exception
    assert "No target precision has a threshold as high" in texts(board)


def test_where_no_threshold_reaches_the_error(board: AppTest) -> None:
    """All codes are wrong on purpose: nothing is coded, and no precision is offered."""
    wrong = {title: ("7512", *cells[1:]) for title, cells in list(JOBS.items())[:4]}
    measure(upload(board, csv(wrong)))
    assert not board.exception
    assert "None of your 20 titles can be coded with at most 1% wrong codes" in texts(board)
    assert "No target precision reaches 1% wrong codes" in texts(board)
    assert not [button for button in board.button if button.key == "rate_use"]


def test_codes_of_two_digits(board: AppTest) -> None:
    """The finest level is shown; there is no target precision for it."""
    short = {title: (cells[0][:2], *cells[1:]) for title, cells in JOBS.items()}
    upload(board, csv(short))
    board.selectbox(key=box(board, "ISCO-08")).set_value("isco").run()
    measure(board)
    assert not board.exception
    assert "figures for sub-major groups" in texts(board)
    assert "a sample with codes of four digits" in texts(board)


@pytest.mark.first_case
@pytest.mark.parametrize(
    ("content", "message"),
    [
        (csv(JOBS, 2), "only 10 rows have a title and an ISCO-08 code in 'isco'; 20 are the fewest"),
        (csv({title: ("9999", *cells[1:]) for title, cells in JOBS.items()}), "no row has a title and an ISCO-08 code"),
    ],
)
def test_unusable_samples(board: AppTest, content: bytes, message: str) -> None:
    """Too few rows and no codes are errors in words."""
    upload(board, content)
    board.selectbox(key=box(board, "ISCO-08")).set_value("isco").run()
    measure(board)
    assert not board.exception
    assert message in texts(board)


@pytest.mark.thorough
def test_files_that_cannot_be_read(board: AppTest) -> None:
    """A broken workbook and a table without rows are errors, and one without codes has nothing to measure."""
    upload(board, b"no workbook", "sample.xlsx")
    assert "this is not an Excel workbook" in texts(board)
    upload(board, b"title,isco\n", "empty.csv")
    assert not board.exception
    assert "has no rows" in texts(board)
    upload(board, b"title,place\nnurse,Rome\ncook,Bonn\n", "other.csv")
    assert not board.exception
    assert board.button(key="rate_start").disabled


@pytest.mark.thorough
def test_names_of_files_and_columns_are_shown_as_they_are(board: AppTest) -> None:
    """Nothing in them becomes a link."""
    upload(board, csv(JOBS), "[z](a) *x*.csv")
    measure(board)
    assert not board.exception
    assert "[z](a) *x*.csv" in texts(board)
    assert not any("[z](a)" in each.value for each in board.caption)


def test_the_linkers_figures_do_not_wait_for_other_coders(board: AppTest, monkeypatch: pytest.MonkeyPatch) -> None:
    """They are shown, with the progress of the rest, while the names are still read."""
    goes_on = Event()

    class Slow(ProductionStudy):
        def run(self, progress: Progress = no_progress) -> ProductionReport | None:
            def wait(done: int, total: int) -> None:
                if self.doing.startswith("Reading"):
                    goes_on.wait(60)

            return super().run(wait)

    def follow(job: Any, *unused: object, news: Callable[[], bool]) -> None:
        while not news() and not job.campaign.doing.startswith("Reading"):
            sleep(0.01)
        if not news():
            st.stop()

    monkeypatch.setattr("pages.scoreboard.titles_tab.ProductionStudy", Slow)
    monkeypatch.setattr("pages.scoreboard.titles_tab.follow", follow)
    measure(upload(board, csv(JOBS)))
    assert not board.exception
    assert "Of your 25 titles, 80% can be coded" in texts(board)
    assert set(board.dataframe[0].value["Coder"]) == {"Linker", "Dictionary of equal names"}
    goes_on.set()


def test_a_measurement_is_stopped(board: AppTest, monkeypatch: pytest.MonkeyPatch) -> None:
    """Finished coders are shown; a study that ends with an error shows it."""

    class Stopped(ProductionStudy):
        def run(self, progress: Progress = no_progress) -> ProductionReport | None:
            return super().run(lambda done, total: self.stop() if self.doing.startswith("Reading") else None)

    monkeypatch.setattr("pages.scoreboard.titles_tab.ProductionStudy", Stopped)
    measure(upload(board, csv(JOBS)))
    assert not board.exception
    assert "Stopped. The coders measured so far are shown." in texts(board)
    assert set(board.dataframe[0].value["Coder"]) == {"Linker", "Dictionary of equal names"}

    class Failing(ProductionStudy):
        def run(self, progress: Progress = no_progress) -> ProductionReport | None:
            raise LinkingError("The index is damaged.")

    monkeypatch.setattr("pages.scoreboard.titles_tab.ProductionStudy", Failing)
    board.button(key="rate_new").click().run()
    measure(upload(board, csv(JOBS)))
    assert not board.exception
    assert "The index is damaged." in texts(board)
