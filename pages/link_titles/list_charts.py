"""Charts of a linked list, with a palette for colour-blind readers and a fixed colour per ISCO-08 major group."""

from collections.abc import Sequence

import plotly.graph_objects as go
import streamlit as st

from jobmatch_core.linking.decisions import STATUSES
from jobmatch_core.linking.link_counts import GroupCount, count_groups, count_probabilities
from jobmatch_core.linking.review import Review
from jobmatch_core.maps.palette import MAJOR_GROUPS
from jobmatch_core.taxonomy import Taxonomy
from jobmatch_core.text.folding import plotly_text

_STATUS_COLOURS = dict(
    zip(STATUSES, ("#0072B2", "#56B4E9", "#E69F00", "#999999", "#009E73", "#CC79A7", "#D55E00"), strict=True)
)
_HEIGHT = 380
_LABEL_LENGTH = 38


def show(review: Review, taxonomy: Taxonomy) -> None:
    """Draw the probabilities and the ISCO-08 groups of a list."""
    codes = [code for number in range(len(review.results)) if (code := review.isco(number))]
    groups = count_groups(taxonomy, codes, show=review.options.show)
    left, right = st.columns(2)
    left.plotly_chart(_probabilities(review), key="chart_probabilities")
    if not groups:
        right.caption("No link with an ISCO-08 code yet.")
        return
    right.plotly_chart(_major_groups(groups, len(codes)), key="chart_major_groups")
    st.plotly_chart(_sunburst(groups, len(codes)), key="chart_sunburst")


def _probabilities(review: Review) -> go.Figure:
    probabilities: dict[str, list[float]] = {}
    for status, result in zip(review.statuses(), review.results, strict=True):
        probabilities.setdefault(status, []).append(result.probability)
    figure = go.Figure()
    for word in (status for status in STATUSES if status in probabilities):
        bins = count_probabilities(probabilities[word])
        figure.add_bar(
            x=[(b.start + b.end) / 2 for b in bins],
            y=[b.count for b in bins],
            width=0.045,
            name=word,
            marker_color=_STATUS_COLOURS[word],
            customdata=[[b.start, b.end] for b in bins],
            hovertemplate="%{customdata[0]:.2f} to %{customdata[1]:.2f}: %{y:,} titles<extra>%{fullData.name}</extra>",
        )
    figure.update_layout(
        title=f"Probability of the best occupation or unit group, {len(review.results):,} titles",
        height=_HEIGHT,
        barmode="stack",
        xaxis={"title": "probability", "range": [0, 1]},
        yaxis={"title": "titles"},
        legend={"orientation": "h", "y": 1.02, "yanchor": "bottom"},
    )
    return figure


def _major_groups(groups: Sequence[GroupCount], total: int) -> go.Figure:
    majors = [group for group in reversed(groups) if not group.parent]
    figure = go.Figure(
        go.Bar(
            x=[group.count for group in majors],
            y=[_label(group) for group in majors],
            orientation="h",
            marker_color=[MAJOR_GROUPS[group.code] for group in majors],
            text=[f"{group.count:,}" for group in majors],
            textposition="outside",
            cliponaxis=False,
            hovertemplate="%{y}: %{x:,} titles<extra></extra>",
        )
    )
    figure.update_layout(
        title=f"ISCO-08 major group, {total:,} linked titles",
        height=_HEIGHT,
        xaxis={"title": "titles"},
        yaxis={"automargin": True},
    )
    return figure


def _sunburst(groups: Sequence[GroupCount], total: int) -> go.Figure:
    figure = go.Figure(
        go.Sunburst(
            ids=[group.code for group in groups],
            parents=[group.parent for group in groups],
            labels=[_label(group) for group in groups],
            values=[group.count for group in groups],
            branchvalues="total",
            maxdepth=3,
            marker={"colors": [MAJOR_GROUPS[group.code[0]] for group in groups]},
            hovertemplate="%{label}: %{value:,} titles<extra></extra>",
        )
    )
    figure.update_layout(
        title=f"ISCO-08 groups from major to unit group, {total:,} linked titles (click to zoom in)",
        height=640,
        margin={"l": 0, "r": 0, "b": 0},
        uniformtext={"minsize": 10, "mode": "hide"},
    )
    return figure


def _label(group: GroupCount) -> str:
    name = plotly_text(group.name)
    return f"{group.code} {name}" if len(name) <= _LABEL_LENGTH else f"{group.code} {name[:_LABEL_LENGTH]}…"
