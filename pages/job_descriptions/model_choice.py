"""Models of job descriptions: the choice of one and of its attention view, and several side by side."""

from collections.abc import Sequence
from typing import TYPE_CHECKING

import pandas as pd
import streamlit as st

from jobmatch.services.background_call import Background
from jobmatch.services.describing import PostingDescriber
from jobmatch.services.home_services import home_services
from jobmatch_core.descriptions.attention import Attention, AttentionView
from jobmatch_core.descriptions.posting_models import posting_models
from jobmatch_core.descriptions.postings import Posting
from jobmatch_core.descriptions.segments import segments
from jobmatch_core.linking import Linker
from pages.shared import resources
from pages.shared.choices import select
from pages.shared.language import N_, _
from pages.shared.tables import show_table
from pages.shared.widgets import finished, plain

if TYPE_CHECKING:
    from jobmatch_core.descriptions.explanation import Explanation
    from jobmatch_core.descriptions.nearest import Near

_MANY_SENTENCES = 64  # computing the effects of more takes a network over half a second
_UNSEEN_SECONDS = 0.1
_MODEL_NAMES = {
    "jdan": N_("shipped JDAN"),
    "mean": N_("Mean over sentences"),
    "max": N_("Maximum over sentences"),
    "document": N_("Whole document"),
}
MODEL_KEY = "describe_model"
_LAYER_KEY, _HEAD_KEY, _BESIDE_KEY = "describe_layer", "describe_head", "describe_beside"
_ROLLOUT, _MEAN = N_("all layers (rollout)"), N_("mean of the heads")
_TOP = 5
_DOCUMENT_NOTE = N_("The whole document is encoded like a title, from its first 64 words.")


def open_model(linker: Linker, model: str, language: str) -> PostingDescriber:
    """Open a model; a bar shows the progress the first time.

    Raises:
        ModelError: the model cannot be used.
    """
    opening = home_services().describing.opening(model, linker, language)
    return finished(opening, _("Reading occupations with {model_name}", model_name=plain(_model_name(model))))


def explained(describer: PostingDescriber, posting: Posting) -> "Explanation":
    """Return a posting's sentences with weights and effects; a long posting's without effects until they are ready."""
    from jobmatch_core.descriptions.explanation import explain  # torch takes seconds

    model, space = describer.model, describer.space
    if model.network is None or len(segments(posting.description)) <= _MANY_SENTENCES:
        return resources.explained((describer.key, posting), lambda: explain(model, posting, space))
    work = computing_effects(describer, posting)
    if work.wait(_UNSEEN_SECONDS):
        return work.result()
    return resources.explained((describer.key, posting, "quick"), lambda: explain(model, posting, space, effects=False))


def computing_effects(describer: PostingDescriber, posting: Posting) -> "Background[Explanation]":
    """Start to explain a posting with effects in the background, or return the call in progress."""
    from jobmatch_core.descriptions.explanation import explain

    return resources.describing(
        (describer.key, posting, "effects"), lambda progress: explain(describer.model, posting, describer.space)
    )


def _model_name(model: str) -> str:
    return _(_MODEL_NAMES[model]) if model in _MODEL_NAMES else model


def name_in_use() -> str:
    """Return the display name of the page's model; call `chosen` first."""
    return _model_name(str(st.session_state[MODEL_KEY]))


def chosen() -> str:
    """Return the selected model, the first one by default; warn about an unknown one."""
    models = posting_models()
    if "jdan" not in models:
        st.caption(_("The shipped JDAN does not fit this title encoder, so the sentences are averaged."))
    selected = str(st.session_state.get(MODEL_KEY) or "")
    if selected in models:
        return selected
    if selected:
        st.warning(_("There is no model {selected} here.", selected=plain(selected)), icon=":material/info:")
    st.session_state[MODEL_KEY] = models[0]
    return models[0]


def choose() -> None:
    """Draw the models."""
    select(
        _("Model of this page"),
        posting_models(),
        MODEL_KEY,
        format_func=_model_name,
        explanation=_(
            "JDAN weights the sentences; the other models are for comparison. Train your own with "
            "`jobmatch train jdan`; an administrator can add an encoder on the page 'Train models'."
        ),
    )


def chosen_view(attention: Attention | None) -> AttentionView:
    """Return the selected layer and head; all layers and heads by default."""
    if attention is None:
        return AttentionView()
    layers, heads = _views(attention)
    for key, options in ((_LAYER_KEY, layers), (_HEAD_KEY, heads)):
        if st.session_state.get(key) not in options:
            st.session_state[key] = next(iter(options))
    layer, head = layers[st.session_state[_LAYER_KEY]], heads[st.session_state[_HEAD_KEY]]
    return AttentionView(layer, None if layer is None else head)


def choose_view(attention: Attention) -> None:
    """Draw the layers and heads; call `chosen_view` first."""
    layers, heads = _views(attention)
    left, right = st.columns(2)

    def layer_name(option: str) -> str:
        return _(_ROLLOUT) if (number := layers[option]) is None else _("layer {layer}", layer=number + 1)

    def head_name(option: str) -> str:
        return _(_MEAN) if (number := heads[option]) is None else _("head {head}", head=number + 1)

    left.selectbox(_("Attention layer"), list(layers), key=_LAYER_KEY, format_func=layer_name, persist_state="session")
    rolled = layers[st.session_state[_LAYER_KEY]] is None
    right.selectbox(
        _("Head"), list(heads), key=_HEAD_KEY, format_func=head_name, persist_state="session", disabled=rolled
    )


def choose_head(layer: int, head: int) -> None:
    """Select a layer and a head, numbered from 0; for callbacks."""
    st.session_state[_LAYER_KEY], st.session_state[_HEAD_KEY] = (
        f"layer {layer + 1}",
        f"head {head + 1}",
    )


def _views(attention: Attention) -> tuple[dict[str, int | None], dict[str, int | None]]:
    layers: dict[str, int | None] = {f"layer {number + 1}": number for number in range(attention.n_layers)}
    heads: dict[str, int | None] = {f"head {number + 1}": number for number in range(attention.n_heads)}
    return {_ROLLOUT: None} | layers, {_MEAN: None} | heads


def side_by_side(linker: Linker, language: str, posting: Posting) -> None:
    """Draw the nearest titles and occupations by several models; raises JobMatchError if a model cannot be used."""
    models = posting_models()
    selected = [model for model in st.session_state.get(_BESIDE_KEY, ()) if model in models]
    st.session_state[_BESIDE_KEY] = selected or [
        model for model in ("jdan", "mean", "max", "document") if model in models
    ]
    beside = st.multiselect(
        _("Models side by side"),
        models,
        key=_BESIDE_KEY,
        format_func=_model_name,
        persist_state="session",
        max_selections=4,
    )
    if not beside:
        return
    for place, model in zip(st.columns(len(beside)), beside, strict=True):
        with place:
            _column(linker, language, model, posting)
    st.caption(
        _(
            "Similarity ranges from -1 to 1 and cannot be compared between models. {document_note}",
            document_note=_(_DOCUMENT_NOTE),
        )
    )


def _column(linker: Linker, language: str, model: str, posting: Posting) -> None:
    describer = open_model(linker, model, language)
    vector = explained(describer, posting).description.vector
    st.markdown(f"**{plain(_model_name(model))}**")
    near_table(_("Nearest occupations"), describer.space.occupations(vector, _TOP), key=f"beside {model} occupations")
    near_table(_("Nearest titles"), describer.space.titles(vector, _TOP), key=f"beside {model} titles")


def near_table(heading: str, nearest: Sequence["Near"], *, key: str) -> None:
    """Draw names with their similarity as bars."""
    table = pd.DataFrame([(name.text, name.likeness) for name in nearest], columns=[heading, _("Similarity")])
    columns = {  # in pixels, so that both fit into a quarter of the page
        heading: st.column_config.TextColumn(width=170),
        _("Similarity"): st.column_config.ProgressColumn(_("Sim."), min_value=0, max_value=1, format="%.2f", width=80),
    }
    show_table(table, key, columns=columns)
