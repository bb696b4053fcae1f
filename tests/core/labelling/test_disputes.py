"""What is to be adjudicated, the most disputed first."""

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from jobmatch_core.entities import Judgment
from jobmatch_core.labelling.agreement import Dispute, disputes
from jobmatch_core.labelling.coefficients import verdict_table
from tests.core.labelling import plain_measures
from tests.core.labelling.made_judgments import START, arrays, histories, judgment, pair, reader, said


def found_in(history: list[Judgment]) -> list[Dispute]:
    """Return the disputes of a history."""
    judgments = arrays(history)
    return list(disputes(judgments, verdict_table(judgments), reader(history)))


def lefts(rows: list[str]) -> list[str]:
    """Return the disputed pairs of a matrix."""
    return [dispute.pair.left for dispute in found_in(said(rows))]


def test_heat_by_hand() -> None:
    """++--: half of all draws of two contradict; ++-: 4 of 9; +?: half of them differ by a half; +++ is no dispute."""
    found = {dispute.pair.left: dispute.heat for dispute in found_in(said(["++++", "++?+", "--.+", "-..+"]))}
    assert found == {"p0": 0.5, "p1": pytest.approx(4 / 9), "p2": 0.25}


def test_order() -> None:
    """Two against two before one against one, as more people are at odds; then who is unsure."""
    assert lefts(["?+++", "?---", "...+", "...-"]) == ["p3", "p1", "p2"]
    assert lefts(["+++", "+--", "?.."]) == ["p1", "p2", "p0"]


def test_the_one_that_has_waited_longer_first() -> None:
    """Of two alike."""
    assert lefts(["++", "--"]) == ["p0", "p1"]


def test_skips_are_no_verdicts() -> None:
    """Who skips disputes nothing."""
    assert lefts(["+s", "s-"]) == []


def test_what_is_settled_is_no_dispute() -> None:
    """Until the adjudication is taken back."""
    history = said(["+", "-"])
    settles = judgment("+", "judge", history[0].pair, minute=5, adjudicates=True)
    assert found_in([*history, settles]) == []
    undo = judgment(None, "judge", history[0].pair, minute=6, undoes=settles.id)
    assert len(found_in([*history, settles, undo])) == 1


def test_a_change_of_mind_ends_a_dispute() -> None:
    """Only what is current counts, and it comes along."""
    history = said(["+", "-"])
    [dispute] = found_in(history)
    assert dispute.judgments == tuple(history)
    assert found_in([*history, judgment("+", "b", history[0].pair, minute=5)]) == []


def test_titles_with_any_text_can_be_put_in_order() -> None:
    """Pairs that are alike in all else."""
    history = [judgment(word, word, pair(left)) for left in ("b", "a") for word in "+-"]
    assert [dispute.pair.left for dispute in found_in(history)] == ["a", "b"]


@given(st.lists(st.text("+-?s.", min_size=4, max_size=4), max_size=6))
def test_disputed_are_those_with_two_different_verdicts(rows: list[str]) -> None:
    """No more and no fewer; the heat falls."""
    found = found_in(said(rows))
    expected = {f"p{column}" for column in range(4) if len({row[column] for row in rows} - set("s.")) > 1}
    assert {dispute.pair.left for dispute in found} == expected
    assert [dispute.heat for dispute in found] == sorted((dispute.heat for dispute in found), reverse=True)


@given(histories("abcd", n_pairs=6, max_size=30), st.booleans())
def test_as_judgment_by_judgment(history: list[Judgment], at_once: bool) -> None:
    """Whatever was said, taken back and settled, also where all was said at the same time."""
    if at_once:
        history = [replace(each, at=START) for each in history]
    assert found_in(history) == plain_measures.disputes(history)


def test_they_are_read_when_asked_for() -> None:
    """One of many, the last, some, and none by their number."""
    history = said(["+++", "---"])
    judgments, read = arrays(history), reader(history)
    asked: list[str] = []
    found = disputes(judgments, verdict_table(judgments), lambda keys: [asked.extend(keys), *read(keys)][1:])
    assert (len(found), asked) == (3, [])
    assert (found[1].pair.left, found[-1].pair.left) == ("p1", "p2")
    assert len(asked) == 2
    assert [each.pair.left for each in found[:2]] == ["p0", "p1"]
