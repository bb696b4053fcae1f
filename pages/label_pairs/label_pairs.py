"""Page 'Label pairs': judge pairs by keyboard, measure agreement, browse the history."""

from pages.shared import entry

entry.load_libraries()

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from pages.label_pairs import agreement_tab, history_tab, judge_tab, queue_choice
from pages.shared import address, label_market
from pages.shared.annotator import annotator_popover, name_form
from pages.shared.choices import select_segment
from pages.shared.language import N_, _, translated
from pages.shared.widgets import PAGE_WIDTH, errors_shown

_VIEW_KEY = "label_view"
_VIEWS = {
    "label": N_(":material/rule: Label"),
    "agreement": N_(":material/group: Agreement"),
    "history": N_(":material/history: History"),
}
_ADDRESS = {"view": _VIEW_KEY} | label_market.ADDRESS | queue_choice.ADDRESS | history_tab.ADDRESS


def _page() -> None:
    address.adopt(_ADDRESS)
    with st.container(width=PAGE_WIDTH), errors_shown():
        view, annotator, bar = _head()
        with errors_shown():
            if view == "agreement":
                agreement_tab.show()
            elif view == "history":
                history_tab.show()
            else:
                _label(annotator, bar)
    address.write(_ADDRESS)


def _head() -> tuple[str, str, DeltaGenerator]:
    with st.container(horizontal=True, vertical_alignment="center"):
        st.title(_("Label pairs"), anchor=False, width="content")
        view = select_segment(_("View"), translated(_VIEWS), _VIEW_KEY)
        st.space("stretch")
        bar = st.container(width="content")
        annotator = annotator_popover()
    return view, annotator, bar


def _label(annotator: str, bar: DeltaGenerator) -> None:
    if not annotator:
        with st.container(border=True, width=520, key="label_who"):
            st.markdown(
                _("**What is your name?** It is stored with each of your verdicts and remembered by this browser.")
            )
            name_form(_("Start judging"))
        return
    queue = queue_choice.choose(bar)
    counts = queue.market.manifest.counts
    if not (counts["projects"] and counts["freelancers"]):
        st.info(
            _(
                "**This marketplace has no pairs.** A pair needs a project and a freelancer. Choose another "
                "marketplace, or import one with `jobmatch marketplace import`."
            ),
            icon=":material/inbox:",
        )
        return
    if not queue_choice.show_missing_model(queue):
        judge_tab.show(queue, queue_choice.desk(queue, annotator))


_page()
