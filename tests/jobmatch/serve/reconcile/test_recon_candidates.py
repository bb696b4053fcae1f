"""Links as candidates, worked out by hand."""

from pathlib import Path

import pytest

from jobmatch.serve.reconcile.recon_candidates import confirmed, is_clear, narrowed, recon_candidates
from jobmatch.serve.reconcile.recon_query import ReconQuery
from jobmatch_core.entities import Candidate, Evidence, GroupOffer, LinkResult
from jobmatch_core.settings import Settings
from jobmatch_core.taxonomy import TaxonomyStore

NAMES = {"a": ("2512", 0.5), "b": ("2221", 0.2), "c": ("2222", 0.1)}  # 0.2 are left for 'none of these'


def linked(abstained: bool = False, group: GroupOffer | None = None) -> LinkResult:
    """Return a link with these candidates."""
    evidence = Evidence("name", "en", {})
    found = tuple(Candidate(uri, uri, isco, probability, evidence) for uri, (isco, probability) in NAMES.items())
    return LinkResult("title", found, abstained, group, "t", ())


@pytest.mark.parametrize(
    ("isco", "expected"),
    [
        ("", {"a": 0.5, "b": 0.2, "c": 0.1}),
        ("2512", {"a": 0.5 / 0.7}),  # of 0.5 and the 0.2 of none
        ("22", {"b": 0.2 / 0.5, "c": 0.1 / 0.5}),
        ("9", {}),
    ],
)
def test_the_others_probability_goes_to_what_remains(isco: str, expected: dict[str, float]) -> None:
    """In proportion, also to 'none of these'."""
    found = {each.uri: each.probability for each in narrowed(linked(), isco).candidates}
    assert found == pytest.approx(expected)


def test_a_hint_links_nothing() -> None:
    """The linked occupation stays linked if it fits the hint; no other is linked instead."""
    best = narrowed(linked(), "25").best
    assert best is not None
    assert best.uri == "a"
    assert narrowed(linked(), "22").level == ""
    assert narrowed(linked(abstained=True), "25").level == ""


def test_groups_that_are_linked() -> None:
    """A unit group stays linked if its code fits the hint."""
    group = GroupOffer("2512", "Software developers", 0.6)
    assert narrowed(linked(group=group), "251").level == "unit group"
    assert narrowed(linked(group=group), "22").level == ""
    assert narrowed(linked(group=group), "22").group is None


@pytest.mark.parametrize(
    ("by_title", "level"),
    [
        pytest.param(linked(), "occupation", id="the same"),
        pytest.param(linked(abstained=True), "", id="nothing"),
        pytest.param(narrowed(linked(), "22"), "", id="another is first"),
        pytest.param(linked(group=GroupOffer("2512", "Software developers", 0.6)), "", id="only its group"),
    ],
)
def test_a_long_description_links_what_the_title_is_linked_to(by_title: LinkResult, level: str) -> None:
    """Otherwise the linker abstains as not sure enough; the candidates stay."""
    found = confirmed(linked(), by_title)
    assert found.level == level
    assert found.reason == ("" if level else "not sure enough")
    assert found.candidates == linked().candidates


def test_what_a_description_does_not_link_stays_unlinked() -> None:
    """Also if the title alone is linked."""
    assert confirmed(linked(abstained=True), linked()).level == ""


def test_all_probability_elsewhere() -> None:
    """There is no division by zero."""
    certain = LinkResult("title", (Candidate("a", "a", "2512", 1.0, Evidence("a", "en", {})),), False, None, "t", ())
    assert narrowed(certain, "22").candidates == ()


@pytest.mark.parametrize(
    ("probabilities", "clear"),
    [
        ((), True),
        ((0.4,), True),
        ((0.5, 0.25), True),
        ((0.5, 0.26), False),
        ((0.2, 0.1, 0.6), True),
        ((0.4, 0.4), False),
    ],
)
def test_a_clear_best(probabilities: tuple[float, ...], clear: bool) -> None:
    """It is at least twice as likely as the second, in any order."""
    assert is_clear(probabilities) is clear


@pytest.mark.parametrize(
    ("second", "match"), [pytest.param(0.2, True, id="clear"), pytest.param(0.3, False, id="close")]
)
def test_a_match_is_clear_of_the_second(linker_home: Path, second: float, match: bool) -> None:
    """For occupations and unit groups, with and without a type; the candidates stay."""
    taxonomy = TaxonomyStore.open(Settings(linker_home)).load()
    nurse, baker = (taxonomy.with_code(code)[0] for code in ("2221", "7512"))
    evidence = Evidence("name", "en", {})
    candidates = (Candidate(nurse, "nurse", "2221", 0.5, evidence), Candidate(baker, "baker", "7512", second, evidence))
    link = LinkResult("title", candidates, False, None, taxonomy.id, ())
    of_group = LinkResult("title", candidates, False, GroupOffer("2221", "Nurses", 0.5), taxonomy.id, ())
    for query, result in (
        (ReconQuery(text="title"), link),
        (ReconQuery(text="title", type="isco-group"), link),
        (ReconQuery(text="title", type="isco-group"), of_group),
        (ReconQuery(text="title"), of_group),
    ):
        first, *others = recon_candidates(taxonomy, query, result)
        assert (first.id, first.match) == (nurse, match)
        assert others
        assert not any(candidate.match for candidate in others)
