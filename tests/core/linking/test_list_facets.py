"""Facets of a list: which rows pass a filter, how many rows each value has, and the statuses by value."""

from collections import Counter
from dataclasses import replace
from datetime import date

import pytest
from hypothesis import given
from hypothesis import strategies as st

from jobmatch_core.entities import ISCO_URI, Evidence, GroupOffer, LinkResult, Seniority
from jobmatch_core.judged_title import OwnName, Rejection
from jobmatch_core.link_reasons import NOT_SURE, NOTHING_LIKE_IT, SEVERAL, UNKNOWN_WORD
from jobmatch_core.linking import Linker
from jobmatch_core.linking.decisions import ACCEPTED, CHANGED, EMPTY, NONE_OF_THESE
from jobmatch_core.linking.link_words import SURE, TO_CHECK
from jobmatch_core.linking.list_facets import Facet, ReviewFilter, Sifted, facet_values, statuses_by
from jobmatch_core.linking.review import ListOptions, Review
from tests.core.linking.made_reviews import APP, BACKEND, LEVELS, THAI, UNITS, WEB, made_review

TITLES = ["nurse", "Koch", "nurse ", "看護師", "ممرضة", "👩‍🍳 chef", "nurse", ""]
UNKNOWN = [
    LinkResult("Betreuer Sonderkunden", (WEB,), True, None, "t", (), reason=UNKNOWN_WORD, unknown=("sonderkunden",)),
    LinkResult("Vibe Sonderkunden", (APP,), True, None, "t", (), reason=UNKNOWN_WORD, unknown=("vibe", "sonderkunden")),
]


@pytest.fixture
def review(tiny_lexical: Linker) -> Review:
    """A linked list."""
    review = Review([{"title": title} for title in TITLES], "title", ListOptions(tiny_lexical.taxonomy.id))
    review.step(tiny_lexical, len(TITLES))
    return review


@pytest.fixture
def levels() -> Review:
    """A list with a link to a unit group, one to an occupation, and one row per reason to check."""
    return made_review(LEVELS)


def passing(review: Review, wanted: ReviewFilter) -> list[int]:
    """Return the rows that pass a filter."""
    return sorted(wanted.sift(review).rows)


def of(facet: Facet, *values: str) -> ReviewFilter:
    """Return a filter by one facet."""
    return ReviewFilter({facet: values})


def test_rows_are_filtered(review: Review) -> None:
    """By language, group, status and letters, and by two conditions."""
    assert passing(review, ReviewFilter()) == list(range(len(TITLES)))
    assert 1 in passing(review, of(Facet.LANGUAGE, "de"))
    assert 1 not in passing(review, of(Facet.LANGUAGE, "en"))
    assert {0, 2, 6} <= {*passing(review, of(Facet.UNIT, "2221"))}
    assert {0, 2, 6} <= {*passing(review, of(Facet.MAJOR, "2"))}
    review.decide({1: None})
    assert passing(review, of(Facet.STATUS, NONE_OF_THESE)) == [1]
    wanted = ReviewFilter({Facet.MAJOR: ["2"]}, letters="NURSE")
    assert passing(review, wanted) == [0, 2, 3, 6]  # 3 by its gloss


def test_a_row_without_a_title_has_no_values_but_its_status(review: Review) -> None:
    """Nobody has to check it."""
    values = {facet: facet_values(review, TITLES.index(""), facet) for facet in Facet}
    assert values == {facet: [EMPTY] if facet is Facet.STATUS else [] for facet in Facet}


def test_rows_are_filtered_by_level_and_reason(levels: Review) -> None:
    """Also by seniority and by the name of the unit group."""
    assert passing(levels, of(Facet.LEVEL, "unit group")) == [0]
    assert passing(levels, of(Facet.LEVEL, "unit group", "occupation")) == [0, 1]
    assert passing(levels, of(Facet.REASON, SEVERAL, NOT_SURE)) == [2, 5]
    assert passing(levels, of(Facet.REASON, THAI)) == [4]
    assert passing(levels, of(Facet.REASON)) == [0, 1, 2, 3, 4, 5]
    assert passing(levels, ReviewFilter(letters="software dev")) == [0]
    levels.results[1] = replace(levels.results[1], seniority=Seniority.LEAD)
    assert passing(levels, of(Facet.SENIORITY, Seniority.LEAD)) == [1]


def test_a_row_of_an_accepted_group_is_filtered_by_it(levels: Review) -> None:
    """By the group's code and the accepted title, not those of the first occupation."""
    own = OwnName("Entwickler", f"{ISCO_URI}5412", ("Ann",), date(2026, 11, 21))
    levels.results[0] = replace(levels.results[0], group=GroupOffer("5412", "Police officers", 0.99, own))
    assert [facet_values(levels, 0, facet) for facet in (Facet.MAJOR, Facet.LANGUAGE)] == [["5"], ["own"]]
    assert passing(levels, ReviewFilter({Facet.LANGUAGE: ["own"], Facet.MAJOR: ["5"]})) == [0]


def test_rows_that_use_earlier_decisions_are_found(levels: Review) -> None:
    """An accepted title, an accepted group, and a rejected occupation."""
    own = OwnName("Entwickler", UNITS.uri, ("Ann",), date(2026, 11, 21))
    rejection = Rejection("cook", "cook", "5120", replace(own, uri="cook", rejected=True))
    levels.results[0] = replace(levels.results[0], group=replace(UNITS, own=own))
    levels.results[1] = replace(levels.results[1], candidates=(replace(APP, evidence=Evidence("x", "", {}, own)),))
    levels.results[4] = replace(levels.results[4], rejected=(rejection,))
    assert passing(levels, ReviewFilter(earlier=True)) == [0, 1, 4]


def test_both_bounds_of_the_probability_belong_to_it(levels: Review) -> None:
    """Of the link, or of the best guess: .9, .5, .5, .03, 0 without candidates, and .4."""
    assert passing(levels, ReviewFilter(least=0.4)) == [0, 1, 2, 5]
    assert passing(levels, ReviewFilter(most=0.4)) == [3, 4, 5]
    assert passing(levels, ReviewFilter(least=0.5, most=0.5)) == [1, 2]
    assert passing(levels, ReviewFilter(least=0.91)) == []


def test_a_row_is_found_by_each_of_its_unknown_words() -> None:
    """Until it is decided on: then nothing is unknown any more."""
    review = made_review([*LEVELS, *UNKNOWN])
    assert passing(review, of(Facet.WORD, "sonderkunden")) == [6, 7]
    assert passing(review, of(Facet.WORD, "vibe")) == [7]
    assert ReviewFilter().sift(review).counts[Facet.WORD] == {"sonderkunden": 2, "vibe": 1}
    review.decide({6: WEB})
    assert passing(review, of(Facet.WORD, "sonderkunden")) == [7]
    assert ReviewFilter().sift(review).counts[Facet.WORD] == {"sonderkunden": 1, "vibe": 1}


def test_counts_by_hand(levels: Review) -> None:
    """A facet's own condition does not change its counts, those of the others do."""
    counts = ReviewFilter().sift(levels).counts
    assert counts[Facet.STATUS] == {SURE: 1, "likely": 1, TO_CHECK: 4}
    assert counts[Facet.REASON] == {SEVERAL: 1, NOTHING_LIKE_IT: 1, THAI: 1, NOT_SURE: 1}
    assert counts[Facet.LEVEL] == {"unit group": 1, "occupation": 1}
    assert counts[Facet.LANGUAGE] == {"de": 5}, "the Thai title has no candidate"
    assert counts[Facet.MAJOR] == {"2": 5}
    assert counts[Facet.WORD] == counts[Facet.SENIORITY] == {}
    counts = of(Facet.REASON, SEVERAL).sift(levels).counts
    assert counts[Facet.REASON] == {SEVERAL: 1, NOTHING_LIKE_IT: 1, THAI: 1, NOT_SURE: 1}
    assert (counts[Facet.STATUS], counts[Facet.LEVEL]) == ({TO_CHECK: 1}, {})
    counts = ReviewFilter({Facet.REASON: [SEVERAL], Facet.STATUS: [SURE]}).sift(levels).counts
    assert (counts[Facet.REASON], counts[Facet.STATUS], counts[Facet.LEVEL]) == ({}, {TO_CHECK: 1}, {})
    assert ReviewFilter(least=0.95).sift(levels).counts == {facet: Counter() for facet in Facet}


def naive_counts(review: Review, wanted: ReviewFilter) -> dict[Facet, Counter[str]]:
    """For each facet filter by all other conditions, and count what is left, row by row."""
    counts: dict[Facet, Counter[str]] = {}
    for facet in Facet:
        others = replace(wanted, values={other: wanted.values[other] for other in wanted.values if other != facet})
        counts[facet] = Counter()
        for number in passing(review, others):
            counts[facet].update(facet_values(review, number, facet))
    return counts


VALUES: dict[Facet, list[str]] = {
    Facet.STATUS: [SURE, TO_CHECK, ACCEPTED, CHANGED, NONE_OF_THESE],
    Facet.REASON: [SEVERAL, NOT_SURE, THAI, UNKNOWN_WORD],
    Facet.WORD: ["vibe", "sonderkunden"],
    Facet.LANGUAGE: ["de", "own"],
    Facet.MAJOR: ["2", "9"],
    Facet.UNIT: ["2512", "9999"],
    Facet.LEVEL: ["unit group", "occupation"],
    Facet.SENIORITY: [Seniority.LEAD],
}
LISTS = st.lists(st.sampled_from([*LEVELS, *UNKNOWN, replace(LEVELS[1], seniority=Seniority.LEAD)]), max_size=12)
DECISIONS = st.lists(st.tuples(st.integers(0, 11), st.sampled_from([None, APP, BACKEND, UNITS])), max_size=6)
FILTERS = st.builds(
    ReviewFilter,
    st.fixed_dictionaries(
        {}, optional={facet: st.lists(st.sampled_from(values), unique=True) for facet, values in VALUES.items()}
    ),
    letters=st.sampled_from(["", "", "entwickler", "SOFTWARE"]),
    least=st.sampled_from([0.0, 0.0, 0.03, 0.5]),
    most=st.sampled_from([1.0, 1.0, 0.5, 0.4]),
)


@given(LISTS, DECISIONS, FILTERS)
def test_counts_are_those_of_a_naive_loop(
    results: list[LinkResult], decisions: list[tuple[int, None]], wanted: ReviewFilter
) -> None:
    """Whatever the list, the decisions and the filter; and a value's count is the number of rows that it leads to."""
    review = made_review(results)
    review.decide({number: choice for number, choice in decisions if number < len(results)})
    counts = wanted.sift(review).counts
    assert counts == naive_counts(review, wanted)
    assert wanted.sift(review, [Facet.STATUS]) == Sifted(wanted.sift(review).rows, {Facet.STATUS: counts[Facet.STATUS]})
    for facet in Facet:
        for value, count in counts[facet].items():
            alone = replace(wanted, values={**wanted.values, facet: [value]})
            assert len(passing(review, alone)) == count


def test_facets_that_are_set_are_counted() -> None:
    """The status has chips of its own, an empty condition is none, and both bounds of the probability are one."""
    assert ReviewFilter().n_facets == 0
    assert ReviewFilter({Facet.STATUS: [SURE], Facet.REASON: []}).n_facets == 0
    assert ReviewFilter({Facet.REASON: [SEVERAL, THAI], Facet.MAJOR: ["2"]}).n_facets == 2
    assert ReviewFilter(letters="x", earlier=True).n_facets == 2
    assert ReviewFilter(least=0.1, most=0.9).n_facets == 1
    assert ReviewFilter({Facet.LEVEL: ["occupation"]}, "x", earlier=True, most=0.99).n_facets == 4


def test_statuses_by_value(levels: Review) -> None:
    """The most frequent value first, equal ones by name; '' is no value, as after the decision 'none of these'."""
    levels.decide({1: APP, 5: None})
    assert list(statuses_by(levels, Facet.MAJOR).items()) == [
        ("2", {SURE: 1, ACCEPTED: 1, TO_CHECK: 2}),
        ("", {TO_CHECK: 1, NONE_OF_THESE: 1}),
    ]
    assert list(statuses_by(levels, Facet.LEVEL)) == ["", "occupation", "unit group"]


@given(LISTS, st.sampled_from([facet for facet in Facet if facet is not Facet.WORD]))
def test_statuses_by_value_count_each_row_once(results: list[LinkResult], facet: Facet) -> None:
    """All of a list together are its statuses; a row with two unknown words is counted with each."""
    review = made_review(results)
    assert sum(statuses_by(review, facet).values(), Counter()) == Counter(review.statuses())
    n_words = sum(max(len(facet_values(review, number, Facet.WORD)), 1) for number in range(len(results)))
    assert sum(counts.total() for counts in statuses_by(review, Facet.WORD).values()) == n_words
