"""Queries of a dataset: those that one system gets and another misses, and their overlap with the correct names."""

from collections.abc import Mapping, Sequence

import streamlit as st

from jobmatch_core.benchmarks.datasets.tasks import TASKS
from jobmatch_core.benchmarks.scoreboard.comparison import (
    CURVE_DEPTH,
    OutcomePair,
    accuracy_curve,
    compare_pairs,
    pair_outcomes,
    won,
)
from jobmatch_core.benchmarks.scoreboard.entries import system_label
from jobmatch_core.benchmarks.scoreboard.overlap import Overlap, best_of_each, overlap_points
from jobmatch_core.benchmarks.scoreboard.results import RankingKind, Result
from jobmatch_core.benchmarks.scoreboard.scoreboard import Scoreboard
from jobmatch_core.metrics.ranking import METRICS
from jobmatch_core.text.folding import visible
from pages.scoreboard import score_charts
from pages.scoreboard.choice import RANKING_NAMES, choose, offer_measuring, ranking
from pages.scoreboard.dataset_titles import dataset_title
from pages.shared import resources, sign_in
from pages.shared.choices import select
from pages.shared.downloads import csv_button
from pages.shared.language import _, numeral, plural, uncapital
from pages.shared.tables import show_table
from pages.shared.taxonomy_choice import select_taxonomy
from pages.shared.widgets import finished, plain

DATASET_KEY, FIRST_KEY, SECOND_KEY = "board_dataset", "board_first", "board_second"
_K_KEY, _SEARCH_KEY = "board_k", "board_query_search"
_TABLE_HEIGHT = 560
_CHANCE = 0.05
_FEWEST_SYSTEMS = 2  # to compare
_DATASET_KEY = "board_overlap_dataset"


def show(board: Scoreboard) -> None:
    """Draw the choices, the counts and the table."""
    dataset, kind = _dataset(board)
    results = board.measured_here(dataset, kind)
    if len(results) < _FEWEST_SYSTEMS:
        _too_few(dataset, list(results))
        return
    first, second = _systems(sorted(results))
    if first == second:
        st.info(_("Choose two different systems to compare them."), icon=":material/info:")
        return
    one, other = (resources.with_outcomes(results[name]) for name in (first, second))
    pairs = pair_outcomes(one, other)
    k, (a, b) = int(st.session_state[_K_KEY]), (system_label(first), system_label(second))
    comparison = compare_pairs(one, pairs)
    sure = _("unlikely to be chance") if comparison.p_value < _CHANCE else _("may be chance")
    st.markdown(
        _(
            "**{a}** ranks {wins} of {queries} queries better, **{b}** {losses}. Difference in {label} "
            "{difference}, {sure} (Wilcoxon signed-rank test, p = {p_value}); {ranking}.",
            a=plain(a),
            wins=numeral(comparison.wins),
            queries=numeral(comparison.queries),
            b=plain(b),
            losses=numeral(comparison.losses),
            label=METRICS[comparison.metric].label,
            difference=numeral(comparison.difference, 3, signed=True),
            sure=sure,
            p_value=f"{comparison.p_value:.2g}",
            ranking=uncapital(_(RANKING_NAMES[comparison.ranking])),
        )
    )
    _table(won(pairs, k), (a, "A"), (b, "B"), f"{dataset}_won")
    _table(won(pair_outcomes(other, one), k), (b, "B"), (a, "A"), f"{dataset}_lost")
    _curves(results)


def _too_few(dataset: str, systems: Sequence[str]) -> None:
    measured = (
        _(
            "Only {system} was measured here on {dataset}.",
            system=system_label(systems[0]),
            dataset=dataset_title(dataset),
        )
        if systems
        else _("Nothing was measured here on {dataset}.", dataset=dataset_title(dataset))
    )
    st.info(
        _(
            "{measured} Once two systems are measured on it, this "
            "section shows which queries one gets and the other misses. Published figures and the "
            "authors' own have no results per query.",
            measured=plain(measured),
        ),
        icon=":material/info:",
    )
    offer_measuring()


def _dataset(board: Scoreboard) -> tuple[str, RankingKind]:
    left, right = st.columns([3, 2], vertical_alignment="bottom")
    with right:
        kind = ranking(board)
    measured = (name for name in board.datasets if board.measured_here(name, kind))
    with left:
        default = next(measured, None)
        return select(_("Dataset"), board.datasets, DATASET_KEY, default=default, format_func=dataset_title), kind


def _systems(names: Sequence[str]) -> tuple[str, str]:
    places = st.columns([2, 2, 1.4, 2], vertical_alignment="bottom")
    with places[0]:
        first = select(_("System A"), names, FIRST_KEY, format_func=system_label)
    with places[1]:
        second = select(_("System B"), names, SECOND_KEY, default=names[1], format_func=system_label)
    places[2].selectbox(_("Correct means among the first"), (1, 5, 10), key=_K_KEY, persist_state="session")
    places[3].text_input(
        _("Search"), key=_SEARCH_KEY, placeholder=_("Search queries and names"), icon=":material/search:"
    )
    return first, second


def _table(pairs: Sequence[OutcomePair], getting: tuple[str, str], missing: tuple[str, str], name: str) -> None:
    # systems with their letters, which fit into the heads of columns
    (getting_name, getting_letter), (missing_name, missing_letter) = getting, missing
    heading, download = st.columns([4, 1], vertical_alignment="bottom")
    count = plural("{n} query", "{n} queries", len(pairs))
    heading.markdown(
        _(
            "**{count} that {one} ({one_letter}) gets and {other} ({other_letter}) misses**",
            count=count,
            one=plain(getting_name),
            one_letter=getting_letter,
            other=plain(missing_name),
            other_letter=missing_letter,
        )
    )
    letters = str(st.session_state[_SEARCH_KEY]).casefold()
    records = [_record(pair, getting_name, missing_name) for pair in pairs]
    records = [record for record in records if letters in " ".join(map(str, record.values())).casefold()]
    headings = _headings(getting_name, missing_name)
    rows = [dict(zip(headings, record.values(), strict=True)) for record in records]
    if not rows:
        st.caption(_("No queries contain these letters.") if pairs else _("None."))
        return
    with download, st.container(horizontal=True, horizontal_alignment="right"):
        csv_button(lambda: records, f"{name}.csv", f"board_{name}_csv")
    show_table(
        rows,
        f"board_{name}",
        height=_TABLE_HEIGHT,
        columns={
            _("Query"): st.column_config.Column(width=250),
            _("Correct name"): st.column_config.Column(width=250),
            visible(_("Rank, {system}", system=getting_name)): st.column_config.Column(
                _("Rank, {system}", system=getting_letter),
                width=90,
                help=_("Rank of the correct name, by {system}", system=plain(getting_name)),
            ),
            visible(_("First, {system}", system=missing_name)): st.column_config.Column(
                _("First, {system}", system=missing_letter),
                width=250,
                help=_("Name ranked first by {system}", system=plain(missing_name)),
            ),
            visible(_("Rank, {system}", system=missing_name)): st.column_config.Column(
                _("Rank, {system}", system=missing_letter),
                width=90,
                help=_("Rank of the correct name, by {system}", system=plain(missing_name)),
            ),
        },
    )


def _curves(results: Mapping[str, Result]) -> None:
    """Draw the accuracy at 1 to 100 of all systems, once it is opened."""
    curves_open = st.expander(
        _("Accuracy at 1 to 100 of all systems measured here"), key="board_curves", on_change="rerun"
    )
    if curves_open.open:
        measured = {name: resources.with_outcomes(results[name]).outcomes for name in sorted(results)}
        curves = {system_label(name): accuracy_curve(outcomes) for name, outcomes in measured.items() if outcomes}
        with curves_open:
            st.plotly_chart(score_charts.accuracy_curves(curves), key="board_accuracy_curves")
            rows = [{"k": k + 1} | {name: shares[k] for name, shares in curves.items()} for k in range(CURVE_DEPTH)]
            csv_button(lambda: rows, "accuracy_at_k.csv", "board_curves_csv")


def _record(pair: OutcomePair, getting: str, missing: str) -> dict[str, object]:
    # as in a file, which has the same columns in all languages
    return {
        "Query": pair.query,
        "Correct name": pair.first.wanted,
        f"Rank, {getting}": pair.first.rank,
        f"First, {missing}": pair.second.found,
        f"Rank, {missing}": pair.second.rank,
    }


def _headings(getting: str, missing: str) -> tuple[str, ...]:
    return (
        _("Query"),
        _("Correct name"),
        _("Rank, {system}", system=getting),
        _("First, {system}", system=missing),
        _("Rank, {system}", system=missing),
    )


def show_overlap(board: Scoreboard, task: str) -> None:
    """Draw one dataset's histogram and all datasets' scatter."""
    taxonomy_id = select_taxonomy().id if TASKS[task].ranks_taxonomy else ""
    measured = finished(resources.overlaps(task, taxonomy_id), _("Measuring lexical overlap"))
    overlaps = {overlap.dataset: overlap for overlap in measured}
    if not overlaps:
        st.info(
            _(
                "This section shows the edit distance between queries and their correct names. It needs the "
                "datasets; the section 'Measure' shows where to put them."
            ),
            icon=":material/info:",
        )
        return
    st.caption(
        _(
            "Each query's smallest edit distance to a correct name: 0 means equal except for case, 1 "
            "means no letter in common. With less overlap, a system depends more on the meaning of names."
        )
    )
    choice = choose(board)
    left, right = st.columns(2)
    with left:
        _histogram(overlaps)
    points = best_of_each(overlap_points(choice.board, list(overlaps.values()), choice.metric, choice.ranking))
    if points:
        right.plotly_chart(score_charts.overlap_scatter(points, choice.metric, choice.setting), key="board_scatter")
    else:
        right.caption(_("None of the selected datasets is installed."))


def _histogram(overlaps: dict[str, Overlap]) -> None:
    name = select(_("Dataset"), list(overlaps), _DATASET_KEY, format_func=dataset_title)
    overlap, title = overlaps[name], plain(dataset_title(name))
    if not len(overlap.distances):
        st.info(
            _(
                "No query of {title} has a correct name here. Vacancy titles need the taxonomy of their "
                "occupations, such as ESCO. {who_imports}",
                title=title,
                who_imports=sign_in.who_imports(),
            ),
            icon=":material/info:",
        )
        return
    st.plotly_chart(score_charts.overlap_histogram(overlap), key="board_histogram")
    st.caption(
        _(
            "{title} ({name}): median {median} over {n_distances} queries.",
            title=title,
            name=plain(name),
            median=numeral(overlap.median, 2),
            n_distances=numeral(len(overlap.distances)),
        )
    )
