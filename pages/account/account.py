"""Page 'Account': the viewer's role; for administrators also people, sessions, and keys for programs."""

from pages.shared import entry

entry.load_libraries()

import streamlit as st

from jobmatch.access.principal import Principal
from pages.account import administration
from pages.shared import sign_in
from pages.shared.widgets import PAGE_WIDTH, errors_shown, plain, show_deferred_error

_MAY = {
    "viewer": "You may link, search and match.",
    "annotator": "You may link, search and match, and judge pairs.",
    "reviewer": "You may also settle disagreements, write guidelines, set quotas, train and promote models, "
    "and measure systems.",
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
            _own(person)
        if sign_in.may("administer"):
            with errors_shown():
                show_deferred_error()
                administration.show_people()
                administration.show_keys()


def _own(person: Principal) -> None:
    with st.container(border=True):
        st.markdown(f"Signed in as **{plain(person.name)}**, role **{person.role}**.")
        if person.role is not None:
            st.caption(_MAY[person.role])
        sign_in.sign_out_button()


_page()
