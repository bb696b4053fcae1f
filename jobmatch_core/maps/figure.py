"""A map as a Plotly figure: points by WebGL, contours, labels, lines. Points carry their ids, not their rows."""

from dataclasses import dataclass

import numpy as np
import plotly.graph_objects as go

from jobmatch_core.maps.items import LANGUAGE
from jobmatch_core.maps.latent_map import LatentMap
from jobmatch_core.maps.picture import SHARES, Group, Picture, Theme, View, picture_of
from jobmatch_core.text.folding import plotly_text

_HEIGHT = 680
_SMALL, _LARGE, _FEW = 3.5, 7.0, 500  # sizes of points; large up to so many points
_FAINT = "#8a949b"
_LINE = "rgba(128,128,128,0.55)"
_HOVER_LETTERS = 90
_LABEL_COLOURS = {"light": ("rgba(255,255,255,0.78)", "#1d2730"), "dark": ("rgba(20,25,29,0.78)", "#e6eaed")}


@dataclass(frozen=True, slots=True)
class DrawnMap:
    """A map's picture and its figure."""

    picture: Picture
    figure: go.Figure


def drawn_map(latent: LatentMap, view: View, title: str, theme: Theme) -> DrawnMap:
    """Compute a map's picture and draw it.

    Raises:
        MapError: the view is empty, see `picture_of`.
    """
    picture = picture_of(latent, view)
    return DrawnMap(picture, figure_of(picture, title, theme))


def figure_of(picture: Picture, title: str, theme: Theme = "light") -> go.Figure:
    """Draw a picture with a title in one line."""
    figure = go.Figure()
    _add_outside(figure, picture)
    _add_lines(figure, picture)
    for group in picture.groups:
        _add_points(figure, picture, group)
    for group in picture.groups:
        _add_contours(figure, group)
    _add_centre(figure, picture)
    frame = picture.frame
    figure.update_layout(
        title=plotly_text(title),
        annotations=_labels(picture, theme),
        height=_HEIGHT,
        dragmode="lasso",
        uirevision=f"{title} {picture.view}",
        legend={
            "title": {"text": picture.field, "side": "top left"},
            "itemsizing": "constant",
            "orientation": "h",
            "x": 0,
            "y": -0.01,
            "yanchor": "top",
        },
        margin={"l": 0, "r": 0, "t": 48, "b": 0},
        showlegend=bool(picture.field),
        xaxis={"visible": False, "range": [frame.left, frame.right]},
        yaxis={"visible": False, "range": [frame.bottom, frame.top]},
    )
    return figure


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
            marker={"color": _FAINT, "size": _SMALL, "opacity": 0.12},
        )


def _add_points(figure: go.Figure, picture: Picture, group: Group) -> None:
    latent = picture.latent
    x, y = latent.positions[group.rows].T
    # arrays, because Plotly checks every item of a list, which doubles the time
    ids = np.array([[latent.items.ids[row]] for row in group.rows.tolist()], dtype=object)
    texts = np.array(_hovers(picture, group), dtype=object)
    figure.add_scattergl(
        x=x,
        y=y,
        mode="markers",
        name=f"{plotly_text(group.name)} ({len(group.rows):,})",
        marker={"color": group.colour, "size": _LARGE if len(latent.items) <= _FEW else _SMALL, "opacity": 0.65},
        customdata=ids,
        text=texts,
        hovertemplate="%{text}<extra>%{fullData.name}</extra>",
    )


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


def _add_lines(figure: go.Figure, picture: Picture) -> None:
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
        x=xs, y=ys, mode="lines", line={"color": _LINE, "width": 1}, hoverinfo="skip", name="names of the same"
    )


def _add_centre(figure: go.Figure, picture: Picture) -> None:
    if picture.view.centre is None:
        return
    x, y = (float(value) for value in picture.latent.positions[picture.view.centre])
    figure.add_scatter(
        x=[x],
        y=[y],
        mode="markers",
        name="found",
        hoverinfo="skip",
        marker={"symbol": "circle-open", "size": 22, "color": "#D55E00", "line": {"width": 3}},
    )


# annotations with a background, legible over lines and points
def _labels(picture: Picture, theme: Theme) -> list[dict[str, object]]:
    ground, ink = _LABEL_COLOURS[theme]
    return [
        {
            "x": label.x,
            "y": label.y,
            "text": plotly_text(label.text),
            "showarrow": False,
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
