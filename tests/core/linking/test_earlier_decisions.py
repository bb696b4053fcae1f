"""Earlier decisions on titles: what was rejected is not offered again, and an accepted unit group is linked."""

from dataclasses import replace
from datetime import date

import pytest

from jobmatch_core.entities import ISCO_URI
from jobmatch_core.judged_title import NO_OCCUPATION_URI, OwnName, Rejection
from jobmatch_core.link_reasons import DECIDED, REJECTED
from jobmatch_core.linking import Linker
from jobmatch_core.linking.coding import NO_OCCUPATION, coding
from jobmatch_core.linking.corrections import ACCEPTED
from jobmatch_core.linking.decisions import offered_group
from jobmatch_core.linking.earlier_decisions import EarlierDecisions, group_code
from jobmatch_core.linking.store import LinkerSpec

DAY = date(2026, 11, 21)
COOKS = f"{ISCO_URI}5120"


def own(title: str, uri: str, *, rejected: bool = False) -> OwnName:
    """Return Ann's judgment of a title."""
    return OwnName(title, uri, ("Ann",), DAY, rejected)


@pytest.mark.first_case
@pytest.mark.parametrize("linker", ["tiny", "tiny_lexical"])
def test_a_rejected_occupation_is_not_offered_again(linker: str, request: pytest.FixtureRequest) -> None:
    """The next candidate is not linked instead; spelling variants count, other titles do not change."""
    plain: Linker = request.getfixturevalue(linker)
    before = plain.link("Cook")
    refused = [own("cook", candidate.uri, rejected=True) for candidate in before.candidates]
    judged = plain.with_own_names(refused)
    result = judged.link("Cook", show="de")
    offered = {candidate.uri for candidate in before.candidates}
    assert before.best is not None
    assert not offered & {candidate.uri for candidate in result.candidates}
    assert (result.level, result.best, result.reason) == ("", None, REJECTED)
    cook = next(rejection for rejection in result.rejected if rejection.uri == "cook")
    assert cook == Rejection("cook", "Koch/Köchin", "5120", own("cook", "cook", rejected=True))
    assert {rejection.uri for rejection in result.rejected} == offered
    assert not offered & {plain.taxonomy.uris[number] for number in judged.rank(["cook"])[0].concepts}
    for title in ("cooks", "Koch", "line cook"):
        assert judged.link(title) == plain.link(title)


def test_the_probability_of_a_rejected_occupation_goes_to_none(tiny_lexical: Linker) -> None:
    """The other candidates keep their probabilities."""
    before = tiny_lexical.link("cook", top=3)
    after = tiny_lexical.with_own_names([own("cook", "cook", rejected=True)]).link("cook", top=3)
    assert [(candidate.uri, candidate.probability) for candidate in after.candidates[:2]] == [
        (candidate.uri, candidate.probability) for candidate in before.candidates[1:]
    ]


def test_an_accepted_unit_group_is_linked_as_a_group(tiny_lexical: Linker) -> None:
    """For the judged title only; no occupation gets an own name."""
    accepted = own("Vibemaster", COOKS)
    judged = tiny_lexical.with_own_names([accepted])
    result = judged.link("vibemaster")
    assert (result.level, result.best, result.reason) == ("unit group", None, "")
    assert result.group is not None
    assert (result.group.code, result.group.own, result.probability) == ("5120", accepted, ACCEPTED)
    assert all(candidate.evidence.own is None for candidate in result.candidates)
    unknown = tiny_lexical.with_own_names([own("ᚠᚢᚦ", COOKS)]).link("ᚠᚢᚦ")
    assert (unknown.level, unknown.candidates) == ("unit group", ())
    assert judged.link("vibemasters") == tiny_lexical.link("vibemasters")
    assert judged.state != tiny_lexical.state


@pytest.mark.parametrize("as_group", [True, False])
def test_an_accepted_group_with_the_uri_of_an_occupation(bundled: Linker, as_group: bool) -> None:
    """In ISCO-08 itself a unit group and an occupation share a URI."""
    officers = f"{ISCO_URI}5412"
    accepted = replace(own("Former police officer", officers), as_group=as_group)
    result = bundled.with_own_names([accepted]).link("former police officer")
    assert result.level == ("unit group" if as_group else "occupation")
    assert result.probability == pytest.approx(ACCEPTED, abs=0.01)
    assert (offered_group(result) is not None) == as_group
    assert next(candidate.uri for candidate in result.candidates) == officers


def test_an_accepted_occupation_outranks_its_group(tiny_lexical: Linker) -> None:
    """Of two groups the later one counts."""
    both = tiny_lexical.with_own_names([own("Vibemaster", COOKS), own("Vibemaster", "baker")])
    best = both.link("Vibemaster").best
    assert best is not None
    assert best.uri == "baker"
    later = replace(own("a", f"{ISCO_URI}2221"), on=date(2026, 11, 22))
    assert EarlierDecisions([later, own("a", COOKS)]).group("a") == later


def test_a_rejected_unit_group_is_not_linked(tiny_lexical: Linker) -> None:
    """Its occupations remain as guesses."""
    by_group = tiny_lexical.with_own_names([])
    by_group.calibration = replace(by_group.calibration, threshold=1.1, unit_threshold=0.5)
    assert by_group.link("cook").level == "unit group"
    result = by_group.with_own_names([own("cook", COOKS, rejected=True)]).link("cook")
    assert (result.level, result.group, result.reason) == ("", None, REJECTED)
    assert result.candidates


def test_that_no_occupation_fits_is_remembered(tiny_lexical: Linker) -> None:
    """For the same title after cleaning; the candidates stay as guesses, and other titles do not change."""
    decided = own("Cook of vibes (m/w/d)", NO_OCCUPATION_URI)
    judged = tiny_lexical.with_own_names([decided])
    for title in ("Cook of vibes (m/w/d)", "cook of vibes", "COOK OF VIBES - full time"):
        result, before = judged.link(title), tiny_lexical.link(title)
        assert (result.level, result.reason, result.no_occupation) == ("", DECIDED, decided)
        assert (coding(result).state, coding(result).reason) == (NO_OCCUPATION, DECIDED)
        assert [each.uri for each in result.candidates] == [each.uri for each in before.candidates]
        assert result.probability == pytest.approx((1 - ACCEPTED) * before.probability)
    for title in ("cook", "cook of arts"):
        assert judged.link(title) == tiny_lexical.link(title)
    assert judged.state != tiny_lexical.state


def test_that_no_occupation_fits_does_not_hold_for_a_name(tiny_lexical: Linker) -> None:
    """What is not a name with a note beside it is one without it."""
    judged = tiny_lexical.with_own_names([own("cook (m/w/d)", NO_OCCUPATION_URI)])
    assert judged.link("Cook (M/W/D)").reason == DECIDED
    for title in ("cook", "cook - full time"):
        assert judged.link(title) == tiny_lexical.link(title)


def test_an_acceptance_of_the_very_title_outranks_no_occupation(tiny_lexical: Linker) -> None:
    """That no occupation fits 'cook (m/w/d)' does not undo what was accepted for 'cook'."""
    none = own("cook (m/w/d)", NO_OCCUPATION_URI)
    for uri, level in (("baker", "occupation"), (COOKS, "unit group")):
        judged = tiny_lexical.with_own_names([none, own("cook", uri)])
        assert (judged.link("cook").level, judged.link("cook").reason) == (level, "")
        assert judged.link("cook (m/w/d)").reason == DECIDED


def test_decisions_change_the_state(tiny_lexical: Linker) -> None:
    """The state changes with a decision, so that parts of a file do not mix."""
    refused = tiny_lexical.with_own_names([own("cook", "cook", rejected=True)])
    assert refused.state != tiny_lexical.state
    assert refused.version == tiny_lexical.version
    assert refused.with_own_names([]).link("cook") == tiny_lexical.link("cook")
    assert hash(LinkerSpec(own_names=(own("cook", "cook", rejected=True),)))


def test_codes_of_groups() -> None:
    """Only URIs of groups have a code."""
    assert (group_code(COOKS), group_code("cook")) == ("5120", "")


def test_decisions_on_occupations_that_are_gone_are_left_out(tiny_lexical: Linker) -> None:
    """A newer taxonomy may lack them."""
    judged = tiny_lexical.with_own_names([own("cook", "gone", rejected=True), own("cook", f"{ISCO_URI}9999")])
    assert judged.link("cook") == tiny_lexical.link("cook")
