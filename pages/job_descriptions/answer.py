"""Occupations for a posting by title and description, the nearest titles, and changes without some sentences."""

from dataclasses import replace
from typing import TYPE_CHECKING

import streamlit as st

from jobmatch_core.entities import Candidate, LinkResult
from jobmatch_core.labelling.judged_links import link_pair, link_provenance
from jobmatch_core.linking.records import confidence_word
from pages.job_descriptions.describer import Describer
from pages.job_descriptions.model_choice import near_table
from pages.job_descriptions.sentences import Reading
from pages.shared import judging, resources
from pages.shared.annotator import annotator_popover
from pages.shared.candidate_card import VERDICTS
from pages.shared.widgets import plain

if TYPE_CHECKING:
    from jobmatch_core.descriptions.explanation import Explanation

_TOP = 5
_POLICY = "job-descriptions"  # kept with the judgments that are given here


def show(describer: Describer, explanation: "Explanation", reading: Reading) -> None:
    """Draw the answer, and beside it what it was with all sentences."""
    with st.container(horizontal=True, vertical_alignment="center"):
        st.markdown("**Most likely occupations**")
        st.space("stretch")
        annotator_popover()
    whole = linked(describer, explanation, ())
    now = linked(describer, explanation, reading.left_out) if reading.left_out else whole
    if now.abstained:
        group = f" The most likely group is {plain(now.group.code)} {plain(now.group.name)}." if now.group else ""
        st.info(f"No occupation is likely enough.{group}", icon=":material/help:")
    judging.show_unsaved()
    judged = replace(now, title=_judged_text(describer, explanation))
    earlier = judging.judged_before([link_pair(judged, each) for each in now.candidates])
    for rank in range(1, len(now.candidates) + 1):
        _card(describer, judged, rank, whole if reading.left_out else None, earlier)
    _agreement(explanation, reading)
    _titles(describer, explanation, reading)


def linked(describer: Describer, explanation: "Explanation", left_out: tuple[int, ...]) -> LinkResult:
    """Link the posting without some of its sentences."""
    segments = explanation.description.segments
    text = "".join(segment.text for place, segment in enumerate(segments) if place not in left_out)
    title = explanation.posting.title
    key = (describer.key, "link", title, text)
    return resources.explained(key, lambda: describer.linker.link(title, text, show=describer.language, top=_TOP))


def _judged_text(describer: Describer, explanation: "Explanation") -> str:
    posting = explanation.posting
    return resources.explained(
        (describer.key, "judged", posting),
        lambda: describer.linker.judged_text(posting.title, posting.description),
    )  # fmt: skip


def _card(
    describer: Describer, result: LinkResult, rank: int, before: LinkResult | None, earlier: judging.Judged
) -> None:
    candidate = result.candidates[rank - 1]
    with st.container(border=True, key=f"describe_card_{rank}", gap="xsmall"):
        st.markdown(f":gray[{rank}] **{plain(candidate.name)}** :gray[ISCO {plain(candidate.isco)}]")
        words = f"{candidate.probability:.2f} · **{confidence_word(candidate.probability)}**"
        st.progress(min(candidate.probability, 1.0), text=f"Probability {words}")
        share = candidate.evidence.scores.get("title", 0.0)
        why = f"From the title {share:.0%}, from the description {1 - share:.0%}"
        st.caption(f"{why}{_moved(candidate, rank, before)}")
        pair = link_pair(result, candidate)
        provenance = link_provenance(result, candidate, policy=_POLICY, model=describer.linker.version)
        with st.container(horizontal=True, vertical_alignment="center"):
            judging.verdicts(pair, provenance, VERDICTS, earlier, key=f"describe_judge_{rank}", width="content")
            st.page_link(
                "pages/taxonomies/taxonomies.py", label="Show it in the taxonomy", icon=":material/account_tree:",
                query_params={"section": "browse", "taxonomy": result.taxonomy, "occupation": candidate.uri},
            )  # fmt: skip
        judging.show_others(pair, earlier)


def _moved(candidate: Candidate, rank: int, before: LinkResult | None) -> str:
    """Return a candidate's rank with all sentences."""
    if before is None:
        return ""
    places = {each.uri: number for number, each in enumerate(before.candidates, start=1)}
    was = places.get(candidate.uri)
    if was is None:
        return " · :material/new_releases: new"
    if was == rank:
        return " · :material/drag_handle: same rank"
    arrow = "arrow_upward" if was > rank else "arrow_downward"
    return f" · :material/{arrow}: was {was}"


def _agreement(explanation: "Explanation", reading: Reading) -> None:
    """Draw in one line whether attention and effect agree."""
    agreement = explanation.agreement(reading.view)
    if agreement is not None:
        st.markdown(f"Attention and effect {_word(agreement)}: rank correlation **{agreement:.2f}**")


def _word(agreement: float) -> str:
    if agreement >= 0.5:
        return "agree"
    return "agree slightly" if agreement >= 0.2 else "do not agree"


def _titles(describer: Describer, explanation: "Explanation", reading: Reading) -> None:
    description = explanation.description
    if not description.segments:
        return
    vector = description.vector
    if reading.left_out:
        from jobmatch_core.descriptions.explanation import vector_without  # torch takes seconds

        without = vector_without(describer.model, description, reading.left_out)
        moved = 1 - float(without @ vector)
        st.markdown(f"Without {_sentences(len(reading.left_out))} the vector moves by **{moved:.3f}** (of at most 2).")
        vector = without
    nearest = describer.space.titles(vector, _TOP)
    near_table("Nearest titles to the description", [(each.text, each.likeness) for each in nearest], key="near_titles")


def _sentences(count: int) -> str:
    return "this sentence" if count == 1 else f"these {count} sentences"
