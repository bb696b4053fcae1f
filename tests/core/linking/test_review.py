"""A list of links with decisions: equal titles, undo, names in another language, and what is left to check."""

import copy
from collections.abc import Callable
from dataclasses import replace
from datetime import date
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from jobmatch_core.entities import Candidate, GroupOffer, LinkResult, OtherCode
from jobmatch_core.io.tables import write_table
from jobmatch_core.judged_title import NO_OCCUPATION_URI, OwnName, Rejection
from jobmatch_core.link_reasons import NOT_SURE, NOTHING_LIKE_IT, SEVERAL
from jobmatch_core.linking import Linker
from jobmatch_core.linking.decisions import ACCEPTED, ANSWER_COLUMNS, CHANGED, EMPTY, NONE_OF_THESE, choice_for
from jobmatch_core.linking.link_words import SURE, SURE_FROM, TO_CHECK, confidence
from jobmatch_core.linking.review import ListOptions, Review, shown_name
from tests.core.io.made_tables import rows_of
from tests.core.linking.made_reviews import APP, BACKEND, LEVELS, THAI, UNITS, WEB, made_review

TITLES = ["nurse", "Koch", "nurse ", "看護師", "ممرضة", "👩‍🍳 chef", "nurse", ""]


@pytest.fixture
def review(tiny_lexical: Linker) -> Review:
    """A linked list."""
    review = Review([{"title": title} for title in TITLES], "title", ListOptions(tiny_lexical.taxonomy.id))
    review.step(tiny_lexical, len(TITLES))
    return review


def test_equal_titles_are_grouped(review: Review) -> None:
    """Surrounding blanks are ignored; each row belongs to one group."""
    alike = review.alike()
    assert alike[0] == [0, 2, 6]
    assert sorted(number for rows in alike.values() for number in rows) == list(range(len(TITLES)))


def test_rows_without_a_title_are_the_last_to_decide_on(review: Review) -> None:
    """Only decided rows follow them."""
    assert review.order()[-1] == TITLES.index("")
    review.decide({0: None})
    assert review.order()[-2:] == [TITLES.index(""), 0]


def test_a_step_of_many_is_undone_at_once(review: Review) -> None:
    """The undo returns its rows."""
    first = review.results[0].candidates[0]
    review.decide(dict.fromkeys((0, 2, 6), first))
    review.decide({0: None, 1: None})
    assert [review.status(number) for number in (0, 1, 2)] == [NONE_OF_THESE, NONE_OF_THESE, ACCEPTED]
    assert review.undo() == [0, 1]
    assert [review.status(number) for number in (0, 2, 6)] == [ACCEPTED] * 3
    assert review.undo() == [0, 2, 6]
    assert (review.undo(), review.can_undo) == ([], False)


def test_rows_linked_after_a_decision_are_grouped_apart(review: Review) -> None:
    """An undecided row is not grouped with decided ones."""
    review.decide({0: review.results[0].candidates[0], 2: review.results[0].candidates[0]})
    alike = review.alike()
    assert (alike[0], alike[6]) == ([0, 2], [6])
    review.decide({6: review.results[0].candidates[0]})
    assert review.alike()[0] == [0, 2, 6]


def test_a_row_with_the_same_occupation_by_other_evidence_is_accepted(review: Review) -> None:
    """The occupation counts, not its probability."""
    first = review.results[0].candidates[0]
    review.decide({0: replace(first, probability=0.99)})
    assert review.status(0) == ACCEPTED


def test_a_decision_is_cleared_and_comes_back(review: Review) -> None:
    """Clearing is a step of its own; rows without a decision are left out."""
    review.decide({0: None, 1: None})
    review.clear([0, 2])
    assert [review.is_decided(number) for number in (0, 1, 2)] == [False, True, False]
    assert (review.n_decided, review.status(0)) == (1, confidence(review.results[0]))
    assert review.undo() == [0]
    assert (review.n_decided, review.status(0)) == (2, NONE_OF_THESE)
    review.clear([2])
    assert review.undo() == [0, 1], "nothing was cleared"


def test_spellings_of_a_title_are_decided_together() -> None:
    """Titles that differ in case and blanks alone are one line; those with another answer are not."""
    titles = ["Koch", "KOCH", " koch ", "Koch", "kocH"]
    results = [LinkResult(title, (APP,), False, None, "t", ()) for title in titles]
    review = made_review([*results[:4], replace(results[4], candidates=(BACKEND,))])
    assert review.alike() == {0: [0, 1, 2, 3], 4: [4]}
    assert review.spellings(review.alike()[0]) == ["Koch", "KOCH", "koch"]


def test_an_empty_title_has_a_status_of_its_own(levels: Review) -> None:
    """It is not to be checked, until somebody decides on it."""
    levels.results[2] = replace(levels.results[2], title=" ")
    assert (levels.status(2), levels.reason(2), levels.n_left) == (EMPTY, "", 3)
    levels.decide({2: None})
    assert levels.status(2) == NONE_OF_THESE


def test_no_decision_is_no_step(review: Review) -> None:
    """There is nothing to undo."""
    review.decide({})
    assert not review.can_undo


def test_names_change_their_language(review: Review, tiny_lexical: Linker) -> None:
    """Of links, decisions and undone decisions; statuses and evidence stay."""
    first = review.results[0].candidates[0]
    review.decide({0: first})
    review.decide({0: None})
    review.show_in("de", tiny_lexical.taxonomy)
    review.undo()
    german = tiny_lexical.taxonomy.name(tiny_lexical.taxonomy.number(first.uri), "de")
    choice = review.choice(0)
    assert choice is not None
    assert (choice.name, review.options.show, review.status(0)) == (german, "de", ACCEPTED)
    assert choice.evidence == first.evidence
    assert german != first.name
    assert next(review.to_rows())["link_occupation"] == german


def test_names_of_jobs_and_rejections_change_their_language(review: Review, tiny_lexical: Linker) -> None:
    """Of rejected occupations, and of the title's jobs."""
    own = OwnName("nurse", "cook", ("Ann",), date(2026, 11, 21), rejected=True)
    result = review.results[0]
    review.results[0] = replace(result, jobs=(result,), rejected=(Rejection("cook", "cook", "5120", own),))
    review.show_in("de", tiny_lexical.taxonomy)
    [job], [rejection] = review.results[0].jobs, review.results[0].rejected
    assert job.candidates == review.results[0].candidates
    assert rejection.name == tiny_lexical.taxonomy.name(tiny_lexical.taxonomy.number("cook"), "de")


@pytest.fixture
def levels() -> Review:
    """A list with a link to a unit group, one to an occupation, and one row per reason to check."""
    return made_review(LEVELS)


def test_a_unit_group_is_an_answer(levels: Review) -> None:
    """It has code, name and probability, until someone decides for an occupation or none."""
    assert [levels.level(number) for number in range(6)] == ["unit group", "occupation", "", "", "", ""]
    assert [levels.isco(number) for number in range(3)] == ["2512", "2512", ""]
    assert (levels.status(0), levels.choice(0)) == ("sure", None)
    assert shown_name(levels, 0) == "2512 Software developers"
    assert levels.order() == [3, 5, 2, 4, 1, 0]
    assert next(levels.to_rows())["link_level"] == "unit group"
    levels.decide({0: BACKEND})
    assert (levels.status(0), levels.level(0), shown_name(levels, 0)) == (CHANGED, "occupation", "backend")
    levels.decide({0: None})
    assert (levels.status(0), levels.level(0), levels.isco(0)) == (NONE_OF_THESE, "", "")


def test_a_unit_group_is_accepted_as_a_group(levels: Review) -> None:
    """Choosing its likeliest occupation counts as a change; the link itself stays."""
    linked = [row | {} for row in levels.to_rows()]
    levels.decide({0: UNITS, 1: APP}, "Ann")
    assert (levels.status(0), levels.choice(0), levels.group(0), levels.isco(0)) == (ACCEPTED, None, UNITS, "2512")
    assert shown_name(levels, 0) == "2512 Software developers"
    first, second = list(levels.to_rows())[:2]
    decided = {"decision", "decided_by", "decided_at", "decided_level", "decided_uri", "decided_isco", "decided_name"}
    assert set(first) - set(linked[0]) == set()
    for row, before in ((first, linked[0]), (second, linked[1])):
        changed = {name for name, value in row.items() if value != before[name]}
        assert changed <= decided | {"link_status"} | set(ANSWER_COLUMNS)
    assert (first["decision"], first["decided_level"], first["decided_uri"], first["decided_isco"]) == (
        ACCEPTED,
        "unit group",
        UNITS.uri,
        "2512",
    )
    assert (second["decision"], second["decided_level"], second["decided_uri"]) == (ACCEPTED, "occupation", "app")
    levels.decide({0: APP})
    assert levels.status(0) == CHANGED


def test_an_occupation_with_the_uri_of_the_group_is_a_change(levels: Review) -> None:
    """In ISCO-08 both share a URI; the level distinguishes them, also when rows are grouped."""
    same = replace(APP, uri=UNITS.uri)
    levels.results[0] = replace(levels.results[0], candidates=(same, BACKEND))
    levels.results.append(levels.results[0])
    assert choice_for(levels.results[0], same) == UNITS
    levels.decide({0: same, 6: UNITS})
    assert (levels.status(0), levels.level(0)) == (CHANGED, "occupation")
    assert (levels.status(6), levels.level(6)) == (ACCEPTED, "unit group")
    levels.results[0] = levels.results[6] = replace(levels.results[0], group=None)
    levels.decide({0: same, 6: None})
    assert levels.status(0) == ACCEPTED


def test_what_is_found_once_follows_every_act(levels: Review) -> None:
    """Statuses, order, groups and counts are those of a review that is built anew after each act."""
    own = OwnName("Sales", NO_OCCUPATION_URI, ("Ann",), date(2026, 11, 21))
    levels.results.append(replace(levels.results[3], no_occupation=own))
    acts: list[Callable[[], object]] = [
        lambda: levels.decide({0: APP, 5: None}),
        lambda: levels.decide({1: UNITS}),
        lambda: levels.clear([6, 0]),
        levels.undo,
        levels.undo,
        lambda: levels.results.append(levels.results[1]),
        lambda: levels.replay({2: None, 6: None}),
    ]
    for act in acts:
        act()
        anew = Review(
            levels.rows, levels.column, levels.options, list(levels.results), _decisions=dict(levels._decisions)
        )
        assert levels.statuses() == anew.statuses() == [anew.status(row) for row in range(len(anew.results))]
        assert (levels.order(), dict(levels.alike())) == (anew.order(), dict(anew.alike()))
        assert (levels.n_left, levels.n_earlier, levels.sure_from(0.5)) == (anew.n_left, 1, anew.sure_from(0.5))
    assert levels.status(6) == TO_CHECK


def test_sure_rows_are_those_accepted_from_the_sure_threshold(levels: Review) -> None:
    """The rows that can be accepted from the lowest sure probability are those counted as sure."""
    levels.results[1] = replace(levels.results[1], candidates=(replace(APP, probability=SURE_FROM), WEB))
    assert levels.sure_from(SURE_FROM) == [0, 1]
    assert list(levels.statuses()).count(SURE) == 2
    assert [row["link_status"] for row in levels.to_rows()].count(SURE) == 2
    levels.decide({0: UNITS})
    assert levels.sure_from(SURE_FROM) == [1]
    assert list(levels.statuses()).count(SURE) == 1


def test_a_decision_stands_beside_the_answer_of_the_linker(levels: Review) -> None:
    """The columns of the link stay; undecided rows have no decision."""
    levels.decide({0: None, 3: replace(APP, probability=0.0)}, "ann-id")
    levels.decide({5: BACKEND})
    rows = list(levels.to_rows({"ann-id": "Ann", "": ""}.__getitem__))
    assert [row["decision"] for row in rows] == ["none", None, None, CHANGED, None, ACCEPTED]
    assert [row["decided_by"] for row in rows] == ["Ann", None, None, "Ann", None, None]
    assert [row["decided_uri"] for row in rows] == [None, None, None, "app", None, "backend"]
    assert [row["link_probability"] for row in rows] == [0.9, 0.5, None, None, None, None]
    assert [row["link_level"] for row in rows] == ["unit group", "occupation", None, None, None, None]
    assert all((row["decided_at"] is None) == (row["decision"] is None) for row in rows)


def test_every_row_has_one_final_answer(levels: Review) -> None:
    """The decision, or else the linker's answer; it stands right behind the user's own columns."""
    levels.rows = [{"title": result.title, "isco": "mine"} for result in levels.results]
    levels.decide({0: APP, 3: UNITS, 4: None})
    rows = list(levels.to_rows(group_name={"2512": "Developers"}.__getitem__))
    assert list(rows[0])[:10] == ["title", "isco (input)", *ANSWER_COLUMNS]
    assert [tuple(row[name] for name in ANSWER_COLUMNS) for row in rows] == [
        ("app", "app", "2512", "Developers", "occupation", "coded", "2512", "decision"),
        ("app", "app", "2512", "Developers", "occupation", "coded", "2512", "linker"),
        (*[None] * 5, "not sure", None, None),
        (None, None, "2512", "Software developers", "unit group", "coded", "2512", "decision"),
        (None,) * 8,
        (*[None] * 5, "not sure", None, None),
    ]
    levels.undo()
    first = next(levels.to_rows())
    assert (first["isco"], first["isco_group"], first["answer_from"]) == ("2512", "Software developers", "linker")


def test_codes_of_another_classification(levels: Review) -> None:
    """Those of the answer follow the decision, those of the link stay."""
    levels.decide({1: WEB, 4: None})
    codes = (("app", OtherCode("N1", "Apps", "exact")), ("web", OtherCode("N2", "Web", "broader")))
    rows = list(levels.to_rows(other_codes=codes))
    assert [(row["also_code"], row["link_also_code"]) for row in rows] == [
        (None, None),
        ("N2", "N1"),
        *[(None, None)] * 4,
    ]
    assert (rows[1]["also_name"], rows[1]["also_relation"]) == ("Web", "broader")
    assert "also_code" not in next(levels.to_rows())


@pytest.mark.parametrize("ending", ["csv", "xlsx", "parquet", "jsonl"])
def test_every_download_has_the_decisions(levels: Review, tmp_path: Path, ending: str) -> None:
    """In their own columns, also if nobody decided on any row."""
    path = tmp_path / f"linked.{ending}"
    for decided in (False, True):
        if decided:
            levels.decide({1: WEB}, "Ann")
        write_table(path, levels.to_rows())
        rows = [*rows_of(path)]
        assert [row["decision"] or "" for row in rows] == ["", CHANGED if decided else "", "", "", "", ""]
        assert [row["decided_uri"] or "" for row in rows][1] == ("web" if decided else "")


def test_reasons_to_check(levels: Review) -> None:
    """Linked or decided rows show no reason; files have the linker's reason."""
    assert [levels.reason(number) for number in range(6)] == [
        "",
        "",
        SEVERAL,
        NOTHING_LIKE_IT,
        THAI,
        NOT_SURE,
    ]
    assert levels.status(2) == TO_CHECK
    levels.decide({2: None, 4: WEB})
    assert (levels.reason(2), levels.reason(4)) == ("", "")
    assert [row["link_reason"] for row in levels.to_rows()] == [None, None, SEVERAL, NOTHING_LIKE_IT, THAI, NOT_SURE]


def test_each_decision_leaves_less_to_check(levels: Review) -> None:
    """Four of six links are missing; one of the others has 0.5 and is likely, so nobody needs to look at it."""
    assert levels.n_left == 4
    levels.decide({2: None, 3: WEB})
    assert levels.n_left == 2
    levels.decide({0: UNITS, 1: APP})
    assert levels.n_left == 2, "sure and likely links were not left"
    levels.decide({4: WEB, 5: BACKEND})
    assert levels.n_left == 0
    levels.undo()
    assert levels.n_left == 2


def test_unsure_links_are_left_and_blank_titles_are_not(levels: Review) -> None:
    """A link below 0.5 is unsure; a row without a title is nobody's work."""
    unsure = replace(LEVELS[1], candidates=(replace(APP, probability=0.49), WEB))
    blank = replace(LEVELS[4], title=" \n")
    review = made_review([*LEVELS, unsure, blank])
    assert [review.status(number) for number in (6, 7)] == ["unsure", EMPTY]
    assert review.n_left == levels.n_left + 1


def test_rows_that_are_not_linked_yet_are_not_counted(tiny_lexical: Linker) -> None:
    """What is left grows while the list is linked."""
    review = Review([{"title": "qqq"}] * 3, "title", ListOptions(tiny_lexical.taxonomy.id))
    left = [review.n_left]
    while review.running:
        review.step(tiny_lexical, 1)
        left.append(review.n_left)
    assert left == [0, 1, 2, 3]


@given(st.lists(st.tuples(st.sampled_from(range(len(LEVELS))), st.sampled_from([None, APP, WEB, UNITS]))))
def test_no_decision_makes_more_work(decided: list[tuple[int, Candidate | GroupOffer | None]]) -> None:
    """A decided row is never left; what is left are the undecided rows among those of the beginning."""
    review = made_review(LEVELS)
    for number, choice in decided:
        before = review.n_left
        review.decide({number: choice})
        assert review.n_left <= before
    assert review.n_left == len({2, 3, 4, 5} - {number for number, _ in decided})


def test_a_list_is_linked_with_its_target_precision(tiny_lexical: Linker) -> None:
    """A higher target precision links fewer; weights without curves ignore it."""

    def n_linked(precision: float) -> int:
        titles = ["nurse assistant", "Hilfskoch", "web developer", "bus helper", "waiters help", "sales"]
        options = ListOptions(tiny_lexical.taxonomy.id, precision=precision)
        review = Review([{"title": title} for title in titles], "title", options)
        review.step(tiny_lexical, len(titles))
        return sum(bool(review.level(number)) for number in range(len(titles)))

    assert n_linked(0.5) > n_linked(0.99)
    old = copy.copy(tiny_lexical)
    old.calibration = replace(old.calibration, curve=(), unit_curve=())
    assert old.with_precision_if_fitted(0.99) is old
