"""Occupations on pages: details, and the card of a candidate with probability and evidence."""

import streamlit as st

from jobmatch_core.entities import Candidate, Occupation, Pair, Provenance, Skill, Verdict
from jobmatch_core.linking.link_words import confidence_word, matched_words
from jobmatch_core.taxonomy import Taxonomy
from jobmatch_core.text.folding import visible
from jobmatch_core.text.locales import language_name
from pages.shared import judging
from pages.shared.annotator import shown
from pages.shared.page_links import page_link
from pages.shared.tables import show_table
from pages.shared.widgets import group_trail, plain

_DESCRIPTION_LIMIT = 5000
_LIST_HEIGHT = 260
_SHORT_LIST = 10  # skills; longer lists get a scroll bar
VERDICTS = (Verdict.POSITIVE, Verdict.NEGATIVE)
_OTHER_LANGUAGES = ("de", "fr", "es", "it", "pl", "nl", "pt", "sv", "en")  # by priority
_N_OTHER = 3
PROBABILITY_WIDTH = 200  # pixels
_SCORER_WORDS = {
    "char": "same letters",
    "word": "same words",
    "fuzzy": "similar spelling",
    "preferred": "similar to a preferred name",
    "names": "many of its names agree",
    "encoder": "a name of the same meaning",
    "concept": "same meaning",
    "group": "its unit group fits",
    "coded": "titles like it in official statistics",
}


def show(occupation: Occupation, key: str) -> None:
    """Draw an occupation; *key* is the key prefix of its widgets."""
    if occupation.isco_path:
        st.caption(f"ISCO-08 group: {group_trail(occupation.isco_path)}")
    else:
        st.caption("No ISCO-08 group is known for this occupation.")
    if occupation.description:
        st.markdown(plain(occupation.description, limit=_DESCRIPTION_LIMIT))
    _skills(occupation.skills)
    _names(occupation, key)
    st.code(visible(occupation.uri), language=None, wrap_lines=True)
    if occupation.uri.startswith(("http://", "https://")):
        st.link_button("Open its web page", occupation.uri, key=f"{key}_link", icon=":material/open_in_new:")


def _skills(skills: tuple[Skill, ...]) -> None:
    if not skills:
        st.caption("This taxonomy lists no skills for this occupation.")
        return
    columns = st.columns(2)
    for column, essential, label in zip(columns, (True, False), ("Essential", "Optional"), strict=True):
        names = [skill.name for skill in skills if skill.essential is essential]
        with column:
            st.markdown(f"**{label} skills** ({len(names)})")
            with st.container(height=_LIST_HEIGHT if len(names) > _SHORT_LIST else "content", border=False):
                st.caption("  \n".join(plain(name) for name in names) or "None.")


def _names(occupation: Occupation, key: str) -> None:
    languages = len({form.language for form in occupation.names})
    st.markdown(f"**All names** ({len(occupation.names):,} in {languages} language{'s' if languages != 1 else ''})")
    table = {
        "Language": [language_name(form.language) for form in occupation.names],
        "Name": [form.text for form in occupation.names],
        "Kind": ["preferred name" if form.preferred else "other name" for form in occupation.names],
    }
    columns = {"Name": st.column_config.TextColumn(width=300)}
    show_table(table, f"{key}_names", columns=columns, height=_LIST_HEIGHT)


def link(taxonomy_id: str, uri: str) -> None:
    """Draw the link to an occupation on the page 'Taxonomies'."""
    page_link(
        "taxonomies", "Show it in the taxonomy", {"section": "browse", "taxonomy": taxonomy_id, "occupation": uri}
    )


def show_candidate(
    candidate: Candidate,
    rank: int,
    taxonomy: Taxonomy,
    language: str,
    *,
    guess: bool,
    pair: Pair,
    provenance: Provenance,
    earlier: judging.Judged,
) -> None:
    """Draw a card.

    Args:
        candidate: Candidate of a link, or one picked by hand.
        rank: Its rank, from 1.
        taxonomy: Taxonomy of the candidate.
        language: Language of the names.
        guess: Whether it is a guess below the threshold, shown in grey.
        pair: Pair of the title and this occupation, to judge.
        provenance: Provenance of such a judgment.
        earlier: Earlier judgments, from `judged_before`.
    """
    occupation = taxonomy.occupation(candidate.uri, language)
    with st.container(border=True, key=f"card_{rank}", gap="xsmall"):
        with st.container(horizontal=True, vertical_alignment="center"):
            _heading(candidate, rank, guess)
            if candidate.probability:
                st.progress(
                    min(candidate.probability, 1.0), text=_probability(candidate, rank, guess), width=PROBABILITY_WIDTH
                )
            judging.verdicts(pair, provenance, VERDICTS, earlier, key=f"judge_{rank}", width="content")
        st.caption(_why(candidate, occupation, language))
        judging.show_others(pair, earlier)
        details = st.expander(
            "Description, skills, all names", key=f"details_{rank}", on_change="rerun", type="compact"
        )
        if details.open:
            with details:
                show(occupation, f"card_{rank}")
                st.caption(_shares(candidate))
                link(taxonomy.id, candidate.uri)


def _heading(candidate: Candidate, rank: int, guess: bool) -> None:
    isco = f" :gray[ISCO {plain(candidate.isco)}]" if candidate.isco else ""
    name = f":gray[{plain(candidate.name)}]" if guess else f"**{plain(candidate.name)}**"
    st.markdown(f":gray[{rank}] {name}{isco}", width="stretch")


def _probability(candidate: Candidate, rank: int, guess: bool) -> str:
    word = f" · **{confidence_word(candidate.probability)}**" if rank == 1 and not guess else ""
    return f"Probability {probability_number(candidate.probability)}{word}"


def probability_number(probability: float) -> str:
    """Return a probability with two decimals; 'under 0.01' where that would read 0.00."""
    return f"{probability:.2f}" if probability >= 0.005 else "under 0.01"


def _why(candidate: Candidate, occupation: Occupation, language: str) -> str:
    evidence = candidate.evidence
    if not candidate.probability:
        return f"Picked by you. Found as “{plain(evidence.name)}”, {language_name(evidence.language)}"
    line = f"Why this? Matched “{plain(evidence.name)}”, {plain(matched_words(evidence, shown))}"
    others = _other_names(occupation, {language, evidence.language})
    return f"{line} · other languages: {', '.join(others)}" if others else line


def _other_names(occupation: Occupation, shown: set[str]) -> list[str]:
    preferred = {form.language: form.text for form in occupation.names if form.preferred}
    wanted = [code for code in _OTHER_LANGUAGES if code in preferred and code not in shown]
    return [f"{language_name(code)} {plain(preferred[code], limit=40)}" for code in wanted[:_N_OTHER]]


def _shares(candidate: Candidate) -> str:
    shares = sorted(candidate.evidence.scores.items(), key=lambda item: -item[1])
    own = ["a title accepted for it"] if candidate.evidence.own else []
    parts = own + [
        f"{_SCORER_WORDS.get(scorer, plain(scorer))} {share:.0%}" for scorer, share in shares if share >= 0.005
    ]
    return "Evidence: " + ", ".join(parts)
