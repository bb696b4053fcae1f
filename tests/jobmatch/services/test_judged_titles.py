"""Judged titles for audits: decisions that somebody looked at, and coded titles."""

from dataclasses import replace

from jobmatch.services.judged_titles import coded_to_judged, judged_titles
from jobmatch_core.audit.judged_errors import JudgedTitle
from jobmatch_core.benchmarks.production.coded_titles import CodedTitles
from jobmatch_core.entities import Pair, PairKind
from jobmatch_core.judgment_origin import Origin
from jobmatch_core.linking.earlier_decisions import ISCO_URI
from tests.core.labelling.made_judgments import judgment


def _pair(title: str, uri: str) -> Pair:
    return Pair(PairKind.TITLE_OCCUPATION, "t", title, uri)


def test_decisions_by_title() -> None:
    """Accepted and rejected occupations; a rejected one counts only where it is not accepted in another spelling."""
    said = [
        judgment("+", of=_pair("Koch", "cook")),
        judgment("-", of=_pair("koch", "chef")),
        judgment("-", of=_pair("Bäcker", "cook")),
        judgment("+", of=_pair("Pfleger", f"{ISCO_URI}2221")),
    ]
    said = [replace(one, provenance=replace(one.provenance, origin=Origin.LOOKED_AT)) for one in said]
    first, second, third = judged_titles(said, "t")
    assert first == JudgedTitle("Koch", frozenset({"cook"}), wrong=frozenset({"chef"}))
    assert second == JudgedTitle("Bäcker", wrong=frozenset({"cook"}))
    assert third.title == "Pfleger"
    assert judged_titles(said, "another") == []


def test_bulk_decisions_are_left_out() -> None:
    """They repeat what the linker said."""
    said = judgment("+", of=_pair("Koch", "cook"))
    bulk = replace(said, provenance=replace(said.provenance, origin=Origin.BULK))
    assert judged_titles([bulk], "t") == []


def test_coded_titles() -> None:
    """With their languages, if the table has them."""
    coded = CodedTitles(["Koch", "cook"], [("5120",), ("51", "34")], [], [], 0)
    assert coded_to_judged(coded)[1] == JudgedTitle("cook", codes=frozenset({"51", "34"}))
    assert [each.language for each in coded_to_judged(replace(coded, languages=["de", "en"]))] == ["de", "en"]
