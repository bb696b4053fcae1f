"""Section 'Faithfulness': the attention of each sentence beside its effect."""

from collections.abc import Sequence
from typing import TYPE_CHECKING

import pandas as pd
import plotly.graph_objects as go
import streamlit as st

from jobmatch.services.describing import PostingDescriber
from jobmatch_core.descriptions.segments import SentenceRole
from jobmatch_core.text.folding import plotly_text
from pages.job_descriptions import heads, model_choice
from pages.job_descriptions.posting_choice import OUT_KEY
from pages.job_descriptions.sentences import ATTENTION, EFFECT, ROLE_SIGNS, PostingView, agreement_text, short, values
from pages.shared.language import _, numeral, plural
from pages.shared.tables import show_table

if TYPE_CHECKING:
    from jobmatch_core.descriptions.explanation import Explanation

# Okabe and Ito (2008)
ROLE_COLOURS = {
    SentenceRole.REQUIREMENT: "#0072B2",
    SentenceRole.TASK: "#009E73",
    SentenceRole.OFFER: "#E69F00",
    SentenceRole.OTHER: "#999999",
}
_MARKERS = {
    SentenceRole.REQUIREMENT: "diamond",
    SentenceRole.TASK: "triangle-right",
    SentenceRole.OFFER: "cross",
    SentenceRole.OTHER: "circle-open",
}
_HEIGHT, _TABLE_HEIGHT = 380, 913  # pixels; the table's, for 25 rows


def show(describer: PostingDescriber, explanation: "Explanation", reading: PostingView) -> None:
    """Draw layers and heads, attention against effect, and the shift of the vector without the sentences left out."""
    if (weights := explanation.description.attention) is not None:
        model_choice.choose_view(weights)
    attention = values(explanation, ATTENTION, reading.view)
    effects = values(explanation, EFFECT, reading.view)
    if not effects:
        return
    heaviest = max(range(len(effects)), key=lambda place: (attention or effects)[place])
    agreement = agreement_text(explanation, reading.view)
    st.markdown(
        _(
            "Each sentence was left out once. **Effect** is how far the posting's vector moves; faithful "
            "attention is high where the effect is high."
        )
        + (
            _(" Rank correlation of attention and effect (1: the same order): {agreement}.", agreement=agreement)
            if agreement
            else ""
        )
    )
    if reading.left_out:
        from jobmatch_core.descriptions.explanation import vector_without  # torch takes seconds

        description = explanation.description
        without = vector_without(describer.model, description, reading.left_out)
        count = len(reading.left_out)
        moved = 1 - float(without @ description.vector)
        st.markdown(
            plural(
                "Without this sentence the vector moves by **{moved}** (of at most 2).",
                "Without these {n} sentences the vector moves by **{moved}** (of at most 2).",
                count,
                moved=numeral(moved, 3),
            )
        )
    st.button(
        _("Leave out the sentence with the highest weight")
        if heaviest not in reading.left_out
        else _("The sentence with the highest weight is left out"),
        key="describe_take_top",
        icon=":material/content_cut:",
        on_click=st.session_state.update,
        args=({OUT_KEY: sorted({*reading.left_out, heaviest})},),
        disabled=heaviest in reading.left_out,
        help=short(explanation.description.segments[heaviest].content, heaviest),
    )
    heads.show(explanation, reading.view)
    if attention:
        st.plotly_chart(_chart(explanation, attention, effects), key="describe_truth_chart")
    _table(explanation, attention, effects)


def _chart(explanation: "Explanation", attention: Sequence[float], effects: Sequence[float]) -> go.Figure:
    figure = go.Figure()
    segments = explanation.description.segments
    for role in SentenceRole:
        places = [place for place, other in enumerate(explanation.roles) if other is role]
        if places:
            figure.add_scatter(
                x=[attention[place] for place in places],
                y=[effects[place] for place in places],
                mode="markers+text",
                text=[str(place + 1) for place in places],
                textposition="top center",
                cliponaxis=False,
                marker={"symbol": _MARKERS[role], "color": ROLE_COLOURS[role], "size": 10},
                name=_(role),
                customdata=[[plotly_text(short(segments[place].content, place))] for place in places],
                hovertemplate=_("%{customdata[0]}<br>attention %{x:.3f}, effect %{y:.3f}<extra></extra>"),
            )
    figure.update_layout(
        title=_("Attention and effect of {n_segments} sentences", n_segments=len(segments)),
        height=_HEIGHT,
        xaxis={"title": _("attention (share, sums to 1)"), "rangemode": "tozero"},
        yaxis={"title": _("effect (1 - cosine, 0 to 2)"), "rangemode": "tozero"},
        legend={"orientation": "h", "y": 1.02, "yanchor": "bottom"},
    )
    return figure


def _table(explanation: "Explanation", attention: Sequence[float], effects: Sequence[float]) -> None:
    segments = explanation.description.segments
    weighed = {_("Attention"): attention} if attention else {}
    table = pd.DataFrame(
        {
            _("Sentence"): [short(segment.content, place) for place, segment in enumerate(segments)],
            _("Role"): [f"{ROLE_SIGNS[role]} {_(role)}" for role in explanation.roles],
            **weighed,
            _("Effect"): effects,
            _("Occupations changed"): []
            if explanation.changed is None
            else [int(count) for count in explanation.changed],
        }
    )
    columns = {
        _("Sentence"): st.column_config.TextColumn(width="large"),
        _("Attention"): st.column_config.NumberColumn(format="%.3f", help=_("Share, sums to 1")),
        _("Effect"): st.column_config.NumberColumn(
            format="%.3f", help=_("How far the vector moves without it, 0 to 2")
        ),
        _("Occupations changed"): st.column_config.NumberColumn(
            help=_("How many of the five nearest occupations change without it")
        ),
    }
    show_table(table, "describe_truth_table", columns=columns, height=_TABLE_HEIGHT)
