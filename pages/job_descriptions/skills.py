"""Skills of a posting: chips, the sentences of the selected one, and a table."""

from collections.abc import Sequence

import pandas as pd
import streamlit as st

from jobmatch.services.background_call import Background
from jobmatch.services.home_services import home_services
from jobmatch_core.descriptions.posting_skills import PostingSkill, is_read, posting_skills, sentences_of
from jobmatch_core.descriptions.postings import Posting
from jobmatch_core.descriptions.segments import Segment
from jobmatch_core.entities import Progress
from jobmatch_core.settings import Settings
from jobmatch_core.taxonomy import Taxonomy
from pages.shared import resources, sign_in
from pages.shared.language import _, numeral, plural
from pages.shared.tables import show_table
from pages.shared.widgets import finished, plain

_SHOWN = 60
_OCCUPATIONS = 3  # linked occupations that require a skill
_CHOSEN_KEY = "describe_skill"


def show(taxonomy: Taxonomy, posting: Posting, language: str) -> None:
    """Draw the skills of the description as chips; a selected one shows its sentences, the details are folded."""
    st.markdown(_("**Skills in the posting**"))
    if taxonomy.tables.skills.empty:
        st.caption(
            _(
                "{name} {version} has no skills here. Select a taxonomy with skills above, such as ESCO "
                "1.1.1. {who_imports}",
                name=plain(taxonomy.manifest.name),
                version=plain(taxonomy.manifest.version),
                who_imports=sign_in.who_imports(),
            )
        )
        return
    parts = sentences_of(posting.description)
    finished(home_services().describing.opening_skills(taxonomy), _("Reading skill names"))
    skills = finished(finding(taxonomy, posting, language), _("Finding skills"))
    if not skills:
        st.caption(_("The description does not mention any skill of this taxonomy."))
        return
    _chips(skills[:_SHOWN], parts)
    label = plural(
        "Words, sentences and occupations of this skill",
        "Words, sentences and occupations of these {n} skills",
        len(skills),
    )
    details = st.expander(label, key="describe_skills", on_change="rerun", type="compact")
    if details.open:
        with details:
            show_table(_table(skills, parts), "describe_skill_table", height="auto")


def finding(taxonomy: Taxonomy, posting: Posting, language: str) -> Background[list[PostingSkill]]:
    """Find the skills of the description in the background, or return the call in progress or its result."""
    opening = home_services().describing.opening_skills(taxonomy)
    parts = sentences_of(posting.description)

    def find(progress: Progress) -> list[PostingSkill]:
        matcher, extractor = opening.result()
        reading = extractor if is_read(parts) else None
        return posting_skills(
            taxonomy, parts, matcher, reading, language=language, n_occupations=_OCCUPATIONS, progress=progress
        )

    key = (Settings.from_environment(), "skills", taxonomy.id, taxonomy.manifest.created, posting, language)
    return resources.describing(key, find)


def _chips(skills: Sequence[PostingSkill], parts: Sequence[Segment]) -> None:
    by_uri = {skill.fact.uri: skill for skill in skills}
    if st.session_state.get(_CHOSEN_KEY) not in by_uri:
        st.session_state[_CHOSEN_KEY] = None
    chosen = st.pills(
        _("Skills in the posting"),
        list(by_uri),
        key=_CHOSEN_KEY,
        format_func=lambda uri: _chip(by_uri[uri]),
        label_visibility="collapsed",
    )
    if chosen is None:
        st.caption(_note(skills, parts))
        return
    skill = by_uri[chosen]
    for number in skill.sentences:
        st.markdown(f"> {number + 1} · {plain(parts[number].content, limit=400)}")
    words = ", ".join(f"**{plain(text)}**" for text in skill.fact.mentions)
    st.caption(f"{words} · {_found_by(skill)}")


def _chip(skill: PostingSkill) -> str:
    name = plain(skill.fact.name)
    return name if skill.probability is None else f":material/lightbulb: {name}"


def _found_by(skill: PostingSkill) -> str:
    return (
        _("named")
        if skill.probability is None
        else _("by meaning, probability {probability}", probability=numeral(skill.probability, 2))
    )


def _note(skills: Sequence[PostingSkill], parts: Sequence[Segment]) -> str:
    if any(skill.probability is not None for skill in skills):
        return _("Select a skill to see its sentences. :material/lightbulb: is meant in other words; check it.")
    if is_read(parts):
        return _("Select a skill to see its sentences.")
    return _(
        "Select a skill to see its sentences. Skills that are meant in other words are found in English postings only."
    )


def _table(skills: Sequence[PostingSkill], parts: Sequence[Segment]) -> pd.DataFrame:
    facts = [skill.fact for skill in skills]
    return pd.DataFrame(
        {
            _("Skill"): [fact.name for fact in facts],
            _("In the posting"): [", ".join(fact.mentions) for fact in facts],
            _("Sentences"): [
                " / ".join(f"{number + 1} · {parts[number].content}" for number in skill.sentences) for skill in skills
            ],
            _("Found"): [_found_by(skill) for skill in skills],
            _("Kind"): [fact.kind for fact in facts],
            _("Occupations that require it"): [fact.n_occupations for fact in facts],
            _("Such as"): [", ".join(occupation.name for occupation in fact.occupations) for fact in facts],
        }
    )
