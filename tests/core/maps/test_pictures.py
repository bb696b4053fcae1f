"""Pictures of maps: groups, one family, the central point, lines; as a figure, a still, a page and a table."""

from dataclasses import replace
from itertools import combinations
from pathlib import Path
from typing import Any

import pandas as pd
import pytest

from jobmatch_core.errors import DataFileError, MapError
from jobmatch_core.maps.figure import figure_of, point_size
from jobmatch_core.maps.items import CATEGORY, CLUSTER, CONFIDENCE, FAMILY, LANGUAGE, MAJOR
from jobmatch_core.maps.latent_map import LatentMap
from jobmatch_core.maps.map_file import check_ending, save_map, still_figure
from jobmatch_core.maps.palette import MAJOR_GROUPS, MOST, OTHERS, colours
from jobmatch_core.maps.picture import NOT_SAID, THE_REST, View, picture_of


def points(figure: Any) -> dict[str, list[str]]:
    """Return the ids that each trace with ids carries."""
    return {trace.name: [each[0] for each in trace.customdata] for trace in figure.data if trace.customdata is not None}


def test_every_point_carries_its_id(latent: LatentMap) -> None:
    """Each id occurs once, in the group of its value; labels do not overlap."""
    picture = picture_of(latent, View(CATEGORY))
    figure = figure_of(picture, "made")
    found = points(figure)
    assert set(found) == {"nurse (20)", "driver (20)", "cook (20)"}
    assert sorted(id_ for ids in found.values() for id_ in ids) == sorted(latent.items.ids)
    assert found["nurse (20)"] == [f"id{row}" for row in range(20)]
    assert {note.text for note in figure.layout.annotations} == {"nurse", "driver", "cook"}


def test_the_legend_is_below_the_map(latent: LatentMap) -> None:
    """Beside the map, it would take a third of the width."""
    legend = figure_of(picture_of(latent, View(CATEGORY)), "made").layout.legend
    assert (legend.orientation, legend.yanchor) == ("h", "top")
    assert legend.y < 0


def test_points_scale_with_their_number() -> None:
    """Few points are large, many small, within limits."""
    sizes = [point_size(count) for count in (1, 100, 500, 5_000, 50_000, 10**6)]
    assert sizes == sorted(sizes, reverse=True)
    assert (sizes[0], sizes[-1]) == (10, 2)


def test_a_label_is_above_its_points(latent: LatentMap) -> None:
    """It would hide a small cluster otherwise; a long name is cut in the legend, and whole under the mouse."""
    figure = figure_of(picture_of(latent, View(CATEGORY)), "made")
    assert {note.yshift > 0 for note in figure.layout.annotations} == {True}
    name = "operator of machines that make other machines"
    items = type(latent.items)(latent.items.kind, "made", latent.items.ids, latent.items.texts, {FAMILY: (name,) * 60})
    [trace] = figure_of(picture_of(replace(latent, items=items), View(FAMILY)), "made").data
    assert (trace.name, trace.meta) == ("operator of machines that make other … (60)", name)


def test_one_family_by_its_categories(latent: LatentMap) -> None:
    """The rest is grey and has no ids, so that it cannot be selected (figure 4, right)."""
    picture = picture_of(latent, View(FAMILY, within="work"))
    assert picture.field == CATEGORY
    assert {group.name for group in picture.groups} == {"driver", "cook"}
    assert len(picture.outside) == 20
    assert sum(map(len, points(figure_of(picture, "made")).values())) == 40
    assert picture.frame.width < picture_of(latent, View(FAMILY)).frame.width + 1e-9


def test_what_was_found_is_in_the_middle(latent: LatentMap) -> None:
    """The central point is joined to its names in other languages."""
    picture = picture_of(latent, View(LANGUAGE, centre=7, lines=True))
    x, y = latent.positions[7].tolist()
    assert (picture.frame.left + picture.frame.right) / 2 == pytest.approx(x, abs=1e-4)
    assert (picture.frame.bottom + picture.frame.top) / 2 == pytest.approx(y, abs=1e-4)
    assert picture.lines == ((6, 7),)
    assert len(picture_of(latent, View(LANGUAGE, lines=True)).lines) == 30


def test_switches(latent: LatentMap) -> None:
    """Densities are drawn on request, labels always; without a colour there is one group."""
    plain, dense = picture_of(latent, View(CATEGORY)), picture_of(latent, View(CATEGORY, contours=True))
    assert [group.density for group in plain.groups] == [None] * 3
    assert all(group.density for group in dense.groups)
    assert plain.labels == dense.labels
    assert len(plain.labels) == 3
    [everything] = picture_of(latent, View()).groups
    assert len(everything.rows) == 60
    assert {group.name for group in picture_of(latent, View(CLUSTER)).groups} - {NOT_SAID}


def test_what_cannot_be_seen(latent: LatentMap) -> None:
    """The messages name the available values."""
    with pytest.raises(MapError, match="they have family, category, language"):
        picture_of(latent, View(CONFIDENCE))
    with pytest.raises(MapError, match="No item has the family 'x'"):
        picture_of(latent, View(FAMILY, within="x"))


def test_many_values_leave_a_rest(latent: LatentMap) -> None:
    """At most twelve colours, largest groups first; missing values are a group of their own."""
    values = tuple(str(row % 30) if row < 50 else "" for row in range(60))
    items = type(latent.items)(latent.items.kind, "made", latent.items.ids, latent.items.texts, {CONFIDENCE: values})
    many = type(latent)(items, "made", latent.vectors, latent.setting, latent.positions, 60)
    groups = picture_of(many, View(CONFIDENCE)).groups
    assert [group.name for group in groups][-2:] == [THE_REST, NOT_SAID]
    assert len(groups) == MOST - 1 + 2
    assert sum(len(group.rows) for group in groups) == 60
    assert groups[-1].colour == OTHERS


def test_major_groups_keep_their_colours() -> None:
    """The colours do not depend on the groups that are present."""
    assert colours(MAJOR, ["7 Craft", "0 Army"]) == {"7 Craft": MAJOR_GROUPS["7"], "0 Army": MAJOR_GROUPS["0"]}
    assert len(set(colours(FAMILY, [str(n) for n in range(MOST)]).values())) == MOST


def test_hostile_texts_are_no_markup(latent: LatentMap) -> None:
    """Plotly's HTML and matplotlib's formulas are escaped."""
    evil = "<b>x</b> & $\\frac{1}$ <a href='javascript:1'>y</a>"
    items = type(latent.items)(
        latent.items.kind, "made", latent.items.ids, (evil,) * 60, {FAMILY: (evil,) * 30 + ("b",) * 30}
    )
    hostile = type(latent)(items, "made", latent.vectors, latent.setting, latent.positions, 60)
    picture = picture_of(hostile, View(FAMILY))
    assert "<b>" not in figure_of(picture, evil).to_json()
    assert still_figure(picture, evil).canvas.get_renderer() is not None  # type: ignore[attr-defined]


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_labels_of_a_still_do_not_overlap(latent: LatentMap, theme: Any) -> None:
    """Measured in the rendered picture."""
    figure = still_figure(picture_of(latent, View(CATEGORY)), "made", theme=theme, note="a note")
    figure.canvas.draw()
    boxes = [text.get_window_extent() for text in figure.axes[0].texts]
    assert len(boxes) == 3
    assert not any(one.overlaps(other) for one, other in combinations(boxes, 2))
    assert [text.get_text() for text in figure.axes[0].get_legend().get_texts()] == [
        "cook (20)",
        "driver (20)",
        "nurse (20)",
    ]


@pytest.mark.parametrize(("ending", "start"), [("png", b"\x89PNG"), ("svg", b"<?xml"), ("html", b"<!doctype html>")])
def test_files(ending: str, start: bytes, latent: LatentMap, tmp_path: Path) -> None:
    """Files are written atomically; a page is self-contained."""
    path = tmp_path / f"map.{ending}"
    save_map(picture_of(latent, View(CATEGORY)), "made", path)
    assert path.read_bytes().startswith(start)
    assert list(tmp_path.iterdir()) == [path]
    if ending == "html":
        assert 'src="http' not in path.read_text("utf-8")


def test_a_table_of_points(latent: LatentMap, tmp_path: Path) -> None:
    """The table reads back unchanged."""
    path = tmp_path / "map.parquet"
    save_map(picture_of(latent, View()), "made", path)
    table = pd.read_parquet(path)
    assert table["id"].to_list() == list(latent.items.ids)
    assert table["x"].to_numpy() == pytest.approx(latent.positions[:, 0])


def test_other_endings(tmp_path: Path) -> None:
    """The error comes before a map is computed."""
    with pytest.raises(DataFileError):
        check_ending(tmp_path / "map.docx")
