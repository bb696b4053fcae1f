"""Matched freelancers: order, cards, map, comparison of models, download; or the reason why there are none."""

from collections.abc import Sequence

import streamlit as st

from jobmatch_core.entities import Project
from jobmatch_core.ranking.features import POOL
from jobmatch_core.retrieval.finder import empty_alone, filters_set, loosenings
from jobmatch_core.retrieval.match_file import match_columns
from jobmatch_core.retrieval.match_reasons import OpenFinder, ScoreWords
from jobmatch_core.retrieval.matches import SEARCHED, Arrangement, Match, MatchOrder
from jobmatch_core.retrieval.project_reader import PASTED
from jobmatch_core.text.folding import visible
from jobmatch_core.vector_stores.vector_store import Filters
from pages.find_freelancers import filter_form, freelancer_card, result_views
from pages.find_freelancers.shown_order import in_shown_order
from pages.shared import judging, markets, sign_in
from pages.shared.annotator import annotator_popover
from pages.shared.browser import announce
from pages.shared.choices import select_segment
from pages.shared.downloads import csv_button
from pages.shared.language import N_, _, capital, joined, numeral, plural, translated
from pages.shared.market_choice import Market, counted_records, open_finder
from pages.shared.widgets import plain

_ORDER_KEY, _COMPLETE_KEY = "find_sort", "find_complete"
_ORDERS = {
    MatchOrder.MUST_HAVES: N_("Must-haves, then best fit"),
    MatchOrder.FIT: N_("Best fit"),
    MatchOrder.SCORE: N_("Similarity only"),
}
_VIEW_KEY = "find_view"
ADDRESS = {
    "view": _VIEW_KEY,
    "against": result_views.AGAINST_KEY,
    "sort": _ORDER_KEY,
    "complete": _COMPLETE_KEY,
}
_VIEWS = {
    "cards": N_(":material/view_agenda: List"),
    "map": N_(":material/map: Map"),
    "compare": N_(":material/compare_arrows: Compare models"),
}
_PAGE = 10  # cards drawn at first, and added by each click


def show(market: Market, project: Project, filters: Filters) -> None:
    """Draw the matches; raises JobMatchError if the model, the marketplace or the store of vectors cannot be read."""
    finder = open_finder(market, market.model)
    arrangement = _arrangement(project)
    matches = markets.ranking(finder, project, filters, arrangement)
    passing = markets.passing(finder, filters)
    if not passing:
        _nobody(market, finder, filters)
        return
    words = finder.words_for(project)
    view = _head(market, project, arrangement, matches, passing, words)
    if not matches:
        _nobody_complete(project, passing)
        return
    announce(_spoken(matches, passing))
    if view == "map":
        result_views.show_places(market, finder, project, matches)
    elif view == "compare":
        result_views.show_two_models(market, finder, project, filters, arrangement)
    else:
        shown = in_shown_order(market, finder, project, filters, arrangement, matches)
        _cards(market, finder, project, shown)


def _arrangement(project: Project) -> Arrangement:
    # the address may hold invalid values
    if st.session_state.get(_ORDER_KEY) not in _ORDERS:
        st.session_state[_ORDER_KEY] = MatchOrder.MUST_HAVES
    st.session_state[_COMPLETE_KEY] = st.session_state.get(_COMPLETE_KEY) in (True, "True")
    if not project.mandatory:
        return Arrangement()
    return Arrangement(MatchOrder(st.session_state[_ORDER_KEY]), st.session_state[_COMPLETE_KEY])


def _head(
    market: Market,
    project: Project,
    arrangement: Arrangement,
    matches: list[Match],
    passing: int,
    words: ScoreWords | None,
) -> str:
    with st.container(horizontal=True, vertical_alignment="center", gap="small"):
        view = select_segment(_("View"), _views(market), _VIEW_KEY)
        st.space("stretch")
        csv_button(lambda: (match_columns(project, match) for match in matches), "freelancers.csv", "find_csv")
    if project.mandatory:
        with st.container(horizontal=True, vertical_alignment="center", gap="medium"):
            st.selectbox(
                _("Sort by"),
                list(_ORDERS),
                key=_ORDER_KEY,
                format_func=translated(_ORDERS).__getitem__,
                persist_state="session",
                label_visibility="collapsed",
                width=250,
            )
            st.toggle(_("Only with all must-haves"), key=_COMPLETE_KEY, persist_state="session")
    everyone = market.manifest.counts["freelancers"]
    counted = counted_records("freelancers", everyone)
    if passing != everyone:
        counted = _("{passing} of {counted} match the filters", passing=numeral(passing), counted=counted)
    made_up = _(" · :orange-badge[:material/science: all synthetic]") if market.manifest.generated else ""
    listed = _listed(arrangement, len(matches), passing)
    st.markdown(f":small[:gray[{counted} · {listed}]]{made_up}", help=_legend(project, words, passing))
    return view


def _listed(arrangement: Arrangement, count: int, passing: int) -> str:
    if arrangement.complete:
        return plural("{n} with all must-haves is listed", "{n} with all must-haves are listed", count)
    return _("all are listed") if count == passing else _("the first {count} are listed", count=numeral(count))


def _views(market: Market) -> dict[str, str]:
    views = translated(_VIEWS)
    return views if len(market.models) > 1 else {view: views[view] for view in views if view != "compare"}


def _spoken(matches: list[Match], passing: int) -> str:
    first = matches[0].freelancer
    return _(
        "{passing} freelancers found; the first is {title}.",
        passing=numeral(passing),
        title=visible(first.title or first.category_name or first.id),
    )


def _nobody_complete(project: Project, passing: int) -> None:
    st.warning(
        _(
            "**None of the {searched} most similar freelancers has all {n_mandatory} must-haves.** "
            "Remove one from the project, or include freelancers who lack some.",
            searched=numeral(min(SEARCHED, passing)),
            n_mandatory=len(project.mandatory),
        ),
        icon=":material/search_off:",
    )
    st.button(
        _("Include those who lack some"),
        key="find_show_all",
        type="primary",
        icon=":material/filter_alt_off:",
        on_click=st.session_state.update,
        args=({_COMPLETE_KEY: False},),
    )


def _cards(market: Market, finder: OpenFinder, project: Project, matches: list[Match]) -> None:
    shown = _shown(project, matches)
    drawn = matches[:shown]
    cards, foot = st.container(), st.container()
    with foot:
        _show_judge(project)  # before the cards, which a waiting verdict changes
    reasons = markets.contributions(finder, project, [match.freelancer for match in drawn])
    words, model = finder.words_for(project), finder.finder.model.name
    with cards:
        judging.show_unsaved()
        pairs = [freelancer_card.pair(match, project, market) for match in drawn]
        earlier = None if project.id == PASTED else judging.judged_before(pairs)
        for match, reason in zip(drawn, reasons, strict=True):
            freelancer_card.show(match, reason, project, market, words, model=model, earlier=earlier)
        _more(shown, len(matches))


def _more(shown: int, count: int) -> None:
    if shown < count:
        st.button(
            _("Show {page} more", page=min(_PAGE, count - shown)),
            key="find_more",
            icon=":material/expand_more:",
            on_click=st.session_state.update,
            args=({"find_shown": shown + _PAGE},),
            width="stretch",
        )


def _show_judge(project: Project) -> None:
    if project.id == PASTED:  # nobody else could look it up
        if sign_in.may("judge"):
            st.caption(
                _("Only projects of the marketplace can be judged here, because your own project is not stored in one.")
            )
    else:
        annotator_popover(always=False)  # the name is asked for with the first verdict


def _legend(project: Project, words: ScoreWords | None, passing: int) -> str:
    lines = [
        _(
            "**Similarity**: how similar the model finds project and profile, at most 1. It is not a "
            "probability and cannot be compared between models. **Why**: what the place in the list "
            "rests on, with each share; beyond the {pool} most similar, the share of each section of the "
            "profile in the similarity.",
            pool=POOL,
        )
    ]
    if words is not None:
        lines.append(
            _(
                "**Strong**: all must-haves and a similarity of at least {strong}, the median of the last "
                "{pairs} pairs with mutual interest. **Fair**: at least {fair}, reached by nine in ten of "
                "them. **Weak**: below that.",
                strong=numeral(words.strong, 2),
                pairs=words.pairs,
                fair=numeral(words.fair, 2),
            )
        )
    if project.mandatory:
        searched = min(SEARCHED, passing)
        lines.append(
            _(
                "Must-haves are compared for the {searched} most similar freelancers, across languages.",
                searched=numeral(searched),
            )
        )
    return "\n\n".join(lines)


def _shown(project: Project, matches: list[Match]) -> int:
    answer = (project.id, tuple(match.freelancer.id for match in matches[:_PAGE]))
    if st.session_state.get("find_answer") != answer:
        st.session_state["find_answer"], st.session_state["find_shown"] = answer, _PAGE
    return min(int(st.session_state["find_shown"]), len(matches))


def _nobody(market: Market, finder: OpenFinder, filters: Filters) -> None:
    store, names = finder.finder.store, filters_set(filters)
    if not names:
        st.info(
            _("No freelancers were found in {name}.", name=plain(market.manifest.name)), icon=":material/search_off:"
        )
        return
    offers = loosenings(store, filters)
    st.warning(
        _("**No freelancers match these filters.** {blame}", blame=_blame(empty_alone(store, filters))),
        icon=":material/search_off:",
    )
    for number, offer in enumerate(offers):
        st.button(
            _("Without {named}: {count} freelancers", named=_named(offer.taken_out), count=numeral(offer.count)),
            key=f"find_loosen_{number}",
            icon=":material/filter_alt_off:",
            on_click=filter_form.clear,
            args=(offer.taken_out,),
            type="secondary" if number else "primary",
        )
    if all(len(offer.taken_out) < len(names) for offer in offers):
        st.button(
            _("Without any filter: {count} freelancers", count=numeral(store.count())),
            key="find_loosen_all",
            on_click=filter_form.clear,
            icon=":material/filter_alt_off:",
        )


def _blame(alone: Sequence[str]) -> str:
    if not alone:
        return _("Each filter alone matches some freelancers, but nobody matches all of them.")
    return plural(
        "{named} leaves nobody, regardless of the other filters.",
        "{named} leave nobody, regardless of the other filters.",
        len(alone),
        named=capital(_named(alone)),
    )


def _named(fields: Sequence[str]) -> str:
    names = joined([_(filter_form.FILTER_NAMES[field]) for field in fields])
    return plural("the filter on {names}", "the filters on {names}", len(fields), names=names)
