"""Step 1 of a training of searches: what was opened in the search log."""

import streamlit as st

from jobmatch_core.search.position_bias import position_bias
from jobmatch_core.settings import Settings
from pages.shared import resources
from pages.shared.language import _, numeral, plural
from pages.shared.page_links import page_link


def show() -> str | None:
    """Draw the number of choices in the search log; return '', which stands for the log, or None if it is empty.

    Raises:
        JobMatchError: the label store cannot be read.
    """
    st.markdown(_("**1 · Search log**"))
    choices = _choices() if Settings.from_environment().may_have_labels else 0
    if not choices:
        st.info(
            _(
                "Nothing has been opened in a logged search yet. On the page 'Search', switch the search log "
                "on, search, and open the results that you were looking for."
            ),
            icon=":material/history:",
        )
    page_link("search")
    return "" if choices else None


def _choices() -> int:
    store = resources.label_store()
    choices = store.search_choices()
    if choices:
        bias = position_bias(store.searches(), choices)
        compared = sum(bias.upper) + sum(bias.lower)
        weights = (
            _(
                "{weight_at_2} times at rank 2, {weight_at_5} times at rank 5, estimated from {count} between "
                "results that may have been swapped.",
                weight_at_2=numeral(bias.weight(2), 2),
                weight_at_5=numeral(bias.weight(5), 2),
                count=plural("{n} choice", "{n} choices", compared),
            )
            if compared
            else _(
                "by how much is not known before some were made between results that may have been swapped. "
                "Until then, all count the same."
            )
        )
        st.caption(
            _(
                "{count} in searches of everybody who switched the log on. Lower ranks are looked at less "
                "often, so their choices count more: {weights}",
                count=plural("{n} choice", "{n} choices", len(choices)),
                weights=weights,
            )
        )
    return len(choices)
