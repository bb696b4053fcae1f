"""A list of links and the decisions on it: titles alike, steps that are undone, names in another language, filters."""

from collections.abc import Iterator
from dataclasses import replace

import pytest

from jobmatch_core.linking import Linker
from jobmatch_core.linking.review import ACCEPTED, NONE_OF_THESE, LinkOptions, Review
from jobmatch_core.linking.review_filter import (
    ReviewFilter,
    count_values,
    major_group,
    matched_language,
    shown_candidate,
)

TITLES = ["nurse", "Koch", "nurse ", "看護師", "ممرضة", "👩‍🍳 chef", "nurse", ""]


@pytest.fixture
def review(tiny_lexical: Linker) -> Review:
    """A list that was linked."""
    review = Review([{"title": title} for title in TITLES], "title", LinkOptions(tiny_lexical.taxonomy.id))
    review.step(tiny_lexical, len(TITLES))
    return review


def test_titles_alike_are_found(review: Review) -> None:
    """But for blanks around; each row once."""
    alike = review.alike()
    assert alike[0] == [0, 2, 6]
    assert sorted(number for rows in alike.values() for number in rows) == list(range(len(TITLES)))


def test_a_step_of_many_is_undone_at_once(review: Review) -> None:
    """And says how many rows it was about."""
    first = review.results[0].candidates[0]
    review.decide(dict.fromkeys((0, 2, 6), first))
    review.decide({0: None, 1: None})
    assert [review.status(number) for number in (0, 1, 2)] == [NONE_OF_THESE, NONE_OF_THESE, ACCEPTED]
    assert review.undo() == [0, 1]
    assert [review.status(number) for number in (0, 2, 6)] == [ACCEPTED] * 3
    assert review.undo() == [0, 2, 6]
    assert (review.undo(), review.can_undo) == ([], False)


def test_rows_that_are_linked_after_a_decision_are_a_line_of_their_own(review: Review) -> None:
    """So that nothing undecided hides behind a decision."""
    review.decide({0: review.results[0].candidates[0], 2: review.results[0].candidates[0]})
    alike = review.alike()
    assert (alike[0], alike[6]) == ([0, 2], [6])
    review.decide({6: review.results[0].candidates[0]})
    assert review.alike()[0] == [0, 2, 6]


def test_a_row_with_the_same_occupation_by_other_evidence_is_accepted(review: Review) -> None:
    """An occupation counts, not how likely another row's link made it."""
    first = review.results[0].candidates[0]
    review.decide({0: replace(first, probability=0.99)})
    assert review.status(0) == ACCEPTED


def test_no_decision_is_no_step(review: Review) -> None:
    """Nothing to undo."""
    review.decide({})
    assert not review.can_undo


def test_names_change_their_language(review: Review, tiny_lexical: Linker) -> None:
    """Of links, decisions and what undo brings back; the statuses stay, and so does what matched."""
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


def passing(review: Review, wanted: ReviewFilter) -> Iterator[int]:
    """The rows that pass."""
    return (number for number in range(len(TITLES)) if wanted.passes(review, number))


def test_rows_are_filtered(review: Review) -> None:
    """By each of the four, and by all together."""
    assert list(passing(review, ReviewFilter())) == list(range(len(TITLES)))
    assert set(passing(review, ReviewFilter(languages=["de"]))) >= {1}
    assert 1 not in set(passing(review, ReviewFilter(languages=["en"])))
    code = shown_candidate(review, 0).isco[0]  # type: ignore[union-attr]
    assert {0, 2, 6} <= set(passing(review, ReviewFilter(majors=[code])))
    review.decide({1: None})
    assert list(passing(review, ReviewFilter(statuses=[NONE_OF_THESE]))) == [1]
    assert list(passing(review, ReviewFilter(letters="NURSE", majors=[code]))) == [0, 2, 6]


def test_what_a_list_can_be_filtered_by(review: Review) -> None:
    """With counts, the most frequent first; rows without an answer are left out."""
    languages = count_values(matched_language(shown_candidate(review, number)) for number in range(len(TITLES)))
    assert languages[0] == ("en", max(count for _, count in languages))
    assert (matched_language(None), major_group(None), count_values([""])) == ("", "", [])
