"""Making judgments: verdicts, taking back, and decisions on rows."""

from hypothesis import given
from hypothesis import strategies as st

from jobmatch_core.entities import Judgment, Pair, PairKind, Provenance, Verdict
from jobmatch_core.labelling.current import current_judgments
from jobmatch_core.labelling.judging import RowJudgments, judged, last_link, taking_back, whole_chains

PAIR = Pair(PairKind.TITLE_OCCUPATION, "isco-08", "cook", "uri:cook")


def verdict(letter: str = "x", right: str = "uri:cook") -> Judgment:
    """Return a new positive judgment of a title."""
    pair = Pair(PairKind.TITLE_OCCUPATION, "isco-08", letter, right)
    return judged(pair, Verdict.POSITIVE, "ann", Provenance("page"))


def standing(history: list[Judgment]) -> set[str]:
    """Return the ids of what counts, each judgment being of another pair, or of the same annotator's latest."""
    return {judgment.id for judgment in current_judgments(history)}


def test_a_judgment_has_an_id_a_time_and_its_provenance() -> None:
    """Two of the same are two."""
    provenance = Provenance("page", "model", 3, 0.5)
    one, other = (judged(PAIR, Verdict.NEGATIVE, "ann", provenance) for _ in range(2))
    assert (one.pair, one.verdict, one.annotator, one.provenance) == (PAIR, Verdict.NEGATIVE, "ann", provenance)
    assert one.id != other.id
    assert one.at.tzinfo is not None


def test_taking_back_and_taking_that_back() -> None:
    """A stands, is taken back, and stands again; the last link is what can be taken back next."""
    first = verdict()
    back = taking_back(first)
    again = taking_back(back)
    assert back.verdict is None
    assert (back.undoes, back.pair, back.annotator) == (first.id, first.pair, "ann")
    assert standing([first]) == {first.id}
    assert standing([first, back]) == set()
    assert standing([first, back, again]) == {first.id}
    assert last_link(first, [first, back, again]) == again
    assert last_link(first, [first]) == first


def test_a_chain_is_whole_or_left_out() -> None:
    """From whichever link, in the order of the history, which need not be that of the links."""
    first, alone = verdict("a"), verdict("b")
    back = taking_back(first)
    again = taking_back(back)
    history = [again, alone, first, back]
    for link in (first, back, again):
        assert whole_chains([link], history) == [again, first, back]
    assert whole_chains([alone], history) == [alone]
    assert whole_chains([], history) == []


def test_a_changed_decision_takes_the_earlier_one_back() -> None:
    """What was said of the row before does not count beside it."""
    rows, first, second = RowJudgments(), verdict("a", "uri:1"), verdict("a", "uri:2")
    history = rows.decide({4: [first]})
    assert history == [first]
    history += rows.decide({4: [second]})
    assert standing(history) == {second.id}
    history += rows.undo(range(9))
    assert standing(history) == {first.id}
    history += rows.decide({4: [third := verdict("a", "uri:3")]})
    assert standing(history) == {third.id}
    history += rows.undo(range(9))
    history += rows.undo(range(9))
    assert standing(history) == set()
    assert rows.undo(range(9)) == []


def test_rows_that_were_decided_elsewhere_since_are_not_taken_back() -> None:
    """Their judgment stays, that of the others of the same step does not."""
    rows, one, other = RowJudgments(), verdict("a", "uri:1"), verdict("b", "uri:2")
    history = rows.decide({1: [one], 2: [other]})
    history += rows.undo({2})
    assert standing(history) == {one.id}


@given(st.lists(st.none() | st.dictionaries(st.integers(0, 3), st.integers(0, 2), min_size=1, max_size=3), max_size=12))
def test_any_decisions_and_undos_leave_what_a_plain_stack_says(steps: list[dict[int, int] | None]) -> None:
    """None is an undo; a decision gives each row so many judgments. No judgment is taken back twice."""
    rows, history = RowJudgments(), list[Judgment]()
    stack: list[dict[int, list[str]]] = [{}]
    number = 0
    for step in steps:
        if step is None:
            history += rows.undo(range(9))
            stack = stack[:-1] or [{}]
            continue
        given_now = {}
        for row, count in step.items():
            given_now[row] = [verdict(str(number := number + 1)) for _ in range(count)]
        history += rows.decide(given_now)
        stack.append(stack[-1] | {row: [each.id for each in said] for row, said in given_now.items()})
    undone = [judgment.undoes for judgment in history if judgment.undoes]
    assert len(undone) == len(set(undone))
    assert standing(history) == {each for ids in stack[-1].values() for each in ids}
