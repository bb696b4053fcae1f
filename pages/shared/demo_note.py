"""What pages say in the home of `jobmatch demo`: that all data is made up, and what to try first.

Every page imports this module before its libraries, so it has to load fast.
"""

import streamlit as st

from jobmatch.services.demo_home import DemoHome, read_demo
from jobmatch_core.settings import Settings
from pages.shared.language import _
from pages.shared.page_links import page_link


def demo() -> DemoHome | None:
    """Return the demo in the home of this app; None if it is not one."""
    return read_demo(Settings.from_environment())


def mark() -> None:
    """Draw a small mark, which theme.css keeps in a corner of the window; nothing outside a demo."""
    if demo() is not None:
        with st.container(key="demo_mark"):
            st.badge(_("Demo: all data is made up"), icon=":material/science:", color="orange")


def suggestions(shown: DemoHome) -> None:
    """Draw three things to try."""
    with st.container(border=True, key="demo_suggestions", gap="small"):
        st.markdown(_("**Three things to try** in the made-up month of a small agency:"))
        first, second, third = st.columns(3, gap="medium")
        with first:
            _suggestion(
                "link_titles",
                _("Check what is left of a list"),
                _(
                    "400 titles in six languages are linked, and half are decided: check the uncertain ones by "
                    "keyboard."
                ),
                {"view": "many", "list": shown.list_id},
            )
        with second:
            _suggestion(
                "label_pairs",
                _("Settle a disagreement"),
                _(
                    "Robin and Kim judged whether freelancers fit projects. Where they disagree, you have the "
                    "last word."
                ),
                {"view": "agreement"},
            )
        with third:
            _suggestion(
                "train_models",
                _("Train a model"),
                _("Their labels train one in the background: compare it with the one in use, and promote it or not."),
                {"for": "towers"},
            )


def _suggestion(page: str, label: str, text: str, query: dict[str, str]) -> None:
    page_link(page, f"**{label}**", query)
    st.caption(text)
