"""The table of links, the least sure on top, and the panel to decide on one of them."""

from collections.abc import Sequence

import pandas as pd
import streamlit as st

from jobmatch_core.entities import Candidate, Judgment
from jobmatch_core.labelling.judging import RowJudgments
from jobmatch_core.linking import Linker
from jobmatch_core.linking.judged_links import decided, link_pair
from jobmatch_core.linking.records import matched_words
from jobmatch_core.linking.review import DECISIONS, Review
from jobmatch_core.linking.summary import CONFIDENCES
from jobmatch_core.taxonomy import Taxonomy
from pages import _judging, _other_occupation
from pages._annotator import annotator_name
from pages._widgets import group_trail, plain, readable

_TABLE_HEIGHT = 460
_ACCEPT_FROM = 0.8
_JUDGMENTS_KEY = "review_judgments"
_BY_ONE, _BY_MANY = "link-titles-list", "link-titles-accept-many"  # policies kept with judgments


def show(review: Review, linker: Linker) -> None:
    """Draw the filters, the table and the panel beside it."""
    numbers = _filtered(review)
    table, panel = st.columns([11, 4])
    with table:
        selected = _table(review, numbers)
    with panel, st.container(border=True, key="panel"):
        _panel(review, linker, numbers, selected)
    _accept_many(review, linker.version)


def forget() -> None:
    """Forget which judgments the decisions on a list gave; the judgments themselves stay."""
    st.session_state.pop(_JUDGMENTS_KEY, None)


def _filtered(review: Review) -> list[int]:
    left, right = st.columns([3, 2], vertical_alignment="bottom")
    wanted = left.pills(
        "Show only", [*CONFIDENCES, *DECISIONS], selection_mode="multi", key="many_status",
        label_visibility="collapsed",
    )  # fmt: skip
    letters = right.text_input(
        "Search", key="many_search", placeholder="Search titles and occupations", icon=":material/search:",
        label_visibility="collapsed",
    ).casefold()  # fmt: skip
    return [
        number for number in review.order()
        if (not wanted or review.status(number) in wanted) and (not letters or letters in _searchable(review, number))
    ]  # fmt: skip


def _searchable(review: Review, number: int) -> str:
    occupation = _shown_occupation(review, number)
    return f"{review.results[number].title} {occupation.name if occupation else ''}".casefold()


def _shown_occupation(review: Review, number: int) -> Candidate | None:
    """Return the row's occupation, or the linker's best guess where it has none."""
    candidates = review.results[number].candidates
    return review.choice(number) or (candidates[0] if candidates else None)


def _table(review: Review, numbers: Sequence[int]) -> int | None:
    if not numbers:
        st.info("No row fits this filter.", icon=":material/filter_alt_off:")
        return None
    state = st.dataframe(
        _frame(review, numbers), hide_index=True, height=min(_TABLE_HEIGHT, 37 + 35 * len(numbers)), key="many_table",
        on_select="rerun", selection_mode="single-row",
        column_config={
            "Title": st.column_config.TextColumn(width="medium"),
            "Occupation": st.column_config.TextColumn(
                width="medium", help="With a question mark: the best guess, not sure enough to be the answer."
            ),
            "Probability": st.column_config.ProgressColumn(
                min_value=0.0, max_value=1.0, format="%.2f", width=110,
                help="Probability that this is the right occupation",
            ),
            "Status": st.column_config.TextColumn(width=90),
            "Why": st.column_config.TextColumn(width="medium", help="The name that matched, and its language"),
            "ISCO": st.column_config.TextColumn(width=60, help="The occupation's ISCO-08 group"),
        },
    )  # fmt: skip
    rows = state.selection.rows
    return numbers[rows[0]] if rows and rows[0] < len(numbers) else None


def _frame(review: Review, numbers: Sequence[int]) -> pd.DataFrame:
    return readable([_row(review, number) for number in numbers])


def _row(review: Review, number: int) -> dict[str, object]:
    result, shown = review.results[number], _shown_occupation(review, number)
    sign = "" if review.choice(number) else "? "
    return {
        "Title": result.title,
        "Occupation": f"{sign}{shown.name}" if shown else "nothing found",
        "Probability": shown.probability if shown else 0.0,
        "Status": review.status(number),
        "Why": f"{shown.evidence.name} ({matched_words(shown.evidence)})" if shown else "",
        "ISCO": shown.isco if shown else "",
    }


def _panel(review: Review, linker: Linker, numbers: Sequence[int], selected: int | None) -> None:
    """Draw the selected row, or the first of the table, with its candidates to choose from."""
    number = selected if selected is not None else next(iter(numbers), None)
    if number is None:
        st.caption("Select a row to decide on it.")
    else:
        _decide(review, linker, number)
    st.button(
        "Undo the last decision", key="undo", icon=":material/undo:", on_click=_undo,
        args=(review,),
        disabled=not review.can_undo, type="tertiary", shortcut="U",
    )  # fmt: skip


def _decide(review: Review, linker: Linker, number: int) -> None:
    result, taxonomy = review.results[number], linker.taxonomy
    st.caption(f"Row {number + 1:,} · {review.status(number)}")
    st.markdown(f"**{plain(result.title, limit=200) or '(empty)'}**")
    options = [*_other_occupation.search(taxonomy, f"other_{number}", review.options.show), *result.candidates]
    if options:
        candidate = _pick(options, review.choice(number), number)
        _describe(candidate, taxonomy, review.options.show)
        pair = link_pair(result, candidate)
        _judging.told(_judging.said_of([pair]).get(pair, []))
        st.button(
            "This is right", key="accept", type="primary", icon=":material/check:", width="stretch",
            on_click=_decided, args=(review, number, candidate, linker.version), shortcut="A",
        )  # fmt: skip
    else:
        st.caption("Nothing in the taxonomy resembles this title. Search for an occupation above.")
    st.button(
        "None of these", key="none_of_these", icon=":material/block:", width="stretch",
        on_click=_decided, args=(review, number, None, linker.version), shortcut="N",
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
    return f"{candidate.name} · {candidate.probability:.2f}" if candidate.probability else candidate.name


def _describe(candidate: Candidate, taxonomy: Taxonomy, language: str) -> None:
    occupation = taxonomy.occupation(candidate.uri, language)
    evidence = candidate.evidence
    st.caption(f"Matched “{plain(evidence.name, limit=100)}”, {plain(matched_words(evidence))}")
    if occupation.isco_path:
        st.caption(f"ISCO {group_trail(occupation.isco_path[-1:])}")
    if occupation.description:
        st.caption(plain(occupation.description, limit=220))


def _accept_many(review: Review, model: str) -> None:
    slider, button = st.columns([3, 2], vertical_alignment="bottom", gap="large")
    probability = slider.slider(
        "Accept all links with at least this probability", 0.5, 1.0, _ACCEPT_FROM, 0.01, key="accept_from"
    )
    count = len(review.sure_from(probability))
    button.button(
        f"Accept {count:,} links", key="accept_many", icon=":material/done_all:", disabled=not count,
        on_click=_accept_from, args=(review, probability, model),
    )  # fmt: skip


def _decided(review: Review, number: int, candidate: Candidate | None, model: str) -> None:
    review.decide(number, candidate)
    given = decided(review.results[number], candidate, annotator_name(), policy=_BY_ONE, model=model)
    _judging.keep(_judgments().decide({number: given}))


def _accept_from(review: Review, probability: float, model: str) -> None:
    numbers, annotator = review.sure_from(probability), annotator_name()
    rows: dict[int, list[Judgment]] = {}
    met: set[tuple[str, str]] = set()
    for number in numbers:
        result = review.results[number]
        if result.best and (result.title, result.best.uri) not in met:  # the same title is judged once
            met.add((result.title, result.best.uri))
            rows[number] = decided(result, result.best, annotator, policy=_BY_MANY, model=model)
    review.accept_from(probability)
    _judging.keep(_judgments().decide(rows))
    st.toast(f"{len(numbers):,} links accepted.", icon=":material/done_all:")


def _undo(review: Review) -> None:
    review.undo()
    _judging.keep(_judgments().undo())


def _judgments() -> RowJudgments:
    found: RowJudgments = st.session_state.setdefault(_JUDGMENTS_KEY, RowJudgments())
    return found
