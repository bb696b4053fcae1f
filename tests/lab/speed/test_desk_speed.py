"""Speed of the review desk: the workbook, the home, and a run in a browser; how fast is not asserted."""

from pathlib import Path
from shutil import which

import pytest
from openpyxl import load_workbook

from jobmatch_core.settings import Settings
from jobmatch_core.sheets.table_layout import guess_layout
from lab.speed.chromium import BROWSERS
from lab.speed.desk_speed import _home, _workbook, measure_desk_speed


def test_the_workbook_is_found_out(jobmatch_home: Path, tmp_path: Path) -> None:
    """Its titles are in the second sheet, below a heading; the same in every run."""
    path = _workbook(tmp_path / "staff.xlsx")
    layout = guess_layout(path)
    assert (layout.sheet, layout.header_row, layout.column) == ("Positions", 3, "Job title")
    titles = [row[2] for row in load_workbook(path)["Positions"].iter_rows(min_row=4, values_only=True)]
    assert len(titles) == 376
    assert len(set(titles)) < 376
    again = load_workbook(_workbook(tmp_path / "again.xlsx"))["Positions"]
    assert titles == [row[2] for row in again.iter_rows(min_row=4, values_only=True)]


def test_the_users_lists_are_not_touched(tmp_path: Path) -> None:
    """The app's home has the taxonomies and indexes, nothing else."""
    for name in ("taxonomies", "lists"):
        (tmp_path / "mine" / name).mkdir(parents=True)
    home = _home(tmp_path / "home", Settings(tmp_path / "mine")).home
    assert [path.name for path in home.iterdir()] == ["taxonomies"]
    assert (home / "taxonomies").resolve() == tmp_path / "mine" / "taxonomies"


@pytest.mark.long
@pytest.mark.skipif(not any(map(which, BROWSERS)), reason="no Chromium found")
def test_a_desk_is_measured(use_linker_home: Path) -> None:
    """The app really runs, and every step is done."""
    speed = measure_desk_speed("isco-08", keys=2, settings=Settings(use_linker_home))
    assert (speed.rows, speed.upload_clicks) == (376, 3)
    assert speed.rows_visible >= 16
    seconds = (speed.read_s, speed.link_s, speed.upload_server_s, speed.correction_s, speed.page_p95_s)
    assert min(seconds) > 0
    for key in (speed.skip, speed.accept):
        assert 0 < key.p50_s <= key.p95_s
        assert min(key.server_s, key.received_kb) > 0
