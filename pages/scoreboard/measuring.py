"""Section 'Measure': systems on datasets in the background, with progress, and a stop that saves finished results."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any, Generic, Protocol, TypeVar

import streamlit as st

from jobmatch.services.background_call import Background
from jobmatch_core.benchmarks.datasets.tasks import (
    TASKS,
    Benchmark,
    benchmark_folder,
    installed_benchmarks,
)
from jobmatch_core.benchmarks.scoreboard.entries import setting_of, system_label
from jobmatch_core.benchmarks.scoreboard.results import Result, ResultStore
from jobmatch_core.benchmarks.scoreboard.run import Campaign
from jobmatch_core.benchmarks.systems.catalogue import SYSTEMS, open_system
from jobmatch_core.errors import JobMatchError
from jobmatch_core.model_store.model_spec import ModelKind, home_models
from jobmatch_core.settings import Settings
from pages.scoreboard.choice import DATASETS_KEY, LANGUAGES_KEY, SECTION_KEY, SETTING_KEY
from pages.scoreboard.dataset_titles import dataset_title
from pages.shared import resources, sign_in
from pages.shared.choices import preselect
from pages.shared.language import _, numeral
from pages.shared.taxonomy_choice import select_taxonomy
from pages.shared.widgets import error_box, plain

_POLL_SECONDS = 0.2
_JOB_KEY, _DONE_KEY = "board_job", "board_done"
SYSTEM_KEY = "board_system"  # system that a link asks to measure
CampaignT = TypeVar("CampaignT", bound="_Stoppable")


class _Stoppable(Protocol):
    def stop(self) -> None: ...


@dataclass(frozen=True, slots=True)
class CampaignJob(Generic[CampaignT]):
    """Campaign with the background call that runs it."""

    campaign: CampaignT
    background: "Background[Any]"


def follow(
    job: CampaignJob[Any], key: str, words: Callable[[], str], stop: str = "", news: Callable[[], bool] = lambda: False
) -> None:
    """Show a job's progress until it ends or has news; it continues while the user looks elsewhere.

    Args:
        job: The job.
        key: Key of the stop button.
        words: Returns the current text of the progress bar.
        stop: Label of the stop button; '' for that of a job that saves its results.
        news: Whether there is something new to show.
    """
    bar = st.progress(0.0, text=_("Measuring …"))
    st.button(
        stop or _("Stop and save the results so far"),
        key=key,
        icon=":material/stop_circle:",
        on_click=job.campaign.stop,
    )
    while not job.background.wait(_POLL_SECONDS) and not news():
        bar.progress(min(job.background.done / max(job.background.total, 1), 1.0), text=words())


def show(task: str) -> None:
    """Draw the form with the last result, or the running work."""
    job: CampaignJob[Campaign] | None = st.session_state.get(_JOB_KEY)
    if job is not None:
        _running(job)
        return
    _done()
    taxonomy_id = select_taxonomy().id if TASKS[task].ranks_taxonomy else ""
    benchmarks = installed_benchmarks(task, taxonomy_id)
    if not sign_in.may("measure"):
        st.caption(sign_in.needed_for("measure"))
    elif benchmarks:
        _form(task, benchmarks)
    _where(task, empty=not benchmarks)


def _form(task: str, benchmarks: Sequence[Benchmark]) -> None:
    names = [benchmark.name for benchmark in benchmarks]
    left, right = st.columns(2)
    own = [f"encoder:{model.word}" for model in home_models(Settings.from_environment(), ModelKind.ENCODER)]
    systems_key = f"board_systems_{task}"
    if (wanted := st.session_state.pop(SYSTEM_KEY, "")) in (*own, *SYSTEMS):
        st.session_state[systems_key] = [wanted]
    preselect(systems_key, [*own, *SYSTEMS], TASKS[task].systems)
    systems = left.multiselect(
        _("Systems"),
        [*own, *SYSTEMS],
        key=systems_key,
        format_func=system_label,
        help=_("Encoders that an administrator added on 'Train models' come first."),
    )
    datasets = right.multiselect(
        _("Datasets"),
        names,
        key=f"board_on_{task}",
        format_func=dataset_title,
        placeholder=_("All {n_names} installed", n_names=numeral(len(names))),
    )
    again = st.checkbox(_("Repeat existing measurements"), key="board_again")
    chosen = [benchmark for benchmark in benchmarks if not datasets or benchmark.name in datasets]
    st.button(
        _("Measure"),
        key="board_start",
        type="primary",
        icon=":material/play_arrow:",
        disabled=not systems,
        on_click=_start,
        args=(chosen, systems, again),
    )


def _start(benchmarks: Sequence[Benchmark], systems: Sequence[str], again: bool) -> None:
    settings = Settings.from_environment()
    makers = [partial(open_system, name, settings=settings) for name in systems]
    campaign = Campaign(benchmarks, makers, ResultStore.open(settings), again=again)
    st.session_state[_JOB_KEY] = CampaignJob(campaign, Background(campaign.run))
    st.session_state.pop(_DONE_KEY, None)


def _running(job: CampaignJob[Campaign]) -> None:
    campaign = job.campaign
    follow(
        job,
        "board_stop",
        lambda: _(
            "{doing} · {n_evaluations} of {total} done",
            doing=plain(campaign.doing),
            n_evaluations=numeral(len(campaign.evaluations)),
            total=numeral(campaign.total),
        ),
    )
    st.session_state[_DONE_KEY] = job
    del st.session_state[_JOB_KEY]
    resources.stored_results.clear()
    st.rerun()


def _done() -> None:
    job: CampaignJob[Campaign] | None = st.session_state.get(_DONE_KEY)
    if job is None:
        return
    for warning in job.campaign.warnings:
        st.warning(plain(_("{warning}. This was done.", warning=warning)), icon=":material/broken_image:")
    count, total = len(job.campaign.evaluations), job.campaign.total
    try:
        job.background.result()
    except JobMatchError as error:
        error_box(error)
    if count < total:
        st.info(
            _(
                "Stopped: {count} of {total} measured and saved. Press Measure to continue.",
                count=numeral(count),
                total=numeral(total),
            ),
            icon=":material/pause_circle:",
        )
    else:
        st.success(
            _("Measured: {count} of {total}.", count=numeral(count), total=numeral(total)),
            icon=":material/check_circle:",
        )
    if count:
        st.button(
            _("See the standings"),
            key="board_to_standings",
            on_click=_to_standings,
            args=([by_name for by_name, _unused in job.campaign.evaluations],),
        )


def _to_standings(measured: Sequence[Result]) -> None:
    first = measured[0]
    st.session_state[SECTION_KEY] = "standings"
    st.session_state[SETTING_KEY] = setting_of(first.query_language, first.corpus_languages)
    st.session_state[LANGUAGES_KEY] = []  # they might leave some of the datasets out
    st.session_state[DATASETS_KEY] = sorted({result.dataset for result in measured})


def _where(task: str, *, empty: bool) -> None:
    folder = benchmark_folder(task)
    if empty:
        st.info(_("No dataset of this task is installed yet."), icon=":material/folder_open:")
    st.markdown(
        _("**Datasets**: put them into this folder: {files}.", files=_(TASKS[task].files))
        if empty
        else _("**More datasets**: put them into this folder: {files}.", files=_(TASKS[task].files))
    )
    st.code(str(folder), language=None, wrap_lines=True)
    st.caption(
        _(
            "The data is not bundled. It serves measuring only: nothing is trained or fitted on it. On "
            "the command line, any folder and any encoder can be measured:"
        )
    )
    st.code(f"jobmatch evaluate {task} PATH --system encoder:FOLDER", language=None, wrap_lines=True)
