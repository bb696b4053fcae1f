"""Two postings beside each other, read by the same model: what each says about its job, and how alike they are."""

from typing import TYPE_CHECKING

import streamlit as st

from jobmatch_core.descriptions.attention import AttentionView
from jobmatch_core.descriptions.example_postings import example_postings
from jobmatch_core.descriptions.postings import Posting
from jobmatch_core.text.languages import language_name
from pages.job_descriptions.describer import Describer, explained
from pages.job_descriptions.model_choice import near_table
from pages.job_descriptions.sentences import ROLE_NAMES, ROLE_SIGNS, values
from pages.shared.widgets import plain

if TYPE_CHECKING:
    from jobmatch_core.descriptions.explanation import Explanation

_OTHER_KEY, _OTHER_TEXT_KEY = "describe_other", "describe_other_text"
_OWN = "own"
_HEAVIEST = 5


def show(describer: Describer, explanation: "Explanation") -> None:
    """Draw both."""
    other = _other()
    if other is None:
        st.info("Paste the text of the other posting.", icon=":material/content_paste:")
        return
    beside = explained(describer, other)
    if not beside.description.segments:
        st.info("The other posting's description has no sentences.", icon=":material/short_text:")
        return
    alike = float(explanation.description.vector @ beside.description.vector)
    st.markdown(f"Similarity of the descriptions: **{alike:.2f}** (-1 to 1, model {plain(describer.model.name)}).")
    for place, each, key in zip(st.columns(2), (explanation, beside), ("this", "other"), strict=True):
        with place:
            _column(describer, each, key)


def _other() -> Posting | None:
    examples = {each.posting.id: each for each in example_postings()}
    if st.session_state.get(_OTHER_KEY) not in (*examples, _OWN):
        st.session_state[_OTHER_KEY] = list(examples)[1]
    chosen = st.selectbox(
        "The other posting", [*examples, _OWN], key=_OTHER_KEY, persist_state="session",
        format_func=lambda key: "My own text" if key == _OWN
        else f"{examples[key].posting.title} · {language_name(examples[key].language)}",
    )  # fmt: skip
    if chosen != _OWN:
        return examples[chosen].posting
    text = st.text_area(
        "Text of the other posting", key=_OTHER_TEXT_KEY, height=160, max_chars=100_000, persist_state="session"
    )
    return Posting("", "", text.strip()) if text.strip() else None


def _column(describer: Describer, explanation: "Explanation", key: str) -> None:
    st.markdown(f"**{plain(explanation.posting.title) or 'Posting without a title'}**")
    vector, segments = explanation.description.vector, explanation.description.segments
    weights = values(explanation, "attention", AttentionView()) or values(explanation, "effect", AttentionView())
    heaviest = sorted(range(len(segments)), key=lambda place: -weights[place])[:_HEAVIEST]
    st.caption(f"The {len(heaviest)} sentences with the highest weight, of {len(segments)}")
    for place in heaviest:
        role = explanation.roles[place]
        st.markdown(
            f"{weights[place]:.3f} {ROLE_SIGNS[role]} {plain(segments[place].content, limit=200)} "
            f":gray[({ROLE_NAMES[role]})]"
        )
    nearest = describer.space.occupations(vector)
    near_table("Nearest occupations", [(each.text, each.likeness) for each in nearest], key=f"compare {key}")
