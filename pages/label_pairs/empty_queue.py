"""Empty queue: the reason, and what to do next."""

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
from pages.label_pairs.queue_choice import CATEGORY_KEY, OWN_SHARE_KEY, QUEUE_KEY, SHARE_KEY, Queue
from pages.shared import given_pairs

_NEXT = (UNCERTAIN, RANDOM, SECOND_OPINION)
_WHY = {
    SECOND_OPINION: "No pairs are waiting for a second opinion: nobody else has judged any, or you have judged them "
    "all. You can change their share in the queue's menu.",
    HARD_NEGATIVES: "No pairs are left that the model finds similar although project and freelancer have different "
    "categories.",
    DISAGREE: "No pairs are left that both models rank.",
    RANDOM: "The fair sample of all pairs is judged.",
    BY_CATEGORY: "All pairs of all categories are judged.",
    UNCERTAIN: "All pairs in this queue are judged, or other annotators are judging them now.",
}

_OWN_SHARE = "Your share of this queue is judged, or others are judging its last pairs now."


def show(queue: Queue, desk: Desk, *, failed: bool) -> None:
    """Draw why the queue is empty."""
    if failed:
        st.button("Try again", key="label_again", icon=":material/refresh:", type="primary")
        return
    with st.container(border=True, key="label_empty"):
        _head(queue, desk)
        with st.container(horizontal=True):
            if queue.given is not None:
                st.button("Back to the queues", key="label_no_given", type="primary", on_click=_back)
                return
            if queue.settings.own_share:
                st.button("Continue with pairs of others", key="label_any_share", type="primary", on_click=_any_share)
            if queue.languages:
                st.button("All languages", key="label_all_languages", type="primary", on_click=_all_languages)
            if queue.category:
                st.button("All categories", key="label_all_categories", type="primary", on_click=_all_categories)
            for policy in _NEXT:
                if policy != queue.settings.policy:
                    st.button(
                        f"Switch to '{POLICIES[policy].label}'",
                        key=f"label_go_{policy}",
                        on_click=_choose,
                        args=(policy,),
                    )


def _head(queue: Queue, desk: Desk) -> None:
    if queue.given is not None:
        st.markdown(f":material/task_alt: **You have gone through the {len(queue.given.proposals):,} chosen pairs.**")
        st.write("'History' lists their judgments.")
        return
    if desk.judged:
        st.markdown(f":material/task_alt: **All done: you judged {desk.judged:,} pairs of this queue.**")
        st.write("Your verdicts are saved. 'Agreement' shows how far annotators agree, 'History' lists all judgments.")
    else:
        st.markdown(":material/inbox: **This queue is empty.**")
    st.write(_OWN_SHARE if queue.settings.own_share else _WHY[queue.settings.policy])
    if queue.languages:
        read = ", ".join(language_name(code) for code in queue.languages)
        st.write(f"Only pairs in the languages that you read are offered: {read}.")


def _choose(policy: str) -> None:
    st.session_state[QUEUE_KEY] = policy
    if policy == SECOND_OPINION:
        st.session_state[SHARE_KEY] = 100


def _all_categories() -> None:
    st.session_state[CATEGORY_KEY] = ""


def _any_share() -> None:
    st.session_state[OWN_SHARE_KEY] = False


def _all_languages() -> None:
    st.session_state[LANGUAGES_KEY] = []


def _back() -> None:
    given_pairs.forget()
    st.session_state[QUEUE_KEY] = UNCERTAIN
