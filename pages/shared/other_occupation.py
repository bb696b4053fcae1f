"""Search of a taxonomy for an occupation that was not proposed."""

import streamlit as st

from jobmatch_core.entities import Candidate, Evidence
from jobmatch_core.taxonomy import Taxonomy
from jobmatch_core.taxonomy.search import search_names

_N_FOUND = 20  # occupations that a search offers


def search(taxonomy: Taxonomy, key: str, language: str) -> list[Candidate]:
    """Draw the search; return the matching occupations, the closest first, without probability."""
    letters = st.text_input(
        "Another occupation", key=key, placeholder="Search for another occupation", icon=":material/search:",
        label_visibility="collapsed",
    )  # fmt: skip
    hits = search_names(taxonomy, letters, show=language, limit=_N_FOUND)
    if letters.strip() and not hits:
        st.caption("No occupation name contains these letters.")
    return [
        Candidate(
            hit.uri, hit.name, taxonomy.isco_codes[taxonomy.number(hit.uri)], 0.0,
            Evidence(hit.matched, hit.language, {}),
        )
        for hit in hits
    ]  # fmt: skip
