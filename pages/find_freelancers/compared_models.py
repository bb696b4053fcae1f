"""Two models side by side: whom each finds, and what moves up and down between them."""

import streamlit as st

from jobmatch_core.entities import Project
from jobmatch_core.retrieval.match_models import ModelChoice
from jobmatch_core.retrieval.match_order import Arrangement, Move, moves, shared_among_first
from jobmatch_core.retrieval.score_words import OpenFinder, ScoreWords
from jobmatch_core.text.languages import language_name
from jobmatch_core.vector_stores.vector_store import Filters
from pages.find_freelancers import freelancer_card
from pages.shared import markets
from pages.shared.market_choice import Market, model_name, opened
from pages.shared.widgets import plain

AGAINST_KEY = "find_against"
_COMPARED = 10


def show(market: Market, finder: OpenFinder, project: Project, filters: Filters, arrangement: Arrangement) -> None:
    """Draw both rankings, arranged alike.

    Raises:
        JobMatchError: the other model cannot be read.
    """
    others = [each for each in market.models if each != market.model]
    if not others:
        st.info(
            "A comparison needs two models, and there is only one. Train another, then come back.",
            icon=":material/model_training:",
        )
        st.page_link("pages/train_models/train_models.py", label="Train models", icon=":material/model_training:")
        return
    against = _against(others)
    matches = markets.ranking(finder, project, filters, arrangement)
    other = opened(market, against)
    other_matches = markets.ranking(other, project, filters, arrangement)
    both = shared_among_first(matches, other_matches, _COMPARED)
    compared = min(_COMPARED, len(matches))
    st.markdown(f"**{both} of the first {compared}** are the same people with both models.")
    st.caption("Up and down are relative to the other model. Similarities cannot be compared between models.")
    for place, model, words, found in zip(
        st.columns(2), (market.model, against), (finder.words_for(project), other.words_for(project)),
        (moves(matches, other_matches), moves(other_matches, matches)), strict=True,
    ):  # fmt: skip
        with place:
            st.markdown(f"**{plain(model_name(model))}**")
            for move in found[:_COMPARED]:
                _card(move, words, len(matches), key=f"find_{'first' if model == market.model else 'second'}")


def _against(others: list[ModelChoice]) -> ModelChoice:
    choices = {each.word: each for each in others}
    if st.session_state.get(AGAINST_KEY) not in choices:
        st.session_state[AGAINST_KEY] = others[0].word
    word = st.selectbox(
        "Compare with", list(choices), key=AGAINST_KEY, format_func=lambda word: model_name(choices[word]),
        persist_state="session",
    )  # fmt: skip
    return choices[word]


def _card(move: Move, words: ScoreWords | None, compared: int, *, key: str) -> None:
    match = move.match
    with st.container(border=True, key=f"{key}_{match.rank}", gap="xsmall"):
        st.markdown(f":gray[{match.rank}] **{freelancer_card.headline(match.freelancer)}**")
        st.caption(
            f"{_moved(move, compared)} · {language_name(match.freelancer.language)} · "
            f"{freelancer_card.score_text(match, words)} · "
            + freelancer_card.unbroken(f"{len(match.shared)} of {len(match.skills)} skills")
        )
        freelancer_card.profile(match, None, key=f"{key}_profile_{match.rank}")


def _moved(move: Move, compared: int) -> str:
    if move.up is None:
        return f":violet[:material/new_releases: not in the other model's first {compared}]"
    if move.up == 0:
        return ":gray[:material/drag_handle: same rank]"
    if move.up > 0:
        return f":green[:material/arrow_upward: up {move.up}, from {move.other_rank}]"
    return f":orange[:material/arrow_downward: down {-move.up}, from {move.other_rank}]"
