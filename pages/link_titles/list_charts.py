"""Charts of a linked list, with a palette for colour-blind readers."""

import plotly.graph_objects as go
import streamlit as st

from jobmatch_core.linking.decisions import STATUSES
from jobmatch_core.linking.link_counts import count_probabilities
from jobmatch_core.linking.list_facets import Facet, statuses_by
from jobmatch_core.linking.review import Review
from jobmatch_core.taxonomy import Taxonomy
from jobmatch_core.text.folding import plotly_text
from pages.link_titles.list_filters import value_name
from pages.shared.language import _, numeral

_STATUS_COLOURS = dict(
    zip(STATUSES, ("#0072B2", "#56B4E9", "#E69F00", "#999999", "#CCCCCC", "#009E73", "#CC79A7", "#D55E00"), strict=True)
)
_HEIGHT = 320
_BAR_HEIGHT, _FRAME_HEIGHT = 30, 150
_LABEL_LENGTH = 38
_MARGIN = {"t": 8, "b": 110}  # the legend has three lines in a narrow window
_LEGEND = {"orientation": "h", "yref": "container", "y": 0.01, "yanchor": "bottom", "traceorder": "normal"}


def show(review: Review, taxonomy: Taxonomy) -> None:
    """Draw the probabilities of a list, and what is left to check by language and by ISCO-08 major group."""
    st.caption(_("{n_results} rows", n_results=numeral(len(review.results))))
    _chart(_("Probability of the best occupation or unit group"), "probabilities", _probabilities(review))
    majors, languages = (_coverage(review, taxonomy, facet) for facet in (Facet.MAJOR, Facet.LANGUAGE))
    _chart(_("Status by ISCO-08 major group"), "major_groups", majors)
    _chart(_("Status by language of the matched name"), "languages", languages)


def _chart(title: str, name: str, figure: go.Figure) -> None:
    st.markdown(f"**{title}**")  # a title of Plotly's is cut in a narrow window
    st.plotly_chart(figure, key=f"chart_{name}", config={"displayModeBar": False})


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
            name=_(word),
            marker_color=_STATUS_COLOURS[word],
            customdata=[[b.start, b.end] for b in bins],
            hovertemplate=_("%{customdata[0]:.2f} to %{customdata[1]:.2f}: %{y:,} rows<extra>%{fullData.name}</extra>"),
        )
    figure.update_layout(
        height=_HEIGHT,
        margin=_MARGIN,
        barmode="stack",
        xaxis={"title": _("probability"), "range": [0, 1]},
        yaxis={"title": _("rows")},
        legend=_LEGEND,
    )
    return figure


def _coverage(review: Review, taxonomy: Taxonomy, facet: Facet) -> go.Figure:
    counts = statuses_by(review, facet)
    names = [_label(value_name(review, taxonomy, facet, value) if value else _("none")) for value in counts]
    figure = go.Figure()
    for status in STATUSES:
        of_status = [by_status[status] for by_status in counts.values()]
        if any(of_status):
            figure.add_bar(
                x=of_status,
                y=names,
                orientation="h",
                name=_(status),
                marker_color=_STATUS_COLOURS[status],
                hovertemplate=_("%{y}: %{x:,} rows<extra>%{fullData.name}</extra>"),
            )
    figure.update_layout(
        margin=_MARGIN,
        height=_BAR_HEIGHT * len(names) + _FRAME_HEIGHT,
        barmode="stack",
        xaxis={"title": _("rows")},
        yaxis={"automargin": True, "autorange": "reversed"},
        legend=_LEGEND,
    )
    return figure


def _label(name: str) -> str:
    name = plotly_text(name)
    return name if len(name) <= _LABEL_LENGTH else f"{name[:_LABEL_LENGTH]}…"
