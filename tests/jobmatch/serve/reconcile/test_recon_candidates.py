"""Links as candidates, worked out by hand."""

import pytest

from jobmatch.serve.reconcile.recon_candidates import confirmed, narrowed
from jobmatch_core.entities import Candidate, Evidence, GroupOffer, LinkResult

NAMES = {"a": ("2512", 0.5), "b": ("2221", 0.2), "c": ("2222", 0.1)}  # 0.2 are left for 'none of these'


def linked(abstained: bool = False, group: GroupOffer | None = None) -> LinkResult:
    """Return a link to these candidates."""
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
    """And to 'none of these', in proportion."""
    found = {each.uri: each.probability for each in narrowed(linked(), isco).candidates}
    assert found == pytest.approx(expected)


def test_a_hint_links_nothing() -> None:
    """The occupation that is linked stays so if it fits; no other takes its place."""
    best = narrowed(linked(), "25").best
    assert best is not None
    assert best.uri == "a"
    assert narrowed(linked(), "22").level == ""
    assert narrowed(linked(abstained=True), "25").level == ""


def test_groups_that_are_linked() -> None:
    """A unit group stays linked if it begins like the hint."""
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
    """And says that it is not sure enough of anything else; the candidates stay."""
    found = confirmed(linked(), by_title)
    assert found.level == level
    assert found.reason == ("" if level else "not sure enough")
    assert found.candidates == linked().candidates


def test_what_a_description_does_not_link_stays_unlinked() -> None:
    """Whatever the title by itself is linked to."""
    assert confirmed(linked(abstained=True), linked()).level == ""


def test_all_probability_elsewhere() -> None:
    """Nothing is divided by zero."""
    certain = LinkResult("title", (Candidate("a", "a", "2512", 1.0, Evidence("a", "en", {})),), False, None, "t", ())
    assert narrowed(certain, "22").candidates == ()
