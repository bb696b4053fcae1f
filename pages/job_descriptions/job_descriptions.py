"""Page 'Job descriptions': occupations of a posting, the weight of each sentence, and how faithful the weights are."""

from pages.shared import entry

entry.load_libraries()

from typing import TYPE_CHECKING

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from jobmatch.services.describing import PostingDescriber
from jobmatch_core.descriptions.postings import Posting
from jobmatch_core.taxonomy.tables import Manifest
from pages.job_descriptions import answer, downloads, model_choice, posting_choice, sentences, skills, truth
from pages.job_descriptions.model_choice import computing_effects, explained, open_model
from pages.job_descriptions.sentences import PostingView
from pages.shared import address
from pages.shared.language import N_, _, translated
from pages.shared.taxonomy_choice import TAXONOMY_KEY, select_taxonomy
from pages.shared.widgets import PAGE_WIDTH, WIDE_KEY, errors_shown, open_own_linker, select_language, title_line

if TYPE_CHECKING:
    from jobmatch_core.descriptions.explanation import Explanation

_SECTION_KEY = "describe_section"
_ADDRESS = {
    "model": model_choice.MODEL_KEY,
    "taxonomy": TAXONOMY_KEY,
    "show": "describe_show",
    "section": _SECTION_KEY,
} | posting_choice.ADDRESS
_POLL_SECONDS = 1.0
_FEWEST = 2  # sentences to compare
_SECTIONS = {
    "truth": N_("Faithfulness"),
    "models": N_("Models"),
    "postings": N_("Compare postings"),
    "download": N_("Picture"),
}


Described = tuple[PostingDescriber, "Explanation", PostingView]


def _page() -> None:
    address.adopt(_ADDRESS)
    with st.container(width=PAGE_WIDTH, key=WIDE_KEY), errors_shown():
        with title_line(_("Job descriptions")):
            manifest = select_taxonomy(width=300)
            language = select_language("describe_show", manifest, width=190)
        model = model_choice.chosen()
        left, right = st.columns([7, 5], gap="large")
        with left:
            posting = posting_choice.choose()
            place_of_sentences = st.container(key="describe_reading")
        described = None
        with right, st.container(key="describe_answer"), errors_shown():
            if posting is None:
                st.info(_("Paste a posting, or select an example."), icon=":material/description:")
            else:
                described = _answer(manifest, language, model, posting, place_of_sentences)
        if posting is not None:
            with errors_shown():
                _panel(language, described)
    address.write(_ADDRESS)


def _answer(
    manifest: Manifest, language: str, model: str, posting: Posting, place_of_sentences: DeltaGenerator
) -> Described:
    linker = open_own_linker(manifest)
    describer = open_model(linker, model, language)
    explanation = explained(describer, posting)
    with place_of_sentences:
        if explanation.shifts is None:
            _waiting(describer, posting)
        reading = sentences.show(explanation)
        if explanation.description.segments:
            downloads.show_menu(describer, explanation, reading)
    answer.show_occupations(describer, explanation, reading.left_out)
    place_of_skills = st.container()
    answer.show_titles(describer, explanation, reading.left_out)
    with place_of_skills:  # last, for the names of many skills take seconds the first time
        skills.show(linker.taxonomy, posting, language)
    return describer, explanation, reading


def _panel(language: str, described: Described | None) -> None:
    if st.session_state.get(_SECTION_KEY) not in _SECTIONS:
        st.session_state[_SECTION_KEY] = None
    section = st.segmented_control(
        _("For data scientists"),
        list(_SECTIONS),
        key=_SECTION_KEY,
        format_func=translated(_SECTIONS).__getitem__,
        persist_state="session",
    )
    if section == "models":
        model_choice.choose()
    if section is None or described is None:
        return
    describer, explanation, reading = described
    if section == "models":
        model_choice.side_by_side(describer.linker.linker, language, explanation.posting)
    elif section == "postings":
        answer.show_two_postings(describer, explanation)
    elif len(explanation.description.segments) < _FEWEST:
        st.caption(_("The posting has too few sentences."))
    elif section == "truth":
        truth.show(describer, explanation, reading)
    else:
        downloads.show_picture(explanation, reading)


@st.fragment(run_every=_POLL_SECONDS)
def _waiting(describer: PostingDescriber, posting: Posting) -> None:
    if computing_effects(describer, posting).wait(0):
        st.rerun()
    st.caption(_(":material/hourglass_top: This posting is long: what decides in it is still being computed."))


_page()
