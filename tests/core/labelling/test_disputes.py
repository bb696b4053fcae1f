"""What is to be adjudicated, the most disputed first."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from jobmatch_core.labelling.disputes import disputes
from tests.core.labelling.made_judgments import judgment, pair, said


def lefts(rows: list[str]) -> list[str]:
    """Return the disputed pairs of a matrix."""
    return [dispute.pair.left for dispute in disputes(said(rows))]


def test_heat_by_hand() -> None:
    """++--: half of all draws of two contradict; ++-: 4 of 9; +?: half of them differ by a half; +++ is no dispute."""
    found = {dispute.pair.left: dispute.heat for dispute in disputes(said(["++++", "++?+", "--.+", "-..+"]))}
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
    assert disputes([*history, settles]) == []
    undo = judgment(None, "judge", history[0].pair, minute=6, undoes=settles.id)
    assert len(disputes([*history, settles, undo])) == 1


def test_a_change_of_mind_ends_a_dispute() -> None:
    """Only what is current counts, and it comes along."""
    history = said(["+", "-"])
    [dispute] = disputes(history)
    assert dispute.judgments == tuple(history)
    assert disputes([*history, judgment("+", "b", history[0].pair, minute=5)]) == []


def test_titles_with_any_text_can_be_put_in_order() -> None:
    """Pairs that are alike in all else."""
    history = [judgment(word, word, pair(left)) for left in ("b", "a") for word in "+-"]
    assert [dispute.pair.left for dispute in disputes(history)] == ["a", "b"]


@given(st.lists(st.text("+-?s.", min_size=4, max_size=4), max_size=6))
def test_disputed_are_those_with_two_different_verdicts(rows: list[str]) -> None:
    """No more and no fewer; the heat falls."""
    found = disputes(said(rows))
    expected = {f"p{column}" for column in range(4) if len({row[column] for row in rows} - set("s.")) > 1}
    assert {dispute.pair.left for dispute in found} == expected
    assert [dispute.heat for dispute in found] == sorted((dispute.heat for dispute in found), reverse=True)
