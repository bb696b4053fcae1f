"""All attention heads of a model at once, by their agreement with the effects; a click chooses one."""

from typing import TYPE_CHECKING

import plotly.graph_objects as go
import streamlit as st

from jobmatch_core.descriptions.attention import AttentionView
from pages.job_descriptions.model_choice import choose_head
from pages.shared.language import _, numeral

if TYPE_CHECKING:
    from jobmatch_core.descriptions.explanation import Explanation

_KEY = "describe_heads"
_WIDTH, _ROW_HEIGHT, _MARGINS = 620, 44, 40  # pixels
_CELL, _CHOSEN_LINE = 32, 3  # pixels
_COLOURS = [[0.0, "#E69F00"], [0.5, "#f2f2f2"], [1.0, "#56B4E9"]]  # dark figures are legible on all of them
_INK = "#1d2730"


def show(explanation: "Explanation", view: AttentionView) -> None:
    """Draw each head's rank correlation with the effects; nothing for a model without attention."""
    attention = explanation.description.attention
    if attention is None:
        return
    views = [AttentionView(layer, head) for layer in range(attention.n_layers) for head in range(attention.n_heads)]
    agreements = [*map(explanation.agreement, views)]
    if all(agreement is None for agreement in agreements):
        return
    st.markdown(
        _("**Heads**, by the rank correlation of their attention and the effect, -1 to 1. Click one to choose it.")
    )
    with st.container(width=_WIDTH):
        st.plotly_chart(
            _chart(views, agreements, view, attention.n_layers), key=_KEY, on_select=_choose, selection_mode="points"
        )


def _chart(
    views: list[AttentionView], agreements: list[float | None], chosen: AttentionView, n_layers: int
) -> go.Figure:
    words = ["–" if agreement is None else numeral(agreement, 2) for agreement in agreements]
    figure = go.Figure(
        go.Scatter(
            x=[_("head {head}", head=(view.head or 0) + 1) for view in views],
            y=[_("layer {layer}", layer=(view.layer or 0) + 1) for view in views],
            mode="markers+text",
            text=words,
            textfont={"color": _INK, "size": 12},
            customdata=[[view.layer, view.head] for view in views],
            marker={
                "symbol": "square",
                "size": _CELL,
                "color": [agreement or 0.0 for agreement in agreements],
                "colorscale": _COLOURS,
                "cmin": -1,
                "cmax": 1,
                "line": {"color": "#D55E00", "width": [_CHOSEN_LINE * (view == chosen) for view in views]},
            },
            selected={"marker": {"opacity": 1}},
            unselected={"marker": {"opacity": 1}, "textfont": {"color": _INK}},
            hovertemplate=_("%{y}, %{x}: rank correlation %{text}<extra></extra>"),
        )
    )
    figure.update_layout(
        height=_MARGINS + _ROW_HEIGHT * n_layers,
        xaxis={"side": "top", "showgrid": False, "fixedrange": True},
        yaxis={"autorange": "reversed", "showgrid": False, "fixedrange": True},
        margin={"l": 0, "r": 0, "t": 0, "b": 0},
    )
    return figure


def _choose() -> None:
    points = st.session_state[_KEY].selection.points
    if points:
        layer, head = points[0]["customdata"]
        choose_head(int(layer), int(head))
