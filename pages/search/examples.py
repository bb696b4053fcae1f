"""What a search begins with: examples to click on, and what is searched."""

import streamlit as st

from jobmatch_core.search_events import SearchKind
from pages.search import answers, scope
from pages.search.scope import Scope
from pages.shared.widgets import plain

PLACEHOLDERS = {
    SearchKind.OCCUPATIONS: "What somebody does at work, in any language",
    SearchKind.FREELANCERS: "Skills, a trade, a place: a few words in any language",
    SearchKind.PROJECTS: "A trade, skills, a branch: a few words in any language",
}
_EXAMPLES = {
    SearchKind.OCCUPATIONS: (
        "someone who repairs lifts", "backt Brot", "personne qui garde des enfants à domicile", "cuida de ancianos",
    ),
    SearchKind.FREELANCERS: ("React developer", "logo designer", "Übersetzerin Spanisch", "développeur Java"),
    SearchKind.PROJECTS: ("website for a shop", "Datenanalyse mit Python", "traduction juridique", "animated film"),
}  # fmt: skip
_TOLD = {
    SearchKind.OCCUPATIONS: "Describe the work in your own words and language; the answer need not use the same ones.",
    SearchKind.FREELANCERS: "Freelancers are found by the words of their profiles, and by what these mean.",
    SearchKind.PROJECTS: "Projects are found by the words of their descriptions, and by what these mean.",
}


def show(chosen: Scope) -> None:
    """Draw the examples."""
    index = scope.opened(chosen)
    with st.container(horizontal=True, vertical_alignment="center", gap="small"):
        st.caption("Try:", width="content")
        for number, example in enumerate(_EXAMPLES[chosen.kind]):
            st.button(
                plain(example), key=f"search_example_{number}", type="tertiary", on_click=answers.ask, args=(example,)
            )
    if len(index):
        st.caption(f"{_TOLD[chosen.kind]} {len(index):,} {chosen.name} are searched.")
    else:
        st.info(
            f"{plain(chosen.source)} has no {chosen.name}. Choose another one at the top right.", icon=":material/info:"
        )
