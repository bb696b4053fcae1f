"""Downloads: sentences and skills as CSV, the answer as HTML and JSON-LD, the weights as a picture."""

from typing import TYPE_CHECKING

import plotly.graph_objects as go
import streamlit as st

from jobmatch.services.describing import PostingDescriber
from jobmatch_core.descriptions.explanation_files import explanation_csv, explanation_html
from jobmatch_core.descriptions.job_postings import coded_document
from jobmatch_core.descriptions.posting_skill_files import posting_skills_csv
from jobmatch_core.descriptions.posting_skills import PostingSkill, sentences_of
from jobmatch_core.io.text_files import json_text
from jobmatch_core.text.folding import plotly_text
from pages.job_descriptions import skills
from pages.job_descriptions.answer import linked
from pages.job_descriptions.sentences import ROLE_SIGNS, PostingView, short, values
from pages.job_descriptions.truth import ROLE_COLOURS
from pages.shared.downloads import download
from pages.shared.language import _

if TYPE_CHECKING:
    from jobmatch_core.descriptions.explanation import Explanation

_ROW, _MARGIN = 24, 130  # pixels of a bar, and around all bars
_PICTURE = {
    "displayModeBar": True,
    "displaylogo": False,
    "modeBarButtons": [["toImage"]],
    "toImageButtonOptions": {"format": "png", "filename": "sentences", "scale": 2},
}


def show_menu(describer: PostingDescriber, explanation: "Explanation", reading: PostingView) -> None:
    """Draw a menu with the downloads, which are written on a click."""

    def found() -> list[PostingSkill]:
        return skills.finding(describer.linker.linker.taxonomy, explanation.posting, describer.show).result()

    def page() -> str:
        result = linked(describer, explanation, reading.left_out)
        occupations = [(candidate.name, candidate.probability) for candidate in result.candidates]
        return explanation_html(explanation, reading.view, occupations, reading.left_out, found())

    def job_posting() -> str:
        link = linked(describer, explanation, reading.left_out)
        taxonomy = describer.linker.linker.taxonomy
        document = coded_document(explanation.posting, link, taxonomy, describer.show, skills=found())
        return json_text(document, indent=2, ensure_ascii=False)

    with st.popover(_("Download"), icon=":material/download:", key="describe_downloads"):
        download(_("HTML, standalone page"), page, "posting.html", "describe_html", icon="html")
        download(
            _("CSV, one row per sentence"),
            lambda: "\ufeff" + explanation_csv(explanation, reading.view),
            "posting.csv",
            "describe_csv",
            icon="table",
        )
        download(
            _("CSV, one row per skill and sentence"),
            lambda: "\ufeff" + posting_skills_csv(found(), sentences_of(explanation.posting.description)),
            "posting-skills.csv",
            "describe_skills_csv",
            icon="table",
        )
        download(
            _("JSON-LD, schema.org's JobPosting with codes"),
            job_posting,
            "posting.jsonld",
            "describe_json_ld",
            icon="data_object",
        )


def show_picture(explanation: "Explanation", reading: PostingView) -> None:
    """Draw the sentences' weights as bars, to download as a picture."""
    st.caption(_("PNG: use the camera icon at the top right of the chart."))
    st.plotly_chart(_picture(explanation, reading), key="describe_picture", config=_PICTURE)


def _picture(explanation: "Explanation", reading: PostingView) -> go.Figure:
    numbers = values(explanation, reading.shaded_by, reading.view)
    segments = explanation.description.segments
    names = [
        f"{ROLE_SIGNS[role]} {plotly_text(short(segment.content, place))}"
        for place, (segment, role) in enumerate(zip(segments, explanation.roles, strict=True))
    ]
    figure = go.Figure()
    for role in dict.fromkeys(explanation.roles):
        places = [place for place, other in enumerate(explanation.roles) if other is role]
        figure.add_bar(
            x=[numbers[place] for place in places],
            y=[names[place] for place in places],
            orientation="h",
            name=f"{ROLE_SIGNS[role]} {_(role)}",
            marker_color=ROLE_COLOURS[role],
            hovertemplate="%{y}: %{x:.3f}<extra></extra>",
        )
    figure.update_layout(
        title=_(
            "{title}: {shaded_by} of {n_segments} sentences",
            title=plotly_text(explanation.posting.title),
            shaded_by=_(reading.shaded_by),
            n_segments=len(segments),
        ),
        height=_ROW * len(segments) + _MARGIN,
        xaxis={"title": _(reading.shaded_by)},
        barmode="overlay",
        yaxis={"automargin": True, "categoryorder": "array", "categoryarray": names[::-1]},
        legend={"orientation": "h", "y": 1.0, "yanchor": "bottom"},
    )
    return figure
