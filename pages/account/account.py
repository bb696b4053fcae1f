"""Page 'Account': the viewer's role; for administrators also people, sessions, and keys for programs."""

from pages.shared import entry

entry.load_libraries()

import streamlit as st

from pages.account import administration
from pages.shared import sign_in
from pages.shared.language import N_, _, choose_language
from pages.shared.widgets import PAGE_WIDTH, errors_shown, plain, show_deferred_error, title_line

_MAY = {
    "viewer": N_("You may link titles, describe postings, search, and find freelancers."),
    "annotator": N_("You may do what viewers may, and judge links and pairs."),
    "reviewer": N_(
        "You may do what annotators may, and settle disagreements, write guidelines, set quotas, "
        "train and promote models, and measure systems."
    ),
    "admin": N_("You may do everything."),
}


def _page() -> None:
    with st.container(width=PAGE_WIDTH):
        with title_line(_("Account")):
            choose_language()
        person = sign_in.person()
        if person is None:
            st.info(
                _(
                    "**Nobody has to sign in here.** Everybody who can open this address may do everything. "
                    "docs/access.md says how to switch sign-in on."
                ),
                icon=":material/lock_open:",
            )
        else:
            with st.container(border=True, horizontal=True, vertical_alignment="center"):
                may = f"  \n:small[:gray[{_(_MAY[person.role])}]]" if person.role is not None else ""
                st.markdown(
                    _(
                        "Signed in as **{name}**, role **{role}**.{may}",
                        name=plain(person.name),
                        role=_(person.role or "none"),
                        may=may,
                    ),
                    width="stretch",
                )
                sign_in.sign_out_button()
            if not sign_in.may("administer"):
                st.caption(_("An administrator can give you another role. It counts from your next sign-in on."))
        if sign_in.may("administer"):
            with errors_shown():
                show_deferred_error()
                administration.show_people()
                administration.show_keys()


_page()
