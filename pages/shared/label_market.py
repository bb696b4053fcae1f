"""Marketplace and model of the pairs to judge, and pairs chosen on another page or in the address."""

from collections.abc import Sequence
from dataclasses import dataclass

import streamlit as st

from jobmatch_core.entities import Pair, PairKind, Provenance
from jobmatch_core.labelling.own_candidates import Proposal
from jobmatch_core.retrieval.match_models import ModelChoice
from pages.shared import resources
from pages.shared.choices import select
from pages.shared.language import _
from pages.shared.market_choice import model_name

_CHOSEN = "chosen"  # policy of the pairs in an address
_KEY = "label_given"
_PROJECT, _FREELANCER = "project", "freelancer"
MARKET_KEY, _MODEL_KEY = "label_marketplace", "label_model"
ADDRESS = {"marketplace": MARKET_KEY, "model": _MODEL_KEY}


@dataclass(frozen=True, slots=True)
class Given:
    """Chosen pairs of a marketplace, in the order of judging."""

    source: str
    proposals: tuple[Proposal, ...]


def hand_over(source: str, proposals: Sequence[Proposal]) -> None:
    """Queue pairs of a marketplace for 'Label pairs'."""
    st.session_state[_KEY] = Given(source, tuple(proposals))


def given(source: str) -> Given | None:
    """Return the chosen pairs of a marketplace, from the address if it has any; None if there are none."""
    projects, freelancers = st.query_params.get_all(_PROJECT), st.query_params.get_all(_FREELANCER)
    if projects and len(projects) == len(freelancers):
        pairs = [Pair(PairKind.PROJECT_FREELANCER, source, *ids) for ids in zip(projects, freelancers, strict=True)]
        return Given(source, tuple(Proposal(pair, Provenance(_CHOSEN)) for pair in pairs))
    handed: Given | None = st.session_state.get(_KEY)
    return handed if handed is not None and handed.source == source else None


def forget() -> None:
    """Forget the chosen pairs, so that the queues follow."""
    st.session_state.pop(_KEY, None)
    for parameter in (_PROJECT, _FREELANCER):
        st.query_params.pop(parameter, None)


def choose_model() -> ModelChoice:
    """Draw the models that can queue pairs, the latest first."""
    models = {model.word: model for model in resources.match_models() if not model.fault}
    word = select(
        _("Model"),
        list(models),
        _MODEL_KEY,
        format_func=lambda word: model_name(models[word]),
        explanation=_("Its scores decide which pairs are uncertain, hard or ranked high."),
    )
    return models[word]
