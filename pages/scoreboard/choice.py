"""Choice of the scoreboard's task, setting, ranking, metric, languages and datasets."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import streamlit as st

from jobmatch_core.benchmarks.datasets.tasks import TASKS
from jobmatch_core.benchmarks.scoreboard.entries import Setting
from jobmatch_core.benchmarks.scoreboard.results import RANKINGS, BoardRanking, RankingKind
from jobmatch_core.benchmarks.scoreboard.scoreboard import Scoreboard
from jobmatch_core.metrics.ranking import METRICS
from pages.scoreboard.dataset_titles import dataset_title
from pages.shared import address, sign_in
from pages.shared.choices import select, select_segment
from pages.shared.language import N_, _, capital, language_name, translated

SEARCH_TASK = "search"  # ranks documents by graded judgments, in a view of its own
OWN_TITLES_TASK = "own-titles"  # measures titles that people coded
_TASK_LABELS = {name: task.label for name, task in TASKS.items()} | {
    SEARCH_TASK: N_("Search"),
    OWN_TITLES_TASK: N_("Your titles"),
}
TASK_KEY, SETTING_KEY, RANKING_KEY, METRIC_KEY = "board_task", "board_setting", "board_ranking", "board_metric"
SECTION_KEY = "board_section"
_METRIC_WIDTH = 130  # pixels
LISTS = {"languages": "address_board_languages", "datasets": "address_board_datasets"}  # texts of the address
LANGUAGES_KEY, DATASETS_KEY = "board_languages", "board_datasets"
_LISTED = {"languages": LANGUAGES_KEY, "datasets": DATASETS_KEY}
RANKING_NAMES: dict[BoardRanking, str] = {
    "by_name": N_("By name"),
    "by_text": N_("By text"),
    "by_occupation": N_("By occupation"),
}
_RANKING_HELP = N_(
    "By name: every name is ranked separately, as in the MELO paper. By text: names that are "
    "written the same are ranked as one, as in WorkRB; MRR and MAP only. By occupation: each "
    "occupation is ranked once, by its best name. Published figures are by name; figures of two "
    "rankings are never compared."
)


@dataclass(frozen=True, slots=True)
class Choice:
    """Selected part of the scoreboard, with setting, ranking and metric."""

    board: Scoreboard
    setting: Setting
    ranking: BoardRanking
    metric: str


def adopt(keys: dict[str, str]) -> None:
    """Adopt an address as `address.adopt`, with the languages and datasets of `LISTS`."""
    for key in LISTS.values():
        st.session_state.pop(key, None)
    address.adopt(keys)
    for parameter, key in LISTS.items():
        if key in st.session_state:
            st.session_state[_LISTED[parameter]] = [name for name in str(st.session_state[key]).split(",") if name]


def write(keys: dict[str, str]) -> None:
    """Write the address as `address.write`, with the languages and datasets of `LISTS`."""
    for parameter, key in LISTS.items():
        st.session_state[key] = ",".join(st.session_state.get(_LISTED[parameter], ()))
    address.write(keys)


def task() -> str:
    """Draw the tasks; return the selected one."""
    if st.session_state.get(TASK_KEY) not in _TASK_LABELS:
        st.session_state[TASK_KEY] = next(iter(_TASK_LABELS))
    return str(
        st.segmented_control(
            _("Task"),
            list(_TASK_LABELS),
            key=TASK_KEY,
            format_func=translated(_TASK_LABELS).__getitem__,
            required=True,
            label_visibility="collapsed",
            on_change=st.session_state.update,
            args=({RANKING_KEY: None},),
            persist_state="session",
        )
    )


def _metric_help() -> str:
    meanings = [f"- **{metric.label}**: {_(metric.meaning)}" for metric in METRICS.values()]
    return "\n".join([*meanings, "", _("The paper has MRR, A@k and MAP.")])


def choose(board: Scoreboard) -> Choice:
    """Draw setting, ranking and metric, and a popover with languages and datasets."""
    with st.container(horizontal=True, vertical_alignment="bottom"):
        setting_place, ranking_place = st.container(width="content"), st.container(width="content")
        metric_place, filter_place = st.container(width=_METRIC_WIDTH), st.container(width="content")
    with setting_place:
        setting = select_segment(
            _("Languages of query and names"),
            {setting: capital(_(setting)) for setting in board.settings},
            SETTING_KEY,
            label_shown=True,
            explanation=_("These three kinds of datasets have separate means."),
        )
    with ranking_place:
        chosen_ranking = _ranking(board, board.rankings)
    with metric_place:
        metric = select(
            _("Metric"),
            list(METRICS),
            METRIC_KEY,
            default="mrr",
            format_func=lambda name: METRICS[name].label,
            explanation=_metric_help(),
        )
    whole = board.chosen(setting)
    with filter_place, st.popover(_("Filter"), icon=":material/filter_alt:"):
        part = _filtered(whole)
    if len(part.datasets) < len(whole.datasets):
        st.button(
            _(
                "Filtered: {n} of {all} {setting} datasets. Show all",
                n=len(part.datasets),
                all=len(whole.datasets),
                setting=_(setting),
            ),
            key="board_show_all",
            type="tertiary",
            icon=":material/filter_alt_off:",
            on_click=st.session_state.update,
            args=({LANGUAGES_KEY: [], DATASETS_KEY: []},),
        )
    return Choice(part, setting, chosen_ranking, metric)


def offer_measuring() -> None:
    """Draw a button that opens the section 'Measure', for viewers who may measure."""
    if sign_in.may("measure"):
        st.button(
            _("Measure a system"),
            key="board_to_measure",
            type="primary",
            on_click=st.session_state.update,
            args=({SECTION_KEY: "measure"},),
        )


def ranking(board: Scoreboard) -> RankingKind:
    """Draw the two rankings of which each query is known; the default is that of the published figures, if any."""
    return "by_occupation" if _ranking(board, RANKINGS) == "by_occupation" else "by_name"


def _ranking(board: Scoreboard, offered: Sequence[BoardRanking]) -> BoardRanking:
    return select_segment(
        _("Ranking"),
        {name: _(RANKING_NAMES[name]) for name in offered},
        RANKING_KEY,
        default="by_name" if board.has_published else "by_occupation",
        label_shown=True,
        explanation=_(_RANKING_HELP),
    )


def _filtered(board: Scoreboard) -> Scoreboard:
    languages = _select(_("Query languages"), LANGUAGES_KEY, board.languages, language_name)
    part = board.chosen(languages=languages)
    return part.chosen(datasets=_select(_("Datasets"), DATASETS_KEY, part.datasets, dataset_title))


def _select(label: str, key: str, options: Sequence[str], name: Callable[[str], str]) -> list[str]:
    # a selected value may not be an option of another task
    st.session_state[key] = [value for value in st.session_state.get(key, []) if value in options]
    return st.multiselect(label, options, key=key, format_func=name, placeholder=_("All"), persist_state="session")
