"""The standings: a sentence with the figure, datasets, the table of all systems, languages, and what quality costs."""

import io

import streamlit as st

from jobmatch_core.evaluation.entries import METRICS
from jobmatch_core.evaluation.scoreboard import Headline, Scoreboard, TableRow
from jobmatch_core.evaluation.standings import Cost, Standing, cost_points
from jobmatch_core.tables import write_csv_rows
from pages import _scoreboard_charts
from pages._scoreboard_choice import RANKING_NAMES, Choice, choose
from pages._scoreboard_queries import DATASET_KEY
from pages._widgets import plain, readable

_COSTS: dict[Cost, str] = {"seconds": "seconds for all of them", "size_mb": "size in MB"}
_DOTS_KEY = "board_dots"
_TABLE_HEIGHT = 640
_FEWEST_LANGUAGES = 3  # for a radar


def show(board: Scoreboard) -> None:
    """Draw the choices and what follows from them."""
    sentence = st.container()
    choice = choose(board)
    with sentence:
        _headline(choice)
    if not choice.board.entries:
        st.info("No dataset is left by this filter.", icon=":material/filter_alt_off:")
        return
    rows = choice.board.by_dataset(choice.metric, choice.ranking)
    st.plotly_chart(
        _scoreboard_charts.by_dataset(rows, choice.metric, choice.setting), key=_DOTS_KEY, on_select=_open_dataset,
        selection_mode="points",
    )  # fmt: skip
    if choice.board.own_systems:
        st.caption("Click a point to see that dataset's queries, which system gets them and which misses them.")
    _table(choice)
    _languages(choice)
    _costs(choice)


def _open_dataset() -> None:
    points = st.session_state[_DOTS_KEY].selection.points
    if points:
        st.session_state[DATASET_KEY] = points[0]["y"]
        st.session_state["board_section"] = "queries"


def _headline(choice: Choice) -> None:
    headline = choice.board.headline(choice.metric, choice.ranking)
    if headline is None:
        _published_only(choice)
        return
    st.markdown(_sentence(headline, choice))
    st.caption(
        "Published figures are by name: every name is ranked by itself. Ours are shown "
        f"{RANKING_NAMES[choice.ranking].lower()}; the table has both."
    )


def _sentence(headline: Headline, choice: Choice) -> str:
    own, best = headline.own, headline.published
    metric, count = METRICS[choice.metric], own.datasets
    text = (
        f"#### {plain(own.label)} reaches a mean {metric} of {own.value:.3f} on {count} {choice.setting} "
        f"dataset{'s' if count != 1 else ''}, {RANKING_NAMES[own.ranking].lower()}"
    )
    if best is None:
        return f"{text}."
    return (
        f"{text}; the best published system, {plain(best.label)}, {best.value:.3f} by name.\n\n"
        f"It is above every published system on **{headline.wins} of {count}**."
    )


def _published_only(choice: Choice) -> None:
    published = choice.board.standings(choice.metric, "by_name")
    best = next((row for row in published if row.complete), None)
    if best is not None:
        st.markdown(
            f"#### Best published: {plain(best.label)}, mean {METRICS[choice.metric]} {best.value:.3f} on "
            f"{best.datasets} {choice.setting} datasets, by name"
        )
    elif choice.board.entries:
        st.markdown(f"#### No {METRICS[choice.metric]} was published; the paper has MRR, A@k and MAP")
    st.info(
        "None of our systems has been measured here yet; only published figures are shown. Measure one on this page, "
        "or with `jobmatch evaluate melo FOLDER`.",
        icon=":material/info:",
    )
    st.button("Measure a system", key="board_to_measure", type="primary", on_click=_to_measure)


def _to_measure() -> None:
    st.session_state["board_section"] = "measure"


def _table(choice: Choice) -> None:
    rows = choice.board.table(choice.metric, choice.ranking)
    metric, count = METRICS[choice.metric], len(choice.board.datasets)
    heading, download = st.columns([4, 1], vertical_alignment="bottom")
    heading.markdown(
        f"**All systems: mean {metric} over {count} {choice.setting} datasets** (published figures are by name)"
    )
    with download, st.container(horizontal=True, horizontal_alignment="right"):
        st.download_button(
            "Download CSV", lambda: _csv(choice), f"scoreboard_{choice.setting}.csv", "text/csv", key="board_download",
            icon=":material/download:", on_click="ignore",
        )  # fmt: skip
    figure = st.column_config.NumberColumn(format="%.3f")
    interval = st.column_config.TextColumn(help="95 % bootstrap interval over the queries; published ones have none")
    st.dataframe(
        readable([_row(row, count) for row in rows]), hide_index=True, key="board_table", placeholder="",
        height=min(_TABLE_HEIGHT, 37 + 35 * len(rows)),
        column_config={
            "By name": figure, "By occupation": figure, "95 %, by name": interval, "95 %, by occupation": interval,
            "Datasets": st.column_config.TextColumn(help="A mean over fewer datasets is not comparable"),
            "Seconds": st.column_config.NumberColumn(format="%,.1f", help="To prepare the names and rank all queries"),
            "MB": st.column_config.NumberColumn(
                format="%,.0f", help="Size of the model; of published ones at 4 bytes a parameter"
            ),
        },
    )  # fmt: skip


def _row(row: TableRow, n_datasets: int) -> dict[str, object]:
    name, occupation = row.by_name, row.by_occupation
    either = name or occupation
    return {
        "System": row.label,
        "Source": "measured here" if row.own else "published",
        "By name": name.value if name else None,
        "95 %, by name": _interval(name),
        "By occupation": occupation.value if occupation else None,
        "95 %, by occupation": _interval(occupation),
        "Datasets": f"{either.datasets} of {n_datasets}" if either else "",
        "Seconds": either.seconds if either else None,
        "MB": either.size_mb if either else None,
        "Note": either.note if either else "",
    }


def _interval(standing: Standing | None) -> str:
    if standing is None or standing.interval is None:
        return ""
    low, high = standing.interval
    return f"{low:.3f} to {high:.3f}"


def _csv(choice: Choice) -> bytes:
    file = io.StringIO()
    write_csv_rows(file, choice.board.records())
    return file.getvalue().encode("utf-8-sig")


def _languages(choice: Choice) -> None:
    rows = choice.board.by_language(choice.metric, choice.ranking)
    if len(rows) >= _FEWEST_LANGUAGES and rows[0].labels:
        st.plotly_chart(_scoreboard_charts.radar(rows, choice.metric, choice.setting), key="board_radar")


def _costs(choice: Choice) -> None:
    standings = choice.board.standings(choice.metric, choice.ranking)
    places = st.columns(2)
    for place, (cost, words) in zip(places, _COSTS.items(), strict=True):
        points = cost_points(standings, cost)
        if points:
            figure = _scoreboard_charts.pareto(points, choice.metric, words, len(choice.board.datasets))
            place.plotly_chart(figure, key=f"board_pareto_{cost}")
        else:
            place.caption(f"Nothing to show by {words}: no system that was measured on all datasets has one.")
