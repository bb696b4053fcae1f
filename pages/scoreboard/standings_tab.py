"""Section 'Standings': the headline, a dot plot by dataset, the table of all systems, and quality against cost."""

from collections.abc import Sequence

import pandas as pd
import streamlit as st

from jobmatch_core.benchmarks.scoreboard.comparison import Cost, Standing, cost_points
from jobmatch_core.benchmarks.scoreboard.entries import AuthorsResult, has_further_names
from jobmatch_core.benchmarks.scoreboard.results import MERGED, BoardRanking
from jobmatch_core.benchmarks.scoreboard.scoreboard import BoardHeadline, DatasetRow, Scoreboard
from jobmatch_core.metrics.ranking import METRICS
from pages.scoreboard import score_charts
from pages.scoreboard.choice import RANKING_NAMES, SECTION_KEY, Choice, choose
from pages.scoreboard.dataset_titles import dataset_title
from pages.scoreboard.queries_tab import DATASET_KEY
from pages.shared.composed import composed
from pages.shared.downloads import csv_heading
from pages.shared.language import N_, _, day, numeral, plural, uncapital
from pages.shared.tables import show_table
from pages.shared.widgets import plain

_COSTS: dict[Cost, str] = {"seconds": N_("seconds for all datasets"), "size_mb": N_("size in MB")}
_DOTS_KEY = "board_dots"
_CLICK = N_(" Click a point to see which of that dataset's queries a system gets, and which it misses.")
# conditions of a comparison of the linker with the others
_CONDITIONS: dict[BoardRanking, str] = {
    "by_name": N_(
        "As in the MELO paper, every name is ranked separately, and all systems have the dataset's "
        "texts alone. Our encoder was trained on ESCO's names, the published ones were not."
    ),
    "by_text": N_(
        "Names that are written the same are ranked as one, as in WorkRB. There are no published "
        "figures of this kind. All have the dataset's texts alone; our encoder was trained on ESCO's "
        "names."
    ),
    "by_occupation": N_(
        "Each occupation is ranked once, by its best name. There are no published figures of this "
        "kind: the baselines were measured with the same code. All have the dataset's texts alone; "
        "our encoder was trained on ESCO's names."
    ),
}


def show(board: Scoreboard) -> None:
    """Draw the headline, the choices, the dot plot and the tables."""
    sentence = st.container()
    choice = choose(board)
    headline = choice.board.headline(choice.metric, choice.ranking)
    with sentence:
        _headline(headline, choice)
    rows = choice.board.by_dataset(choice.metric, choice.ranking, headline.own if headline else None)
    if choice.ranking == "by_text" and choice.metric not in MERGED.values():
        st.info(_("By text, there are MRR and MAP only. Choose one of them."), icon=":material/info:")
        return
    if not rows:
        st.info(_("No datasets match this filter."), icon=":material/filter_alt_off:")
        return
    groups = {entry.group for row in rows for entry in (*row.others, row.rival) if entry}
    legend = score_charts.legend(_with_model(headline.own) if headline else _("ours"), groups)
    comparable = choice.ranking != "by_text" and any(
        len(board.measured_here(name, choice.ranking)) > 1 for name in choice.board.datasets
    )
    st.caption(f"{legend}.{_(_CLICK) if comparable else ''}")
    st.plotly_chart(
        score_charts.by_dataset(rows, choice.metric, _datasets(choice)),
        key=_DOTS_KEY,
        on_select=_open_dataset,
        selection_mode="points",
    )
    _table(choice)
    _each_dataset(rows, choice)
    _costs(choice)
    if headline is not None:
        with st.expander(_("How these figures were measured"), icon=":material/science:"):
            texts = [_sources(headline.own, choice)]
            if choice.board.has_published:
                texts += [_further(headline, choice), _merged(headline.own, choice.metric)]
            st.markdown("\n\n".join(filter(None, texts)))


def _open_dataset() -> None:
    points = st.session_state[_DOTS_KEY].selection.points
    if points:
        st.session_state[DATASET_KEY] = points[0]["customdata"][0]
        st.session_state[SECTION_KEY] = "queries"


def _datasets(choice: Choice) -> str:
    names = choice.board.datasets
    return (
        dataset_title(names[0])
        if len(names) == 1
        else _("{n_names} {setting} datasets", n_names=len(names), setting=_(choice.setting))
    )


def _headline(headline: BoardHeadline | None, choice: Choice) -> None:
    if headline is None:
        return
    st.markdown(_sentence(headline, choice))
    if choice.board.has_published:
        st.caption(_(_CONDITIONS[choice.ranking]))


def _sentence(headline: BoardHeadline, choice: Choice) -> str:
    own, rival = headline.own, headline.rival
    metric, count = METRICS[choice.metric].label, own.datasets
    where = (
        plain(_datasets(choice))
        if own.complete
        else plural("{n} {setting} dataset", "{n} {setting} datasets", count, setting=_(choice.setting))
    )
    interval = f" (95%: {_interval(own.interval)})" if own.interval else ""
    kind = uncapital(_(RANKING_NAMES[own.ranking]))
    values = {"metric": metric, "value": numeral(own.value, 3), "interval": interval, "where": where, "kind": kind}
    figure = (
        _("mean {metric} {value}{interval} on {where}, {kind}", **values)
        if count > 1
        else _("{metric} {value}{interval} on {where}, {kind}", **values)
    )
    name = plain(composed(own.label).partition(",")[0])
    if rival is None:
        return f"## {name}: {figure}"
    wins = (
        _(" Ours is above every other system on **{wins} of {count}**.", wins=headline.wins, count=count)
        if count > 1
        else ""
    )
    others = plural("{n} other system", "{n} other systems", headline.ties)
    shared = _(", shared with {others}", others=others) if headline.ties else ""
    rank = _(
        "## Rank {place} of {systems}{shared}: {name}, {figure}",
        place=headline.place,
        systems=headline.systems,
        shared=shared,
        name=name,
        figure=figure,
    )
    label, value = plain(composed(rival.label)), numeral(rival.value, 3)
    best = (
        _("{system}, the best other system, has {value}.", system=label, value=value)
        if headline.place == 1
        else _("{system}, the best, has {value}.", system=label, value=value)
    )
    return f"{rank}\n\n{best}{wins}{_measured(headline)}"


def _measured(headline: BoardHeadline) -> str:
    row = headline.measured
    if row is None:
        return ""
    return _(
        " Your model **{label}** is at rank {place} with {value}.",
        label=plain(composed(row.label)),
        place=headline.measured_place,
        value=numeral(row.value, 3),
    )


def _with_model(row: Standing) -> str:
    return f"{plain(composed(row.label))}{f' ({plain(row.model)})' if row.model else ''}"


def _further(headline: BoardHeadline, choice: Choice) -> str:
    row = headline.further
    if row is None or (choice.setting == "cross-lingual" and choice.ranking == "by_occupation"):
        return ""  # names in the queries' language make occupations across languages a monolingual task
    given = _(", those in the queries' language among them") if choice.setting == "cross-lingual" else ""
    on = plural("{n} dataset", "{n} datasets", row.datasets)
    return _(
        "With all names of ESCO{given}, which no other system is given, the linker has {value} on "
        "{on} ({source}); this figure is not compared.",
        given=given,
        value=numeral(row.value, 3),
        on=on,
        source=composed(row.source),
    )


def _merged(row: Standing, metric: str) -> str:
    if row.merged is None:
        return ""
    return _(
        "A name of several occupations is ranked once for each, as in MELO's own code; with equal "
        "names merged, as in WorkRB, {system} has {metric} {merged}.",
        system=plain(composed(row.label)),
        metric=METRICS[metric].label,
        merged=numeral(row.merged, 3),
    )


def _sources(own: Standing, choice: Choice) -> str:
    source = "; ".join(filter(None, (plain(composed(own.source)), plain(own.model))))
    text = _("The headline's figures: {source}.", source=source)
    rows = choice.board.standings(choice.metric, choice.ranking)
    others = [row for row in rows if row.system == own.system and not row.published and row.key != own.key]
    if others:
        text += _(
            " Mixed: there are also figures of this system with another encoder or calibration. They "
            "have separate rows below, and no mean is taken over both."
        )
    shipped = [entry.figures for entry in choice.board.entries if isinstance(entry.figures, AuthorsResult)]
    if shipped:
        text += _(
            " Shipped figures were measured until {shipped}; your own measurements with the same encoder "
            "and calibration replace them.",
            shipped=day(max(figures.measured_on for figures in shipped), named=True),
        )
    return text


def _each_dataset(rows: Sequence[DatasetRow], choice: Choice) -> None:
    metric = METRICS[choice.metric].label
    with st.expander(_("Each dataset as a table"), icon=":material/table_rows:"):
        cells = [_dataset_cells(row, choice.metric) for row in reversed(rows)]
        columns = {
            name: st.column_config.NumberColumn(f"{metric}, {name}", format="%.3f") for name in (_("ours"), _("other"))
        }
        show_table(cells, "board_each_dataset", columns=columns)


def _dataset_cells(row: DatasetRow, metric: str) -> dict[str, object]:
    return {
        _("Dataset"): dataset_title(row.dataset),
        _("Id"): row.dataset,
        _("ours"): row.own.value(metric) if row.own else None,
        _("95%, ours"): _interval(row.own.interval(metric) if row.own else None),
        _("Best other system"): f"{composed(row.rival.label)} ({composed(row.rival.source)})" if row.rival else "",
        _("other"): row.rival.value(metric) if row.rival else None,
    }


def _table(choice: Choice) -> None:
    rows = choice.board.standings(choice.metric, choice.ranking)
    metric, count = METRICS[choice.metric].label, len(choice.board.datasets)
    ranking = uncapital(_(RANKING_NAMES[choice.ranking]))
    csv_heading(
        plural(
            "**All systems {ranking}: {metric} on {datasets}**",
            "**All systems {ranking}: mean {metric} on {datasets}**",
            count,
            ranking=ranking,
            metric=metric,
            datasets=plain(_datasets(choice)),
        ),
        choice.board.records,
        f"scoreboard_{choice.setting}.csv",
        "board_download",
        _("All figures of all systems, by name and by occupation"),
    )
    cells = pd.DataFrame([_row(row, count) for row in rows])
    filled = [name for name in cells if cells[name].notna().any() and (cells[name] != "").any()]
    show_table(
        cells[filled],
        "board_table",
        columns={
            _("System"): st.column_config.TextColumn(width=262),
            _("Source"): st.column_config.TextColumn(width=140),
            _("Mean"): st.column_config.NumberColumn(metric, format="%.3f", width=72),
            "95%": st.column_config.TextColumn(
                width=110, help=_("Bootstrap interval over the queries; published figures have none")
            ),
            _("Datasets"): st.column_config.TextColumn(
                width=80, help=_("A mean over fewer datasets is not comparable")
            ),
            _("Texts once"): st.column_config.NumberColumn(
                format="%.3f", help=_("Equal texts of several occupations merged, as in WorkRB")
            ),
            _("Encoder, calibration"): st.column_config.TextColumn(
                help=_("Digests; figures of different ones have no mean")
            ),
            _("Seconds"): st.column_config.NumberColumn(
                format="%,.1f", help=_("Time to prepare the names and rank all queries; for systems measured here")
            ),
            "MB": st.column_config.NumberColumn(
                format="%,.0f", help=_("Model size; for published models, at 4 bytes per parameter")
            ),
        },
    )


def _row(row: Standing, n_datasets: int) -> dict[str, object]:
    return {
        _("System"): composed(row.label),
        _("Mean"): row.value,
        "95%": _interval(row.interval),
        _("Source"): composed(row.source),
        _("Datasets"): _("{datasets} of {n_datasets}", datasets=row.datasets, n_datasets=n_datasets),
        "MB": row.size_mb,
        _("Seconds"): row.seconds,
        _("Texts once"): row.merged,
        _("Encoder, calibration"): row.model,
        _("Note"): composed(row.note),
    }


def _interval(interval: tuple[float, float] | None) -> str:
    return _("{low} to {high}", low=numeral(interval[0], 3), high=numeral(interval[1], 3)) if interval else ""


def _costs(choice: Choice) -> None:
    board = choice.board
    # the linker with names that no other system is given is not compared
    compared = [
        row
        for row in board.standings(choice.metric, choice.ranking)
        if not (board.has_published and has_further_names(row.system))
    ]
    points = {cost: cost_points(compared, cost) for cost in _COSTS}
    measured = {cost: costs for cost, costs in points.items() if costs}
    if not measured:
        return
    with st.expander(_("Quality against cost"), icon=":material/speed:"):
        for place, (cost, costs) in zip(st.columns(len(measured)), measured.items(), strict=True):
            figure = score_charts.pareto(costs, choice.metric, _(_COSTS[cost]), _datasets(choice))
            place.plotly_chart(figure, key=f"board_pareto_{cost}")
