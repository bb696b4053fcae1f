"""Page 'Account': the viewer's role; for administrators also people, sessions, and keys for programs."""

from pages.shared import entry

entry.load_libraries()

import streamlit as st

from pages.account import administration
from pages.shared import sign_in
from pages.shared.widgets import PAGE_WIDTH, errors_shown, plain, show_deferred_error

_MAY = {
    "viewer": "You may link titles, describe postings, search, and find freelancers.",
    "annotator": "You may do what viewers may, and judge links and pairs.",
    "reviewer": "You may do what annotators may, and settle disagreements, write guidelines, set quotas, train and "
    "promote models, and measure systems.",
    "admin": "You may do everything.",
}


def _page() -> None:
    with st.container(width=PAGE_WIDTH):
        st.title("Account", anchor=False)
        person = sign_in.person()
        if person is None:
            st.info(
                "**Nobody has to sign in here.** Everybody who can open this address may do everything. "
                "docs/access.md says how to switch sign-in on.",
                icon=":material/lock_open:",
            )
        else:
            with st.container(border=True, horizontal=True, vertical_alignment="center"):
                may = f"  \n:small[:gray[{_MAY[person.role]}]]" if person.role is not None else ""
                st.markdown(f"Signed in as **{plain(person.name)}**, role **{person.role}**.{may}", width="stretch")
                sign_in.sign_out_button()
            if not sign_in.may("administer"):
                st.caption("An administrator can give you another role. It counts from your next sign-in on.")
        if sign_in.may("administer"):
            with errors_shown():
                show_deferred_error()
                administration.show_people()
                administration.show_keys()


_page()
