"""The figure that moves from one model's map to another's: its frames, labels and displayed part."""

from dataclasses import replace

import numpy as np
import pytest

from jobmatch_core.errors import MapError
from jobmatch_core.maps.items import CATEGORY, FAMILY
from jobmatch_core.maps.latent_map import LatentMap
from jobmatch_core.maps.moving_figure import moving_map
from jobmatch_core.maps.picture import View

NAMES = ("first", "second")


@pytest.fixture
def other(latent: LatentMap) -> LatentMap:
    """The same items, mirrored and moved."""
    return replace(latent, model="other", positions=(5 - latent.positions).astype(np.float32))


def test_every_point_arrives(latent: LatentMap, other: LatentMap) -> None:
    """The first frame has the first model's positions, the last one the second's; half-way they are in the middle."""
    figure = moving_map(latent, other, View(CATEGORY), "light", NAMES).figure
    start, half, end = figure.frames[0], figure.frames[len(figure.frames) // 2], figure.frames[-1]
    middle = (latent.positions + other.positions) / 2
    for place, trace in enumerate(figure.data):
        rows = [latent.items.ids.index(each[0]) for each in trace.customdata]
        for frame, positions in ((start, latent.positions), (half, middle), (end, other.positions)):
            assert frame.traces[place] == place
            moved = np.column_stack([frame.data[place].x, frame.data[place].y])
            assert moved == pytest.approx(positions[rows], abs=1e-5)


def test_each_button_moves_to_its_model(latent: LatentMap, other: LatentMap) -> None:
    """The first button plays the frames backwards, the second one forwards; names are escaped."""
    figure = moving_map(latent, other, View(CATEGORY), "dark", ("<b>a</b>", "second")).figure
    names = [frame.name for frame in figure.frames]
    back, forth = figure.layout.updatemenus[0].buttons
    assert (list(back.args[0]), list(forth.args[0])) == (names[::-1], names)
    assert "<b>" not in back.label


def test_labels_belong_to_one_map(latent: LatentMap, other: LatentMap) -> None:
    """None is visible on the way; densities and lines, which belong to one model's positions, are left out."""
    figure = moving_map(latent, other, View(FAMILY, contours=True, lines=True), "light", NAMES).figure
    shown = [[note.text for note in frame.layout.annotations if note.visible is not False] for frame in figure.frames]
    assert min(len(shown[0]), len(shown[-1])) > 1
    assert (shown[0][0], shown[-1][0]) == ("Shown: map of first", "Shown: map of second")
    assert set(map(tuple, shown[1:-1])) == {("Moving …",)}
    assert figure.layout.updatemenus[0].showactive
    assert figure.layout.annotations[0].text == "Shown: map of first"
    assert figure.layout.yaxis.scaleanchor == "x"
    assert len({len(frame.layout.annotations) for frame in figure.frames}) == 1
    assert {trace.type for trace in figure.data} == {"scattergl"}


def test_both_maps_are_in_sight(latent: LatentMap, other: LatentMap) -> None:
    """What was found moves with the others, and so do the grey points outside the shown group."""
    drawn = moving_map(latent, other, View(FAMILY, within="work", centre=25), "light", NAMES)
    inside = np.concatenate([group.rows for group in drawn.picture.groups])
    for positions in (latent.positions, other.positions):
        assert drawn.picture.frame.holds(positions[inside]).all()
    last = drawn.figure.frames[-1]
    assert len(last.data) == len(drawn.figure.data)
    assert [last.data[-1].x[0], last.data[-1].y[0]] == pytest.approx(other.positions[25].tolist())


def test_other_items(latent: LatentMap, other: LatentMap) -> None:
    """Points can only move to maps of the same items."""
    with pytest.raises(MapError, match="same items"):
        moving_map(latent, replace(other, items=other.items.take(range(5))), View(), "light", NAMES)
