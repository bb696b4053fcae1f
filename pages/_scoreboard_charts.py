"""Charts of the scoreboard: measured here is a blue diamond, the best published an orange square, the rest grey."""

import math
from collections.abc import Sequence
from itertools import pairwise

import plotly.graph_objects as go

from jobmatch_core.evaluation.entries import METRICS
from jobmatch_core.evaluation.overlap import Overlap
from jobmatch_core.evaluation.overlap_figures import OverlapPoints
from jobmatch_core.evaluation.scoreboard import DatasetRow, LanguageRow
from jobmatch_core.evaluation.standings import CostPoint
from jobmatch_core.languages import language_name
from jobmatch_core.text import plotly_text

_OWN, _PUBLISHED, _REST = "#0072B2", "#E69F00", "#999999"  # Okabe and Ito (2008)
_LINES = ("#0072B2", "#56B4E9", "#E69F00", "#D55E00", "#009E73")
_KINDS = ((False, "published (by name)", _PUBLISHED, "square"), (True, "measured here", _OWN, "diamond"))
_HEIGHT = 420
_ROW_HEIGHT, _FRAME_HEIGHT = 24, 150


def by_dataset(rows: Sequence[DatasetRow], metric: str, setting: str) -> go.Figure:
    """Draw one line a dataset: ours, the best published, the rest."""
    figure = go.Figure()
    rest = [(entry, row.dataset) for row in rows for entry in row.others if not entry.own]
    figure.add_scatter(
        x=[entry.value(metric) for entry, _ in rest], y=[plotly_text(dataset) for _, dataset in rest], mode="markers",
        name="other published", marker={"color": _REST, "size": 6, "opacity": 0.55},
        text=[plotly_text(entry.label) for entry, _ in rest], hovertemplate="%{y}, %{text}: %{x:.3f}<extra></extra>",
    )  # fmt: skip
    published = [row.published for row in rows if row.published]
    figure.add_scatter(
        x=[entry.value(metric) for entry in published], y=[plotly_text(each.dataset) for each in published],
        mode="markers", name="best published (by name)", marker={"color": _PUBLISHED, "size": 10, "symbol": "square"},
        text=[plotly_text(entry.label) for entry in published], hovertemplate="%{y}, %{text}: %{x:.3f}<extra></extra>",
    )  # fmt: skip
    own = [row.own for row in rows if row.own]
    if own:
        figure.add_scatter(
            x=[entry.value(metric) for entry in own], y=[plotly_text(each.dataset) for each in own], mode="markers",
            name="best measured here", marker={"color": _OWN, "size": 12, "symbol": "diamond"},
            text=[plotly_text(entry.label) for entry in own], hovertemplate="%{y}, %{text}: %{x:.3f}<extra></extra>",
        )  # fmt: skip
    figure.update_layout(
        title=f"{METRICS[metric]} on each of {len(rows)} {setting} datasets",
        height=_FRAME_HEIGHT + _ROW_HEIGHT * len(rows), xaxis={"title": METRICS[metric]},
        yaxis={"automargin": True, "categoryorder": "array",
               "categoryarray": [plotly_text(row.dataset) for row in rows]},
        legend={"orientation": "h", "y": 1.0, "yanchor": "bottom"},
    )  # fmt: skip
    return figure


def radar(rows: Sequence[LanguageRow], metric: str, setting: str) -> go.Figure:
    """Draw one closed line a system across the query languages."""
    languages = [language_name(row.language) for row in rows]
    figure = go.Figure()
    for number, label in enumerate(rows[0].labels):
        values = [row.values[number] for row in rows]
        figure.add_scatterpolar(
            r=[*values, values[0]], theta=[*languages, languages[0]], name=plotly_text(label),
            line={"color": _LINES[number % len(_LINES)], "dash": "solid" if rows[0].own[number] else "dot"},
            hovertemplate="%{theta}: %{r:.3f}<extra>%{fullData.name}</extra>",
        )  # fmt: skip
    figure.update_layout(
        title=f"{METRICS[metric]} by query language, {setting} (dotted: published, by name)", height=_HEIGHT,
        polar={"radialaxis": {"rangemode": "tozero"}, "bgcolor": "rgba(0,0,0,0)"},
        legend={"orientation": "h", "y": -0.1, "yanchor": "top"},
    )  # fmt: skip
    return figure


def pareto(points: Sequence[CostPoint], metric: str, cost: str, n_datasets: int) -> go.Figure:
    """Draw quality against a cost; those that nothing beats are joined by a line and named."""
    front = [point for point in points if point.unbeaten]
    figure = go.Figure()
    figure.add_scatter(
        x=[point.cost for point in front], y=[point.quality for point in front], mode="lines", showlegend=False,
        line={"color": _REST, "dash": "dot", "shape": "hv"}, hoverinfo="skip",
    )  # fmt: skip
    for own, name, colour, symbol in _KINDS:
        chosen = [point for point in points if point.standing.own == own]
        figure.add_scatter(
            x=[point.cost for point in chosen], y=[point.quality for point in chosen], mode="markers+text", name=name,
            text=[plotly_text(point.standing.label) if point.unbeaten else "" for point in chosen],
            textposition="top center", marker={"color": colour, "symbol": symbol, "size": 10},
            customdata=[plotly_text(point.standing.label) for point in chosen], cliponaxis=False,
            hovertemplate="%{customdata}: %{y:.3f} at %{x:,.1f}<extra></extra>",
        )  # fmt: skip
    figure.update_layout(
        title=f"Mean {METRICS[metric]} over {n_datasets} datasets against {cost}", height=_HEIGHT,
        xaxis={"title": f"{cost}, logarithmic", "type": "log"}, yaxis={"title": f"mean {METRICS[metric]}"},
        margin={"r": 70},
        legend={"orientation": "h", "y": 1.0, "yanchor": "bottom"},
    )  # fmt: skip
    return figure


def overlap_histogram(overlap: Overlap) -> go.Figure:
    """Draw how many queries are how close to a right name."""
    shares, edges = overlap.histogram()
    figure = go.Figure(
        go.Bar(
            x=[(start + end) / 2 for start, end in pairwise(edges)], y=list(shares),
            width=edges[1] * 0.95, marker_color=_OWN,
            customdata=[[start, end] for start, end in pairwise(edges)],
            hovertemplate="%{customdata[0]:.2f} to %{customdata[1]:.2f}: %{y:.1%} of queries<extra></extra>",
        )
    )  # fmt: skip
    figure.update_layout(
        title=f"Least edit distance to a right name, {len(overlap.distances):,} queries", height=_HEIGHT,
        xaxis={"title": "normalised edit distance", "range": [0, 1]},
        yaxis={"title": "share of queries", "tickformat": ".0%"},
    )  # fmt: skip
    return figure


def overlap_scatter(systems: Sequence[OverlapPoints], metric: str, setting: str) -> go.Figure:
    """Draw each dataset's median distance against systems' figures on it."""
    figure = go.Figure()
    for number, points in enumerate(systems):
        said = "" if math.isnan(points.correlation) else f", Spearman {points.correlation:+.2f}"
        figure.add_scatter(
            x=points.medians, y=points.values, mode="markers", text=[plotly_text(each) for each in points.datasets],
            name=f"{plotly_text(points.label)}{said}",
            marker={"color": _LINES[number % len(_LINES)], "size": 9, "symbol": "diamond" if points.own else "square"},
            hovertemplate="%{text}: median %{x:.2f}, %{y:.3f}<extra></extra>",
        )  # fmt: skip
    count = max(len(points.datasets) for points in systems)
    figure.update_layout(
        title=f"Overlap against {METRICS[metric]}, {count} {setting} datasets", height=_HEIGHT + 60,
        xaxis={"title": "median of the least edit distance"}, yaxis={"title": METRICS[metric]},
        legend={"orientation": "h", "y": -0.25, "yanchor": "top"},
    )  # fmt: skip
    return figure
