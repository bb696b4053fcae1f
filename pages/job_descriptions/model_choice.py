"""The model that reads a posting, how its attention is looked at, and all kinds of models side by side."""

from collections.abc import Sequence

import pandas as pd
import streamlit as st

from jobmatch_core.descriptions.attention import AttentionView
from jobmatch_core.descriptions.posting_models import PostingModelChoice, posting_models
from jobmatch_core.descriptions.postings import Posting
from jobmatch_core.linking import Linker
from pages.job_descriptions.describer import explained, model_name, opened
from pages.shared.widgets import plain, readable

MODEL_KEY = "describe_model"
_LAYER_KEY, _HEAD_KEY, _BESIDE_KEY = "describe_layer", "describe_head", "describe_beside"
_ROLLOUT, _MEAN = "all layers (rollout)", "mean of the heads"
_TOP = 5
_DOCUMENT_NOTE = "The whole document is encoded like a title, from its first 64 words."


def choose() -> PostingModelChoice:
    """Draw the models; return the selected one."""
    choices = {choice.word: choice for choice in posting_models()}
    if st.session_state.get(MODEL_KEY) not in choices:
        if st.session_state.get(MODEL_KEY):
            st.warning(f"There is no model {plain(str(st.session_state[MODEL_KEY]))} here.", icon=":material/info:")
        st.session_state[MODEL_KEY] = next(iter(choices))
    word = st.selectbox(
        "Model", list(choices), key=MODEL_KEY, format_func=lambda word: model_name(choices[word]),
        persist_state="session",
        help="JDAN weights the sentences; the other models are for comparison. Train your own with `jobmatch train "
            "jdan`.",
    )  # fmt: skip
    if "jdan" not in choices:
        st.caption("The bundled JDAN does not fit this title encoder, so the sentences are averaged.")
    return choices[word]


def choose_view(n_layers: int, n_heads: int) -> AttentionView:
    """Draw the layers and heads of attention."""
    layers: dict[str, int | None] = {_ROLLOUT: None} | {f"layer {number + 1}": number for number in range(n_layers)}
    heads: dict[str, int | None] = {_MEAN: None} | {f"head {number + 1}": number for number in range(n_heads)}
    for key, known in ((_LAYER_KEY, layers), (_HEAD_KEY, heads)):
        if st.session_state.get(key) not in known:
            st.session_state[key] = next(iter(known))
    left, right = st.columns(2)
    layer = left.selectbox("Attention layer", list(layers), key=_LAYER_KEY, persist_state="session")
    rolled = layers[layer] is None
    head = right.selectbox("Head", list(heads), key=_HEAD_KEY, persist_state="session", disabled=rolled)
    return AttentionView(layers[layer], None if rolled else heads[head])


def side_by_side(linker: Linker, language: str, posting: Posting) -> None:
    """Draw the nearest titles and occupations as several models see them.

    Raises:
        JobMatchError: a model cannot be used.
    """
    choices = {choice.word: choice for choice in posting_models()}
    known = [word for word in st.session_state.get(_BESIDE_KEY, ()) if word in choices]
    st.session_state[_BESIDE_KEY] = known or [word for word in ("jdan", "mean", "max", "document") if word in choices]
    words = st.multiselect(
        "Models", list(choices), key=_BESIDE_KEY, format_func=lambda word: model_name(choices[word]),
        persist_state="session", max_selections=4,
    )  # fmt: skip
    if not words:
        return
    for place, word in zip(st.columns(len(words)), words, strict=True):
        with place:
            _column(linker, language, choices[word], posting)
    st.caption(f"Similarity ranges from -1 to 1 and cannot be compared between models. {_DOCUMENT_NOTE}")


def _column(linker: Linker, language: str, choice: PostingModelChoice, posting: Posting) -> None:
    describer = opened(linker, choice, language)
    vector = explained(describer, posting).description.vector
    st.markdown(f"**{plain(model_name(choice))}**")
    for heading, nearest in (
        ("Nearest occupations", describer.space.occupations(vector, _TOP)),
        ("Nearest titles", describer.space.titles(vector, _TOP)),
    ):
        near_table(heading, [(each.text, each.likeness) for each in nearest], key=f"beside {choice.word} {heading}")


def near_table(heading: str, rows: Sequence[tuple[str, float]], *, key: str) -> None:
    """Draw names with their likeness as bars."""
    table = pd.DataFrame(rows, columns=[heading, "Similarity"])
    st.dataframe(
        readable(table), hide_index=True, width="stretch", key=key,
        column_config={
            heading: st.column_config.TextColumn(width="medium"),
            "Similarity": st.column_config.ProgressColumn(min_value=0, max_value=1, format="%.2f", width="small"),
        },
    )  # fmt: skip
