"""Search: occupations by what people do, freelancers and projects by a few words, in any language."""

from pages.shared import entry

entry.load_libraries()

import streamlit as st

from jobmatch_core.search_events import SearchKind
from pages.find_freelancers import filter_form
from pages.search import answers, examples, recording, scope, search_log
from pages.search.scope import Scope
from pages.shared import address
from pages.shared.widgets import PAGE_WIDTH, errors_shown, show_deferred_error

_QUERY_LINK = "search_query_link"
_ADDRESS = {"query": _QUERY_LINK, "like": answers.LIKE_KEY} | scope.ADDRESS
_LONGEST_LINK = 300  # characters of a query that stands in the address


def _page() -> None:
    filters, asked = filter_form.links(), st.session_state.get(_QUERY_LINK, "")
    address.adopt(_ADDRESS)
    filter_form.follow(filters)
    recording.remember_consent()
    if (link := st.session_state.get(_QUERY_LINK, "")) != asked:
        st.session_state[answers.QUERY_KEY] = link
    with st.container(width=PAGE_WIDTH), errors_shown():
        chosen = scope.choose()
        show_deferred_error()
        query = _box(chosen.kind)
        with errors_shown():
            _answer(scope.filtered(chosen), query)
        with errors_shown():
            search_log.show()
        st.session_state[_QUERY_LINK] = query if len(query) <= _LONGEST_LINK else ""
    filter_form.remember()
    address.write(_ADDRESS)


def _box(kind: SearchKind) -> str:
    return st.text_input(
        "What are you looking for?", key=answers.QUERY_KEY, type="search", live=True, on_change=answers.forget_like,
        placeholder=examples.PLACEHOLDERS[kind], icon=":material/search:", persist_state="session",
    ) or ""  # fmt: skip


def _answer(chosen: Scope, query: str) -> None:
    if query.strip() or st.session_state.get(answers.LIKE_KEY):
        answers.show(chosen, query)
    else:
        examples.show(chosen)


_page()
