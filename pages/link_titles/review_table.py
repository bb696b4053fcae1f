"""The table of links, the least sure on top, identical titles in one line, and the panel to decide on them."""

from collections.abc import Callable, Mapping, Sequence

import streamlit as st

from jobmatch_core.entities import OCCUPATION_LEVEL, UNIT_GROUP_LEVEL, Candidate, Seniority
from jobmatch_core.judgment_origin import Origin
from jobmatch_core.labelling.judging import RowJudgments, decided, link_pair
from jobmatch_core.linking import Linker
from jobmatch_core.linking.records import CONFIDENCES, OWN, matched_words
from jobmatch_core.linking.review import (
    DECISIONS,
    Review,
    ReviewFilter,
    count_values,
    major_group,
    matched_language,
    shown_candidate,
    shown_name,
)
from jobmatch_core.taxonomy import Taxonomy
from jobmatch_core.text.folding import visible
from jobmatch_core.text.locales import language_name
from pages.shared import judging, occupation_view, sign_in
from pages.shared.annotator import given_name, with_name
from pages.shared.widgets import errors_deferred, group_trail, plain, readable


def show_filters(review: Review, taxonomy: Taxonomy, numbers: Sequence[int], changed: Callable[[], None]) -> list[int]:
    """Draw the filters; return the rows that pass, in the order in which they should be looked at.

    Args:
        review: the list.
        taxonomy: names the ISCO-08 groups.
        numbers: the rows that are counted for each choice.
        changed: called when a filter is changed.
    """
    statuses = st.pills(
        "Show only", [*CONFIDENCES, *DECISIONS], selection_mode="multi", key="many_status",
        label_visibility="collapsed", on_change=changed,
    )  # fmt: skip
    found = {review.results[number].seniority for number in numbers}
    seniorities = [each for each in Seniority if each and each in found]
    search, reason, level = st.columns(3)  # two lines, so that what is chosen can be read
    language, group, *further = st.columns(3 if seniorities else 2)
    letters = search.text_input(
        "Search", key="many_search", placeholder="Search titles and occupations", icon=":material/search:",
        label_visibility="collapsed", on_change=changed,
    )  # fmt: skip
    shown = [shown_candidate(review, number) for number in numbers]
    languages = dict(count_values(map(matched_language, shown)))
    majors = dict(sorted(count_values(map(major_group, shown))))
    reasons = dict(count_values(review.results[number].reason for number in numbers))
    wanted = ReviewFilter(
        statuses=statuses,
        languages=language.multiselect(
            "Language of the matched name", list(languages), key="many_languages", placeholder="All languages",
            format_func=_language, label_visibility="collapsed",
            on_change=changed,
        ),
        majors=group.multiselect(
            "ISCO-08 major group", list(majors), key="many_majors", placeholder="All ISCO groups",
            format_func=lambda code: f"{code} {taxonomy.group_name(code, review.options.show)}",
            label_visibility="collapsed", on_change=changed,
        ),
        levels=level.multiselect(
            "Linked to", [OCCUPATION_LEVEL, UNIT_GROUP_LEVEL], key="many_levels", placeholder="All levels",
            label_visibility="collapsed", on_change=changed,
        ),
        reasons=reason.multiselect(
            "Reason to check", list(reasons), key="many_reasons", placeholder="All reasons",
            label_visibility="collapsed", on_change=changed,
        ),
        seniorities=further[0].multiselect(
            "Seniority", seniorities, key="many_seniorities", placeholder="All seniorities",
            label_visibility="collapsed", on_change=changed,
        ) if further else (),
        letters=letters,
    )  # fmt: skip
    return [number for number in review.order() if wanted.passes(review, number)]


def _language(code: str) -> str:
    return "Accepted titles" if code == OWN else language_name(code)


_TABLE_KEY = "many_table"
_LEFT_TO_RIGHT = "\u200e"  # keeps the English words after an Arabic name in order
_TABLE_HEIGHT = 560
_TOOLBAR_HEIGHT = 44  # room for the table's own toolbar, which floats above it
_NAMED = 5  # selected titles that are named
_ACCEPT_FROM = 0.8
_JUDGMENTS_KEY = "review_judgments"
_BY_ONE, _BY_SEVERAL, _BY_MANY = "link-titles-list", "link-titles-selection", "link-titles-accept-many"  # policies

Alike = Mapping[int, Sequence[int]]  # rows with the same title, by the first of them


def show(review: Review, linker: Linker) -> None:
    """Draw the filters, the table and the panel beside it."""
    alike = review.alike()
    numbers = [number for number in show_filters(review, linker.taxonomy, list(alike), _unselect) if number in alike]
    table, panel = st.columns([11, 4])
    with table:
        selected = _table(review, alike, numbers)
    with panel, st.container(border=True, key="panel"):
        _panel(review, linker, alike, selected or numbers[:1])
    if sign_in.may("judge"):
        _accept_many(review, alike, linker.version)


def forget() -> None:
    """Forget which judgments the decisions on a list recorded; the judgments themselves remain."""
    st.session_state.pop(_JUDGMENTS_KEY, None)


def _table(review: Review, alike: Alike, numbers: Sequence[int]) -> list[int]:
    """Draw the table; return the selected rows."""
    if not numbers:
        st.info("No rows match this filter.", icon=":material/filter_alt_off:")
        return []
    with st.container(height=_TOOLBAR_HEIGHT, border=False, vertical_alignment="center"):
        together = ", or tick several to decide on them together" if sign_in.may("judge") else ""
        st.caption(f"{_counted(alike, numbers)}. Click a row to select it{together}.")
    state = st.dataframe(
        readable([_row(review, alike, number) for number in numbers]), hide_index=True,
        height=min(_TABLE_HEIGHT, 37 + 35 * len(numbers)), key=_TABLE_KEY,
        on_select=_select_whole_row, selection_mode=["multi-row", "single-cell"], alt="Titles and their links",
        column_config={
            "Title": st.column_config.TextColumn(width=165),
            "Rows": st.column_config.NumberColumn(width=50, help="Number of rows with this title"),
            "Seniority": st.column_config.TextColumn(width=80, help="Seniority stated in the title"),
            "Occupation": st.column_config.TextColumn(
                width=192, help="A question mark marks a best guess below the threshold. If no occupation is "
                "likely enough, but a unit group is, the group is shown.",
            ),
            "Probability": st.column_config.ProgressColumn(
                min_value=0.0, max_value=1.0, format="%.2f", width=80,
                help="Probability that this is the right occupation or unit group",
            ),
            "Level": st.column_config.TextColumn(width=80, help="Occupation or unit group"),
            "Status": st.column_config.TextColumn(width=72),
            "Reason": st.column_config.TextColumn(width=205, help="Reason to check the title"),
            "Why": st.column_config.TextColumn(width="medium", help="The name that matched, and its language"),
            "ISCO": st.column_config.TextColumn(width=60, help="The occupation's ISCO-08 group"),
        },
        column_order=_columns(review, alike, numbers),
    )  # fmt: skip
    return [numbers[row] for row in state.selection.rows if row < len(numbers)]


def _counted(alike: Alike, numbers: Sequence[int]) -> str:
    n_titles, n_rows = len(numbers), sum(len(alike[number]) for number in numbers)
    together = f" in {n_rows:,} rows" if n_rows > n_titles else ""
    return f"{n_titles:,} title{'s' if n_titles != 1 else ''}{together}"


def _columns(review: Review, alike: Alike, numbers: Sequence[int]) -> list[str]:
    counted = ["Rows"] if any(len(rows) > 1 for rows in alike.values()) else []
    reasons = ["Reason"] if any(map(review.reason, numbers)) else []
    seniority = ["Seniority"] if any(review.results[number].seniority for number in numbers) else []
    return ["Title", *counted, "Occupation", "Probability", "Status", *reasons, *seniority, "Level", "Why", "ISCO"]


def _select_whole_row() -> None:
    """Select the row of a clicked cell."""
    cells = st.session_state[_TABLE_KEY].selection.cells
    if cells:
        _select([cells[0][0]])


def _select(rows: list[int]) -> None:
    st.session_state[_TABLE_KEY] = {"selection": {"rows": rows, "columns": [], "cells": []}}


def _unselect() -> None:
    """Clear the selection, which holds positions: a filter moves other rows there."""
    if _TABLE_KEY in st.session_state:
        _select([])


def _row(review: Review, alike: Alike, number: int) -> dict[str, object]:
    result, shown = review.results[number], shown_candidate(review, number)
    group = review.group(number)
    sign = "" if review.level(number) else "? "
    return {
        "Title": result.title,
        "Rows": len(alike[number]),
        "Seniority": str(result.seniority),
        "Occupation": f"{sign}{shown_name(review, number)}" if shown else "nothing found",
        "Level": review.level(number),
        "Probability": group.probability if group else shown.probability if shown else 0.0,
        "Status": review.status(number),
        "Reason": review.reason(number),
        "Why": f"{_LEFT_TO_RIGHT}{shown.evidence.name} ({matched_words(shown.evidence)})" if shown else "",
        "ISCO": group.code if group else shown.isco if shown else "",
    }


def _panel(review: Review, linker: Linker, alike: Alike, numbers: Sequence[int]) -> None:
    """Draw the selected titles, or the first of the table, with the possible decisions."""
    if not numbers:
        st.caption("Select a row to decide on it." if sign_in.may("judge") else "Select a row to see its occupations.")
    elif len(numbers) == 1:
        _one(review, linker, alike, numbers[0])
    else:
        _several(review, linker.version, numbers)
    if not sign_in.may("judge"):
        st.caption(sign_in.needed_for("judge"))
        return
    st.button(
        "Undo the last decision", key="undo", icon=":material/undo:", on_click=_undo,
        args=(review,),
        disabled=not review.can_undo, type="tertiary", shortcut="U",
    )  # fmt: skip


def _one(review: Review, linker: Linker, alike: Alike, number: int) -> None:
    result, taxonomy = review.results[number], linker.taxonomy
    others = len(alike[number]) - 1
    more = f" and {others:,} more with this title" if others else ""
    reason = review.reason(number)
    st.caption(f"Row {number + 1:,}{more} · {review.status(number)}{f': {reason}' if reason else ''}")
    st.markdown(f"**{plain(result.title, limit=200) or '(empty)'}**")
    if review.group(number):
        choose = " Choose an occupation, or leave it at that." if sign_in.may("judge") else ""
        st.caption(f"Linked to {plain(shown_name(review, number))}.{choose}")
    options = [*occupation_view.search(taxonomy, f"other_{number}", review.options.show), *result.candidates]
    if options:
        candidate = _pick(options, review.choice(number), number)
        _describe(candidate, taxonomy, review.options.show)
        pair = link_pair(result, candidate)
        judging.show_earlier(judging.judged_before([pair]).get(pair, []))
    else:
        st.caption("The taxonomy has no similar name. Search for an occupation above.")
    if not sign_in.may("judge"):
        return
    if options:
        st.button(
            "This is right", key="accept", type="primary", icon=":material/check:", width="stretch",
            on_click=with_name, args=(_decide, review, {number: candidate}, linker.version), shortcut="A",
        )  # fmt: skip
    st.button(
        "None of these", key="none_of_these", icon=":material/block:", width="stretch",
        on_click=with_name, args=(_decide, review, {number: None}, linker.version), shortcut="N",
    )  # fmt: skip


def _several(review: Review, model: str, numbers: Sequence[int]) -> None:
    st.markdown(f"**{len(numbers):,} titles selected**")
    shown = {number: shown_candidate(review, number) for number in numbers}
    for number in numbers[:_NAMED]:
        candidate = shown[number]
        name = plain(candidate.name, limit=60) if candidate else "nothing found"
        st.caption(f"{plain(review.results[number].title, limit=60) or '(empty)'} → {name}")
    if len(numbers) > _NAMED:
        st.caption(f"and {len(numbers) - _NAMED:,} more")
    if not sign_in.may("judge"):
        return
    right = {number: candidate for number, candidate in shown.items() if candidate}
    st.button(
        f"These {len(right):,} are right", key="accept", type="primary", icon=":material/check:", width="stretch",
        on_click=with_name, args=(_decide_several, review, right, model), disabled=not right, shortcut="A",
    )  # fmt: skip
    st.button(
        f"None of these for all {len(numbers):,}", key="none_of_these", icon=":material/block:", width="stretch",
        on_click=with_name, args=(_decide_several, review, dict.fromkeys(numbers), model), shortcut="N",
    )  # fmt: skip


def _pick(options: Sequence[Candidate], choice: Candidate | None, number: int) -> Candidate:
    proposed = options[0].probability > 0
    index = options.index(choice) if proposed and choice in options else 0
    picked = st.selectbox(
        "Occupation", range(len(options)), index=index, key=f"pick_{number}_{options[0].uri}",
        format_func=lambda rank: _label(options[rank]),
    )  # fmt: skip
    return options[picked]


def _label(candidate: Candidate) -> str:
    name = visible(candidate.name)
    return f"{name} · {candidate.probability:.2f}" if candidate.probability else name


def _describe(candidate: Candidate, taxonomy: Taxonomy, language: str) -> None:
    occupation = taxonomy.occupation(candidate.uri, language)
    evidence = candidate.evidence
    st.caption(f"Matched “{plain(evidence.name, limit=100)}”, {plain(matched_words(evidence))}")
    if occupation.isco_path:
        st.caption(f"ISCO {group_trail(occupation.isco_path[-1:])}")
    if occupation.description:
        st.caption(plain(occupation.description, limit=220))


def _accept_many(review: Review, alike: Alike, model: str) -> None:
    slider, button = st.columns([3, 2], vertical_alignment="bottom", gap="large")
    probability = slider.slider(
        "Accept all links with at least this probability", 0.5, 1.0, _ACCEPT_FROM, 0.01, key="accept_from",
        help="Links to occupations; where a unit group is linked, choose one of its occupations by hand.",
    )  # fmt: skip
    _, count = _sure_choices(review, alike, probability)
    button.button(
        f"Accept {count:,} links", key="accept_many", icon=":material/done_all:", disabled=not count,
        on_click=with_name, args=(_accept_from, review, probability, model),
    )  # fmt: skip


def _decide(
    review: Review, choices: Mapping[int, Candidate | None], model: str, policy: str = _BY_ONE, done: str = ""
) -> None:
    """Decide on some titles, in every row that has them; each title is judged once.

    Args:
        review: The list.
        choices: chosen candidates by the first row of each title; None for 'none of these'.
        model: name of the model that proposed the links.
        policy: way of deciding, recorded with each judgment.
        done: message shown once the decision is stored.
    """
    if not choices:
        return
    with errors_deferred():
        alike, annotator = review.alike(), given_name()
        before = {first: review.choice(first) for first in choices if review.status(first) in DECISIONS}
        review.decide({number: choices[first] for first in choices for number in alike[first]})
        _know(review, before)
        given = {
            first: decided(review.results[first], candidate, annotator, policy=policy, model=model,
                           origin=Origin.LOOKED_AT if policy == _BY_ONE else Origin.BULK)
            for first, candidate in choices.items()
        }  # fmt: skip
        judging.save(_judgments().decide(given))
        if done:
            _unselect()
            st.toast(done, icon=":material/done_all:")


def _know(review: Review, before: Mapping[int, Candidate | None]) -> None:
    """Load the annotator's judgments of rows decided in another session, so that they can be withdrawn."""
    pairs = {number: link_pair(review.results[number], each) for number, each in before.items() if each is not None}
    earlier = judging.judged_before(list(pairs.values())) if pairs else {}
    for number, pair in pairs.items():
        _judgments().know(number, [each for each in earlier.get(pair, []) if each.annotator == given_name()])


def _decide_several(review: Review, choices: Mapping[int, Candidate | None], model: str) -> None:
    _decide(review, choices, model, _BY_SEVERAL, done=f"Decided on {len(choices):,} titles.")


def _accept_from(review: Review, probability: float, model: str) -> None:
    choices, n_rows = _sure_choices(review, review.alike(), probability)
    _decide(review, choices, model, _BY_MANY, done=f"{n_rows:,} links accepted.")


def _sure_choices(review: Review, alike: Alike, probability: float) -> tuple[dict[int, Candidate | None], int]:
    """Return the candidates to accept, by the first row of each title, and the number of rows."""
    sure = review.sure_from(probability)
    choices = {number: review.results[number].best for number in sure if number in alike}
    return choices, sum(len(alike[number]) for number in choices)


def _undo(review: Review) -> None:
    with errors_deferred():
        rows = review.undo()
        _unselect()
        judging.save(_judgments().undo(set(rows)))
        if rows:
            plural = "s" if len(rows) != 1 else ""
            st.toast(f"Undone: the decision on {len(rows):,} row{plural}.", icon=":material/undo:")
        else:
            st.toast("Nothing was undone: these rows were decided in another tab.", icon=":material/info:")


def _judgments() -> RowJudgments:
    found: RowJudgments = st.session_state.setdefault(_JUDGMENTS_KEY, RowJudgments())
    return found
