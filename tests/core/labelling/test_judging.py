"""Making judgments: verdicts, taking back, and decisions on rows.

Decisions on links as judgments: which pairs, which verdicts, what was shown.
"""

from dataclasses import replace
from datetime import date

import pytest
from hypothesis import given
from hypothesis import strategies as st

from jobmatch_core.entities import (
    Candidate,
    Evidence,
    GroupOffer,
    Judgment,
    LinkResult,
    Pair,
    PairKind,
    Provenance,
    Verdict,
)
from jobmatch_core.judged_title import NO_OCCUPATION_URI, OwnName, Rejection
from jobmatch_core.judgment_origin import Origin
from jobmatch_core.labelling.judging import (
    RowJudgments,
    accepts_group,
    decided,
    judged,
    last_link,
    link_pair,
    link_provenance,
    taking_back,
    whole_chains,
)
from jobmatch_core.labelling.labels import current_judgments

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


COOK = Candidate("uri:cook", "Cook", "5120", 0.8, Evidence("cook", "en", {}))
CHEF = Candidate("uri:chef", "Chef", "3434", 0.1, Evidence("chef", "en", {}))
BAKER = Candidate("uri:baker", "Baker", "7512", 0.0, Evidence("baker", "en", {}))  # searched by hand


def result(title: str = "Koch", *candidates: Candidate) -> LinkResult:
    """Return a linker's answer."""
    return LinkResult(title, candidates or (COOK, CHEF), False, None, "isco-08", ())


def pair(title: str, uri: str) -> Pair:
    """Return the pair that is judged."""
    return Pair(PairKind.TITLE_OCCUPATION, "isco-08", title, uri)


@pytest.mark.parametrize(
    ("title", "kept"),
    [
        ("Koch", "Koch"),
        ("  Koch \n  (m/w/d)\t", "Koch (m/w/d)"),
        ("Ko\0ch", "Ko ch"),
        ("Koch\ud800", "Koch"),
        ("طباخ", "طباخ"),
    ],
)
def test_a_title_is_kept_as_a_store_can_hold_it(title: str, kept: str) -> None:
    """White space is run together, nothing else is changed."""
    assert link_pair(result(title), COOK) == pair(kept, "uri:cook")


def test_a_title_that_folds_to_an_accepted_one_is_judged_as_that_one() -> None:
    """An undo then finds the earlier judgment; a near title is judged as itself."""
    own = OwnName("Köchin", "uri:cook", ("Ann",), date(2026, 11, 21))
    known = Candidate("uri:cook", "Cook", "5120", 0.99, Evidence("Köchin", "", {}, own))
    assert link_pair(result("KÖCHIN", known), known) == pair("Köchin", "uri:cook")
    assert link_pair(result("Köchinn", known), known) == pair("Köchinn", "uri:cook")


def test_provenance_is_what_was_shown() -> None:
    """Rank and probability of a candidate; none of one that was searched by hand."""
    own = OwnName("Koch", "uri:own", ("Ann",), date(2026, 11, 21))
    known = Candidate("uri:own", "Own", "1", 0.99, Evidence("Koch", "", {}, own))
    shown = result("Koch", known, COOK, CHEF)
    assert link_provenance(shown, CHEF, policy="page", model="m") == Provenance("page", "m", 3, 0.1)
    assert link_provenance(shown, known, policy="page", model="m") == Provenance("page", "m + own names", 1, 0.99)
    assert link_provenance(shown, BAKER, policy="page", model="m") == Provenance("page", "m")


def test_a_unit_group_is_told_from_an_occupation_of_its_uri() -> None:
    """By its score without a rank; for none of these the URI is judged once."""
    group = GroupOffer("5120", "Cooks", 0.9)
    same = replace(COOK, uri=group.uri)
    found = replace(result("Koch", same, CHEF), group=group)
    for choice, is_group in ((group, True), (same, False), (BAKER, False)):
        [said] = decided(found, choice, "ann", policy="page", model="m")
        assert accepts_group(said) is is_group
    refused = decided(found, None, "ann", policy="page", model="m")
    assert [each.pair.right for each in refused] == [group.uri, CHEF.uri, NO_OCCUPATION_URI]


def test_a_candidate_that_is_right_is_one_judgment() -> None:
    """Of the others nothing was said."""
    [said] = decided(result(), CHEF, "ann", policy="page", model="m")
    assert (said.pair, said.verdict, said.annotator) == (pair("Koch", "uri:chef"), Verdict.POSITIVE, "ann")
    assert said.provenance == Provenance("page", "m", 2, 0.1)


def test_a_decision_in_bulk_is_one() -> None:
    """It says so; what its annotator has accepted before is not accepted again, lest nobody seem to have looked."""
    [said] = decided(result(), CHEF, "ann", policy="page", model="m", origin=Origin.BULK)
    assert said.provenance.origin is Origin.BULK
    assert {each.provenance.origin for each in decided(result(), None, "ann", policy="page", model="m")} == {
        Origin.LOOKED_AT
    }
    own = OwnName("  Cook ", COOK.uri, ("ann",), date(2026, 1, 1))
    known = replace(COOK, evidence=replace(COOK.evidence, own=own))
    found = replace(result("cook"), candidates=(known,))
    counts = {
        (name, origin): len(decided(found, known, name, policy="page", model="m", origin=origin))
        for name in ("ann", "bob")
        for origin in Origin
    }
    assert [key for key, count in counts.items() if not count] == [("ann", Origin.BULK)]


def test_none_of_these_says_that_each_is_wrong() -> None:
    """As many judgments as candidates, and one that no occupation fits."""
    said = decided(result(), None, "ann", policy="page", model="m")
    assert [(each.pair.right, each.verdict) for each in said] == [
        ("uri:cook", Verdict.NEGATIVE),
        ("uri:chef", Verdict.NEGATIVE),
        (NO_OCCUPATION_URI, Verdict.POSITIVE),
    ]
    assert [
        each.pair.right for each in decided(replace(result(), candidates=()), None, "ann", policy="page", model="m")
    ] == [NO_OCCUPATION_URI]


def test_none_of_these_is_not_said_twice_in_bulk() -> None:
    """A bulk decision does not replace the same one of who looked; a decision anew judges what was rejected with it."""
    own = OwnName("Koch", NO_OCCUPATION_URI, ("ann",), date(2026, 11, 21))
    rejected = Rejection("uri:baker", "baker", "7512", replace(own, uri="uri:baker", rejected=True))
    again = replace(result(), no_occupation=own, rejected=(rejected,))
    assert decided(again, None, "ann", policy="page", model="m", origin=Origin.BULK) == []
    assert [each.pair.right for each in decided(again, None, "ann", policy="page", model="m")] == [
        "uri:cook",
        "uri:chef",
        "uri:baker",
        NO_OCCUPATION_URI,
    ]


@pytest.mark.parametrize("title", ["", "  ", "\0"])
def test_of_an_empty_title_nothing_can_be_said(title: str) -> None:
    """The row is decided, and no judgment is kept."""
    assert decided(result(title), COOK, "ann", policy="page", model="m") == []
    assert decided(result(title), None, "ann", policy="page", model="m") == []
