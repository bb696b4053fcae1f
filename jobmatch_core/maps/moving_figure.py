"""A map as a Plotly figure whose points move from one model's positions to another's, and back."""

from dataclasses import replace

import numpy as np
import plotly.graph_objects as go

from jobmatch_core.entities import FloatArray
from jobmatch_core.errors import MapError
from jobmatch_core.maps.density import Frame
from jobmatch_core.maps.figure import ENGLISH, LABEL_COLOURS, MOVING, SHOWN, DrawnMap, Spelling, figure_of, labels_of
from jobmatch_core.maps.latent_map import LatentMap
from jobmatch_core.maps.neighbours import Rows
from jobmatch_core.maps.picture import Picture, Theme, View, picture_of
from jobmatch_core.text.folding import plotly_text

_STEPS = 16
_STEP_MS = 45
_PAPER, _INK = "#c3ced6", "#1d2730"  # of the buttons in both themes: Plotly's colour of a pressed button is near white
_SHOWN_SHIFT = -36  # pixels from the top of the map to the words below the buttons


def moving_map(
    first: LatentMap, second: LatentMap, view: View, theme: Theme, names: tuple[str, str], spelling: Spelling = ENGLISH
) -> DrawnMap:
    """Draw the first model's map, with a button for each model that moves the points to its positions.

    Words below the buttons say whose positions are shown.
    Densities and lines are left out, since they belong to the positions of one model.

    Args:
        second: map of the same items by the second model, aligned with the first.
        names: names of the two models on the buttons.
        spelling: how names and numbers are spelled.

    Raises MapError if the maps have different items, or the view is empty, see `picture_of`.
    """
    if first.items.ids != second.items.ids:
        raise MapError("A map can only move to a map of the same items.")
    still = replace(view, contours=False, lines=False)
    picture, goal = (_framed(picture_of(latent, still), first, second) for latent in (first, second))
    figure = figure_of(picture, "", theme, spelling)
    rows, labels = _rows_of_traces(picture), _labels(picture, goal, theme, names, spelling)
    figure.layout.annotations = labels[0]  # an update would merge them with those of the figure
    figure.frames = [
        go.Frame(
            name=str(number),
            data=[
                {"type": trace.type, "x": places[:, 0], "y": places[:, 1]}
                for trace, own in zip(figure.data, rows, strict=True)
                for places in [_between(first.positions[own], second.positions[own], number / _STEPS)]
            ],
            traces=list(range(len(rows))),
            layout={"annotations": labels[(number > 0) + (number == _STEPS)]},
        )
        for number in range(_STEPS + 1)
    ]
    there = [str(number) for number in range(_STEPS + 1)]
    figure.update_layout(updatemenus=[_buttons(names, (there[::-1], there))])
    return DrawnMap(picture, figure)


def _framed(picture: Picture, first: LatentMap, second: LatentMap) -> Picture:
    # holds every point of both maps, so that found points stay in sight while they move
    shown = np.concatenate([group.rows for group in picture.groups])
    both = np.concatenate([first.positions[shown], second.positions[shown]])
    return replace(picture, frame=Frame.around(both))


def _rows_of_traces(picture: Picture) -> list[Rows]:
    traces = [picture.outside] if len(picture.outside) else []
    traces += [group.rows for group in picture.groups]
    return traces if picture.view.centre is None else [*traces, np.array([picture.view.centre])]


# the labels of the first map, on the way, and of the second map: equally many, since Plotly keeps what a frame lacks
def _labels(
    picture: Picture, goal: Picture, theme: Theme, names: tuple[str, str], spelling: Spelling
) -> tuple[list[dict[str, object]], ...]:
    first, second = (labels_of(each, theme, spelling) for each in (picture, goal))
    count = max(len(first), len(second))
    hidden: dict[str, object] = {"visible": False}
    start, end = (spelling.name(SHOWN).format(model=name) for name in names)
    return tuple(
        [_words(words, theme), *({"visible": True, **label} for label in some), *[hidden] * (count - len(some))]
        for words, some in zip((start, spelling.name(MOVING), end), (first, [], second), strict=True)
    )


def _words(words: str, theme: Theme) -> dict[str, object]:
    ground, ink = LABEL_COLOURS[theme]
    return {
        "visible": True,
        "text": plotly_text(words),
        "xref": "paper",
        "yref": "paper",
        "x": 0,
        "y": 1,
        "xanchor": "left",
        "yanchor": "top",
        "yshift": _SHOWN_SHIFT,
        "showarrow": False,
        "bgcolor": ground,
        "font": {"size": 13, "color": ink},
    }


# slow at both ends
def _between(start: FloatArray, end: FloatArray, share: float) -> FloatArray:
    return np.asarray(start + share * share * (3 - 2 * share) * (end - start), dtype=np.float32)


def _buttons(names: tuple[str, str], orders: tuple[list[str], list[str]]) -> dict[str, object]:
    timing = {"mode": "immediate", "frame": {"duration": _STEP_MS, "redraw": True}, "transition": {"duration": 0}}
    return {
        "type": "buttons",
        "direction": "right",
        "showactive": True,
        "active": 0,
        "x": 0,
        "y": 1,
        "xanchor": "left",
        "yanchor": "top",
        "bgcolor": _PAPER,
        "font": {"color": _INK},
        "buttons": [
            {"label": f"▶ {plotly_text(name)}", "method": "animate", "args": [order, timing]}
            for name, order in zip(names, orders, strict=True)
        ],
    }
