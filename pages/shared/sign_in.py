"""Sign-in: who looks at this page, what they may do, and the controls to sign in and out.

Whether anybody has to sign in is the server's matter (`jobmatch.access`). Without it this is the user of this
machine, who may do everything. Light, because every page needs it before its own imports.
"""

from collections.abc import Callable
from typing import TYPE_CHECKING

import streamlit as st

from jobmatch.access.current_access import current_access
from jobmatch.access.denials import UNKNOWN, Denial
from jobmatch.access.ownership import may_act, owner_id
from jobmatch.access.permissions import ACTIONS, PAGES, may_do, may_open
from jobmatch.access.principal import LOCAL, Principal, PrincipalKind
from jobmatch_core.io.ownership import Act, Allowed, Ownership

if TYPE_CHECKING:
    from jobmatch.access.access import Access

SESSION_OVER_HEADER = "x-jobmatch-session-over"  # the middleware sets it
_WIDTH = 560


def principal() -> Principal | None:
    """Return who looks at the page, None if nobody has signed in who should; asked anew in every run."""
    access = current_access()
    if access is None or not access.signs_in:
        return None if _closed() else LOCAL
    if not st.user.is_logged_in:
        return None
    try:
        return access.authenticate_session(st.user.to_dict())
    except Denial:
        return None


def person() -> Principal | None:
    """Return who has signed in; None where nobody has to."""
    found = principal()
    return found if found is not None and found.kind is PrincipalKind.PERSON else None


def may(action: str) -> bool:
    """Return whether who looks at the page may take an action of the table of permissions."""
    found = principal()
    return found is not None and may_do(found, action)


def owner() -> str:
    """Return the owner of what is made on this page; '' where nobody signs in.

    Raises:
        Denial: the session is over; what is made now would belong to everybody.
    """
    maker = principal()
    if maker is None:
        raise Denial(UNKNOWN, "Your session is over, so nothing was stored", "Sign in again.")
    return owner_id(maker)


def allowed(store: str) -> Allowed:
    """Return a function that says what may be done with an item of a store by whoever looks at the page then."""

    def asked(act: Act, ownership: Ownership) -> bool:
        found = principal()
        return found is not None and may_act(found, store, act, ownership)

    return asked


def may_see(page: str) -> bool:
    """Return whether who looks at the page may open another one, given by its folder."""
    found = principal()
    return found is not None and may_open(found, page) and (page != "account" or _signing_in() is not None)


def needed_for(action: str) -> str:
    """Return what to say to somebody who may not take an action."""
    return f"Your role does not allow this: it needs the role '{ACTIONS[action]}'. An administrator can give it to you."


def who_imports() -> str:
    """Return who can import a taxonomy, and where."""
    if may("administer"):
        return "Import one on the page 'Taxonomies'."
    return "An administrator can import one."


def show_page(folder: str, title: str, run: Callable[[], None]) -> None:
    """Run a page, or say why it cannot be shown.

    Args:
        folder: the page's folder.
        title: its title.
        run: draws it.
    """
    found = principal()
    if found is None:
        _ask()
    elif may_open(found, folder):
        run()
    else:
        _refuse(found, folder, title)


def sign_out_button() -> None:
    """Draw the button that signs out."""
    st.button("Sign out", key="sign_out", icon=":material/logout:", on_click=st.logout)


def _signing_in() -> "Access | None":
    """Return the server's access if people have to sign in."""
    access = current_access()
    return access if access is not None and access.signs_in else None


def _closed() -> str:
    """Return why no session counts, as the middleware says; '' where one does, or nobody has tried."""
    return str(st.context.headers.get(SESSION_OVER_HEADER, ""))


def _ask() -> None:
    with st.container(width=_WIDTH):
        st.title("jobmatch", anchor=False)
        if _signing_in() is None:
            st.warning(f"{_closed()}. Its administrator can switch sign-in on.", icon=":material/lock:")
            return
        if over := _closed():
            st.info(f"{over}. Sign in again.", icon=":material/schedule:")
        st.markdown("Sign in to link titles and find freelancers. What else you may do depends on your role.")
        st.button("Sign in", key="sign_in", type="primary", icon=":material/login:", on_click=st.login)


def _refuse(found: Principal, folder: str, title: str) -> None:
    with st.container(width=_WIDTH):
        st.title(title, anchor=False)
        has = f"you are signed in as **{found.role}**" if found.role else "your account has no role here yet"
        st.warning(
            f"This page needs the role **{PAGES[folder]}**, and {has}. Ask an administrator for it, and sign in again.",
            icon=":material/lock:",
        )
        sign_out_button()
