"""Find freelancers for a project, in whatever languages either is written, and see why."""

from pages import _entry

_entry.through_app()

import streamlit as st

from jobmatch_core.entities import Project
from jobmatch_core.matching.vector_store import Filters
from pages import _address, _find_filters, _find_form, _find_market, _find_project, _find_results
from pages._find_market import Market
from pages._widgets import PAGE_WIDTH, errors_shown

_ADDRESS = _find_market.ADDRESS | _find_project.ADDRESS | _find_filters.ADDRESS | _find_results.ADDRESS


def _page() -> None:
    before = _find_form.links() | _find_filters.links()
    _address.adopt(_ADDRESS)
    _find_project.follow(before)
    _find_filters.follow(before)
    with st.container(width=PAGE_WIDTH), errors_shown():
        market = _find_market.choose()
        left, right = st.columns([5, 8], gap="large")
        asked: tuple[Project, Filters] | None = None
        with left, errors_shown():
            asked = _ask(market)
        if asked is not None:
            with right, errors_shown():
                _find_results.show(market, *asked)
    _find_filters.remember()
    _address.write(_ADDRESS)


def _ask(market: Market) -> tuple[Project, Filters] | None:
    """Draw the project and the filters; None while there is no project."""
    project = _find_project.choose(market)
    return None if project is None else (project, _find_filters.choose(market, project))


_page()
