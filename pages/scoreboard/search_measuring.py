"""Measure search encoders on our own queries, with progress and a stop that keeps what is done."""

import streamlit as st

from jobmatch.services.background_call import Background
from jobmatch_core.benchmarks.experiments.search_campaign import SearchCampaign
from jobmatch_core.benchmarks.experiments.search_runs import OWN_SETS
from jobmatch_core.errors import JobMatchError
from jobmatch_core.model_store.model_spec import SEARCH, TITLES, ModelKind
from jobmatch_core.model_store.registry import Registry
from jobmatch_core.settings import Settings
from pages.scoreboard.campaign_job import CampaignJob, follow
from pages.shared import sign_in
from pages.shared.widgets import error_box

_JOB_KEY, _DONE_KEY = "board_search_job", "board_search_done"
_Job = CampaignJob[SearchCampaign]


def show(name: str) -> None:
    """Draw the choice of encoders for one of our own sets, or the running work and what came of it."""
    if (job := st.session_state.get(_JOB_KEY)) is not None:
        _running(job)
        return
    _done()
    if name in OWN_SETS and sign_in.may("measure"):
        _form(name)
    st.caption("On the command line, any encoder can be measured, also on public sets:")
    st.code("jobmatch evaluate search --encoder MODEL --data FOLDER", language="bash")


def _form(name: str) -> None:
    words = [SEARCH, TITLES, *Registry.open().names(ModelKind.SEARCH)]
    left, right = st.columns([4, 1], vertical_alignment="bottom")
    encoders = left.multiselect(
        "Encoders to measure on these queries", words, key="board_search_encoders", default=[SEARCH],
        help="`search` and `titles` come with jobmatch; the others were trained here. Chance, edit distance and BM25 "
        "are measured, too.",
    )  # fmt: skip
    right.button(
        "Measure", key="board_search_start", type="primary", icon=":material/play_arrow:", disabled=not encoders,
        on_click=_start, args=(name, encoders), width="stretch",
    )  # fmt: skip


def _start(name: str, encoders: list[str]) -> None:
    campaign = SearchCampaign(name, encoders, Settings.from_environment())
    st.session_state[_JOB_KEY] = CampaignJob(campaign, Background(campaign.run))
    st.session_state.pop(_DONE_KEY, None)


def _running(job: _Job) -> None:
    background = job.background
    follow(
        job, "board_search_stop",
        lambda: f"Measuring … {background.done:,} of {background.total:,} systems" if background.total else "Loading …",
    )  # fmt: skip
    st.session_state[_DONE_KEY] = job
    del st.session_state[_JOB_KEY]
    st.rerun()


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
        st.info("Stopped. The systems measured so far are in the table.", icon=":material/pause_circle:")
    else:
        st.success("Measured. The table has the new figures.", icon=":material/check_circle:")
