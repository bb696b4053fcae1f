"""Chart of production rates: the share of titles coded automatically against the share of wrong codes."""

from collections.abc import Sequence

import plotly.graph_objects as go

from jobmatch.services.production_rate import coder_label
from jobmatch_core.benchmarks.production.coders import LINKER
from jobmatch_core.benchmarks.production.coding_report import LEVEL_NAMES, CodingFigures
from jobmatch_core.text.folding import plotly_text
from pages.shared.language import _, numeral, percent

_STYLES = (  # Okabe and Ito (2008)
    ("#0072B2", "diamond", "solid"),
    ("#E69F00", "square", "dot"),
    ("#009E73", "circle", "dot"),
    ("#D55E00", "triangle-up", "dot"),
)
_PEOPLE = "#999999"
_HEIGHT = 420


def production(coders: Sequence[CodingFigures]) -> go.Figure:
    """Draw a line for each coder at one level; a dashed one shows on how many titles two people disagree."""
    figure = go.Figure()
    for number, figures in enumerate(coders):
        _add_coder(figure, figures, *_STYLES[number % len(_STYLES)])
    _add_people(figure, coders[0].agreement)
    figure.update_layout(
        title=_("Share of {titles} titles coded automatically", titles=numeral(coders[0].titles)),
        height=_HEIGHT,
        xaxis={
            "title": _("wrong {level} among the coded titles", level=_(LEVEL_NAMES[coders[0].digits])),
            "tickformat": ".0%",
            "rangemode": "tozero",
        },
        yaxis={"title": _("titles coded"), "tickformat": ".0%", "range": [0, 1.05]},
        legend={"orientation": "h", "y": -0.2, "yanchor": "top"},
    )
    return figure


def _add_coder(figure: go.Figure, figures: CodingFigures, colour: str, symbol: str, dash: str) -> None:
    points = figures.rates
    # the rate is a maximum, so that an end of the interval can lie on its other side
    interval = {
        "type": "data",
        "symmetric": False,
        "array": [max(point.high - point.rate, 0) for point in points],
        "arrayminus": [max(point.rate - point.low, 0) for point in points],
        "thickness": 1,
    }
    figure.add_scatter(
        x=[point.error for point in points],
        y=[point.rate for point in points],
        error_y=interval if figures.coder == LINKER else None,
        mode="lines+markers",
        name=plotly_text(_(coder_label(figures.coder))),
        line={"color": colour, "dash": dash},
        marker={"color": colour, "symbol": symbol, "size": 9},
        customdata=[[point.low, point.high] for point in points],
        hovertemplate=_(
            "at most %{x:.0%} wrong: %{y:.1%} coded<br>95%: %{customdata[0]:.1%} to "
            "%{customdata[1]:.1%}<extra>%{fullData.name}</extra>"
        ),
    )


def _add_people(figure: go.Figure, agreement: float | None) -> None:
    if agreement is None:
        return
    # a person codes every title; what two of them code differently compares with a coder's wrong codes
    figure.add_scatter(
        x=[1 - agreement] * 2,
        y=[0, 1],
        mode="lines",
        name=_("Two people disagree on {agreement}", agreement=percent(1 - agreement)),
        line={"color": _PEOPLE, "dash": "dash"},
        hovertemplate="%{fullData.name}<extra></extra>",
    )
