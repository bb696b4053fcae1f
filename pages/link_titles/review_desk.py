"""Review desk: the filters of a linked list, its table and the panel to decide on its rows; it fills the window."""

from collections.abc import Mapping, Sequence

import streamlit as st

from jobmatch_core.entities import GroupOffer
from jobmatch_core.linking import Linker
from jobmatch_core.linking.link_words import SURE, SURE_FROM
from jobmatch_core.linking.review import Review, shown_name
from jobmatch_core.text.folding import visible
from pages.link_titles import list_charts, list_decisions, list_filters, review_panel, review_table
from pages.shared import browser, sign_in, verdict_guard
from pages.shared.annotator import with_name
from pages.shared.language import N_, _, capital, numeral, plural
from pages.shared.widgets import dialog, plain

_SEEN_KEY = "many_seen"  # titles that the panel showed since the filter changed
_ACCEPT_KEY = "accept_open"
_SEEN_FIRST = 10  # titles of a filter that are seen before all of them can be decided on together
_PANEL_WIDTH = 400


def show(review: Review, linker: Linker, alike: Mapping[int, Sequence[int]]) -> None:
    """Draw the filters, the table and the panel beside it; *alike* are the rows of each title, by the first of them."""
    chosen = list_filters.chosen_filter()
    with st.container(key="desk_filters", horizontal=True, vertical_alignment="center", gap="small"):
        passing = list_filters.show(review, linker.taxonomy, chosen, _filter_changed)
        numbers = [number for number in passing if number in alike]
        if sign_in.may("judge"):
            _accept_many(review, alike, linker.version)
    together = None
    with st.container(key="desk_rows", height="stretch", horizontal=True, gap="small"):
        with st.container(key="desk_table", height="stretch", width="stretch", gap=None):
            if chosen.n_facets or len(numbers) > review_table.MOST_SHOWN:
                with st.container(key="desk_set", horizontal=True, vertical_alignment="center", gap="small"):
                    cut = (
                        _("; the first {most_shown} are shown", most_shown=numeral(review_table.MOST_SHOWN))
                        if len(numbers) > review_table.MOST_SHOWN
                        else ""
                    )
                    st.caption(f"{review_table.counted(review, alike, numbers)}{cut}", width="content")
                    list_filters.show_set(review, linker.taxonomy, chosen, _filter_changed)
                    if chosen.n_facets:
                        together = st.container(width="content")
            st.caption(capital(" · ".join(_remarks(review))))
            selected = review_table.show(review, alike, numbers)
        with st.container(key="panel", border=True, height="stretch", width=_PANEL_WIDTH):
            shown = selected or numbers[:1]
            review_panel.show(review, linker, alike, shown)
    if len(shown) == 1:
        seen: set[int] = st.session_state.setdefault(_SEEN_KEY, set())
        seen.add(shown[0])
        browser.announce(_spoken(review, shown[0]))
    if together is not None:
        with together:  # not before: the title that is shown now counts as seen
            _decide_together(numbers)
    browser.search_by_key("/", review_panel.SEARCH_KEY)
    browser.search_by_key("f", list_filters.LETTERS_KEY)
    verdict_guard.guard(*"ang123456789")


def forget() -> None:
    """Forget what belongs to one list: its filters, and the judgments recorded by decisions on it."""
    st.session_state.pop(_SEEN_KEY, None)
    list_filters.forget()
    list_decisions.forget()


def _filter_changed() -> None:
    st.session_state.pop(_SEEN_KEY, None)
    review_table.unselect()


def _remarks(review: Review) -> list[str]:
    remarks = [_("to check first, the least certain on top")]
    if n := review.n_earlier:
        remarks.insert(0, plural("{n} row uses your earlier decisions", "{n} rows use your earlier decisions", n))
    if last := list_decisions.last_act():
        remarks.insert(0, _("last: {last}", last=plain(last, limit=48)))
    return remarks


def _decide_together(numbers: Sequence[int]) -> None:
    if len(numbers) < 2 or not sign_in.may("judge"):
        return
    seen: set[int] = st.session_state.get(_SEEN_KEY, set())
    least, n_selected = min(_SEEN_FIRST, len(numbers)), min(len(numbers), review_table.MOST_SHOWN)
    st.button(
        _("Decide on all {n} together", n=numeral(n_selected))
        if n_selected == len(numbers)
        else _("Decide on the first {n} together", n=numeral(n_selected)),
        key="decide_together",
        type="tertiary",
        icon=":material/select_all:",
        on_click=review_table.select,
        args=(numbers,),
        disabled=len(seen) < least,
        help=_(
            "Selects the titles of this filter, once you have seen {least} of them: so far {n_seen}.",
            least=numeral(least),
            n_seen=numeral(len(seen)),
        ),
    )


def _accept_many(review: Review, alike: Mapping[int, Sequence[int]], model: str) -> None:
    with st.popover(_("Accept many"), icon=":material/done_all:", key=_ACCEPT_KEY, on_change="rerun"):
        probability = st.slider(
            _("Accept all links with at least this probability"),
            0.5,
            1.0,
            SURE_FROM,
            0.01,
            key="accept_from",
            help=_("In the whole list, whatever the filter: links to occupations, and to unit groups as groups."),
        )
        choices, rows = list_decisions.sure_choices(review, alike, probability)
        n_groups = sum(len(alike[first]) for first, choice in choices.items() if isinstance(choice, GroupOffer))
        what = (
            _("all {n_rows} {sure}", n_rows=numeral(len(rows)), sure=_(SURE))
            if probability == SURE_FROM
            else _("{n_rows} links", n_rows=numeral(len(rows)))
        )
        groups = _(", {n_groups} of them unit groups", n_groups=numeral(n_groups)) if n_groups else ""
        st.button(
            _("Accept {what}{groups}", what=what, groups=groups) if rows else _("Nothing to accept"),
            key="accept_many",
            type="primary",
            disabled=not rows,
            on_click=with_name,
            args=(_accept_from, review, probability, model),
        )


def _accept_from(review: Review, probability: float, model: str) -> None:
    st.session_state[_ACCEPT_KEY] = False  # what came of it is behind the popover
    list_decisions.accept_from(review, probability, model)


def charts_button(review: Review, linker: Linker) -> None:
    """Draw the button that opens the charts of a list."""
    if st.button(_("Charts"), key="charts", icon=":material/bar_chart:", disabled=not review.results):
        _charts(review, linker)


@dialog(N_("Charts of this list"), width="large")
def _charts(review: Review, linker: Linker) -> None:
    list_charts.show(review, linker.taxonomy)


def _spoken(review: Review, number: int) -> str:
    result, name = review.results[number], visible(shown_name(review, number)) or _("nothing found")
    left = _("{n_left} left to check", n_left=numeral(review.n_left))
    shown = _(
        "{title}: {name}, {status}, probability {probability}.",
        title=visible(result.title),
        name=name,
        status=_(review.status(number)),
        probability=numeral(result.probability, 2),
    )
    act = list_decisions.unsaid_act()
    return _("{act}. {left}. Next: {shown}", act=act, left=left, shown=shown) if act else f"{shown} {left}."
