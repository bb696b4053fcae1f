"""The skills that a posting names, and which of its likely occupations ask for them."""

import streamlit as st

from jobmatch_core.descriptions.postings import Posting
from jobmatch_core.descriptions.skill_facts import SkillFact, skill_facts
from jobmatch_core.taxonomy import Taxonomy
from pages.job_descriptions.describer import skill_matcher
from pages.shared.widgets import plain

_SHOWN = 60  # skills
_OCCUPATIONS = 3  # that ask for a skill, linked


def show(taxonomy: Taxonomy, posting: Posting, language: str) -> None:
    """Draw the skills."""
    if taxonomy.tables.skills.empty:
        st.info(
            f"The taxonomy {plain(taxonomy.id)} has no skills. Import a taxonomy with skills, such as ESCO 1.1.1, "
            "on the page 'Taxonomies', and select it above.",
            icon=":material/info:",
        )
        return
    mentions = skill_matcher(taxonomy).find(posting.description)
    facts = skill_facts(taxonomy, mentions, language, n_occupations=_OCCUPATIONS)
    if not facts:
        st.info("The description does not mention any skill of this taxonomy by name.", icon=":material/search_off:")
        return
    st.markdown(f"**{len(facts):,} skills** of {plain(taxonomy.id)} are named in the description.")
    for number, fact in enumerate(facts[:_SHOWN]):
        _row(taxonomy, fact, number)


def _row(taxonomy: Taxonomy, fact: SkillFact, number: int) -> None:
    with st.container(border=True, key=f"describe_skill_{number}", gap="xsmall"):
        words = ", ".join(f"'{plain(text, limit=60)}'" for text in fact.mentions)
        kind = f" · {plain(fact.kind)}" if fact.kind else ""
        st.markdown(f":material/construction: **{plain(fact.name)}** :gray[named as {words}{kind}]")
        if fact.occupations:
            with st.container(horizontal=True, gap="small"):
                st.caption(f"required by {fact.n_occupations:,} occupations, such as", width="content")
                for occupation in fact.occupations:
                    st.page_link(
                        "pages/taxonomies/taxonomies.py", label=plain(occupation.name),
                        query_params={"section": "browse", "taxonomy": taxonomy.id, "occupation": occupation.uri},
                    )  # fmt: skip
