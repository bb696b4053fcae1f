"""Pictures of growth: they hold the points, and the same curves give the same file."""

from pathlib import Path
from xml.etree import ElementTree

import numpy as np
import pytest

from jobmatch_core.benchmarks.growth.growth_curve import Curve, Point
from jobmatch_core.benchmarks.growth.growth_picture import check_pictures, growth_figure, save_growth_picture
from jobmatch_core.errors import SettingsError


def curve(series: str, step: str, *points: Point, by_wall: bool = False) -> Curve:
    """Return a curve over names."""
    return Curve(series, "names", step, points, by_wall)


CURVES = [
    curve("names", "build", Point(10, 2.0, 1.0, 5.0), Point(100, 20.0, 10.0, 50.0)),
    curve("names", "link <b>", Point(10, 2.0, 3.0, 5.0), Point(100, 20.0, 300.0, 5.0)),
    curve("workers", "link", Point(1, 8.0, 1.0, 5.0), Point(4, 2.0, 1.0, 20.0), by_wall=True),
]


def test_the_points_are_drawn() -> None:
    """A row for each series; on the left the seconds that are fitted, on the right the memory, each with its line."""
    axes = growth_figure(CURVES, "Growth").axes
    assert len(axes) == 4
    drawn = [[line.get_xydata().tolist() for line in each.lines] for each in axes]
    assert drawn[0][0] == [[10, 1], [100, 10]]
    assert drawn[0][2] == [[10, 3], [100, 300]]
    assert drawn[1][2] == [[10, 5], [100, 5]]
    assert drawn[2][0] == [[1, 8], [4, 2]]
    for panel in drawn:  # of two points the fitted line is the line itself
        assert np.allclose(panel[0::2], panel[1::2])


def test_exponents_stand_beside_the_names() -> None:
    """Seconds: 1 and 2, and -1 of the wall clock; memory: 1, 0 and 1."""
    texts = [[text.get_text() for text in each.get_legend().get_texts()] for each in growth_figure(CURVES, "").axes]
    assert texts[0] == ["build: n^1.00", "link <b>: n^2.00"]
    assert texts[1] == ["build: n^1.00", "link <b>: n^0.00"]
    assert (texts[2], texts[3]) == (["link: n^-1.00"], ["link: n^1.00"])
    assert [each.get_ylabel() for each in growth_figure(CURVES, "").axes][::2] == [
        "seconds of processor time", "seconds",
    ]  # fmt: skip


def test_the_file(tmp_path: Path) -> None:
    """The same again, valid XML, and its words are words."""
    first, second = tmp_path / "new" / "one.svg", tmp_path / "two.svg"
    check_pictures(first.parent)
    for path in (first, second):
        save_growth_picture(CURVES, "Growth of linking", path)
    assert first.read_bytes() == second.read_bytes()
    words = " ".join(ElementTree.parse(first).getroot().itertext())  # our own file
    assert "Growth of linking" in words
    assert "build: n^1.00" in words


def test_a_folder_that_cannot_be_one(tmp_path: Path) -> None:
    """Said before anything is measured."""
    (tmp_path / "file").write_text("", "utf-8")
    with pytest.raises(SettingsError, match=r"file/pictures .*could not be made"):
        check_pictures(tmp_path / "file" / "pictures")


def test_a_file_that_cannot_be_written(tmp_path: Path) -> None:
    """A folder is where the file should be."""
    (tmp_path / "one.svg" / "x").mkdir(parents=True)
    with pytest.raises(SettingsError, match=r"one.svg could not be written"):
        save_growth_picture(CURVES, "Growth", tmp_path / "one.svg")
