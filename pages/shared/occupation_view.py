"""Occupations on pages: details, and the card of a candidate with probability and evidence."""

import streamlit as st

from jobmatch_core.entities import Candidate, Occupation, Pair, Provenance, Skill, Verdict
from jobmatch_core.linking.link_words import confidence_word
from jobmatch_core.taxonomy import Taxonomy
from jobmatch_core.text.folding import visible
from pages.shared import judging
from pages.shared.annotator import shown
from pages.shared.language import N_, _, language_name, numeral, percent, plural
from pages.shared.link_texts import matched_text
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
    "char": N_("same letters"),
    "word": N_("same words"),
    "fuzzy": N_("similar spelling"),
    "preferred": N_("similar to a preferred name"),
    "names": N_("many of its names agree"),
    "encoder": N_("a name of the same meaning"),
    "concept": N_("same meaning"),
    "group": N_("its unit group fits"),
    "coded": N_("titles like it in official statistics"),
}


def show(occupation: Occupation, key: str) -> None:
    """Draw an occupation; *key* is the key prefix of its widgets."""
    if occupation.isco_path:
        st.caption(_("ISCO-08 group: {group}", group=group_trail(occupation.isco_path)))
    else:
        st.caption(_("No ISCO-08 group is known for this occupation."))
    if occupation.description:
        st.markdown(plain(occupation.description, limit=_DESCRIPTION_LIMIT))
    _skills(occupation.skills)
    _names(occupation, key)
    st.code(visible(occupation.uri), language=None, wrap_lines=True)
    if occupation.uri.startswith(("http://", "https://")):
        st.link_button(_("Open its web page"), occupation.uri, key=f"{key}_link", icon=":material/open_in_new:")


def _skills(skills: tuple[Skill, ...]) -> None:
    if not skills:
        st.caption(_("This taxonomy lists no skills for this occupation."))
        return
    columns = st.columns(2)
    for column, essential, label in zip(
        columns, (True, False), (_("Essential skills"), _("Optional skills")), strict=True
    ):
        names = [skill.name for skill in skills if skill.essential is essential]
        with column:
            st.markdown(f"**{label}** ({len(names)})")
            with st.container(height=_LIST_HEIGHT if len(names) > _SHORT_LIST else "content", border=False):
                st.caption("  \n".join(plain(name) for name in names) or _("None."))


def _names(occupation: Occupation, key: str) -> None:
    languages = len({form.language for form in occupation.names})
    st.markdown(
        plural(
            "**All names** ({n_names} in {n} language)",
            "**All names** ({n_names} in {n} languages)",
            languages,
            n_names=numeral(len(occupation.names)),
        )
    )
    table = {
        _("Language"): [language_name(form.language) for form in occupation.names],
        _("Name"): [form.text for form in occupation.names],
        _("Kind"): [_("preferred name") if form.preferred else _("other name") for form in occupation.names],
    }
    columns = {_("Name"): st.column_config.TextColumn(width=300)}
    show_table(table, f"{key}_names", columns=columns, height=_LIST_HEIGHT)


def link(taxonomy_id: str, uri: str) -> None:
    """Draw the link to an occupation on the page 'Taxonomies'."""
    page_link(
        "taxonomies", _("Show it in the taxonomy"), {"section": "browse", "taxonomy": taxonomy_id, "occupation": uri}
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
            _("Description, skills, all names"), key=f"details_{rank}", on_change="rerun", type="compact"
        )
        if details.open:
            with details:
                show(occupation, f"card_{rank}")
                st.caption(_shares(candidate))
                link(taxonomy.id, candidate.uri)


def _heading(candidate: Candidate, rank: int, guess: bool) -> None:
    isco = _(" :gray[ISCO {isco}]", isco=plain(candidate.isco)) if candidate.isco else ""
    name = f":gray[{plain(candidate.name)}]" if guess else f"**{plain(candidate.name)}**"
    st.markdown(f":gray[{rank}] {name}{isco}", width="stretch")


def _probability(candidate: Candidate, rank: int, guess: bool) -> str:
    word = f" · **{_(confidence_word(candidate.probability))}**" if rank == 1 and not guess else ""
    return _(
        "Probability {probability}{word}",
        probability=probability_number(candidate.probability),
        word=word,
    )


def probability_number(probability: float) -> str:
    """Return a probability with two decimals; 'under 0.01' where that would read 0.00."""
    return numeral(probability, 2) if probability >= 0.005 else _("under 0.01")


def _why(candidate: Candidate, occupation: Occupation, language: str) -> str:
    evidence = candidate.evidence
    if not candidate.probability:
        return _(
            "Picked by you. Found as “{name}”, {language}",
            name=plain(evidence.name),
            language=language_name(evidence.language),
        )
    line = _(
        "Why this? Matched “{name}”, {matched}",
        name=plain(evidence.name),
        matched=plain(matched_text(evidence, shown)),
    )
    others = _other_names(occupation, {language, evidence.language})
    return _("{line} · other languages: {others}", line=line, others=", ".join(others)) if others else line


def _other_names(occupation: Occupation, shown: set[str]) -> list[str]:
    preferred = {form.language: form.text for form in occupation.names if form.preferred}
    wanted = [code for code in _OTHER_LANGUAGES if code in preferred and code not in shown]
    return [f"{language_name(code)} {plain(preferred[code], limit=40)}" for code in wanted[:_N_OTHER]]


def _shares(candidate: Candidate) -> str:
    shares = sorted(candidate.evidence.scores.items(), key=lambda item: -item[1])
    own = [_("a title accepted for it")] if candidate.evidence.own else []
    parts = own + [
        f"{_(_SCORER_WORDS[scorer]) if scorer in _SCORER_WORDS else plain(scorer)} {percent(share)}"
        for scorer, share in shares
        if share >= 0.005
    ]
    return _("Evidence: {parts}", parts=", ".join(parts))
