"""Page 'Find freelancers': freelancers for a project across languages, with the reasons."""

from pages.shared import entry

entry.load_libraries()

import streamlit as st

from jobmatch_core.search_events import SearchKind
from pages.find_freelancers import filter_form, project_choice, results
from pages.shared import address, market_choice, search_recording, widgets
from pages.shared.language import _
from pages.shared.widgets import PAGE_WIDTH, errors_shown

_ADDRESS = market_choice.ADDRESS | project_choice.ADDRESS | filter_form.ADDRESS | results.ADDRESS


def _page() -> None:
    before = project_choice.links() | filter_form.links()
    address.adopt(_ADDRESS)
    project_choice.follow(before)
    filter_form.follow(before)
    search_recording.remember_consent()
    with st.container(width=PAGE_WIDTH), errors_shown():
        market = market_choice.choose()
        left, right = st.columns([5, 8], gap="large")
        project, filters = None, None
        with left, errors_shown():
            project = project_choice.choose(market)
            if project is not None:
                filters = filter_form.choose(market, project)
            with st.container(key="find_elsewhere"):
                widgets.show_search_box(
                    _("Search freelancers without a project"), SearchKind.FREELANCERS, marketplace=market.manifest.name
                )
        if project is not None:
            with right, errors_shown():
                if filters is None:
                    st.info(
                        _("Correct the place under 'Filters' to see the freelancers."), icon=":material/filter_alt:"
                    )
                else:
                    results.show(market, project, filters)
    filter_form.remember()
    address.write(_ADDRESS)


_page()
