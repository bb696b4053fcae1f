"""Sign-in: the viewer, their permissions, and the controls to sign in and out.

Without sign-in (`jobmatch.access`), the viewer is the user of this machine, who may do everything. Every page imports
this module before its libraries, so it has to load fast.
"""

from collections.abc import Callable
from typing import TYPE_CHECKING

import streamlit as st

from jobmatch.access.current_access import current_access
from jobmatch.access.denials import SESSION_OVER_HEADER, UNKNOWN, Denial
from jobmatch.access.ownership import may_act, owner_id
from jobmatch.access.permissions import ACTIONS, has_role, may_do
from jobmatch.access.principal import LOCAL, Principal, PrincipalKind
from jobmatch_core.io.ownership import Act, Allowed, Ownership
from pages.shared.language import _
from pages.shared.page_list import PAGES

if TYPE_CHECKING:
    from jobmatch.access.access import Access

_WIDTH = 560


def principal() -> Principal | None:
    """Return the viewer; None if they have to sign in. Checked in every run."""
    access = current_access()
    if access is None or not access.signs_in:
        return None if _rejection() else LOCAL
    if not st.user.is_logged_in:
        return None
    try:
        return access.authenticate_session(st.user.to_dict())
    except Denial:
        return None


def person() -> Principal | None:
    """Return the person signed in; None if there is none."""
    viewer = principal()
    return viewer if viewer is not None and viewer.kind is PrincipalKind.PERSON else None


def may(action: str) -> bool:
    """Return whether the viewer may take an action of `permissions.ACTIONS`."""
    viewer = principal()
    return viewer is not None and may_do(viewer, action)


def owner() -> str:
    """Return the owner of new items; '' where nobody signs in.

    Raises:
        Denial: the session is over, and a new item would belong to everybody.
    """
    viewer = principal()
    if viewer is None:
        raise Denial(UNKNOWN, _("Your session is over, so nothing was stored"), _("Sign in again."))
    return owner_id(viewer)


def allowed(store: str) -> Allowed:
    """Return the permission check for items of a store; it checks the viewer at each call."""

    def is_allowed(act: Act, ownership: Ownership) -> bool:
        viewer = principal()
        return viewer is not None and may_act(viewer, store, act, ownership)

    return is_allowed


def may_see(page: str) -> bool:
    """Return whether the viewer may open a page, named by its folder."""
    viewer = principal()
    if viewer is None or not has_role(viewer, PAGES[page].role):
        return False
    return page != "account" or _signing_in() is not None


def needed_for(action: str) -> str:
    """Return the message for a viewer who may not take an action."""
    return _(
        "Your role does not allow this: it needs the role '{action}'. An administrator can give it to you.",
        action=_(ACTIONS[action]),
    )


def who_imports() -> str:
    """Return the sentence on who can import a taxonomy."""
    if may("administer"):
        return _("Import one on the page 'Taxonomies'.")
    return _("An administrator can import one.")


def show_page(folder: str, title: str, run: Callable[[], None]) -> None:
    """Draw a page with *run*, or the reason why the viewer may not see it."""
    viewer = principal()
    if viewer is None:
        _ask_to_sign_in()
    elif has_role(viewer, PAGES[folder].role):
        run()
    else:
        _refuse(viewer, folder, title)


def sign_out_button() -> None:
    """Draw the button 'Sign out'."""
    st.button(_("Sign out"), key="sign_out", icon=":material/logout:", on_click=st.logout)


def _signing_in() -> "Access | None":
    access = current_access()
    return access if access is not None and access.signs_in else None


def _rejection() -> str:
    # why the middleware rejected the session; '' if it did not
    return str(st.context.headers.get(SESSION_OVER_HEADER, ""))


def _ask_to_sign_in() -> None:
    with st.container(width=_WIDTH):
        st.title("jobmatch", anchor=False)
        if _signing_in() is None:
            st.warning(
                _("{rejection}. Its administrator can switch sign-in on.", rejection=_rejection()),
                icon=":material/lock:",
            )
            return
        if reason := _rejection():
            st.info(_("{reason}. Sign in again.", reason=reason), icon=":material/schedule:")
        st.markdown(_("Sign in to link titles and find freelancers. What else you may do depends on your role."))
        st.button(_("Sign in"), key="sign_in", type="primary", icon=":material/login:", on_click=st.login)


def _refuse(viewer: Principal, folder: str, title: str) -> None:
    with st.container(width=_WIDTH):
        st.title(title, anchor=False)
        yours = (
            _("you are signed in as **{role}**", role=_(viewer.role))
            if viewer.role
            else _("your account has no role here yet")
        )
        st.warning(
            _(
                "This page needs the role **{role}**, and {yours}. Ask an administrator for it, and sign in again.",
                role=_(PAGES[folder].role),
                yours=yours,
            ),
            icon=":material/lock:",
        )
        sign_out_button()
