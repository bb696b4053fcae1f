"""Decisions on the rows of a list, and the judgments recorded with them; callbacks of the review desk."""

from collections.abc import Mapping, Sequence

import streamlit as st

from jobmatch_core.entities import Candidate
from jobmatch_core.judgment_origin import Origin
from jobmatch_core.labelling.judging import RowJudgments, decided, judged_by, link_pair
from jobmatch_core.labelling.own_names import IN_CONTEXT
from jobmatch_core.linking.decisions import DECISIONS, NONE_OF_THESE, Choice, choice_for, isco_code, offered
from jobmatch_core.linking.review import Review
from jobmatch_core.text.folding import visible
from pages.link_titles import review_table
from pages.link_titles.occupation_choice import Choosing
from pages.shared import judging
from pages.shared.annotator import given_name
from pages.shared.language import _, numeral, plural
from pages.shared.widgets import errors_deferred

_JUDGMENTS_KEY = "review_judgments"
_LAST_KEY, _UNSAID_KEY = "review_last", "review_unsaid"  # the last act, and whether it is still to be announced
_BY_ONE, _BY_SEVERAL, _BY_MANY = "link-titles-list", "link-titles-selection", "link-titles-accept-many"  # policies


def forget() -> None:
    """Forget the judgments recorded by the decisions on a list; in the label store they remain."""
    for key in (_JUDGMENTS_KEY, _LAST_KEY, _UNSAID_KEY):
        st.session_state.pop(key, None)


def decide_one(review: Review, number: int, choice: Choice | None, model: str) -> None:
    """Decide on the rows with one title; None is 'none of these'."""
    _decide(review, {number: choice}, model)


def decide_right(
    review: Review, right: Mapping[int, Choice], numbers: Sequence[int], choosing: Choosing, model: str
) -> None:
    """Decide on several titles: the occupation chosen for all, or else what is right for each.

    Args:
        review: The list.
        right: What is linked or proposed, by the first row of each title.
        numbers: The first row of each title.
        choosing: Select box of an occupation for all.
        model: Version of the linker.
    """
    choice = choosing.now()
    if isinstance(choice, Candidate):
        right = {number: choice_for(review.results[number], choice) for number in numbers}
    decide_several(review, right, model)


def decide_several(review: Review, choices: Mapping[int, Choice | None], model: str) -> None:
    """Decide on several titles by the first row of each; None is 'none of these'."""
    _decide(
        review, choices, model, _BY_SEVERAL, done=_("Decided on {n_choices} titles.", n_choices=numeral(len(choices)))
    )


def accept_from(review: Review, probability: float, model: str) -> None:
    """Accept all links from a probability on."""
    choices, rows = sure_choices(review, review.alike(), probability)
    _decide(review, choices, model, _BY_MANY, done=_("{n_rows} links accepted.", n_rows=numeral(len(rows))))


def sure_choices(
    review: Review, alike: Mapping[int, Sequence[int]], probability: float
) -> tuple[dict[int, Choice | None], list[int]]:
    """Return what is linked from a probability on, by the first row of each title, and all rows of these titles."""
    choices = {number: offered(review.results[number]) for number in review.sure_from(probability) if number in alike}
    return choices, [row for number in choices for row in alike[number]]


def clear(review: Review, number: int) -> None:
    """Clear the decision on the rows with one title, and withdraw its judgments."""
    with errors_deferred():
        rows = [row for row in review.alike().get(number, [number]) if review.is_decided(row)]
        if not rows:  # another tab was faster
            return
        before = {number: review.counted(number)}
        review.clear(rows)
        _load_judgments(review, before)
        judging.save(_judgments().decide({number: ()}))
        review_table.go_to(number)
        _tell(_("{title}: decision cleared", title=_title(review, number)))


def last_act() -> str:
    """Return what was decided last, in words; '' if nothing was."""
    return str(st.session_state.get(_LAST_KEY, ""))


def unsaid_act() -> str:
    """Return the last act if it was not announced yet; it then counts as announced."""
    return last_act() if st.session_state.pop(_UNSAID_KEY, False) else ""


def _tell(act: str) -> None:
    st.session_state[_LAST_KEY], st.session_state[_UNSAID_KEY] = act, True


def _title(review: Review, number: int) -> str:
    return visible(" ".join(review.results[number].title.split())) or _("(empty)")


def _decided_words(review: Review, choices: Mapping[int, Choice | None]) -> str:
    if len(choices) > 1:
        return _("{n_choices} titles decided", n_choices=numeral(len(choices)))
    [(number, choice)] = choices.items()
    if choice is None:
        return f"{_title(review, number)}: {_(NONE_OF_THESE)}"
    return f"{_title(review, number)}: {visible(f'{isco_code(choice)} {choice.name}'.strip())}"


def undo(review: Review) -> None:
    """Undo the last step of decisions, and say what was undone."""
    with errors_deferred():
        rows = review.undo()
        review_table.unselect()
        judging.save(_judgments().undo(set(rows)))
        if rows:
            # after many titles, the user stays at the top
            if len({_title(review, row).casefold() for row in rows}) == 1:
                review_table.go_to(rows[0])
            _tell(
                _("{title}: decision undone", title=_title(review, rows[0]))
                if len(rows) == 1
                else _("{n_rows} rows undone", n_rows=numeral(len(rows)))
            )
            undone = plural("Undone: the decision on {n} row.", "Undone: the decision on {n} rows.", len(rows))
            st.toast(undone, icon=":material/undo:")
        else:
            st.toast(_("Nothing was undone: these rows were decided in another tab."), icon=":material/info:")


def _decide(
    review: Review, choices: Mapping[int, Choice | None], model: str, policy: str = _BY_ONE, done: str = ""
) -> None:
    # choices: by the first row of each title, None for 'none of these'
    if not choices:
        return
    with errors_deferred():
        alike, annotator = review.alike(), given_name()
        before = {first: review.counted(first) for first in choices if review.status(first) in DECISIONS}
        review.decide({number: choices[first] for first in choices for number in alike.get(first, [first])}, annotator)
        _load_judgments(review, before)
        given = {
            first: decided(
                review.results[first],
                candidate,
                annotator,
                policy=IN_CONTEXT if any(said.code for said in review.results[first].context) else policy,
                model=model,
                origin=Origin.LOOKED_AT if policy == _BY_ONE else Origin.BULK,
            )
            for first, candidate in choices.items()
        }
        judging.save(_judgments().decide(given))
        _tell(_decided_words(review, choices))
        if not before:
            review_table.advance()
        if done:
            review_table.unselect()
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


def _judgments() -> RowJudgments:
    judgments: RowJudgments = st.session_state.setdefault(_JUDGMENTS_KEY, RowJudgments())
    return judgments
