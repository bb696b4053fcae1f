"""Codes of titles: the deepest group that is sure, the forms of offices, and why there is none."""

from dataclasses import replace
from datetime import date

import numpy as np
import pytest

from jobmatch_core.entities import GroupOffer
from jobmatch_core.judged_title import OwnName, Rejection
from jobmatch_core.link_reasons import NO_JOB, NOT_SURE, REJECTED
from jobmatch_core.linking import Linker
from jobmatch_core.linking.coding import CodeForm, Coding, coded, coding, written_code
from jobmatch_core.linking.ranking import Ranking
from jobmatch_core.linking.stored_list import from_lines, to_lines
from jobmatch_core.titles.relatives import RELATIVE
from tests.core.linking.made_results import LINKED, OF_UNIT, UNIT, UNSURE


def ranked(linker: Linker, shares: dict[str, float]) -> Ranking:
    """Return a ranking of occupations of the tiny taxonomy, by the last part of their URI."""
    numbers = [next(n for n, uri in enumerate(linker.taxonomy.uris) if uri.endswith(name)) for name in shares]
    zeros = np.zeros(len(numbers), np.intp)
    return Ranking(np.array(numbers), zeros, zeros, np.zeros((len(numbers), 1)), np.array(list(shares.values())))


@pytest.mark.parametrize(
    ("precision", "code", "probability"),
    [(0.9, "51", 0.92), (0.91, "51", 0.92), (0.8, "513", 0.85), (0.5, "5131", 0.55), (0.95, None, None)],
)
def test_the_deepest_group_that_is_sure(
    tiny: Linker, precision: float, code: str | None, probability: float | None
) -> None:
    """The sums by hand: waiter 0.55 in 5131, with bartender 0.85 in 513, with cook 0.92 in 51."""
    ranking = ranked(tiny, {"waiter": 0.55, "bar": 0.3, "cook": 0.07, "nurse": 0.01})
    group = coded(UNSURE, tiny.taxonomy, ranking, precision, "en").coded
    assert (group and group.code) == code
    assert (group and round(group.probability, 4)) == probability


def test_a_link_has_its_unit_group(tiny: Linker) -> None:
    """An occupation's group with the probability of all its occupations, whatever the precision."""
    result = tiny.link("developer")
    together = sum(candidate.probability for candidate in result.candidates if candidate.isco == "2512")
    assert result.coded is not None
    assert (result.coded.code, result.coded.probability) == ("2512", pytest.approx(together, abs=1e-3))
    assert coded(OF_UNIT, tiny.taxonomy, ranked(tiny, {"cook": 0.5}), 0.99, "en").coded == UNIT


def test_rejected_groups_and_texts_without_a_job_have_no_code(tiny: Linker) -> None:
    """What people rejected for a title is not its code."""
    ranking = ranked(tiny, {"cook": 0.95})
    own = OwnName("Küche", UNIT.uri, ("Ann",), date(2026, 3, 9), rejected=True)
    rejected = replace(UNSURE, rejected=(Rejection(UNIT.uri, "Köche", "5120", own),), reason=REJECTED)
    for result in (rejected, replace(UNSURE, reason=NO_JOB), replace(UNSURE, reason=RELATIVE)):
        assert coded(result, tiny.taxonomy, ranking, 0.9, "en").coded is None
    assert coded(UNSURE, tiny.taxonomy, ranking, 0.9, "en").coded is not None


def test_a_partial_code() -> None:
    """Its level in words, and why it is not deeper."""
    partly = coding(replace(UNSURE, coded=GroupOffer("51", "Personal service workers", 0.92)))
    assert (partly.state, partly.level, partly.reason) == ("partly coded", "sub-major group", NOT_SURE)
    assert coding(LINKED).state == coding(OF_UNIT).state == "coded"
    assert coding(UNSURE) == Coding("not sure", None, NOT_SURE)


@pytest.mark.parametrize(
    ("title", "state", "reason"),
    [
        ("", "not codable", "empty"),
        ("  ", "not codable", "empty"),
        ("???", "not codable", "empty"),
        ("Employee", "not codable", "a note, or general words alone"),
        ("n/a", "not codable", "a note, or general words alone"),
        ("unbekannt", "not codable", "a note, or general words alone"),
        ("qqqq", "not codable", "gibberish"),
        ("student", "no occupation", "has no job"),
        ("Rentnerin", "no occupation", "has no job"),
        ("退休", "no occupation", "has no job"),
        ("doctor's wife", "no occupation", "a relative, not a job"),
    ],
)
def test_why_there_is_no_code(tiny: Linker, title: str, state: str, reason: str) -> None:
    """Texts without an occupation are apart from people without one, and both from titles that are not sure."""
    answer = coding(tiny.link(title))
    assert (answer.state, answer.group, answer.reason) == (state, None, reason)


def test_forms_of_offices() -> None:
    """A unit group has the same code in all; major group 0 keeps its zero."""
    forms = {form: [written_code(code, form) for code in ("0", "25", "251", "2512")] for form in CodeForm}
    assert forms[CodeForm.SHORT] == ["0", "25", "251", "2512"]
    assert forms[CodeForm.ZEROS] == ["0000", "2500", "2510", "2512"]
    assert forms[CodeForm.DOTS] == ["0...", "25..", "251.", "2512"]


def test_stored_lists_keep_codes() -> None:
    """Also those that an older release stored, which have the code of the link alone."""
    partly = replace(UNSURE, coded=GroupOffer("51", "Personal service workers", 0.92))
    assert from_lines(to_lines([partly])) == [partly]
    [older] = from_lines(to_lines([LINKED]).replace(b',"coded":null', b""))
    assert coding(older) == Coding("coded", GroupOffer("5120", "", 0.61237), "")
