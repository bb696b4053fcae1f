"""Answers for a posting: occupations, similar titles, and a comparison with another posting."""

from dataclasses import replace
from typing import TYPE_CHECKING

import streamlit as st

from jobmatch.services.describing import PostingDescriber, posting_of
from jobmatch_core.descriptions.attention import AttentionView
from jobmatch_core.descriptions.postings import Posting, example_postings
from jobmatch_core.entities import Candidate, LinkResult
from jobmatch_core.labelling.judging import link_pair, link_provenance
from jobmatch_core.linking.link_words import confidence_word
from pages.job_descriptions.model_choice import explained, name_in_use, near_table
from pages.job_descriptions.posting_choice import LONGEST
from pages.job_descriptions.sentences import ROLE_SIGNS, values
from pages.shared import judging, occupation_view, resources, sign_in
from pages.shared.annotator import annotator_popover, given_name
from pages.shared.choices import select
from pages.shared.language import _, language_name, numeral, percent
from pages.shared.occupation_view import VERDICTS
from pages.shared.text_limits import cut
from pages.shared.widgets import plain

if TYPE_CHECKING:
    from jobmatch_core.descriptions.explanation import Explanation

_TOP = 5
_AT_ONCE = 3  # occupations; the others are folded
_POLICY = "job-descriptions"  # stored with the judgments given here
_OTHER_KEY, _OTHER_TEXT_KEY = "describe_other", "describe_other_text"
_OWN = "own"
_HEAVIEST = 5


def show_occupations(describer: PostingDescriber, explanation: "Explanation", left_out: tuple[int, ...]) -> None:
    """Draw the occupations, with the changes caused by the sentences left out."""
    st.markdown(_("**What this job is**"))
    cards = st.container()
    with st.container(horizontal=True, vertical_alignment="center", gap="small"):
        if sign_in.may("judge") and given_name():
            st.caption(_("Your verdicts are stored under"), width="content")
        annotator_popover(always=False)  # before the cards, which a waiting verdict changes
    with cards:
        _cards(describer, explanation, left_out)


def _cards(describer: PostingDescriber, explanation: "Explanation", left_out: tuple[int, ...]) -> None:
    whole = linked(describer, explanation, ())
    now = linked(describer, explanation, left_out) if left_out else whole
    if now.abstained:
        group = (
            _(" The most likely group is {code} {name}.", code=plain(now.group.code), name=plain(now.group.name))
            if now.group
            else ""
        )
        st.info(_("No occupation is likely enough.{group}", group=group), icon=":material/help:")
    if not describer.calibrated:
        st.caption(
            _(
                "The similarity ranks by title and description from 0 to 1. It is no probability: nothing "
                "was fitted for the model {model}.",
                model=plain(name_in_use()),
            )
        )
    judging.show_unsaved()
    posting = explanation.posting
    judged_text = resources.explained(
        (describer.key, "judged", posting), lambda: describer.linker.judged_text(posting.title, posting.description)
    )
    judged = replace(now, title=judged_text)
    earlier = judging.judged_before([link_pair(judged, candidate) for candidate in now.candidates])
    before = whole if left_out else None
    ranks = range(1, len(now.candidates) + 1)
    for rank in ranks[:_AT_ONCE]:
        _card(describer, judged, rank, before, earlier)
    if more := ranks[_AT_ONCE:]:
        with st.expander(_("{n_more} less likely", n_more=len(more)), key="describe_more", type="compact"):
            for rank in more:
                _card(describer, judged, rank, before, earlier)


def linked(describer: PostingDescriber, explanation: "Explanation", left_out: tuple[int, ...]) -> LinkResult:
    """Link the posting without the sentences *left_out*."""
    segments = explanation.description.segments
    text = "".join(segment.text for place, segment in enumerate(segments) if place not in left_out)
    title = explanation.posting.title
    key = (describer.key, "link", title, text)
    return resources.explained(key, lambda: describer.linker.link(title, text, show=describer.show, top=_TOP))


def _card(
    describer: PostingDescriber, result: LinkResult, rank: int, before: LinkResult | None, earlier: judging.Judged
) -> None:
    candidate = result.candidates[rank - 1]
    with st.container(border=True, key=f"describe_card_{rank}", gap="xsmall"):
        st.markdown(
            _(
                ":gray[{rank}] **{name}** :gray[ISCO {isco}]",
                rank=rank,
                name=plain(candidate.name),
                isco=plain(candidate.isco),
            )
        )
        words = _(
            "Probability {probability} · **{confidence}**",
            probability=occupation_view.probability_number(candidate.probability),
            confidence=_(confidence_word(candidate.probability)),
        )
        if not describer.calibrated:
            words = _("Similarity {probability}", probability=numeral(candidate.probability, 2))
        share = candidate.evidence.scores.get("title", 0.0)
        why = _("{share} from the title{moved}", share=percent(share), moved=_moved(candidate, rank, before))
        st.progress(min(candidate.probability, 1.0), text=f"{words} · {why}")
        pair = link_pair(result, candidate)
        provenance = link_provenance(result, candidate, policy=_POLICY, model=describer.linker.version)
        with st.container(horizontal=True, vertical_alignment="center"):
            judging.verdicts(pair, provenance, VERDICTS, earlier, key=f"describe_judge_{rank}", width="content")
            occupation_view.link(result.taxonomy, candidate.uri)
        judging.show_others(pair, earlier)


def _moved(candidate: Candidate, rank: int, before: LinkResult | None) -> str:
    if before is None:
        return ""
    ranks = {other.uri: number for number, other in enumerate(before.candidates, start=1)}
    was = ranks.get(candidate.uri)
    if was is None:
        return _(" · :material/new_releases: new")
    if was == rank:
        return _(" · :material/drag_handle: same rank")
    arrow = "arrow_upward" if was > rank else "arrow_downward"
    return _(" · :material/{arrow}: was {was}", arrow=arrow, was=was)


def show_titles(describer: PostingDescriber, explanation: "Explanation", left_out: tuple[int, ...]) -> None:
    """Draw the titles most similar to the description without the sentences left out."""
    description = explanation.description
    if not description.segments:
        return
    vector = description.vector
    if left_out:
        from jobmatch_core.descriptions.explanation import vector_without  # torch takes seconds

        vector = vector_without(describer.model, description, left_out)
    st.markdown(_("**Similar titles**"))
    st.markdown(" · ".join(plain(title.text) for title in describer.space.titles(vector, _TOP)))


def show_two_postings(describer: PostingDescriber, explanation: "Explanation") -> None:
    """Draw the posting beside another one, read by the same model."""
    other = _other()
    if other is None:
        st.info(_("Paste the text of the other posting."), icon=":material/content_paste:")
        return
    beside = explained(describer, other)
    if not beside.description.segments:
        st.info(_("The other posting's description has no sentences."), icon=":material/short_text:")
        return
    alike = float(explanation.description.vector @ beside.description.vector)
    st.markdown(
        _(
            "Similarity of the descriptions: **{alike}** (-1 to 1, by the model {model}).",
            alike=numeral(alike, 2),
            model=plain(name_in_use()),
        )
    )
    for place, side, key in zip(st.columns(2), (explanation, beside), ("this", "other"), strict=True):
        with place:
            _column(describer, side, key)


def _other() -> Posting | None:
    examples = {example.posting.id: example for example in example_postings()}
    chosen = select(
        _("The other posting"),
        [*examples, _OWN],
        _OTHER_KEY,
        default=list(examples)[1],
        format_func=lambda key: (
            _("My own text")
            if key == _OWN
            else f"{examples[key].posting.title} · {language_name(examples[key].language)}"
        ),
    )
    if chosen != _OWN:
        return examples[chosen].posting
    text = st.text_area(
        _("Text of the other posting"),
        key=_OTHER_TEXT_KEY,
        height=160,
        persist_state="session",
        on_change=cut,
        args=(_OTHER_TEXT_KEY, LONGEST),
    )
    return posting_of("", text) if text.strip() else None


def _column(describer: PostingDescriber, explanation: "Explanation", key: str) -> None:
    st.markdown(f"**{plain(explanation.posting.title) or _('Posting without a title')}**")
    vector, segments = explanation.description.vector, explanation.description.segments
    weights = values(explanation, "attention", AttentionView()) or values(explanation, "effect", AttentionView())
    heaviest = sorted(range(len(segments)), key=lambda place: -weights[place])[:_HEAVIEST]
    st.caption(
        _(
            "The {n_heaviest} sentences with the highest weight, of {n_segments}",
            n_heaviest=len(heaviest),
            n_segments=len(segments),
        )
    )
    for place in heaviest:
        role = explanation.roles[place]
        st.markdown(
            f"{numeral(weights[place], 3)} {ROLE_SIGNS[role]} {plain(segments[place].content, limit=200)} "
            f":gray[({_(role)})]"
        )
    near_table(_("Nearest occupations"), describer.space.occupations(vector), key=f"compare {key}")
