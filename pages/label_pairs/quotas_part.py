"""Quotas: how many people judge each pair, and who judges how much; for those who share the work out."""

from collections.abc import Sequence

import streamlit as st

from jobmatch_core.errors import LabellingError
from jobmatch_core.quotas import MOST_JUDGMENTS, NO_QUOTAS, Quotas
from jobmatch_core.text.folding import visible
from pages.shared import resources
from pages.shared.annotator import annotator_name, given_name, shown
from pages.shared.label_words import when
from pages.shared.widgets import errors_deferred, plain, show_deferred_error

_JUDGMENTS_KEY, _PEOPLE_KEY, _SHARE_KEY = "label_quota_judgments", "label_quota_people", "label_quota_share"
_SEEN_KEY = "label_quotas_seen"


def show() -> None:
    """Draw the part.

    Raises:
        LabelStoreError: the store cannot be used.
    """
    history = resources.label_store().quotas_history(limit=1)
    quotas = history[0].quotas if history else NO_QUOTAS
    _adopt(quotas)
    with st.expander("Quotas"):
        show_deferred_error()
        st.caption(
            "'My queue' on 'Label' gives annotators their share of the pairs and then ends. Without it, anyone may "
            "take the next pair."
        )
        with st.container(horizontal=True, vertical_alignment="bottom"):
            st.number_input("Judgments per pair", 1, MOST_JUDGMENTS, key=_JUDGMENTS_KEY)
            people = st.multiselect(
                "Annotators with a share", _known(quotas), key=_PEOPLE_KEY, accept_new_options=True,
                format_func=lambda each: visible(shown(each)), placeholder="Choose, or type a name",
            )  # fmt: skip
        for name in people:
            st.number_input(
                f"Share of {plain(shown(name), limit=60)}, in %", 0.0, 100.0, step=5.0, key=f"{_SHARE_KEY}_{name}",
                help="Of all judgments; with 2 judgments per pair at most 50, since nobody judges a pair twice.",
            )  # fmt: skip
        with st.container(horizontal=True, vertical_alignment="center"):
            st.button("Save quotas", key="label_quota_save", icon=":material/save:", on_click=_save)
            if history:
                st.caption(f"Set by {plain(history[0].author, limit=60)}, {when(history[0].at)}")


def _adopt(quotas: Quotas) -> None:
    """Fill the fields with the quotas in force, once for each version; what is typed stays until then."""
    if st.session_state.get(_SEEN_KEY) == quotas and _JUDGMENTS_KEY in st.session_state:
        return
    st.session_state[_SEEN_KEY] = quotas
    st.session_state[_JUDGMENTS_KEY] = quotas.judgments
    st.session_state[_PEOPLE_KEY] = [name for name, _ in quotas.shares]
    for name, share in quotas.shares:
        st.session_state[f"{_SHARE_KEY}_{name}"] = round(100 * share, 4)


def _known(quotas: Quotas) -> list[str]:
    """Return annotators to choose from: who has judged, has signed in, has a share, or looks at the page."""
    store = resources.label_store()
    names = {*store.counts().by_annotator, *(each.id for each in store.access.people())}
    names |= {name for name, _ in quotas.shares} | {given_name()}
    return sorted(names - {""}, key=lambda name: shown(name).casefold())


def _save() -> None:
    with errors_deferred():
        state = st.session_state
        shares = tuple((str(name), float(state[f"{_SHARE_KEY}_{name}"]) / 100) for name in state[_PEOPLE_KEY])
        try:
            quotas = Quotas(int(state[_JUDGMENTS_KEY]), shares)
        except LabellingError as error:
            raise LabellingError(_named(str(error), [name for name, _ in shares])) from error
        resources.label_store().set_quotas(quotas, annotator_name())
        st.toast("Saved the quotas.", icon=":material/check:")


def _named(message: str, annotators: Sequence[str]) -> str:
    """Return a message with people's names in place of the keys that they are stored under."""
    for annotator in annotators:
        message = message.replace(repr(annotator), repr(shown(annotator)))
    return message
