"""Charts of the scoreboard: our best system is a blue diamond, the best other one an orange square, the rest grey."""

from collections.abc import Sequence
from itertools import pairwise
from typing import Any

import plotly.graph_objects as go

from jobmatch_core.benchmarks.datasets.tasks import dataset_title
from jobmatch_core.benchmarks.retrieval.search_runs import SearchStanding
from jobmatch_core.benchmarks.scoreboard.comparison import CostPoint
from jobmatch_core.benchmarks.scoreboard.entries import Entry
from jobmatch_core.benchmarks.scoreboard.overlap import Overlap, OverlapPoints, correlation_words
from jobmatch_core.benchmarks.scoreboard.scoreboard import DatasetRow, LanguageRow
from jobmatch_core.metrics.ranking import METRICS
from jobmatch_core.text.folding import plotly_text
from jobmatch_core.text.locales import language_name

_OWN, _OTHER, _REST = "#0072B2", "#E69F00", "#999999"  # Okabe and Ito (2008)
_LINES = ("#0072B2", "#56B4E9", "#E69F00", "#D55E00", "#009E73")
_KINDS = ((False, "others", _OTHER, "square"), (True, "ours", _OWN, "diamond"))
_HEIGHT = 420
_ROW_HEIGHT, _FRAME_HEIGHT = 40, 120
_FEWEST_ROWS = 2  # minimum height of a chart, in rows


def by_dataset(rows: Sequence[DatasetRow], metric: str, datasets: str) -> go.Figure:
    """Draw a row for each dataset, whose id is the first custom data of its points."""
    figure = go.Figure()
    figure.add_scatter(
        marker={"color": _REST, "size": 6, "opacity": 0.55},
        **_dots([entry for row in rows for entry in row.others], metric),
    )
    figure.add_scatter(
        marker={"color": _OTHER, "size": 10, "symbol": "square"},
        **_dots([row.rival for row in rows if row.rival], metric),
    )
    figure.add_scatter(
        marker={"color": _OWN, "size": 12, "symbol": "diamond"},
        **_dots([row.own for row in rows if row.own], metric),
    )
    figure.update_layout(
        title=f"{METRICS[metric].label} on {'each of ' if len(rows) > 1 else ''}{plotly_text(datasets)}",
        height=_FRAME_HEIGHT + _ROW_HEIGHT * max(len(rows), _FEWEST_ROWS),
        xaxis={"title": METRICS[metric].label},
        yaxis={
            "automargin": True,
            "tickfont": {"size": 11},
            "categoryorder": "array",
            "categoryarray": [_axis_name(row.dataset) for row in rows],
        },
        margin={"t": 60},
        showlegend=False,  # it would cover the title in a narrow window; the page explains the marks
    )
    return figure


def _dots(entries: Sequence[Entry], metric: str) -> dict[str, Any]:
    return {
        "x": [entry.value(metric) for entry in entries],
        "y": [_axis_name(entry.dataset) for entry in entries],
        "customdata": [
            [
                entry.dataset,
                plotly_text(dataset_title(entry.dataset)),
                plotly_text(entry.label),
                entry.source,
                plotly_text(entry.dataset),
            ]
            for entry in entries
        ],
        "mode": "markers",
        "hovertemplate": "%{customdata[1]} (%{customdata[4]})<br>%{customdata[2]}, %{customdata[3]}: %{x:.3f}"
        "<extra></extra>",
    }


def _axis_name(dataset: str) -> str:
    return plotly_text(dataset_title(dataset)).replace(", ", ",<br>")


def radar(rows: Sequence[LanguageRow], metric: str, setting: str) -> go.Figure:
    """Draw a closed line for each system across the query languages."""
    languages = [language_name(row.language) for row in rows]
    figure = go.Figure()
    for number, label in enumerate(rows[0].labels):
        values = [row.values[number] for row in rows]
        figure.add_scatterpolar(
            r=[*values, values[0]],
            theta=[*languages, languages[0]],
            name=plotly_text(label),
            line={"color": _LINES[number % len(_LINES)], "dash": "solid" if rows[0].own[number] else "dot"},
            hovertemplate="%{theta}: %{r:.3f}<extra>%{fullData.name}</extra>",
        )
    figure.update_layout(
        title=f"{METRICS[metric].label} by query language, {setting}<br>(dotted: other systems)",
        height=_HEIGHT,
        polar={"radialaxis": {"rangemode": "tozero"}, "bgcolor": "rgba(0,0,0,0)"},
        legend={"orientation": "h", "y": -0.1, "yanchor": "top"},
    )
    return figure


def pareto(points: Sequence[CostPoint], metric: str, cost: str, datasets: str) -> go.Figure:
    """Draw quality against a cost; a line joins the named systems of the Pareto front."""
    front = [point for point in points if point.unbeaten]
    figure = go.Figure()
    figure.add_scatter(
        x=[point.cost for point in front],
        y=[point.quality for point in front],
        mode="lines",
        showlegend=False,
        line={"color": _REST, "dash": "dot", "shape": "hv"},
        hoverinfo="skip",
    )
    for own, name, colour, symbol in _KINDS:
        chosen = [point for point in points if point.standing.own == own]
        figure.add_scatter(
            x=[point.cost for point in chosen],
            y=[point.quality for point in chosen],
            mode="markers+text",
            name=name,
            text=[plotly_text(point.standing.label) if point.unbeaten else "" for point in chosen],
            textposition="top center",
            marker={"color": colour, "symbol": symbol, "size": 10},
            customdata=[plotly_text(point.standing.label) for point in chosen],
            cliponaxis=False,
            hovertemplate="%{customdata}: %{y:.3f} at %{x:,.1f}<extra></extra>",
        )
    figure.update_layout(
        title=f"{METRICS[metric].label} on {plotly_text(datasets)}<br>against {cost}",
        height=_HEIGHT,
        xaxis={"title": f"{cost}, logarithmic", "type": "log"},
        yaxis={"title": METRICS[metric].label},
        margin={"r": 70},
        legend={"orientation": "h", "y": 1.0, "yanchor": "bottom"},
    )
    return figure


def overlap_histogram(overlap: Overlap) -> go.Figure:
    """Draw the distribution of the edit distances between queries and correct names."""
    shares, edges = overlap.histogram()
    figure = go.Figure(
        go.Bar(
            x=[(start + end) / 2 for start, end in pairwise(edges)],
            y=list(shares),
            width=edges[1] * 0.95,
            marker_color=_OWN,
            customdata=[[start, end] for start, end in pairwise(edges)],
            hovertemplate="%{customdata[0]:.2f} to %{customdata[1]:.2f}: %{y:.1%} of queries<extra></extra>",
        )
    )
    figure.update_layout(
        title=f"Smallest edit distance to a correct name, {len(overlap.distances):,} queries",
        height=_HEIGHT,
        xaxis={"title": "normalised edit distance", "range": [0, 1]},
        yaxis={"title": "share of queries", "tickformat": ".0%"},
    )
    return figure


def overlap_scatter(systems: Sequence[OverlapPoints], metric: str, setting: str) -> go.Figure:
    """Draw systems' figures on each dataset against its median distance."""
    figure = go.Figure()
    for number, points in enumerate(systems):
        correlation = f", Spearman: {correlation_words(points.correlation, len(points.datasets))}"
        figure.add_scatter(
            x=points.medians,
            y=points.values,
            mode="markers",
            text=[f"{plotly_text(dataset_title(name))} ({plotly_text(name)})" for name in points.datasets],
            name=f"{plotly_text(points.label)}{correlation}",
            marker={"color": _LINES[number % len(_LINES)], "size": 9, "symbol": "diamond" if points.own else "square"},
            hovertemplate="%{text}: median %{x:.2f}, %{y:.3f}<extra></extra>",
        )
    count = max(len(points.datasets) for points in systems)
    figure.update_layout(
        title=f"Overlap against {METRICS[metric].label}, {count} {setting} datasets",
        height=_HEIGHT + 60,
        xaxis={"title": "median of the smallest edit distance"},
        yaxis={"title": METRICS[metric].label},
        legend={"orientation": "h", "y": -0.25, "yanchor": "top"},
    )
    return figure


def searches(standings: Sequence[SearchStanding], metric: str, label: str) -> go.Figure:
    """Draw a row with interval for each system, the best on top."""
    rows = [standing.run.row for standing in reversed(standings)]
    values = [row.figures[metric] for row in rows]
    figure = go.Figure()
    figure.add_scatter(
        x=values,
        y=[plotly_text(row.system) for row in rows],
        mode="markers",
        marker={"color": _OWN, "size": 10},
        error_x={
            "type": "data",
            "symmetric": False,
            "color": _REST,
            "array": [row.high - value for row, value in zip(rows, values, strict=True)],
            "arrayminus": [value - row.low for row, value in zip(rows, values, strict=True)],
        },
        hovertemplate="%{y}: %{x:.3f}<extra></extra>",
    )
    figure.update_layout(
        title=f"{label} with its 95 % interval",
        height=_FRAME_HEIGHT + _ROW_HEIGHT * len(rows),
        xaxis={"title": label, "rangemode": "tozero"},
        yaxis={"automargin": True, "tickfont": {"size": 11}},
        margin={"t": 60},
        showlegend=False,
    )
    return figure
