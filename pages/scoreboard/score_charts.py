"""Charts of the scoreboard: one mark and colour for each group of systems, the same in all charts."""

from collections.abc import Collection, Mapping, Sequence
from itertools import pairwise
from math import log10
from typing import Any

import plotly.graph_objects as go

from jobmatch_core.benchmarks.retrieval.search_runs import SearchGroup, SearchStanding
from jobmatch_core.benchmarks.scoreboard.comparison import CostPoint
from jobmatch_core.benchmarks.scoreboard.entries import Entry, EntryGroup
from jobmatch_core.benchmarks.scoreboard.overlap import Overlap, OverlapPoints, correlation_words
from jobmatch_core.benchmarks.scoreboard.scoreboard import DatasetRow
from jobmatch_core.metrics.ranking import METRICS
from jobmatch_core.text.folding import plotly_text
from pages.scoreboard.dataset_titles import dataset_title
from pages.shared.composed import composed
from pages.shared.language import N_, _, numeral

_OWN, _OTHER, _REST, _YOURS = "#0072B2", "#E69F00", "#999999", "#009E73"  # Okabe and Ito (2008)
_LINES = ("#0072B2", "#56B4E9", "#E69F00", "#D55E00", "#009E73")
_DASHES = ("solid", "dash", "dot")
_KINDS = ((False, N_("others"), _OTHER, "square"), (True, N_("ours"), _OWN, "diamond"))
_HEIGHT = 420
_ROW_HEIGHT, _TWO_LINES, _FRAME_HEIGHT = 32, 40, 100
_FEWEST_ROWS = 2  # minimum height of a chart, in rows
_MARGIN = {"t": 44, "b": 44}
_BASELINES: dict[str, object] = {"color": _REST, "size": 7, "symbol": "x-thin", "line": {"color": _REST, "width": 1.5}}
_PUBLISHED: dict[str, object] = {"color": _REST, "size": 7}
_BEST_OTHER: dict[str, object] = {"color": _OTHER, "size": 10, "symbol": "square"}
_YOUR_SYSTEMS: dict[str, object] = {"color": _YOURS, "size": 11, "symbol": "triangle-up"}
_OURS: dict[str, object] = {"color": _OWN, "size": 12, "symbol": "diamond"}

_SEARCH_MARKS: dict[SearchGroup, dict[str, object]] = {
    "baseline": _BASELINES,
    "other model": _BEST_OTHER,
    "yours": _YOUR_SYSTEMS,
    "ours": _OURS,
}


def mark(sign: str, colour: str, words: str) -> str:
    """Return a mark in its colour of the charts with its meaning, as Markdown."""
    return f':color[{sign}]{{foreground="{colour}"}} {words}'


def legend(own: str, groups: Collection[EntryGroup]) -> str:
    """Return the marks of `by_dataset` with their meaning, as Markdown.

    Args:
        own: Name of our system, as Markdown.
        groups: Groups of the other systems in the chart.
    """
    words: dict[EntryGroup, str] = {
        "yours": mark("▲", _YOURS, _("yours, measured here")),
        "published": mark("●", _REST, _("other models")),
        "baseline": mark("×", _REST, _("baselines without a model")),
    }
    marks = [mark("◆", _OWN, own), *([mark("■", _OTHER, _("the best of the others"))] if groups else [])]
    return " · ".join([*marks, *(text for group, text in words.items() if group in groups)])


def by_dataset(rows: Sequence[DatasetRow], metric: str, datasets: str) -> go.Figure:
    """Draw a row for each dataset, whose id is the first custom data of its points."""
    others = [entry for row in rows for entry in row.others]
    rivals = [row.rival for row in rows if row.rival]
    marks: list[tuple[dict[str, object], list[Entry]]] = [
        (_BASELINES, [entry for entry in others if entry.group == "baseline"]),
        (_PUBLISHED, [entry for entry in others if entry.group not in ("baseline", "yours")]),
        (_BEST_OTHER, [entry for entry in rivals if entry.group != "yours"]),
        (_YOUR_SYSTEMS, [entry for entry in (*others, *rivals) if entry.group == "yours"]),
        (_OURS, [row.own for row in rows if row.own]),
    ]
    names = _axis_names([row.dataset for row in rows])
    figure = go.Figure()
    for marker, entries in marks:
        figure.add_scatter(marker=marker, **_dots(entries, metric, names))
    figure.update_layout(
        title=_("{metric} on each of {datasets}", metric=METRICS[metric].label, datasets=plotly_text(datasets))
        if len(rows) > 1
        else _("{metric} on {datasets}", metric=METRICS[metric].label, datasets=plotly_text(datasets)),
        height=_FRAME_HEIGHT + _ROW_HEIGHT * max(len(rows), _FEWEST_ROWS),
        xaxis={"title": _("{label} (1 is perfect)", label=METRICS[metric].label)},
        yaxis={
            "automargin": True,
            "tickfont": {"size": 12},
            "categoryorder": "array",
            "categoryarray": list(names.values()),
        },
        margin=_MARGIN,
        showlegend=False,  # it would cover the title in a narrow window; `legend` explains the marks
    )
    return figure


def _dots(entries: Sequence[Entry], metric: str, names: Mapping[str, str]) -> dict[str, Any]:
    return {
        "x": [entry.value(metric) for entry in entries],
        "y": [names[entry.dataset] for entry in entries],
        "customdata": [
            [
                entry.dataset,
                plotly_text(dataset_title(entry.dataset)),
                plotly_text(composed(entry.label)),
                composed(entry.source),
                plotly_text(entry.dataset),
            ]
            for entry in entries
        ],
        "mode": "markers",
        "hovertemplate": "%{customdata[1]} (%{customdata[4]})<br>%{customdata[2]}, %{customdata[3]}: %{x:.3f}"
        "<extra></extra>",
    }


def _axis_names(datasets: Sequence[str]) -> dict[str, str]:
    # 'French titles' where that names one dataset, otherwise 'French titles,<br>English ESCO'
    titles = {name: dataset_title(name) for name in datasets}
    short = {name: title.partition(", ")[0] for name, title in titles.items()}
    if len(set(short.values())) == len(titles) > 1:
        return {name: plotly_text(title) for name, title in short.items()}
    return {name: plotly_text(title).replace(", ", ",<br>") for name, title in titles.items()}


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
            mode="markers",
            name=_(name),
            marker={"color": colour, "symbol": symbol, "size": 10},
            customdata=[plotly_text(composed(point.standing.label)) for point in chosen],
            cliponaxis=False,
            hovertemplate=_("%{customdata}: %{y:.3f} at %{x:,.1f}<extra></extra>"),
        )
    largest = max(point.cost for point in points)
    for point in front:  # the name lies below its mark, and towards the middle of the chart
        figure.add_annotation(
            x=log10(point.cost),
            y=point.quality,
            text=plotly_text(composed(point.standing.label)),
            showarrow=False,
            yshift=-14,
            xanchor="right" if point.cost == largest else "left",
        )
    figure.update_layout(
        title=_(
            "{metric} on {datasets}<br>against {cost}",
            metric=METRICS[metric].label,
            datasets=plotly_text(datasets),
            cost=cost,
        ),
        height=_HEIGHT,
        xaxis={
            "title": _("{cost}, logarithmic", cost=cost),
            "type": "log",
            "dtick": 1,
            "tickformat": ",",
            "showgrid": True,
        },
        yaxis={"title": METRICS[metric].label},
        margin={"t": 70},
        legend={"orientation": "h", "y": -0.25, "yanchor": "top"},
    )
    return figure


def accuracy_curves(curves: Mapping[str, Sequence[float]]) -> go.Figure:
    """Draw the share of queries that each system answers among its first k, by k on a logarithmic axis."""
    figure = go.Figure()
    for number, (label, shares) in enumerate(curves.items()):
        figure.add_scatter(
            x=list(range(1, len(shares) + 1)),
            y=list(shares),
            name=plotly_text(label),
            mode="lines",
            line={"color": _LINES[number % len(_LINES)], "dash": _DASHES[number // len(_LINES) % len(_DASHES)]},
            hovertemplate=_("%{y:.1%} among the first %{x}"),
        )
    figure.update_layout(
        height=_HEIGHT,
        hovermode="x",
        xaxis={"title": "k", "type": "log", "tickvals": [1, 2, 5, 10, 20, 50, 100]},
        yaxis={"title": _("correct among the first k"), "tickformat": ".0%", "rangemode": "tozero"},
        legend={"orientation": "h", "y": 1.02, "yanchor": "bottom"},
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
            hovertemplate=_("%{customdata[0]:.2f} to %{customdata[1]:.2f}: %{y:.1%} of queries<extra></extra>"),
        )
    )
    figure.update_layout(
        title=_(
            "Smallest edit distance to a correct name, {n_distances} queries",
            n_distances=numeral(len(overlap.distances)),
        ),
        height=_HEIGHT,
        xaxis={"title": _("normalised edit distance"), "range": [0, 1]},
        yaxis={"title": _("share of queries"), "tickformat": ".0%"},
    )
    return figure


def overlap_scatter(systems: Sequence[OverlapPoints], metric: str, setting: str) -> go.Figure:
    """Draw systems' figures on each dataset against its median distance."""
    figure = go.Figure()
    for number, points in enumerate(systems):
        correlation = _(
            ", Spearman: {correlation}",
            correlation=correlation_words(points.correlation, len(points.datasets)),
        )
        figure.add_scatter(
            x=points.medians,
            y=points.values,
            mode="markers",
            text=[f"{plotly_text(dataset_title(name))} ({plotly_text(name)})" for name in points.datasets],
            name=f"{plotly_text(composed(points.label))}{correlation}",
            marker={"color": _LINES[number % len(_LINES)], "size": 9, "symbol": "diamond" if points.own else "square"},
            hovertemplate=_("%{text}: median %{x:.2f}, %{y:.3f}<extra></extra>"),
        )
    count = max(len(points.datasets) for points in systems)
    figure.update_layout(
        title=_(
            "Overlap against {label}, {count} {setting} datasets",
            label=METRICS[metric].label,
            count=count,
            setting=_(setting),
        ),
        height=_HEIGHT + 60,
        xaxis={"title": _("median of the smallest edit distance")},
        yaxis={"title": METRICS[metric].label},
        legend={"orientation": "h", "y": -0.25, "yanchor": "top"},
    )
    return figure


def _in_lines(system: str) -> str:
    # short lines leave a narrow window room for the chart
    return plotly_text(system).replace(", ", ",<br>").replace(" beside ", "<br>beside ")


def search_legend(groups: Collection[SearchGroup]) -> str:
    """Return the marks of `searches` with their meaning, as Markdown."""
    words: dict[SearchGroup, str] = {
        "ours": mark("◆", _OWN, "jobmatch"),
        "yours": mark("▲", _YOURS, _("yours, measured here")),
        "other model": mark("■", _OTHER, _("other models")),
        "baseline": mark("×", _REST, _("baselines without a model")),
        "optimal": _("dotted line: the optimal order"),
    }
    return " · ".join(text for group, text in words.items() if group in groups)


def searches(standings: Sequence[SearchStanding], metric: str, label: str, units: str) -> go.Figure:
    """Draw a row with interval for each system, the best on top; a dotted line marks the optimal order."""
    shown = [standing for standing in reversed(standings) if standing.group != "optimal"]
    names = {standing.run.row.system: _in_lines(standing.run.row.system) for standing in shown}
    figure = go.Figure()
    for group, marker in _SEARCH_MARKS.items():
        rows = [standing.run.row for standing in shown if standing.group == group]
        values = [row.figures[metric] for row in rows]
        figure.add_scatter(
            x=values,
            y=[names[row.system] for row in rows],
            mode="markers",
            marker=marker,
            cliponaxis=False,
            error_x={
                "type": "data",
                "symmetric": False,
                "color": _REST,
                "array": [row.high - value for row, value in zip(rows, values, strict=True)],
                "arrayminus": [value - row.low for row, value in zip(rows, values, strict=True)],
            },
            hovertemplate="%{y}: %{x:.3f}<extra></extra>",
        )
    for standing in standings:
        if standing.group == "optimal":
            figure.add_vline(x=standing.run.row.figures[metric], line_dash="dot", line_color=_REST)
    figure.update_layout(
        title=_(
            "{label} with its 95% interval, {n} {units}",
            label=label,
            n=numeral(standings[0].run.row.n),
            units=units,
        ),
        height=_FRAME_HEIGHT + _TWO_LINES * max(len(shown), _FEWEST_ROWS),
        xaxis={"title": _("{label} (1 is perfect)", label=label), "rangemode": "tozero"},
        yaxis={
            "automargin": True,
            "tickfont": {"size": 12},
            "categoryorder": "array",
            "categoryarray": list(names.values()),
        },
        margin=_MARGIN,
        showlegend=False,
    )
    return figure
