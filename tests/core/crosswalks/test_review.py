"""Review of a crosswalk: states, two reviewers, drafts, conflicts, the tree, and the file that comes out."""

from dataclasses import replace
from pathlib import Path

import pytest

from jobmatch_core.crosswalks.mapping import DISPUTED, PROPOSED, REVIEWED
from jobmatch_core.crosswalks.relation_features import SourceCode
from jobmatch_core.crosswalks.review import (
    OPEN,
    SECOND_REVIEW,
    TO_REVIEW,
    CodeDecision,
    CrosswalkReview,
    Target,
    with_target,
)
from jobmatch_core.crosswalks.sssom import read_sssom, sssom_text
from tests.core.crosswalks.made_mappings import ESCO, crosswalk, mapped

CODES = [
    SourceCode("1", "Bakers"),
    SourceCode("11", "Baker", "1"),
    SourceCode("2", "Cook"),
    SourceCode("12", "Pastry", "1"),
]
A, B = f"{ESCO}a", f"{ESCO}b"
AT = "2026-11-28T08:00:00+00:00"


def review() -> CrosswalkReview:
    """Return a review of four codes, of which two have proposals."""
    proposed = mapped("1", "broader", "a", probability=0.8), mapped("11", "exact", "a", probability=0.9, tool="t")
    return CrosswalkReview(CODES, crosswalk(*proposed))


def decision(code: str, by: str, comment: str = "", **relations: str) -> CodeDecision:
    """Return a decision, with the relations by the concept's name."""
    targets = {f"{ESCO}{name}": Target(name, relation) for name, relation in relations.items()}
    return CodeDecision(code, by, AT, targets, comment)


def test_states_of_codes() -> None:
    """Open without a mapping, proposed, reviewed by one or two, disputed while two differ, and back."""
    made = review()
    assert [made.state(code) for code in ("1", "11", "2")] == [PROPOSED, PROPOSED, OPEN]
    made.replay([decision("11", "Ada", a="exact")])
    [item] = made.mappings("11")
    assert (item.state, item.reviewer, item.second_reviewer, item.probability, item.date, item.tool) == (
        *(REVIEWED, "Ada", "", 0.9, "2026-11-28", "t"),
    )
    made.replay([decision("11", "Bob", "sells, too", a="close")])
    [item] = made.mappings("11")
    assert (item.state, item.relation, item.second_reviewer, item.probability) == (DISPUTED, "close", "Bob", None)
    assert item.comment == "Ada: exact; Bob: close: sells, too"
    made.replay([decision("11", "Ada", a="close")])
    [item] = made.mappings("11")
    assert (item.state, item.comment) == (REVIEWED, "sells, too")
    made.replay([CodeDecision("11", who, AT, None) for who in ("Ada", "Bob")])
    assert made.mappings("11") == review().mappings("11")


def test_a_code_without_a_concept() -> None:
    """It is mapped to none; one who finds a concept disputes that."""
    made = review()
    made.replay([decision("2", "Ada")])
    [item] = made.mappings("2")
    assert (item.target, item.relation, item.state) == ("", "none", REVIEWED)
    made.replay([decision("2", "Bob", b="narrower")])
    [item] = made.mappings("2")
    assert (item.target, item.relation, item.state) == (B, "narrower", DISPUTED)


def test_a_draft_is_never_anothers() -> None:
    """The proposal, then one's own decision."""
    made = review()
    made.replay([decision("11", "Ada", b="close")])
    assert made.draft("11", "Bob") == {A: Target("a", "exact")}
    assert made.draft("11", "Ada") == {B: Target("b", "close")}
    assert made.draft("2", "Ada") == {}


def test_what_waits_for_a_reviewer() -> None:
    """What nobody decided on, what others did, and what is disputed."""
    made = review()
    made.replay([decision("11", "Ada", a="exact"), decision("2", "Bob"), decision("2", "Ada", a="close")])
    assert made.waiting_for("Bob") == {TO_REVIEW: ["1", "12"], SECOND_REVIEW: ["11"], DISPUTED: ["2"]}


def test_the_tree_survives_circles() -> None:
    """A code stands below its parent, also where the parents of some form a circle."""
    assert review().tree() == [("1", 0), ("11", 1), ("12", 1), ("2", 0)]
    circle = [
        SourceCode("1", "x", "1"),
        SourceCode("3", "a", "4"),
        SourceCode("4", "b", "3"),
        SourceCode("2", "y", "0"),
    ]
    assert CrosswalkReview(circle, crosswalk()).tree() == [("2", 0), ("1", 0), ("3", 0), ("4", 1)]


def test_conflicts_name_a_code() -> None:
    """Two codes that mean the same."""
    made = review()
    assert made.conflicts() == []
    made.replay([decision("2", "Ada", a="exact")])
    [conflict] = made.conflicts()
    assert conflict.code == "2"
    assert "several source codes: 11; 2" in conflict.text


@pytest.mark.parametrize(
    ("relations", "added"),
    [((), "exact"), (("exact",), "close"), (("broader",), "broader"), (("exact", "close"), "close")],
)
def test_another_concept_fits_the_others(relations: tuple[str, ...], added: str) -> None:
    """Never exact twice."""
    draft = {str(place): Target("", relation) for place, relation in enumerate(relations)}
    assert with_target(draft, "new", "n")["new"] == Target("n", added)
    assert with_target({"new": Target("n", "narrower")}, "new", "n") == {"new": Target("n", "narrower")}


def test_a_reviewed_file_goes_on(tmp_path: Path) -> None:
    """Written and read again, decisions and reviewers are the same, with the names that people are known by."""
    made = review()
    made.replay([decision("11", "ada", "x|y", a="exact"), decision("11", "bob", a="exact"), decision("2", "ada")])
    whole = made.whole(str.upper)
    path = tmp_path / "mappings.tsv"
    path.write_text(sssom_text(whole), "utf-8")
    again = CrosswalkReview(CODES, read_sssom(path).mappings)
    assert again.whole() == replace(whole, source_base=again.proposed.source_base)
    assert [each.by for each in again.decisions("11")] == ["ADA", "BOB"]
    assert again.draft("11", "EVE") == {}
