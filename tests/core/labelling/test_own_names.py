"""Which titles count as accepted: majority, adjudication, undo, titles written in several ways."""

from dataclasses import replace
from datetime import date
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from jobmatch_core.entities import Judgment, Pair, PairKind, Provenance
from jobmatch_core.judged_title import NO_OCCUPATION_URI, OwnName
from jobmatch_core.labelling.own_names import ANSWERED, IN_CONTEXT, earlier_decisions, own_names
from tests.core.labelling.made_judgments import judgment

Said = tuple[str, str, str]  # annotator, verdict, occupation


def link(title: str, uri: str, source: str = "t-1") -> Pair:
    """Return the pair of a title and an occupation."""
    return Pair(PairKind.TITLE_OCCUPATION, source, title, uri)


def said(*rows: Said, title: str = "Vibe Master") -> list[Judgment]:
    """Return judgments of one title, a minute apart; a capital annotator adjudicates."""
    return [
        judgment(verdict, annotator.lower(), link(title, uri), minute=minute, adjudicates=annotator.isupper())
        for minute, (annotator, verdict, uri) in enumerate(rows)
    ]


def uris(judgments: list[Judgment]) -> list[str]:
    """Return the accepted occupations."""
    return [name.uri for name in own_names(judgments, "t-1")]


@pytest.mark.parametrize("policy", [ANSWERED, IN_CONTEXT])
def test_what_holds_for_one_row_is_not_the_titles(policy: str) -> None:
    """The answer of one respondent, or a decision on a title in its context, accepts nothing for others."""
    judgments = said(("a", "+", "x"), ("b", "-", "y"))
    assert uris(judgments) == ["x"]
    of_one = [replace(each, provenance=replace(each.provenance, policy=policy)) for each in judgments]
    assert earlier_decisions(of_one, "t-1") == []


def test_an_accepted_group_is_one() -> None:
    """The last acceptance says whether the group was meant, or the occupation of its URI."""
    as_occupation, as_group = said(("a", "+", "x"), ("b", "+", "x"))
    as_group = replace(as_group, provenance=Provenance("page", score=0.9))
    assert [each.as_group for each in own_names([as_occupation, as_group], "t-1")] == [True]
    as_occupation = replace(as_occupation, at=as_group.at.replace(day=9), provenance=Provenance("page", "", 1, 0.9))
    assert [each.as_group for each in own_names([as_occupation, as_group], "t-1")] == [False]


@pytest.mark.parametrize(
    ("rows", "accepted"),
    [
        ([("a", "+", NO_OCCUPATION_URI)], [NO_OCCUPATION_URI]),
        ([("a", "+", NO_OCCUPATION_URI), ("a", "+", "x")], ["x"]),
        ([("a", "+", "x"), ("a", "+", NO_OCCUPATION_URI)], [NO_OCCUPATION_URI]),
        ([("a", "+", NO_OCCUPATION_URI), ("b", "+", "x")], []),
        ([("a", "+", NO_OCCUPATION_URI), ("b", "+", "x"), ("c", "+", NO_OCCUPATION_URI)], [NO_OCCUPATION_URI]),
        ([("a", "+", NO_OCCUPATION_URI), ("B", "+", "x")], ["x"]),
    ],
)
def test_no_occupation_is_accepted_like_one(rows: list[Said], accepted: list[str]) -> None:
    """The last word of an annotator counts; of several the majority's."""
    assert uris(said(*rows)) == accepted


def test_an_accepted_title_says_who_and_when() -> None:
    """Both who agree are named, with the day of the last."""
    first, second = said(("a", "+", "x"), ("b", "+", "x"))
    later = replace(second, at=second.at.replace(day=9))
    assert own_names([later, first], "t-1") == [OwnName("Vibe Master", "x", ("a", "b"), date(2026, 3, 9))]


@pytest.mark.parametrize(
    ("rows", "accepted"),
    [
        ([("a", "+", "x")], ["x"]),
        ([("a", "-", "x")], []),
        ([("a", "?", "x")], []),
        ([("a", "s", "x")], []),
        ([("a", "+", "x"), ("b", "-", "x")], []),
        ([("a", "+", "x"), ("b", "s", "x")], ["x"]),
        ([("a", "+", "x"), ("b", "?", "x")], []),
        ([("a", "+", "x"), ("b", "+", "x"), ("c", "-", "x")], ["x"]),
        ([("a", "+", "x"), ("a", "-", "x")], []),
        ([("a", "-", "x"), ("a", "+", "x")], ["x"]),
        # who accepts another occupation is against this one, unless they accept both
        ([("a", "+", "x"), ("b", "+", "y")], []),
        ([("a", "+", "x"), ("b", "+", "y"), ("c", "+", "x")], ["x"]),
        ([("a", "+", "x"), ("a", "+", "y")], ["x", "y"]),
        ([("a", "+", "x"), ("b", "-", "y")], ["x"]),
        # what is adjudicated counts before all else
        ([("a", "+", "x"), ("B", "-", "x")], []),
        ([("a", "-", "x"), ("B", "+", "x"), ("c", "-", "x")], ["x"]),
        ([("a", "+", "x"), ("b", "+", "x"), ("C", "+", "y")], ["y"]),
        ([("a", "+", "x"), ("b", "+", "y"), ("C", "-", "y")], ["x"]),  # b's verdict for y no longer speaks against x
        ([("B", "+", "x"), ("C", "-", "x")], []),
    ],
)
def test_whom_the_layer_follows(rows: list[Said], accepted: list[str]) -> None:
    """Adjudicated, else by more than half, else none."""
    assert uris(said(*rows)) == accepted


@pytest.mark.parametrize(
    ("rows", "rejected"),
    [
        ([("a", "-", "x"), ("a", "-", "y")], ["x", "y"]),
        ([("a", "+", "x")], []),
        ([("a", "?", "x")], []),
        ([("a", "-", "x"), ("b", "+", "x")], []),
        ([("a", "-", "x"), ("b", "s", "x")], ["x"]),
        ([("a", "-", "x"), ("b", "?", "x")], []),
        ([("a", "-", "x"), ("b", "-", "x"), ("c", "+", "x")], ["x"]),
        ([("a", "-", "x"), ("a", "+", "x")], []),
        ([("a", "-", "x"), ("a", "+", "y")], ["x"]),
        ([("a", "-", "x"), ("B", "+", "x")], []),
        ([("a", "+", "x"), ("B", "-", "x")], ["x"]),
    ],
)
def test_what_is_rejected(rows: list[Said], rejected: list[str]) -> None:
    """Adjudicated, else by more than half of those who judged the pair; never what is accepted, too."""
    found = earlier_decisions(said(*rows), "t-1")
    assert [each.uri for each in found if each.rejected] == rejected
    assert [each for each in found if not each.rejected] == own_names(said(*rows), "t-1")


def test_a_rejection_says_who_and_when() -> None:
    """A withdrawn rejection is gone."""
    [refused] = said(("a", "-", "x"))
    assert earlier_decisions([refused], "t-1") == [OwnName("Vibe Master", "x", ("a",), date(2026, 3, 2), rejected=True)]
    back = judgment(None, "a", refused.pair, minute=5, undoes=refused.id)
    assert earlier_decisions([refused, back], "t-1") == []


def test_titles_that_fold_to_one_are_one() -> None:
    """Two people disagree in two spellings; a changed mind in another spelling counts."""
    one, other = said(("a", "+", "x"), title="Vibe-Master"), said(("b", "-", "x"), title="VIBE MÄSTER")
    assert uris([*one, *other]) == []
    changed = [judgment("-", "a", link("vibe master", "x"), minute=9)]
    assert uris([*one, *changed]) == []


def test_an_undo_takes_the_name_away_and_its_undo_brings_it_back() -> None:
    """As in the store."""
    [accepted] = said(("a", "+", "x"))
    back = judgment(None, "a", accepted.pair, minute=5, undoes=accepted.id)
    again = judgment(None, "a", accepted.pair, minute=6, undoes=back.id)
    assert uris([accepted, back]) == []
    assert uris([accepted, back, again]) == ["x"]


@pytest.mark.parametrize(
    "pair",
    [
        link("Vibe Master", "x", source="another"),
        Pair(PairKind.TITLE_TITLE, "t-1", "Vibe Master", "x"),
        Pair(PairKind.PROJECT_FREELANCER, "t-1", "Vibe Master", "x"),
        link("???", "x"),
        link("", "x"),
    ],
)
def test_other_pairs_and_empty_titles_are_left_out(pair: Pair) -> None:
    """A title without a letter is no name."""
    assert own_names([judgment("+", "a", pair)], "t-1") == []


@given(st.lists(st.tuples(st.sampled_from("abcD"), st.sampled_from("+-?s"), st.sampled_from("xy")), max_size=8))
def test_accepted_is_what_a_plain_count_says(rows: list[Any]) -> None:
    """A naive oracle over what each person said last."""
    last: dict[tuple[str, str], str] = {}
    for annotator, verdict, uri in rows:
        last.pop((annotator, uri), None)
        last[annotator, uri] = verdict
    settled = {uri: verdict for (annotator, uri), verdict in last.items() if annotator == "D" and verdict != "s"}
    if "+" in settled.values():
        expected = {uri for uri, verdict in settled.items() if verdict == "+"}
    else:
        votes = {
            key: verdict for key, verdict in last.items() if key[0] != "D" and verdict != "s" and key[1] not in settled
        }
        accepting = {annotator for (annotator, _), verdict in votes.items() if verdict == "+"}
        expected = set()
        for uri in {key[1] for key in votes}:
            judges = accepting | {annotator for annotator, judged in votes if judged == uri}
            positive = sum(verdict == "+" for (_, judged), verdict in votes.items() if judged == uri)
            if 2 * positive > len(judges):
                expected.add(uri)
    assert set(uris(said(*rows))) == expected
