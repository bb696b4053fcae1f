"""A map as a Plotly figure: points by WebGL, contours, labels, lines. Points carry their ids, not their rows."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
import plotly.graph_objects as go

from jobmatch_core.maps.items import LANGUAGE
from jobmatch_core.maps.latent_map import LatentMap
from jobmatch_core.maps.palette import CONFIDENCES, LABELS
from jobmatch_core.maps.picture import NOT_SAID, SHARES, THE_REST, Group, Picture, Theme, View, picture_of
from jobmatch_core.text.folding import plotly_text

_HEIGHT = 680
_SIZE, _SIZES = 32.0, (2.0, 10.0)  # pixels: size of a single point, and limits of the size if there are many
_TITLE_HEIGHT = 48
_LEGEND_LETTERS = 38
_LABEL_SHIFT = 11  # pixels above the point that a label stands for, which would be hidden otherwise
_FAINT = "#8a949b"
_LINE = "rgba(128,128,128,0.55)"
_HOVER_LETTERS = 90
LABEL_COLOURS = {"light": ("rgba(255,255,255,0.78)", "#1d2730"), "dark": ("rgba(20,25,29,0.78)", "#e6eaed")}
FOUND, SAME, SHOWN, MOVING = "found", "names of one occupation", "Shown: map of {model}", "Moving …"
# all other names come from the data
WORDS = (NOT_SAID, THE_REST, FOUND, SAME, SHOWN, MOVING, *CONFIDENCES, *LABELS)


@dataclass(frozen=True, slots=True)
class Spelling:
    """How a figure spells names, `WORDS` among them, and numbers; in English by default."""

    name: Callable[[str], str] = str
    number: Callable[[int], str] = "{:,}".format


ENGLISH = Spelling()


@dataclass(frozen=True, slots=True)
class DrawnMap:
    """A map's picture and its figure."""

    picture: Picture
    figure: go.Figure


def drawn_map(latent: LatentMap, view: View, theme: Theme, spelling: Spelling = ENGLISH) -> DrawnMap:
    """Compute a map's picture and draw it without a title; raises MapError if the view is empty, see `picture_of`."""
    picture = picture_of(latent, view)
    return DrawnMap(picture, figure_of(picture, "", theme, spelling))


def figure_of(picture: Picture, title: str, theme: Theme = "light", spelling: Spelling = ENGLISH) -> go.Figure:
    """Draw a picture, with a title in one line if there is one."""
    figure = go.Figure()
    _add_outside(figure, picture)
    _add_lines(figure, picture, spelling)
    for group in picture.groups:
        _add_points(figure, picture, group, spelling)
    for group in picture.groups:
        _add_contours(figure, group)
    _add_centre(figure, picture, spelling)
    frame, latent = picture.frame, picture.latent
    figure.update_layout(
        title=plotly_text(title) or None,
        annotations=labels_of(picture, theme, spelling),
        height=_HEIGHT,
        dragmode="pan",  # with the lasso, Streamlit selects no point by a click
        uirevision=f"{title} {latent.items.source} {latent.model} {latent.setting} {picture.view}",
        legend={
            "title": {"text": picture.field if title else "", "side": "top left"},
            "font": {"size": 12},
            "itemsizing": "constant",
            "orientation": "h",
            "x": 0,
            "y": -0.01,
            "yanchor": "top",
        },
        margin={"l": 0, "r": 0, "t": _TITLE_HEIGHT if title else 0, "b": 0},
        showlegend=bool(picture.field),
        xaxis=_axis(frame.left, frame.right),
        # distances mean the same in both directions, whatever the window's shape
        yaxis=_axis(frame.bottom, frame.top) | {"scaleanchor": "x"},
    )
    return figure


def _axis(start: float, end: float) -> dict[str, Any]:
    # found anew when the chart's height changes: a fixed range would grow with each opening of the selection
    return {"visible": False, "autorangeoptions": {"clipmin": start, "clipmax": end, "include": [start, end]}}


def point_size(count: int) -> float:
    """Return the size of one of *count* points in pixels: the more points, the smaller, by their fourth root."""
    least, most = _SIZES
    return float(min(max(_SIZE / max(count, 1) ** 0.25, least), most))


# points outside the selected value are visible, but have no ids, so that they cannot be selected
def _add_outside(figure: go.Figure, picture: Picture) -> None:
    if len(picture.outside):
        x, y = picture.latent.positions[picture.outside].T
        figure.add_scattergl(
            x=x,
            y=y,
            mode="markers",
            hoverinfo="skip",
            showlegend=False,
            marker={"color": _FAINT, "size": point_size(len(picture.latent.items)), "opacity": 0.12},
        )


def _add_points(figure: go.Figure, picture: Picture, group: Group, spelling: Spelling) -> None:
    latent, name = picture.latent, spelling.name(group.name)
    x, y = latent.positions[group.rows].T
    # arrays, because Plotly checks every item of a list, which doubles the time
    ids = np.array([[latent.items.ids[row]] for row in group.rows.tolist()], dtype=object)
    texts = np.array(_hovers(picture, group), dtype=object)
    figure.add_scattergl(
        x=x,
        y=y,
        mode="markers",
        name=f"{plotly_text(_cut(name))} ({spelling.number(len(group.rows))})",
        meta=plotly_text(name),
        marker={"color": group.colour, "size": point_size(len(latent.items)), "opacity": 0.7},
        customdata=ids,
        text=texts,
        hovertemplate="%{text}<extra>%{meta}</extra>",
    )


def _cut(name: str) -> str:
    return name if len(name) <= _LEGEND_LETTERS else f"{name[: _LEGEND_LETTERS - 1]}…"


# the contours that contain 85 % and 50 % of a group
def _add_contours(figure: go.Figure, group: Group) -> None:
    if group.density is None:
        return
    density = group.density
    outer, inner = (density.level(share) for share in SHARES)
    figure.add_contour(
        x=density.xs,
        y=density.ys,
        z=density.values,
        showscale=False,
        hoverinfo="skip",
        showlegend=False,
        colorscale=[[0, group.colour], [1, group.colour]],
        line={"width": 1.6},
        contours={"coloring": "lines", "start": outer, "end": inner, "size": max(inner - outer, outer * 1e-6)},
    )


def _add_lines(figure: go.Figure, picture: Picture, spelling: Spelling) -> None:
    if not picture.lines:
        return
    positions = picture.latent.positions
    xs: list[float | None] = []
    ys: list[float | None] = []
    for first, *others in picture.lines:
        for row in others:
            xs += [float(positions[first, 0]), float(positions[row, 0]), None]
            ys += [float(positions[first, 1]), float(positions[row, 1]), None]
    figure.add_scattergl(
        x=xs, y=ys, mode="lines", line={"color": _LINE, "width": 1}, hoverinfo="skip", name=spelling.name(SAME)
    )


def _add_centre(figure: go.Figure, picture: Picture, spelling: Spelling) -> None:
    if picture.view.centre is None:
        return
    x, y = (float(value) for value in picture.latent.positions[picture.view.centre])
    figure.add_scatter(
        x=[x],
        y=[y],
        mode="markers",
        name=spelling.name(FOUND),
        hoverinfo="skip",
        marker={"symbol": "circle-open", "size": 22, "color": "#D55E00", "line": {"width": 3}},
    )


def labels_of(picture: Picture, theme: Theme, spelling: Spelling) -> list[dict[str, object]]:
    """Return a picture's labels as Plotly's annotations, with a background: legible over lines and points."""
    ground, ink = LABEL_COLOURS[theme]
    return [
        {
            "x": label.x,
            "y": label.y,
            "text": plotly_text(spelling.name(label.text)),
            "showarrow": False,
            "yshift": _LABEL_SHIFT,
            "bgcolor": ground,
            "borderpad": 1,
            "font": {"size": 12, "color": ink},
        }
        for label in picture.labels
    ]


def _hovers(picture: Picture, group: Group) -> list[str]:
    items = picture.latent.items
    languages = items.values(LANGUAGE)
    cut = ((items.texts[row][:_HOVER_LETTERS], languages[row]) for row in group.rows.tolist())
    return [plotly_text(f"{text} ({language})" if language else text) for text, language in cut]
