"""Errors on judged titles: by language and form, with intervals from thirty titles on."""

import pytest

from jobmatch_core.audit.gendered_forms import GenderedForms
from jobmatch_core.audit.judged_errors import FEMININE, MASCULINE, NEUTRAL, GroupErrors, JudgedTitle, judged_errors
from jobmatch_core.linking import Linker
from jobmatch_core.metrics.comparisons import FEWEST_TOLD

FORMS = GenderedForms([("de", "cook", ["Koch", "Köchin"])])


def _by_group(errors: list[GroupErrors]) -> dict[tuple[str, str], GroupErrors]:
    return {(each.grouping, each.group): each for each in errors}


def _uri(linker: Linker, title: str) -> str:
    return linker.link(title).candidates[0].uri


def test_groups_have_counts_and_large_ones_figures(bundled: Linker) -> None:
    """Ten of forty answers are wrong; the five feminine titles are too few to say anything."""
    cook = _uri(bundled, "Koch")
    titles = [JudgedTitle("Koch", frozenset({cook}), language="de")] * 30
    titles += [JudgedTitle("Koch", frozenset({"another"}), language="de")] * 5
    titles += [JudgedTitle("Köchin", frozenset({"another"}), language="de")] * 5
    groups = _by_group(judged_errors(bundled, FORMS, titles))
    assert {key: each.titles for key, each in groups.items()} == {
        ("all", ""): 40,
        ("language", "de"): 40,
        ("form", MASCULINE): 35,
        ("form", FEMININE): 5,
    }
    everything = groups["all", ""]
    assert everything.right is not None
    assert everything.too_sure is not None
    assert everything.right.mean == pytest.approx(0.75)
    assert everything.right.low < 0.75 < everything.right.high
    mean = sum(bundled.link(title.title).candidates[0].probability for title in titles) / 40
    assert everything.too_sure.mean == pytest.approx(mean - 0.75, abs=1e-6)
    assert groups["form", FEMININE] == GroupErrors("form", FEMININE, 5)
    assert FEWEST_TOLD == 30


def test_what_is_not_known_does_not_count(bundled: Linker) -> None:
    """A rejection tells something only about the answer that was rejected."""
    cook = _uri(bundled, "Koch")
    titles = [JudgedTitle("Koch", wrong=frozenset({"another"})), JudgedTitle("Koch", wrong=frozenset({cook}))]
    assert [each.titles for each in judged_errors(bundled, FORMS, titles)][:1] == [1]
    assert judged_errors(bundled, FORMS, titles[:1]) == []
    assert judged_errors(bundled, FORMS, []) == []


def test_codes_are_right_for_all_their_occupations(bundled: Linker) -> None:
    """A code of fewer digits is right for all groups below it; without a language that of the name counts."""
    code = bundled.link("Krankenschwester").candidates[0].isco
    titles = [JudgedTitle("Krankenschwester", codes=frozenset({digits})) for digits in (code, code[:2], "9")] * 10
    groups = _by_group(judged_errors(bundled, FORMS, titles))
    assert groups["all", ""].right is not None
    assert groups["all", ""].right.mean == pytest.approx(2 / 3)
    assert groups["language", "de"].titles == 30
    assert groups["form", NEUTRAL].titles == 30
