"""The question that would settle a title, with an option a button."""

from collections.abc import Callable

import streamlit as st

from jobmatch_core.questions.question import NONE_OF_THESE, Question
from jobmatch_core.questions.wording import wording
from pages.shared.language import _, language_name
from pages.shared.widgets import plain

Answer = Callable[[int], None]  # takes the number of the chosen option, or NONE_OF_THESE


def show(question: Question, key: str, answer: Answer, *, folded: bool = False) -> None:
    """Draw the question; *answer* is called when an option is clicked."""
    words = wording(question.language)
    with st.expander(_("One question would settle it"), icon=":material/help:", key=key, expanded=not folded):
        st.markdown(f"**{plain(words.question)}**")
        for number, option in enumerate(question.options):
            st.button(
                plain(option.text),
                key=f"{key}_{number}",
                width="stretch",
                on_click=answer,
                args=(number,),
                help=_("From the {source}", source=plain(option.source)),
            )
        st.button(plain(words.none), key=f"{key}_none", type="tertiary", on_click=answer, args=(NONE_OF_THESE,))
        if question.language != question.wanted:
            st.caption(
                _(
                    "In English, because the taxonomy has no such texts in {wanted}.",
                    wanted=language_name(question.wanted),
                )
            )
