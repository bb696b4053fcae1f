"""A campaign in the background: its progress, and a stop that keeps what is done."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Generic, Protocol, TypeVar

import streamlit as st

from jobmatch.services.background_call import Background

_POLL_SECONDS = 0.2


class Stoppable(Protocol):
    """A campaign that can be stopped."""

    def stop(self) -> None:
        """Stop soon, and keep what is done."""


CampaignT = TypeVar("CampaignT", bound=Stoppable)


@dataclass(frozen=True, slots=True)
class CampaignJob(Generic[CampaignT]):
    """A campaign and the thread that it runs in."""

    campaign: CampaignT
    background: "Background[Any]"


def follow(job: CampaignJob[Any], key: str, words: Callable[[], str]) -> None:
    """Show a job until it ends; it goes on when the user looks elsewhere meanwhile.

    Args:
        job: the job.
        key: key of the stop button.
        words: what is said beside the bar now.
    """
    bar = st.progress(0.0, text="Measuring …")
    st.button("Stop and save the results so far", key=key, icon=":material/stop_circle:", on_click=job.campaign.stop)
    while not job.background.wait(_POLL_SECONDS):
        bar.progress(min(job.background.done / max(job.background.total, 1), 1.0), text=words())
