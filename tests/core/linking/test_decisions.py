"""Decisions on links: the unit group that is enough where no occupation has to be chosen."""

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from jobmatch_core.entities import ISCO_URI, GroupOffer, LinkResult
from jobmatch_core.link_reasons import SEVERAL
from jobmatch_core.linking import Linker
from jobmatch_core.linking.decisions import ACCEPTED, CHANGED, Decision, decision_kind, enough_group, offered
from tests.core.linking.made_reviews import APP, BACKEND, UNITS, WEB

NAMES = {"2512": "Software developers", "2513": "Web developers"}
UNSURE = LinkResult("Entwicklerin", (APP, WEB, BACKEND), True, None, "t", (), reason=SEVERAL)


def enough(result: LinkResult) -> GroupOffer | None:
    """Return the group that is enough, named in English."""
    return enough_group(result, NAMES.__getitem__)


def test_the_group_of_the_likeliest_occupation_is_enough() -> None:
    """With the probability of its candidates together, .5 + .4; the web developer is of another group."""
    assert enough(UNSURE) == GroupOffer("2512", "Software developers", pytest.approx(0.9))
    of_web = replace(UNSURE, candidates=(WEB, APP))
    assert enough(of_web) == GroupOffer("2513", "Web developers", 0.03)


def test_it_is_offered_for_a_sure_link_too() -> None:
    """Also where a higher group is offered; accepting it changes the link."""
    linked = replace(UNSURE, abstained=False, reason="")
    group = enough(linked)
    assert group is not None
    assert group.code == "2512"
    assert decision_kind(linked, Decision(group)) == CHANGED
    assert enough(replace(UNSURE, group=GroupOffer("25", "ICT professionals", 0.95))) == group


def test_a_link_to_a_group_is_enough_itself() -> None:
    """Then it is what the link offers, and the first to accept; one that is only offered is not linked."""
    linked = replace(UNSURE, group=UNITS, abstained=False, reason="")
    assert enough(linked) is None
    assert decision_kind(linked, Decision(offered(linked))) == ACCEPTED
    assert enough(replace(linked, abstained=True)) is not None


@pytest.mark.parametrize("code", ["", "2", "25", "251"])
def test_without_a_unit_group_there_is_none(code: str) -> None:
    """The likeliest occupation counts, not the next one that has a group."""
    assert enough(replace(UNSURE, candidates=(replace(APP, isco=code), BACKEND))) is None


def test_without_candidates_there_is_none() -> None:
    """Nothing was found."""
    assert enough(replace(UNSURE, candidates=())) is None


def test_a_group_that_is_a_candidate_is_not_offered_twice() -> None:
    """In ISCO-08 itself the occupations are the groups, wherever in the list they stand."""
    itself = replace(APP, uri=f"{ISCO_URI}2512")
    assert enough(replace(UNSURE, candidates=(itself, WEB))) is None
    assert enough(replace(UNSURE, candidates=(BACKEND, WEB, itself))) is None
    assert enough(replace(UNSURE, candidates=(WEB, itself))) is not None, "of another group"


def test_after_a_search_the_group_of_its_first_hit_is_meant() -> None:
    """Whatever the linker found or linked; in ISCO-08 the hit is the group itself."""
    linked = replace(UNSURE, group=UNITS, abstained=False, reason="")
    for result in (UNSURE, linked, replace(UNSURE, candidates=())):
        group = enough_group(result, NAMES.__getitem__, replace(WEB, uri="found"))
        assert group is not None
        assert group.code == "2513"
    assert enough_group(linked, NAMES.__getitem__, replace(APP, uri="found")) is None, "the title is linked to it"
    assert enough_group(UNSURE, NAMES.__getitem__, replace(WEB, uri=f"{ISCO_URI}2513")) is None
    assert enough_group(UNSURE, NAMES.__getitem__, replace(WEB, isco="25")) is None


def test_in_isco_08_no_group_is_offered(lexical: Linker) -> None:
    """Whatever the title."""
    results = lexical.link_all(["cook", "nurse", "Betreuer Sonderkunden", "Lehrkraft", "qqqq", ""])
    assert [enough_group(result, lambda code: lexical.taxonomy.group_name(code, "en")) for result in results] == [
        None
    ] * 6


@given(st.lists(st.floats(0, 1), min_size=1, max_size=5))
def test_its_probability_is_one(probabilities: list[float]) -> None:
    """Never above 1, whatever rounding adds up to, and never below that of its likeliest occupation."""
    candidates = tuple(replace(APP, uri=str(n), probability=each) for n, each in enumerate(probabilities))
    group = enough(replace(UNSURE, candidates=candidates))
    assert group is not None
    assert max(probabilities) <= group.probability <= 1
