"""Table of links, the least certain first and equal titles in one row, and the panel to decide on them."""

from collections.abc import Mapping, Sequence

import streamlit as st

from jobmatch_core.entities import Candidate, GroupOffer
from jobmatch_core.judgment_origin import Origin
from jobmatch_core.labelling.judging import RowJudgments, decided, judged_by, link_pair
from jobmatch_core.link_reasons import shown_reason
from jobmatch_core.linking import Linker
from jobmatch_core.linking.decisions import DECISIONS, Choice, choice_for, offered, offered_group
from jobmatch_core.linking.link_words import SURE, SURE_FROM, matched_words, rejected_words
from jobmatch_core.linking.review import Review, shown_candidate, shown_evidence, shown_name
from jobmatch_core.taxonomy import Taxonomy
from pages.link_titles import list_filters, occupation_choice
from pages.link_titles.occupation_choice import Choosing
from pages.shared import browser, judging, sign_in
from pages.shared.annotator import given_name, with_name
from pages.shared.annotator import shown as named
from pages.shared.widgets import errors_deferred, group_trail, plain, readable

_TABLE_KEY = "many_table"
_LEFT_TO_RIGHT = "\u200e"  # keeps the English words after an Arabic name in order
_TABLE_HEIGHT = 560
_TOOLBAR_HEIGHT = 44  # room for the table's own toolbar, which floats above it
_NAMED = 5  # selected titles listed in the panel
_JUDGMENTS_KEY = "review_judgments"
_BY_ONE, _BY_SEVERAL, _BY_MANY = "link-titles-list", "link-titles-selection", "link-titles-accept-many"  # policies

_Alike = Mapping[int, Sequence[int]]  # rows with the same title, by the first of them


def show(review: Review, linker: Linker) -> None:
    """Draw the filters, the table and the panel beside it."""
    alike = review.alike()
    passing = list_filters.show(review, linker.taxonomy, list(alike), _unselect)
    numbers = [number for number in passing if number in alike]
    table, panel = st.columns([11, 4])
    with table:
        selected = _table(review, alike, numbers)
    with panel, st.container(border=True, key="panel"):
        _panel(review, linker, alike, selected or numbers[:1])
    if sign_in.may("judge"):
        _accept_many(review, alike, linker.version)
        browser.leave_selects()


def forget() -> None:
    """Forget the judgments recorded by the decisions on a list; in the label store they remain."""
    st.session_state.pop(_JUDGMENTS_KEY, None)


def _table(review: Review, alike: _Alike, numbers: Sequence[int]) -> list[int]:
    if not numbers:
        st.info("No rows match this filter.", icon=":material/filter_alt_off:")
        return []
    with st.container(height=_TOOLBAR_HEIGHT, border=False, vertical_alignment="center"):
        together = ", or tick several to decide on them together" if sign_in.may("judge") else ""
        st.caption(f"{_counted(review, alike, numbers)}. Click a row to select it{together}.")
    state = st.dataframe(
        readable([_row(review, alike, number) for number in numbers]),
        hide_index=True,
        height=min(_TABLE_HEIGHT, 37 + 35 * len(numbers)),
        key=_TABLE_KEY,
        on_select=_select_whole_row,
        selection_mode=["multi-row", "single-cell"],
        alt="Titles and their links",
        column_config={
            "Title": st.column_config.TextColumn(width=165),
            "Rows": st.column_config.NumberColumn(width=50, help="Number of rows with this title"),
            "Seniority": st.column_config.TextColumn(width=80, help="Seniority stated in the title"),
            "Occupation": st.column_config.TextColumn(
                width=192,
                help="A question mark marks a best guess below the threshold. If no occupation is "
                "likely enough, but a unit group is, the group is shown.",
            ),
            "Probability": st.column_config.ProgressColumn(
                min_value=0.0,
                max_value=1.0,
                format="%.2f",
                width=80,
                help="Probability that this is the right occupation or unit group",
            ),
            "Level": st.column_config.TextColumn(width=80, help="Occupation or unit group"),
            "Status": st.column_config.TextColumn(width=72),
            "Reason": st.column_config.TextColumn(width=205, help="Reason to check the title"),
            "Why": st.column_config.TextColumn(width="medium", help="The name that matched, and its language"),
            "ISCO": st.column_config.TextColumn(width=60, help="The occupation's ISCO-08 group"),
        },
        column_order=_columns(review, alike, numbers),
    )
    return [numbers[row] for row in state.selection.rows if row < len(numbers)]


def _counted(review: Review, alike: _Alike, numbers: Sequence[int]) -> str:
    titled = [number for number in numbers if review.results[number].title.strip()]
    n_titles, n_rows = len(titled), sum(len(alike[number]) for number in titled)
    n_blank = sum(len(alike[number]) for number in numbers) - n_rows
    together = f" in {n_rows:,} rows" if n_rows > n_titles else ""
    blank = f", {n_blank:,} row{'s' if n_blank != 1 else ''} without one" if n_blank else ""
    return f"{n_titles:,} title{'s' if n_titles != 1 else ''}{together}{blank}"


def _columns(review: Review, alike: _Alike, numbers: Sequence[int]) -> list[str]:
    counted = ["Rows"] if any(len(rows) > 1 for rows in alike.values()) else []
    reasons = ["Reason"] if any(map(review.reason, numbers)) else []
    seniority = ["Seniority"] if any(review.results[number].seniority for number in numbers) else []
    return ["Title", *counted, "Occupation", "Probability", "Status", *reasons, *seniority, "Level", "Why", "ISCO"]


def _select_whole_row() -> None:
    cells = st.session_state[_TABLE_KEY].selection.cells
    if cells:
        st.session_state[_TABLE_KEY] = {"selection": {"rows": [cells[0][0]], "columns": [], "cells": []}}


def _unselect() -> None:
    # the selection holds positions, where a filter puts other rows
    if _TABLE_KEY in st.session_state:
        st.session_state[_TABLE_KEY] = {"selection": {"rows": [], "columns": [], "cells": []}}


def _row(review: Review, alike: _Alike, number: int) -> dict[str, object]:
    result, shown = review.results[number], shown_candidate(review, number)
    group = review.group(number)
    sign, name = "" if review.level(number) else "? ", shown_name(review, number)
    return {
        "Title": result.title,
        "Rows": len(alike[number]),
        "Seniority": str(result.seniority),
        "Occupation": f"{sign}{name}" if name else "nothing found",
        "Level": review.level(number),
        "Probability": group.probability if group else (shown and shown.probability) or None,
        "Status": review.status(number),
        "Reason": shown_reason(review.reason(number)),
        "Why": _why(review, number),
        "ISCO": group.code if group else shown.isco if shown else "",
    }


def _why(review: Review, number: int) -> str:
    evidence = shown_evidence(review, number)
    matched = f"{_LEFT_TO_RIGHT}{evidence.name} ({matched_words(evidence, named)})" if evidence else ""
    return "; ".join(filter(None, [matched, rejected_words(review.results[number].rejected, named)]))


def _panel(review: Review, linker: Linker, alike: _Alike, numbers: Sequence[int]) -> None:
    if not numbers:
        st.caption("Select a row to decide on it." if sign_in.may("judge") else "Select a row to see its occupations.")
    elif len(numbers) == 1:
        _one(review, linker, alike, numbers[0])
    else:
        _several(review, linker, numbers)
    if not sign_in.may("judge"):
        st.caption(sign_in.needed_for("judge"))
        return
    st.button(
        "Undo the last decision",
        key="undo",
        icon=":material/undo:",
        on_click=_undo,
        args=(review,),
        disabled=not review.can_undo,
        type="tertiary",
        shortcut="U",
    )


def _one(review: Review, linker: Linker, alike: _Alike, number: int) -> None:
    result, taxonomy = review.results[number], linker.taxonomy
    others = len(alike[number]) - 1
    more = f" and {others:,} more with this title" if others else ""
    reason = shown_reason(review.reason(number))
    st.caption(f"Row {review.row_number(number):,}{more} · {review.status(number)}{f': {reason}' if reason else ''}")
    st.markdown(f"**{plain(result.title, limit=200) or '(empty)'}**")
    if rejected := rejected_words(result.rejected, named):
        st.caption(f"{plain(rejected[:1].upper() + rejected[1:], limit=400)}.")
    if review.group(number):
        choose = " Accept it, or choose an occupation." if sign_in.may("judge") else ""
        st.caption(f"Linked to {plain(shown_name(review, number))}.{choose}")
    hits = occupation_choice.search(linker, f"other_{number}", review.options.show)
    linked = offered_group(result)
    choosing = occupation_choice.choose(
        hits, [*([linked] if linked else []), *result.candidates], review.counted(number), f"pick_{number}"
    )
    if choosing.drawn:
        _describe(choosing.drawn, taxonomy, review.options.show)
        pair = link_pair(result, choosing.drawn)
        judging.show_earlier(judging.judged_before([pair]).get(pair, []))
    else:
        st.caption("The taxonomy has no similar name. Search for an occupation above.")
    if not sign_in.may("judge"):
        return
    if choosing.drawn:
        st.button(
            "This is right",
            key="accept",
            type="primary",
            icon=":material/check:",
            width="stretch",
            on_click=with_name,
            args=(_decide_one, review, number, choosing, linker.version),
            shortcut="A",
        )
    st.button(
        "None of these",
        key="none_of_these",
        icon=":material/block:",
        width="stretch",
        on_click=with_name,
        args=(_decide, review, {number: None}, linker.version),
        shortcut="N",
    )


def _several(review: Review, linker: Linker, numbers: Sequence[int]) -> None:
    st.markdown(f"**{len(numbers):,} titles selected**")
    for number in numbers[:_NAMED]:
        name = plain(shown_name(review, number), limit=60) or "nothing found"
        st.caption(f"{plain(review.results[number].title, limit=60) or '(empty)'} → {name}")
    if len(numbers) > _NAMED:
        st.caption(f"and {len(numbers) - _NAMED:,} more")
    if not sign_in.may("judge"):
        return
    shown = {number: review.counted(number) or offered(review.results[number]) for number in numbers}
    right = {number: choice for number, choice in shown.items() if choice}
    key, model = f"several_{hash(tuple(numbers))}", linker.version
    hits = occupation_choice.search(linker, f"other_{key}", review.options.show)
    proposed = occupation_choice.most_proposed([review.results[number] for number in numbers])
    choosing = occupation_choice.choose(hits, proposed, None, f"pick_{key}", empty="Or another one for all")
    label = f"These {len(right):,} are right"
    if choosing.drawn:
        label = f"All {len(numbers):,} are {plain(choosing.drawn.name, limit=60)}"
    st.button(
        label,
        key="accept",
        type="primary",
        icon=":material/check:",
        width="stretch",
        on_click=with_name,
        args=(_decide_right, review, right, numbers, choosing, model),
        disabled=not (right or choosing.drawn),
        shortcut="A",
    )
    st.button(
        f"None of these for all {len(numbers):,}",
        key="none_of_these",
        icon=":material/block:",
        width="stretch",
        on_click=with_name,
        args=(_decide_several, review, dict.fromkeys(numbers), model),
        shortcut="N",
    )


def _describe(candidate: Choice, taxonomy: Taxonomy, language: str) -> None:
    if isinstance(candidate, GroupOffer):
        st.caption(f"ISCO {group_trail(taxonomy.isco_path(candidate.code, language))}")
        return
    occupation = taxonomy.occupation(candidate.uri, language)
    evidence = candidate.evidence
    how = "Matched" if candidate.probability else "Found as"
    st.caption(f"{how} “{plain(evidence.name, limit=100)}”, {plain(matched_words(evidence, named))}")
    if occupation.isco_path:
        st.caption(f"ISCO {group_trail(occupation.isco_path[-1:])}")
    if occupation.description:
        st.caption(plain(occupation.description, limit=220))


def _accept_many(review: Review, alike: _Alike, model: str) -> None:
    slider, button = st.columns([3, 2], vertical_alignment="bottom", gap="large")
    probability = slider.slider(
        "Accept all links with at least this probability",
        0.5,
        1.0,
        SURE_FROM,
        0.01,
        key="accept_from",
        help="Links to occupations and to unit groups; a group is accepted as a group.",
    )
    _, rows = _sure_choices(review, alike, probability)
    n_groups = sum(review.group(row) is not None for row in rows)
    what = f"all {len(rows):,} {SURE}" if probability == SURE_FROM else f"{len(rows):,} links"
    groups = f", {n_groups:,} of them unit groups" if n_groups else ""
    button.button(
        f"Accept {what}{groups}",
        key="accept_many",
        icon=":material/done_all:",
        disabled=not rows,
        on_click=with_name,
        args=(_accept_from, review, probability, model),
    )


def _decide(
    review: Review, choices: Mapping[int, Choice | None], model: str, policy: str = _BY_ONE, done: str = ""
) -> None:
    # choices: by the first row of each title, None for 'none of these'
    if not choices:
        return
    with errors_deferred():
        alike, annotator = review.alike(), given_name()
        before = {first: review.counted(first) for first in choices if review.status(first) in DECISIONS}
        review.decide({number: choices[first] for first in choices for number in alike[first]}, annotator)
        _load_judgments(review, before)
        given = {
            first: decided(
                review.results[first],
                candidate,
                annotator,
                policy=policy,
                model=model,
                origin=Origin.LOOKED_AT if policy == _BY_ONE else Origin.BULK,
            )
            for first, candidate in choices.items()
        }
        judging.save(_judgments().decide(given))
        if done:
            _unselect()
            st.toast(done, icon=":material/done_all:")


def _load_judgments(review: Review, before: Mapping[int, Choice | None]) -> None:
    # so that decisions of an earlier session can be withdrawn
    pairs = {
        number: [link_pair(review.results[number], judged) for judged in judged_by(review.results[number], choice)]
        for number, choice in before.items()
    }
    earlier = judging.judged_before([pair for row_pairs in pairs.values() for pair in row_pairs]) if pairs else {}
    for number, row_pairs in pairs.items():
        judgments = [judgment for pair in row_pairs for judgment in earlier.get(pair, [])]
        _judgments().know(number, [judgment for judgment in judgments if judgment.annotator == given_name()])


def _decide_one(review: Review, number: int, choosing: Choosing, model: str) -> None:
    if choice := choosing.now():
        _decide(review, {number: choice}, model)


def _decide_right(
    review: Review, right: Mapping[int, Choice], numbers: Sequence[int], choosing: Choosing, model: str
) -> None:
    choice = choosing.now()
    if isinstance(choice, Candidate):
        right = {number: choice_for(review.results[number], choice) for number in numbers}
    _decide_several(review, right, model)


def _decide_several(review: Review, choices: Mapping[int, Choice | None], model: str) -> None:
    _decide(review, choices, model, _BY_SEVERAL, done=f"Decided on {len(choices):,} titles.")


def _accept_from(review: Review, probability: float, model: str) -> None:
    choices, rows = _sure_choices(review, review.alike(), probability)
    _decide(review, choices, model, _BY_MANY, done=f"{len(rows):,} links accepted.")


def _sure_choices(review: Review, alike: _Alike, probability: float) -> tuple[dict[int, Choice | None], list[int]]:
    choices = {number: offered(review.results[number]) for number in review.sure_from(probability) if number in alike}
    return choices, [row for number in choices for row in alike[number]]


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
    judgments: RowJudgments = st.session_state.setdefault(_JUDGMENTS_KEY, RowJudgments())
    return judgments
