"""Decisions on links as judgments: which pairs, which verdicts, what was shown."""

from datetime import date

import pytest

from jobmatch_core.entities import Candidate, Evidence, LinkResult, OwnName, Pair, PairKind, Provenance, Verdict
from jobmatch_core.labelling.judged_links import decided, link_pair, link_provenance

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
    [("Koch", "Koch"), ("  Koch \n  (m/w/d)\t", "Koch (m/w/d)"), ("Ko\0ch", "Ko ch"), ("Koch\ud800", "Koch"),
     ("طباخ", "طباخ")],
)  # fmt: skip
def test_a_title_is_kept_as_a_store_can_hold_it(title: str, kept: str) -> None:
    """White space is run together, nothing else is changed."""
    assert link_pair(result(title), COOK) == pair(kept, "uri:cook")


def test_a_title_that_folds_to_an_accepted_one_is_judged_as_that_one() -> None:
    """So that an undo finds what was said; a near title is judged as itself."""
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


def test_a_candidate_that_is_right_is_one_judgment() -> None:
    """Of the others nothing was said."""
    [said] = decided(result(), CHEF, "ann", policy="page", model="m")
    assert (said.pair, said.verdict, said.annotator) == (pair("Koch", "uri:chef"), Verdict.POSITIVE, "ann")
    assert said.provenance == Provenance("page", "m", 2, 0.1)


def test_none_of_these_says_that_each_is_wrong() -> None:
    """As many judgments as candidates."""
    said = decided(result(), None, "ann", policy="page", model="m")
    assert [(each.pair.right, each.verdict) for each in said] == [
        ("uri:cook", Verdict.NEGATIVE), ("uri:chef", Verdict.NEGATIVE)
    ]  # fmt: skip


@pytest.mark.parametrize("title", ["", "  ", "\0"])
def test_of_an_empty_title_nothing_can_be_said(title: str) -> None:
    """The row is decided, and no judgment is kept."""
    assert decided(result(title), COOK, "ann", policy="page", model="m") == []
    assert decided(result(title), None, "ann", policy="page", model="m") == []
