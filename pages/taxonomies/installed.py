"""Section 'Installed': a card with the attribution of each taxonomy."""

from datetime import datetime

import streamlit as st

from jobmatch_core.linking import remove_taxonomy
from jobmatch_core.taxonomy import BUNDLED_ID, Manifest
from pages.shared import resources, sign_in
from pages.shared.language import N_, _, day, language_name, numeral, plural
from pages.shared.page_links import page_link
from pages.shared.taxonomy_choice import taxonomy_in_use
from pages.shared.widgets import confirm, dialog, errors_deferred, plain, show_deferred_error, taxonomy_name
from pages.taxonomies import browser

_COUNTS = (N_("occupations"), N_("groups"), N_("skills"))
_NOTE_LIMIT = 2000


def show() -> None:
    """Draw the cards."""
    administers = sign_in.may("administer")
    who = (
        _("Import ESCO or your own taxonomy under 'Import'.")
        if administers
        else _("An administrator can import others.")
    )
    st.caption(_("Titles are linked to the occupations of a taxonomy. {who}", who=who))
    show_deferred_error()
    used = taxonomy_in_use().id
    for manifest in resources.installed():
        _card(manifest, in_use=manifest.id == used)


def _card(manifest: Manifest, *, in_use: bool) -> None:
    with st.container(border=True, key=f"installed_{manifest.id}", gap="xsmall"):
        with st.container(horizontal=True, vertical_alignment="center"):
            st.markdown(f"## {plain(taxonomy_name(manifest))}", width="content")
            if in_use:
                st.badge(_("In use"), icon=":material/check:")
            st.space("stretch")
            with st.container(horizontal=True, vertical_alignment="center", gap="xsmall", width="content"):
                _actions(manifest)
        counts = [f"**{numeral(manifest.counts[kind])}** {_(kind)}" for kind in _COUNTS if manifest.counts.get(kind)]
        st.markdown(" · ".join(counts))
        languages = sorted(language_name(code) for code in manifest.languages)
        st.markdown(
            plural(
                "**{names}** names in **{n}** language: {languages}",
                "**{names}** names in **{n}** languages: {languages}",
                len(languages),
                names=numeral(manifest.counts["names"]),
                languages=", ".join(languages),
            )
        )
        if manifest.attribution:
            st.caption(plain(manifest.attribution))
        for note in manifest.notes:
            st.caption(plain(note, limit=_NOTE_LIMIT))
        origin = (
            _("bundled with jobmatch") if manifest.id == BUNDLED_ID else _("imported {day}", day=_day(manifest.created))
        )
        st.caption(_("Id {id} · {origin}", id=plain(manifest.id), origin=origin))


def _actions(manifest: Manifest) -> None:
    page_link("link_titles", query={"taxonomy": manifest.id})
    st.button(
        _("Browse"),
        key=f"browse_{manifest.id}",
        icon=":material/account_tree:",
        on_click=browser.open_in,
        args=(manifest.id,),
    )
    may_remove = manifest.id != BUNDLED_ID and sign_in.may("administer")
    if may_remove and st.button(_("Remove"), key=f"remove_{manifest.id}", type="tertiary", icon=":material/delete:"):
        _confirm(manifest)


@dialog(N_("Remove this taxonomy?"))
def _confirm(manifest: Manifest) -> None:
    st.markdown(
        _(
            "**{taxonomy}** can then no longer be linked to or browsed. Files linked with it stay "
            "as they are. It can be imported again.",
            taxonomy=plain(taxonomy_name(manifest)),
        )
    )
    confirm(_("Remove"), "remove", _remove, manifest.id)


def _remove(taxonomy_id: str) -> None:
    with errors_deferred():
        remove_taxonomy(taxonomy_id)
    resources.installed.clear()


def _day(created: str) -> str:
    try:
        return day(datetime.fromisoformat(created), padded=True, named=True)
    except ValueError:
        return plain(created)
