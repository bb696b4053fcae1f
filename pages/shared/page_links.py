"""Links to other pages, with the icon that the navigation has."""

from collections.abc import Mapping

import streamlit as st

from pages.shared.language import _
from pages.shared.page_list import PAGES


def page_link(page: str, label: str = "", query: Mapping[str, str] | None = None) -> None:
    """Draw the link to a page, named by its folder; without a label it has the page's title."""
    entry = PAGES[page]
    st.page_link(
        f"pages/{page}/{page}.py", label=label or _(entry.title), icon=f":material/{entry.icon}:", query_params=query
    )
