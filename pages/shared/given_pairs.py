"""Pairs selected on another page, or in the address, to judge here.

From another page:  `given_pairs.hand_over("demo", proposals)`, then `st.switch_page`.
In an address:      `/label_pairs?marketplace=demo&project=p1&freelancer=f7&project=p1&freelancer=f9`
"""

from collections.abc import Sequence
from dataclasses import dataclass

import streamlit as st

from jobmatch_core.entities import Pair, PairKind, Provenance
from jobmatch_core.labelling.own_candidates import Proposal

CHOSEN = "chosen"  # the policy of pairs whose address somebody was sent
_KEY = "label_given"
_PROJECT, _FREELANCER = "project", "freelancer"


@dataclass(frozen=True, slots=True)
class Given:
    """Chosen pairs of a marketplace, in the order in which they are to be judged."""

    source: str
    proposals: tuple[Proposal, ...]


def hand_over(source: str, proposals: Sequence[Proposal]) -> None:
    """Queue pairs of a marketplace to be judged next on 'Label pairs', each with its provenance."""
    st.session_state[_KEY] = Given(source, tuple(proposals))


def given(source: str) -> Given | None:
    """Return the selected pairs of a marketplace, from the address if it has any; None if there are none."""
    projects, freelancers = st.query_params.get_all(_PROJECT), st.query_params.get_all(_FREELANCER)
    if projects and len(projects) == len(freelancers):
        pairs = [Pair(PairKind.PROJECT_FREELANCER, source, *each) for each in zip(projects, freelancers, strict=True)]
        return Given(source, tuple(Proposal(pair, Provenance(CHOSEN)) for pair in pairs))
    handed: Given | None = st.session_state.get(_KEY)
    return handed if handed is not None and handed.source == source else None


def forget() -> None:
    """Go back to the queues."""
    st.session_state.pop(_KEY, None)
    for parameter in (_PROJECT, _FREELANCER):
        st.query_params.pop(parameter, None)
