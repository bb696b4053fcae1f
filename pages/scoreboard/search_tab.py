"""Search: encoders, the app's search and baselines on our own queries and on public sets, by graded judgments."""

import io
from collections.abc import Sequence

import streamlit as st

from jobmatch_core.benchmarks.experiments.search_experiment import FIGURE_LABELS, OPTIMAL
from jobmatch_core.benchmarks.experiments.search_runs import (
    OWN_SETS,
    SearchStanding,
    leading_figure,
    search_run_store,
    search_standings,
    searched_sets,
)
from jobmatch_core.io.tables import write_csv_rows
from jobmatch_core.text.languages import language_name
from pages.scoreboard import score_charts, search_measuring
from pages.shared.widgets import plain, readable

SET_KEY = "board_search_set"
_TITLES = dict(zip(OWN_SETS, ("Occupations by what people do", "Freelancers of the demo marketplace"), strict=True))
_FEWEST_LANGUAGES = 2  # for a table


def show() -> None:
    """Draw the sets, and the systems measured on the selected one."""
    store = search_run_store()
    name = _set(searched_sets(store))
    standings = search_standings(name, store)
    metric = leading_figure(standings[0].run.row)
    st.markdown(_sentence(standings, name, metric))
    st.plotly_chart(score_charts.searches(standings, metric, FIGURE_LABELS[metric]), key="board_searches")
    _table(standings, name)
    _languages(standings)
    st.caption(
        "Relevance grades of documents: 2 relevant, 1 acceptable. The optimal order has the highest "
        "possible figures. Encoders read a document as a whole, or its best text; the app's search also ranks by words."
    )
    search_measuring.show(name)


def _set(names: Sequence[str]) -> str:
    if st.session_state.get(SET_KEY) not in names:
        st.session_state[SET_KEY] = names[0]
    return str(st.segmented_control(
        "Queries", names, key=SET_KEY, format_func=lambda name: _TITLES.get(name, name), required=True,
        persist_state="session",
    ))  # fmt: skip


def _sentence(standings: Sequence[SearchStanding], name: str, metric: str) -> str:
    best = next((each.run.row for each in standings if each.run.row.system != OPTIMAL), standings[0].run.row)
    return (
        f"## {plain(_TITLES.get(name, name))}: {plain(best.system)} reaches {FIGURE_LABELS[metric]} "
        f"{best.figures[metric]:.3f} (95 %: {best.low:.3f} to {best.high:.3f})"
    )


def _table(standings: Sequence[SearchStanding], name: str) -> None:
    rows = [_row(each) for each in standings]
    st.download_button(
        "Download CSV", lambda: _csv(rows), f"search_{name}.csv", "text/csv", key="board_search_download",
        icon=":material/download:", on_click="ignore",
    )  # fmt: skip
    st.dataframe(
        readable(rows), hide_index=True, key="board_search_table", placeholder="",
        column_config={
            "System": st.column_config.TextColumn(width="medium"),
            "95 %": st.column_config.TextColumn(help="Bootstrap interval over the queries or pairs"),
            **{label: st.column_config.NumberColumn(format="%.3f") for label in FIGURE_LABELS.values()},
        },
    )  # fmt: skip


def _row(standing: SearchStanding) -> dict[str, object]:
    row = standing.run.row
    figures = {label: row.figures[key] for key, label in FIGURE_LABELS.items() if key in row.figures}
    interval = f"{row.low:.3f} to {row.high:.3f}"
    return {"System": row.system, **figures, "95 %": interval, "Source": standing.source}


def _csv(rows: Sequence[dict[str, object]]) -> bytes:
    file = io.StringIO()
    write_csv_rows(file, rows)
    return file.getvalue().encode("utf-8-sig")


def _languages(standings: Sequence[SearchStanding]) -> None:
    languages = list(dict.fromkeys(code for each in standings for code in each.run.row.languages))
    if len(languages) < _FEWEST_LANGUAGES:
        return
    with st.expander("By language", icon=":material/table_rows:"):
        st.dataframe(
            readable([
                {"System": each.run.row.system}
                | {language_name(code): each.run.row.languages.get(code) for code in languages}
                for each in standings
            ]),
            hide_index=True, key="board_search_languages", placeholder="",
            column_config={language_name(code): st.column_config.NumberColumn(format="%.3f") for code in languages},
        )  # fmt: skip
