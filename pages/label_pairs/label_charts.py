"""Charts of agreement: confusion of two annotators, and agreement by week."""

from collections.abc import Sequence

import plotly.graph_objects as go

from jobmatch_core.labelling.agreement import Confusion, PeriodAgreement
from jobmatch_core.text.folding import plotly_text
from pages.shared.annotator import shown
from pages.shared.label_words import verdict_word

_SCALE = ((0.0, "rgba(0, 114, 178, 0.04)"), (1.0, "rgba(0, 114, 178, 0.85)"))  # Okabe and Ito (2008)
_ALPHA, _PERCENT = "#0072B2", "#E69F00"
_HEIGHT = 360
_NAME_LENGTH = 24


def confusion(counted: Confusion) -> go.Figure:
    """Draw the confusion matrix of two annotators."""
    words = [verdict_word(verdict) for verdict in counted.verdicts]
    first, second = _name(counted.first), _name(counted.second)
    figure = go.Figure(
        go.Heatmap(
            z=counted.counts.tolist(), x=words, y=words, colorscale=_SCALE, showscale=False, texttemplate="%{z:,}",
            textfont={"size": 16}, xgap=2, ygap=2,
            hovertemplate=f"{first}: %{{y}}<br>{second}: %{{x}}<br>%{{z:,}} pairs<extra></extra>",
        )
    )  # fmt: skip
    figure.update_layout(
        title=f"Verdicts of both annotators, {int(counted.counts.sum()):,} pairs", height=_HEIGHT,
        xaxis={"title": f"verdict of {second}", "showgrid": False},
        yaxis={"title": f"verdict of {first}", "showgrid": False, "autorange": "reversed"},
    )  # fmt: skip
    return figure


def over_time(weeks: Sequence[PeriodAgreement]) -> go.Figure:
    """Draw agreement by the week of a pair's last verdict; weeks without shared pairs are gaps."""
    shared = [week for week in weeks if week.agreement.pairs]
    figure = go.Figure()
    for name, colour, symbol, dash in (
        ("same verdict", _PERCENT, "square", "dot"),
        ("Krippendorff's alpha", _ALPHA, "circle", "solid"),
    ):
        figures = [week.agreement.percent if colour == _PERCENT else week.agreement.alpha for week in shared]
        figure.add_scatter(
            x=[week.start for week in shared], y=[each.value for each in figures], mode="lines+markers", name=name,
            line={"color": colour, "dash": dash}, marker={"symbol": symbol, "size": 9},
            customdata=[week.agreement.pairs for week in shared],
            hovertemplate="week of %{x|%d %b %Y}: %{y:.2f}, %{customdata:,} pairs<extra>" + name + "</extra>",
        )  # fmt: skip
    total = sum(week.agreement.pairs for week in shared)
    figure.update_layout(
        title=f"Agreement by week, {total:,} pairs", height=_HEIGHT, xaxis={"title": "week starting on Monday"},
        yaxis={"title": "agreement", "range": [min(0.0, _lowest(shared)), 1.05]},
        legend={"orientation": "h", "y": 1.0, "yanchor": "bottom"},
    )  # fmt: skip
    return figure


def _lowest(weeks: Sequence[PeriodAgreement]) -> float:
    return min((week.agreement.alpha.value or 0.0 for week in weeks), default=0.0)


def _name(annotator: str) -> str:
    """Shorten a name."""
    name = plotly_text(shown(annotator))
    return name if len(name) <= _NAME_LENGTH else f"{name[:_NAME_LENGTH]}…"
