"""Task 'Search': encoders, the app's search and baselines on queries with graded judgments."""

from collections.abc import Sequence

import streamlit as st

from jobmatch.services.background_call import Background
from jobmatch_core.benchmarks.retrieval.search_experiment import FIGURE_LABELS, OPTIMAL
from jobmatch_core.benchmarks.retrieval.search_runs import (
    OWN_SETS,
    SearchCampaign,
    SearchStanding,
    leading_figure,
    search_run_store,
    search_standings,
    searched_sets,
)
from jobmatch_core.errors import JobMatchError
from jobmatch_core.metrics.judgment_metrics import AUC
from jobmatch_core.model_store.model_spec import SEARCH, TITLES, ModelKind, home_models
from jobmatch_core.model_store.registry import Registry
from jobmatch_core.settings import Settings
from pages.scoreboard import score_charts
from pages.scoreboard.measuring import CampaignJob, follow
from pages.shared import sign_in
from pages.shared.choices import preselect, select_segment
from pages.shared.composed import composed
from pages.shared.downloads import csv_heading
from pages.shared.language import N_, _, language_name, numeral
from pages.shared.tables import show_table
from pages.shared.widgets import error_box, plain

_JOB_KEY, _DONE_KEY = "board_search_job", "board_search_done"
_ENCODERS_KEY = "board_search_encoders"
_Job = CampaignJob[SearchCampaign]
SET_KEY = "board_search_set"
_TITLES = dict(
    zip(OWN_SETS, (N_("Occupations by what people do"), N_("Freelancers of the demo marketplace")), strict=True)
)
# by the leading figure of a set; otherwise queries
_UNITS = {AUC: N_("pairs"), "accuracy": N_("sentences")}
_FEWEST_LANGUAGES = 2  # for a table


def _measuring(name: str) -> None:
    if (job := st.session_state.get(_JOB_KEY)) is not None:
        background = job.background
        follow(
            job,
            "board_search_stop",
            lambda: (
                _(
                    "Measuring … {done} of {total} systems",
                    done=numeral(background.done),
                    total=numeral(background.total),
                )
                if background.total
                else _("Loading …")
            ),
        )
        st.session_state[_DONE_KEY] = job
        del st.session_state[_JOB_KEY]
        st.rerun()
        return
    _done()
    if name in OWN_SETS and sign_in.may("measure"):
        _form(name)
    elif name in OWN_SETS:
        st.caption(sign_in.needed_for("measure"))
    st.caption(_("On the command line, any encoder can be measured, also on public sets:"))
    st.code("jobmatch evaluate search --encoder MODEL --data FOLDER", language=None, wrap_lines=True)


def _form(name: str) -> None:
    own = [model.word for model in home_models(Settings.from_environment(), ModelKind.ENCODER)]
    words = list(dict.fromkeys([SEARCH, TITLES, *Registry.open().names(ModelKind.SEARCH), *own]))
    left, right = st.columns([4, 1], vertical_alignment="bottom")
    preselect(_ENCODERS_KEY, words, [SEARCH])
    encoders = left.multiselect(
        _("Encoders to measure on these queries"),
        words,
        key=_ENCODERS_KEY,
        help=_(
            "`search` and `titles` are shipped with jobmatch; the others were trained or added here. "
            "Chance, edit distance and BM25 are measured, too."
        ),
    )
    right.button(
        _("Measure"),
        key="board_search_start",
        type="primary",
        icon=":material/play_arrow:",
        disabled=not encoders,
        on_click=_start,
        args=(name, encoders),
        width="stretch",
    )


def _start(name: str, encoders: list[str]) -> None:
    campaign = SearchCampaign(name, encoders, Settings.from_environment())
    st.session_state[_JOB_KEY] = CampaignJob(campaign, Background(campaign.run))
    st.session_state.pop(_DONE_KEY, None)


def _done() -> None:
    job: _Job | None = st.session_state.get(_DONE_KEY)
    if job is None:
        return
    try:
        job.background.result()
    except JobMatchError as error:
        error_box(error)
        return
    if job.campaign.stopped:
        st.info(_("Stopped. The systems measured so far are in the table."), icon=":material/pause_circle:")
    else:
        st.success(_("Measured. The table has the new figures."), icon=":material/check_circle:")


def show() -> None:
    """Draw the sets of queries, and the systems measured on the selected one."""
    store = search_run_store()
    labels = {name: _set_title(name) for name in searched_sets(store)}
    name = select_segment(_("Queries"), labels, SET_KEY, label_shown=True)
    standings = search_standings(name, store)
    metric = leading_figure(standings[0].run.row)
    st.markdown(_sentence(standings, name, metric))
    st.caption(score_charts.search_legend({standing.group for standing in standings}))
    figure = score_charts.searches(standings, metric, FIGURE_LABELS[metric], _units(metric))
    st.plotly_chart(figure, key="board_searches")
    _table(standings, name, metric)
    _languages(standings)
    st.caption(
        _(
            "Relevance grades of documents: 2 relevant, 1 acceptable. The optimal order has the highest "
            "possible figures. Encoders read a document as a whole, or its best text; the app's search "
            "also ranks by words."
        )
    )
    _measuring(name)


def _sentence(standings: Sequence[SearchStanding], name: str, metric: str) -> str:
    rows = [standing.run.row for standing in standings]
    best = next((row for row in rows if row.system != OPTIMAL), rows[0])
    return _(
        "## {queries}: {system} reaches {metric} {figure} (95%: {low} to {high})",
        queries=plain(_set_title(name)),
        system=plain(best.system),
        metric=FIGURE_LABELS[metric],
        figure=numeral(best.figures[metric], 3),
        low=numeral(best.low, 3),
        high=numeral(best.high, 3),
    )


def _set_title(name: str) -> str:
    return _(_TITLES[name]) if name in _TITLES else name


def _units(metric: str) -> str:
    return _(_UNITS.get(metric, "queries"))


def _table(standings: Sequence[SearchStanding], name: str, metric: str) -> None:
    records = [_record(standing, metric) for standing in standings]
    heading = _("**All systems, {n} {units}**", n=numeral(standings[0].run.row.n), units=_units(metric))
    csv_heading(heading, lambda: records, f"search_{name}.csv", "board_search_download")
    columns = {
        _("System"): st.column_config.TextColumn(width=262),
        "95%": st.column_config.TextColumn(help=_("Bootstrap interval over the queries or pairs")),
    }
    headings = {"System": _("System"), "Source": _("Source")}
    rows = [
        {headings.get(name, name): value for name, value in record.items()} | {_("Source"): composed(standing.source)}
        for record, standing in zip(records, standings, strict=True)
    ]
    show_table(rows, "board_search_table", formats=dict.fromkeys(FIGURE_LABELS.values(), "%.3f"), columns=columns)


def _record(standing: SearchStanding, metric: str) -> dict[str, object]:
    # as in a file, which is the same in all languages
    row = standing.run.row
    figures = {label: row.figures[key] for key, label in FIGURE_LABELS.items() if key in row.figures}
    leading = {
        FIGURE_LABELS[metric]: row.figures[metric],
        "95%": f"{row.low:.3f} to {row.high:.3f}",
    }
    return {"System": row.system} | leading | figures | {"Source": standing.source}


def _languages(standings: Sequence[SearchStanding]) -> None:
    rows = [standing.run.row for standing in standings]
    languages = list(dict.fromkeys(code for row in rows for code in row.languages))
    if len(languages) < _FEWEST_LANGUAGES:
        return
    with st.expander(_("By language"), icon=":material/table_rows:"):
        cells = [
            {_("System"): row.system} | {language_name(code): row.languages.get(code) for code in languages}
            for row in rows
        ]
        show_table(cells, "board_search_languages", formats=dict.fromkeys(map(language_name, languages), "%.3f"))
