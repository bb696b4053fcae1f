"""Numbered postings and the batches that they are drawn in."""

from itertools import combinations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from jobmatch_core.descriptions.aggregators import Reading
from jobmatch_core.descriptions.jdan_batches import NO_NAME, JdanBatches, NumberedPostings
from jobmatch_core.descriptions.postings import Posting
from tests.core.descriptions.made_postings import made_postings


def numbered_of(*postings: tuple[str, str]) -> NumberedPostings:
    """Number postings of a title and a description."""
    made = [Posting(str(number), *each) for number, each in enumerate(postings)]
    return NumberedPostings.of(made, Reading("sentences"))


def test_texts_are_numbered_once() -> None:
    """Titles and sentences; what lacks either is left out."""
    numbered = numbered_of(
        ("Cook", "Cook. Eat."), ("Chef", "Eat.\nCook"), ("", "Eat."), ("Baker", " - "), ("...", "Eat.")
    )
    assert numbered.texts == ["Cook", "Cook.", "Eat.", "Chef"]
    assert numbered.titles.tolist() == [0, 3]
    assert [parts.tolist() for parts in numbered.parts] == [[1, 2], [2, 0]]
    assert len(numbered) == 2
    assert numbered.names.tolist() == [NO_NAME, NO_NAME]


def test_names_are_texts_like_others() -> None:
    """One that is a title, too, has that title's number."""
    postings = [
        Posting("a", "Chef", "Eat.", occupation_name="Cook"),
        Posting("b", "Cook", "Eat.", occupation_name=" - "),
        Posting("c", "Chef", "Fry.", occupation_name="Chef"),
    ]
    numbered = NumberedPostings.of(postings, Reading("sentences"), with_names=True)
    assert numbered.texts == ["Chef", "Cook", "Eat.", "Fry."]
    assert numbered.names.tolist() == [1, NO_NAME, 0]
    assert numbered.titles.tolist() == [0, 1, 0]
    bare = NumberedPostings.of(postings, Reading("sentences"))
    assert bare.names.tolist() == [NO_NAME] * 3
    assert bare.texts == ["Chef", "Eat.", "Cook", "Fry."]


def test_no_batch_has_a_name_twice() -> None:
    """Nor a title that is another's name: they would be told apart though they are the same."""
    jobs = [("Cook", "Cook"), ("Chef", "cook"), ("Pan man", "Chef"), ("Baker", "Baker"), ("Bread maker", "BAKER")]
    postings = [Posting(title, title, f"Text of {title}.", occupation_name=name) for title, name in jobs]
    numbered = NumberedPostings.of(postings, Reading("sentences"), with_names=True)
    for seed in range(20):
        for batch in JdanBatches(numbered, np.arange(5), 5, by_names=True).epoch((seed,)):
            words = [{jobs[row][0].lower(), jobs[row][1].lower()} for row in batch]
            assert all(a.isdisjoint(b) for a, b in combinations(words, 2))


def test_the_split_goes_by_titles() -> None:
    """However they are written; every posting is on one side, and the seed decides on which."""
    titles = ["Cook", "cook", "COOK ", "Baker", "Nurse", "Welder"]
    numbered = numbered_of(*((title, f"Text {number}.") for number, title in enumerate(titles)))
    sides = set()
    for seed in range(8):
        trained, left_out = (set(rows.tolist()) for rows in numbered.split(0.5, seed))
        assert trained | left_out == set(range(6))
        assert {0, 1, 2} <= trained or {0, 1, 2} <= left_out
        assert len({titles[row].casefold().strip() for row in left_out}) == 2
        sides.add(tuple(sorted(left_out)))
    assert len(sides) > 1
    assert len(numbered.split(0, 1)[1]) == 0


@given(st.lists(st.tuples(st.sampled_from("abc"), st.sampled_from("xyz")), max_size=40), st.integers(2, 5))
def test_no_batch_has_two_of_a_title_or_a_description(postings: list[tuple[str, str]], size: int) -> None:
    """Nobody is drawn twice, and no batch but the first is less than half full; the first has two if it can."""
    numbered = numbered_of(*postings)
    batches = JdanBatches(numbered, np.arange(len(numbered)), size).epoch((1, 2))
    for number, rows in enumerate(batches):
        assert max(2, size / 2 if number else 2) <= len(rows) <= size
        assert len({postings[row][0] for row in rows}) == len({postings[row][1] for row in rows}) == len(rows)
    drawn = [row for rows in batches for row in rows.tolist()]
    assert len(set(drawn)) == len(drawn)
    differ = any(one[0] != other[0] and one[1] != other[1] for one, other in combinations(postings, 2))
    assert bool(batches) == differ


def test_everybody_is_drawn_where_titles_differ() -> None:
    """In an order that the seed decides; rows are those of the postings, not places in the list."""
    numbered = numbered_of(*((f"job {number}", f"Text {number}.") for number in range(10)))
    batches = JdanBatches(numbered, np.array([1, 3, 5, 7, 9]), 2)
    first, again, *others = ([rows.tolist() for rows in batches.epoch((1, epoch))] for epoch in (0, 0, 1, 2, 3))
    drawn = [row for rows in first for row in rows]
    assert len(set(drawn)) == len(drawn) == 4  # the fifth is alone
    assert set(drawn) <= {1, 3, 5, 7, 9}
    assert first == again
    assert any(other != first for other in others)


@pytest.mark.parametrize("parts", ["skills", "skill-list", "document"])
def test_other_parts(parts: str) -> None:
    """As the variant reads them."""
    postings = made_postings(5)
    numbered = NumberedPostings.of(postings, Reading(parts))  # type: ignore[arg-type]
    for posting, rows in zip(numbered.postings, numbered.parts, strict=True):
        expected = Reading(parts).texts(posting)  # type: ignore[arg-type]
        assert tuple(numbered.texts[row] for row in rows) == expected
