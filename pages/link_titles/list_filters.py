"""Filters above the table of links, with the number of rows of each status."""

from collections import Counter
from collections.abc import Callable, Sequence

import streamlit as st

from jobmatch_core.entities import OCCUPATION_LEVEL, UNIT_GROUP_LEVEL, Seniority
from jobmatch_core.link_reasons import shown_reason
from jobmatch_core.linking.decisions import STATUSES, uses_earlier_decisions
from jobmatch_core.linking.link_answer import OWN
from jobmatch_core.linking.review import (
    Review,
    ReviewFilter,
    count_values,
    major_group,
    matched_language,
)
from jobmatch_core.taxonomy import Taxonomy
from jobmatch_core.text.locales import language_name


def show(review: Review, taxonomy: Taxonomy, numbers: Sequence[int], changed: Callable[[], None]) -> list[int]:
    """Draw the filters; return the rows that pass, in the order of review.

    Args:
        review: The list.
        taxonomy: Taxonomy that names the ISCO-08 groups.
        numbers: Rows whose values can be chosen.
        changed: Callback for a changed filter.
    """
    counts = Counter(review.statuses())
    statuses = st.pills(
        "Show only",
        STATUSES,
        selection_mode="multi",
        key="many_status",
        label_visibility="collapsed",
        format_func=lambda word: f"{word} {counts[word]:,}",
        on_change=changed,
    )
    n_earlier = sum(map(uses_earlier_decisions, review.results))
    earlier = n_earlier > 0 and st.toggle(
        f"{n_earlier:,} row{'s use' if n_earlier != 1 else ' uses'} your earlier decisions",
        key="many_earlier",
        on_change=changed,
        help="Show only the rows whose title was accepted or rejected before.",
    )
    stated = {review.results[number].seniority for number in numbers}
    seniorities = [seniority for seniority in Seniority if seniority and seniority in stated]
    search, reason, level = st.columns(3)  # two lines, so that selected values fit
    language, group, *further = st.columns(3 if seniorities else 2)
    letters = search.text_input(
        "Search",
        key="many_search",
        placeholder="Search titles and occupations",
        icon=":material/search:",
        label_visibility="collapsed",
        on_change=changed,
    )
    languages = dict(count_values(matched_language(review, number) for number in numbers))
    majors = dict(sorted(count_values(major_group(review, number) for number in numbers)))
    reasons = dict(count_values(review.results[number].reason for number in numbers))
    review_filter = ReviewFilter(
        statuses=statuses,
        languages=language.multiselect(
            "Language of the matched name",
            list(languages),
            key="many_languages",
            placeholder="All languages",
            format_func=lambda code: "Accepted titles" if code == OWN else language_name(code),
            label_visibility="collapsed",
            on_change=changed,
        ),
        majors=group.multiselect(
            "ISCO-08 major group",
            list(majors),
            key="many_majors",
            placeholder="All ISCO groups",
            format_func=lambda code: f"{code} {taxonomy.group_name(code, review.options.show)}",
            label_visibility="collapsed",
            on_change=changed,
        ),
        levels=level.multiselect(
            "Linked to",
            [OCCUPATION_LEVEL, UNIT_GROUP_LEVEL],
            key="many_levels",
            placeholder="All levels",
            label_visibility="collapsed",
            on_change=changed,
        ),
        reasons=reason.multiselect(
            "Reason to check",
            list(reasons),
            key="many_reasons",
            placeholder="All reasons",
            format_func=shown_reason,
            label_visibility="collapsed",
            on_change=changed,
        ),
        seniorities=further[0].multiselect(
            "Seniority",
            seniorities,
            key="many_seniorities",
            placeholder="All seniorities",
            label_visibility="collapsed",
            on_change=changed,
        )
        if further
        else (),
        letters=letters,
        earlier=earlier,
    )
    return [number for number in review.order() if review_filter.passes(review, number)]
