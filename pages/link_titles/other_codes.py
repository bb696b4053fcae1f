"""Codes of another classification beside a list's answers: the choice of a crosswalk, and its codes for downloads."""

from jobmatch.services.linking import LinkOptions, linking_service
from jobmatch_core.crosswalks.store import CrosswalkStore
from jobmatch_core.errors import CrosswalkError
from jobmatch_core.linking.other_codes import OtherCodes
from jobmatch_core.linking.review import ListOptions
from jobmatch_core.text.folding import visible
from pages.shared import sign_in
from pages.shared.choices import select
from pages.shared.language import _
from pages.shared.widgets import error_box

_KEY = "many_crosswalk"
_NONE = ""  # beside the ids of crosswalks
_WIDTH = 340  # pixels


def choose(taxonomy: str) -> str:
    """Draw the choice of a stored crosswalk to a taxonomy, if there is one; return its id, '' for none."""
    listed = CrosswalkStore.open(allowed=sign_in.allowed("crosswalks")).listed()
    names = {id_: visible(card.name) for id_, card in listed if card.taxonomy == taxonomy}
    if not names:
        return _NONE
    labels = {_NONE: _("None"), **names}
    return select(
        _("Codes of another classification (optional)"),
        list(labels),
        _KEY,
        format_func=labels.__getitem__,
        width=_WIDTH,
        explanation=_(
            "Their codes stand in the download, beside ESCO and ISCO-08. Crosswalks are reviewed on 'Crosswalks'."
        ),
    )


def codes(options: ListOptions) -> OtherCodes:
    """Return the codes of a list's crosswalk as it is reviewed by now; if there are none, draw why."""
    try:
        return linking_service().other_codes(LinkOptions(options.taxonomy, also=options.also))
    except CrosswalkError as error:
        error_box(error)
        return ()
