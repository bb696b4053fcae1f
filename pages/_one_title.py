"""Link one title: type it, press Enter, see what it means and why."""

import streamlit as st

from jobmatch_core.entities import LinkResult
from jobmatch_core.languages import language_name
from jobmatch_core.linking import Linker
from jobmatch_core.linking.cleaning import MAX_TITLE_LENGTH
from jobmatch_core.linking.review import LinkOptions
from pages import _candidate_card
from pages._widgets import plain

TITLE_KEY = "title"
_N_EXAMPLES = 8
_EXAMPLES = (
    ("de", "Krankenschwester (m/w/d)"), ("fr", "infirmière"), ("es", "camarero"), ("it", "cuoco"),
    ("pl", "pielęgniarka"), ("nl", "verpleegkundige"), ("pt", "enfermeira"), ("en", "Senior Software Engineer"),
    ("sv", "sjuksköterska"), ("hu", "ápoló"), ("en", "truck driver"), ("en", "nurse"), ("en", "data analyst"),
    ("en", "plumber"), ("en", "primary school teacher"), ("en", "bartender"), ("en", "accountant"),
)  # fmt: skip


def show(linker: Linker, options: LinkOptions) -> None:
    """Draw the input and the answer."""
    languages = linker.taxonomy.manifest.languages
    examples = [title for language, title in _EXAMPLES if language in languages][:_N_EXAMPLES]
    if TITLE_KEY not in st.session_state:
        st.session_state[TITLE_KEY] = examples[0] if examples else ""
    title = st.text_input(
        "Job title in any language", key=TITLE_KEY, placeholder="Type a job title and press Enter",
        icon=":material/search:", persist_state="session",
    )  # fmt: skip
    _examples(examples)
    if not title.strip():
        st.info("Type a job title above and press Enter, or click one of the examples.", icon=":material/edit:")
        return
    result = linker.link(title, languages=options.languages, show=options.show, top=options.top)
    _remarks(title, result)
    if not result.candidates:
        _nothing(title, languages)
    else:
        if result.abstained:
            _abstained(result)
        for rank, candidate in enumerate(result.candidates, 1):
            _candidate_card.show(candidate, rank, linker.taxonomy, options.show, guess=result.abstained)


def _examples(examples: list[str]) -> None:
    with st.container(horizontal=True, vertical_alignment="center", gap="small"):
        if examples:
            st.caption("Try:", width="content")
        for number, example in enumerate(examples):
            st.button(
                plain(example), key=f"example_{number}", type="tertiary",
                on_click=_set_title, args=(example,),
            )  # fmt: skip


def _set_title(title: str) -> None:
    st.session_state[TITLE_KEY] = title


def _remarks(title: str, result: LinkResult) -> None:
    if result.set_aside:
        st.caption("Not looked at: " + ", ".join(plain(piece, limit=100) for piece in result.set_aside))
    if len(title) > MAX_TITLE_LENGTH:
        st.caption(f"Only the first {MAX_TITLE_LENGTH} characters were looked at.")


def _abstained(result: LinkResult) -> None:
    text = "**No confident match.** No occupation is close enough to be sure."
    if result.group:
        group = result.group
        text += (
            f" It most likely belongs to the ISCO group **{plain(group.code)} {plain(group.name)}**"
            f" (probability {group.probability:.2f})."
        )
    st.warning(text, icon=":material/help:")
    st.caption("Best guesses, to be checked by you:")


def _nothing(title: str, languages: tuple[str, ...]) -> None:
    names = ", ".join(sorted(language_name(code) for code in languages))
    st.warning(
        f"**Nothing found** for “{plain(title, limit=80)}”. No occupation has a name that resembles it. "
        f"This taxonomy has names in {names}. Try another spelling, or another taxonomy at the top.",
        icon=":material/search_off:",
    )
