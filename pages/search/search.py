"""Page 'Search': occupations by a description of the work, freelancers and projects by a few words."""

from pages.shared import entry

entry.load_libraries()

import streamlit as st

from jobmatch_core.search_events import SearchKind
from pages.find_freelancers import filter_form
from pages.search import answers, scope, search_log
from pages.search.scope import Scope
from pages.shared import address, search_recording
from pages.shared.language import N_, _, numeral
from pages.shared.widgets import PAGE_WIDTH, errors_shown, plain, show_deferred_error

_QUERY_LINK = "search_query_link"
_ADDRESS = {"query": _QUERY_LINK, "like": answers.LIKE_KEY} | scope.ADDRESS
_LONGEST_LINK = 300  # characters; longer queries are not written into the address
_PLACEHOLDERS = {
    SearchKind.OCCUPATIONS: N_("Describe the work, in any language"),
    SearchKind.FREELANCERS: N_("Skills, a trade, a place: a few words in any language"),
    SearchKind.PROJECTS: N_("A trade, skills, an industry: a few words in any language"),
}
_EXAMPLES = {
    SearchKind.OCCUPATIONS: (
        "someone who repairs lifts",
        "backt Brot",
        "personne qui garde des enfants à domicile",
        "cuida de ancianos",
    ),
    SearchKind.FREELANCERS: ("React developer", "logo designer", "Übersetzerin Spanisch", "développeur Java"),
    SearchKind.PROJECTS: ("website for a shop", "Datenanalyse mit Python", "traduction juridique", "animated film"),
}
_HINTS = {
    SearchKind.OCCUPATIONS: N_("Describe the work in your own words and language; results may use other words."),
    SearchKind.FREELANCERS: N_("Freelancers are found by the words and the meaning of their profiles."),
    SearchKind.PROJECTS: N_("Projects are found by the words and the meaning of their descriptions."),
}


def _page() -> None:
    filters, query_before = filter_form.links(), st.session_state.get(_QUERY_LINK, "")
    address.adopt(_ADDRESS)
    filter_form.follow(filters)
    search_recording.remember_consent()
    if (link := st.session_state.get(_QUERY_LINK, "")) != query_before:
        st.session_state[answers.QUERY_KEY] = link
    with st.container(width=PAGE_WIDTH), errors_shown():
        chosen = scope.choose()
        show_deferred_error()
        query = _box(chosen.kind)
        with errors_shown():
            filtered = scope.filtered(chosen)
            if filtered is None:
                st.info(_("Correct the place under 'Filters' to search."), icon=":material/filter_alt:")
            elif query.strip() or st.session_state.get(answers.LIKE_KEY):
                answers.show(filtered, query)
            else:
                _examples(filtered)
        with errors_shown():
            search_log.show()
        st.session_state[_QUERY_LINK] = query if len(query) <= _LONGEST_LINK else ""
    filter_form.remember()
    address.write(_ADDRESS)


def _box(kind: SearchKind) -> str:
    query = st.text_input(
        _("What are you looking for?"),
        key=answers.QUERY_KEY,
        type="search",
        live=True,
        on_change=answers.forget_like,
        placeholder=_(_PLACEHOLDERS[kind]),
        icon=":material/search:",
        label_visibility="collapsed",
        persist_state="session",
    )
    return query or ""


def _examples(chosen: Scope) -> None:
    with st.container(horizontal=True, vertical_alignment="center", gap="small"):
        st.caption(_("Try:"), width="content")
        for number, example in enumerate(_EXAMPLES[chosen.kind]):
            st.button(
                plain(example), key=f"search_example_{number}", type="tertiary", on_click=answers.ask, args=(example,)
            )
    if chosen.count:
        st.caption(
            _(
                "{hint} {count} {kind} are searched.",
                hint=_(_HINTS[chosen.kind]),
                count=numeral(chosen.count),
                kind=_(chosen.kind),
            )
        )
    else:
        st.info(
            _(
                "{name} has no {kind}. Choose another one at the top right.",
                name=plain(chosen.name),
                kind=_(chosen.kind),
            ),
            icon=":material/info:",
        )


_page()
