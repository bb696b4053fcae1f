"""Page 'Job descriptions': occupations of a posting, the weight of each sentence, and how faithful the weights are."""

from pages.shared import entry

entry.load_libraries()

import streamlit as st

from jobmatch.services.describing import PostingDescriber
from jobmatch_core.descriptions.postings import Posting
from jobmatch_core.linking import Linker
from pages.job_descriptions import answer, downloads, model_choice, posting_choice, sentences, truth
from pages.job_descriptions.model_choice import computing_effects, explained, open_model
from pages.shared import address
from pages.shared.choices import select_segment
from pages.shared.taxonomy_choice import TAXONOMY_KEY, select_taxonomy
from pages.shared.widgets import PAGE_WIDTH, errors_shown, open_own_linker, select_language, title_line

_ADDRESS = {
    "model": model_choice.MODEL_KEY,
    "taxonomy": TAXONOMY_KEY,
    "show": "describe_show",
    "section": "describe_section",
} | posting_choice.ADDRESS
_POLL_SECONDS = 1.0
_SECTIONS = {
    "truth": "Faithfulness",
    "models": "Compare models",
    "postings": "Compare postings",
    "skills": "Skills",
    "download": "Download",
}


def _page() -> None:
    address.adopt(_ADDRESS)
    with st.container(width=PAGE_WIDTH), errors_shown():
        linker, language, model = _top_line()
        posting = posting_choice.choose()
        if posting is None:
            st.info(
                "Choose an example, or paste a posting into 'Edit, paste or upload', to see its sentences shaded by "
                "how much they say about the job.",
                icon=":material/description:",
            )
        else:
            _reading(linker, language, model, posting)
    address.write(_ADDRESS)


def _top_line() -> tuple[Linker, str, str]:
    with title_line("Job descriptions"):
        manifest = select_taxonomy(width=300)
        language = select_language("describe_show", manifest, width=190)
        with st.popover("Settings", icon=":material/tune:"):
            model = model_choice.choose()
    return open_own_linker(manifest), language, model


def _reading(linker: Linker, language: str, model: str, posting: Posting) -> None:
    describer = open_model(linker, model, language)
    explanation = explained(describer, posting)
    if explanation.shifts is None:
        _waiting(describer, posting)
    left, right = st.columns([7, 5], gap="large")
    with left, errors_shown():
        reading = sentences.show(explanation)
    with right, errors_shown():
        answer.show(describer, explanation, reading)
    if len(explanation.description.segments) < 2:
        return
    section = select_segment("Section", _SECTIONS, "describe_section")
    with errors_shown():
        if section == "truth":
            truth.show(explanation, reading)
        elif section == "models":
            model_choice.side_by_side(linker, language, posting)
        elif section == "postings":
            answer.show_two_postings(describer, explanation)
        elif section == "skills":
            answer.show_skills(linker.taxonomy, posting, language)
        else:
            downloads.show(describer, explanation, reading)


@st.fragment(run_every=_POLL_SECONDS)
def _waiting(describer: PostingDescriber, posting: Posting) -> None:
    if computing_effects(describer, posting).wait(0):
        st.rerun()
    st.caption(":material/hourglass_top: This posting is long: the effect of each sentence is still being computed.")


_page()
