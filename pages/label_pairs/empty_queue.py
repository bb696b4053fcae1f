"""Nothing to judge: why, and what to do next."""

import streamlit as st

from jobmatch.services.annotation_desk import Desk
from jobmatch_core.labelling.queues import (
    BY_CATEGORY,
    DISAGREE,
    HARD_NEGATIVES,
    POLICIES,
    RANDOM,
    SECOND_OPINION,
    UNCERTAIN,
)
from jobmatch_core.text.languages import language_name
from pages.label_pairs.languages_read import LANGUAGES_KEY
from pages.label_pairs.queue_choice import CATEGORY_KEY, QUEUE_KEY, SHARE_KEY, Queue
from pages.shared import given_pairs

_NEXT = (UNCERTAIN, RANDOM, SECOND_OPINION)
_WHY = {
    SECOND_OPINION: "Nobody else has judged any of the pairs that are to be judged twice, or you have judged them all. "
    "The share of such pairs is in the menu of the queue.",
    HARD_NEGATIVES: "No pair is left that looks alike to the model, though project and freelancer say different "
    "categories.",
    DISAGREE: "No pair is left that the two models rank.",
    RANDOM: "The fair sample of all pairs is judged.",
    BY_CATEGORY: "All pairs of all categories are judged.",
    UNCERTAIN: "All pairs that were looked up are judged, or others have them before them.",
}


def show(queue: Queue, desk: Desk, *, failed: bool) -> None:
    """Draw why there is no pair."""
    if failed:
        st.button("Try again", key="label_again", icon=":material/refresh:", type="primary")
        return
    with st.container(border=True, key="label_empty"):
        _head(queue, desk)
        with st.container(horizontal=True):
            if queue.given is not None:
                st.button("Back to the queues", key="label_no_given", type="primary", on_click=_back)
                return
            if queue.languages:
                st.button("All languages", key="label_all_languages", type="primary", on_click=_all_languages)
            if queue.category:
                st.button("All categories", key="label_all_categories", type="primary", on_click=_all_categories)
            for policy in _NEXT:
                if policy != queue.settings.policy:
                    st.button(
                        f"Go on with '{POLICIES[policy].label}'",
                        key=f"label_go_{policy}",
                        on_click=_choose,
                        args=(policy,),
                    )


def _head(queue: Queue, desk: Desk) -> None:
    if queue.given is not None:
        st.markdown(f":material/task_alt: **The {len(queue.given.proposals):,} chosen pairs are gone through.**")
        st.write("'History' lists what was said of them.")
        return
    if desk.judged:
        st.markdown(f":material/task_alt: **All done: you judged {desk.judged:,} pairs of this queue.**")
        st.write("What you said is kept. 'Agreement' shows how far others agree, 'History' what was said.")
    else:
        st.markdown(":material/inbox: **Nothing waits in this queue.**")
    st.write(_WHY[queue.settings.policy])
    if queue.languages:
        read = ", ".join(language_name(code) for code in queue.languages)
        st.write(f"Only pairs in the languages that you read are looked at: {read}.")


def _choose(policy: str) -> None:
    st.session_state[QUEUE_KEY] = policy
    if policy == SECOND_OPINION:
        st.session_state[SHARE_KEY] = 100


def _all_categories() -> None:
    st.session_state[CATEGORY_KEY] = ""


def _all_languages() -> None:
    st.session_state[LANGUAGES_KEY] = []


def _back() -> None:
    given_pairs.forget()
    st.session_state[QUEUE_KEY] = UNCERTAIN
