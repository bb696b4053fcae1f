"""Codes of another classification beside a list's answers: the choice of a crosswalk, and its codes for downloads."""

from pathlib import Path

import streamlit as st

from jobmatch.services.crosswalk_desk import store_mappings
from jobmatch.services.linking import LinkOptions, linking_service
from jobmatch_core.crosswalks.store import CrosswalkCard, CrosswalkStore
from jobmatch_core.errors import CrosswalkError
from jobmatch_core.linking.other_codes import OtherCodes
from jobmatch_core.linking.review import ListOptions
from jobmatch_core.text.folding import visible
from pages.shared import sign_in
from pages.shared.choices import select
from pages.shared.language import _
from pages.shared.uploads import on_disk
from pages.shared.widgets import error_box, errors_deferred, show_deferred_error

_KEY, _FILE_KEY = "many_crosswalk", "many_crosswalk_file"
_NONE, _FILE = "", "file"  # choices beside the ids of crosswalks


def choose(taxonomy: str) -> str:
    """Draw the choice of a crosswalk to a taxonomy, stored or from an SSSOM file; return its id, '' for none."""
    names = {id_: visible(card.name) for id_, card in _store().listed() if card.taxonomy == taxonomy}
    labels = {_NONE: _("None"), **names}
    if sign_in.may("judge"):
        labels[_FILE] = _("Mappings in an SSSOM file …")
    if len(labels) == 1:
        return _NONE
    chosen = select(
        _("Codes of another classification (optional)"),
        list(labels),
        _KEY,
        format_func=labels.__getitem__,
        explanation=_(
            "Their codes stand in the download, beside ESCO and ISCO-08. Crosswalks are reviewed on 'Crosswalks'."
        ),
    )
    show_deferred_error()
    if chosen != _FILE:
        return chosen
    st.file_uploader(_("Mappings in SSSOM"), type=["tsv"], key=_FILE_KEY, on_change=_keep, args=(taxonomy,))
    return _NONE


def codes(options: ListOptions) -> OtherCodes:
    """Return the codes of a list's crosswalk as it is reviewed by now; if there are none, draw why."""
    try:
        return linking_service().other_codes(LinkOptions(options.taxonomy, also=options.also))
    except CrosswalkError as error:
        error_box(error)
        return ()


def _keep(taxonomy: str) -> None:
    # a crosswalk of its own, which is chosen then, and can be reviewed
    file = st.session_state[_FILE_KEY]
    if file is not None:
        with errors_deferred(), on_disk([file]) as folder:
            card = CrosswalkCard(Path(file.name).stem.removesuffix(".sssom") or file.name, taxonomy, "")
            st.session_state[_KEY] = store_mappings(folder / file.name, _store(), card)


def _store() -> CrosswalkStore:
    return CrosswalkStore.open(allowed=sign_in.allowed("crosswalks"))
