"""Names as adverts write them: the name stays whole.

Numbered postings and the batches that they are drawn in.
What a recipe names, read; skills found by the taxonomy's names.
"""

from dataclasses import replace
from itertools import combinations
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from jobmatch_core.descriptions.aggregators import PostingReading
from jobmatch_core.descriptions.jdan_data import (
    _NEVER_IN_FRONT,
    NO_NAME,
    JdanBatches,
    NumberedPostings,
    as_advertised,
    training_postings,
)
from jobmatch_core.descriptions.jdan_recipe import JdanData, JdanRecipe
from jobmatch_core.descriptions.postings import Posting
from jobmatch_core.errors import DataFileError, TaxonomyError
from jobmatch_core.taxonomy import TaxonomyStore
from jobmatch_core.text.locales import ENGLISH
from jobmatch_core.titles.cleaning import clean_title
from jobmatch_core.titles.noise_words import noise_phrases
from tests.core.descriptions.made_postings import made_postings

NAMES = ["baker", "lathe operator", "ward nurse", "dough-maker", "R&D manager"]
POSTINGS = [Posting(str(number), NAMES[number % 5], f"Text {number}.", ("x",), "name") for number in range(1000)]
TITLES = [each.title for each in as_advertised(POSTINGS, 1, 1)]


@given(st.floats(0, 1), st.integers(0, 99))
def test_only_titles_change_and_names_stay_whole(share: float, seed: int) -> None:
    """Everything else is as it was, in its order; the same seed writes the same titles."""
    found = as_advertised(POSTINGS, share, seed)
    assert [replace(each, title="") for each in found] == [replace(each, title="") for each in POSTINGS]
    assert all(before.title in after.title for before, after in zip(POSTINGS, found, strict=True))
    assert as_advertised(POSTINGS, share, seed) == found


def test_a_share_of_them() -> None:
    """None, about half, and all."""

    def changed(share: float) -> int:
        return sum(a != b for a, b in zip(as_advertised(POSTINGS, share, 1), POSTINGS, strict=True))

    assert changed(0) == 0
    assert changed(0.5) == pytest.approx(500, abs=60)
    assert changed(1) == 1000
    assert as_advertised([], 0.5, 1) == []


def test_what_is_in_front() -> None:
    """Grades of many kinds, and nothing else, which the linker takes out again."""
    bakers = [title for title in TITLES if title.endswith(" baker")]
    alone = [title for title in bakers if sum(title.count(name) for name in NAMES) == 1]
    fronts = {title.removesuffix(" baker") for title in alone}
    assert len(fronts) > 10
    grades = set(noise_phrases("seniority", ENGLISH))
    assert fronts <= grades - _NEVER_IN_FRONT
    assert grades >= _NEVER_IN_FRONT
    known = {word for name in NAMES for word in name.split()}
    assert {clean_title(title, known).forms[0] for title in alone} == {"baker"}


@pytest.mark.parametrize(
    "added",
    [("I", "II", "III"), noise_phrases("contract", ENGLISH), noise_phrases("advert", ENGLISH), ("London", "Paris")],
    ids=["steps", "contracts", "calls", "places"],
)
def test_what_is_behind(added: tuple[str, ...]) -> None:
    """Things of all kinds."""
    assert any(title.endswith((f" {each}", f"({each})")) for title in TITLES for each in added)


def test_another_job_behind() -> None:
    """One of the other names."""
    assert any(f"{first} {sign} {other}" in TITLES for first in NAMES for sign in "/&" for other in NAMES)


def numbered_of(*postings: tuple[str, str]) -> NumberedPostings:
    """Number postings of a title and a description."""
    made = [Posting(str(number), *each) for number, each in enumerate(postings)]
    return NumberedPostings.of(made, PostingReading("sentences"))


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
    numbered = NumberedPostings.of(postings, PostingReading("sentences"), with_names=True)
    assert numbered.texts == ["Chef", "Cook", "Eat.", "Fry."]
    assert numbered.names.tolist() == [1, NO_NAME, 0]
    assert numbered.titles.tolist() == [0, 1, 0]
    bare = NumberedPostings.of(postings, PostingReading("sentences"))
    assert bare.names.tolist() == [NO_NAME] * 3
    assert bare.texts == ["Chef", "Eat.", "Cook", "Fry."]


def test_no_batch_has_a_name_twice() -> None:
    """A title that is another's name is in another batch, too; otherwise equal texts would be told apart."""
    jobs = [("Cook", "Cook"), ("Chef", "cook"), ("Pan man", "Chef"), ("Baker", "Baker"), ("Bread maker", "BAKER")]
    postings = [Posting(title, title, f"Text of {title}.", occupation_name=name) for title, name in jobs]
    numbered = NumberedPostings.of(postings, PostingReading("sentences"), with_names=True)
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
    numbered = NumberedPostings.of(postings, PostingReading(parts))  # type: ignore[arg-type]
    for posting, rows in zip(numbered.postings, numbered.parts, strict=True):
        expected = PostingReading(parts).texts(posting)  # type: ignore[arg-type]
        assert tuple(numbered.texts[row] for row in rows) == expected


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """Postings, and O*NET in miniature."""
    rows = "title,description\nNurse,You care.\nMason,We love bricks and mortar\nBaker,Ovens and dough.\n"
    (tmp_path / "a.csv").write_text(rows, "utf-8")
    (tmp_path / "Task Statements.txt").write_text("O*NET-SOC Code\tTask\n29-1\tGive medicine.\n", "utf-8")
    (tmp_path / "Occupation Data.txt").write_text("O*NET-SOC Code\tTitle\n29-1\tNurses\n", "utf-8")
    return tmp_path


def test_tables_and_onet(folder: Path, store: TaxonomyStore) -> None:
    """One after the other; of a table no more than asked for."""
    data = JdanData(postings=("a.csv", "a.csv"), most=2, onet=".")
    found = training_postings(JdanRecipe("x", data=data), folder, store)
    assert [each.title for each in found] == ["Nurse", "Mason", "Nurse", "Mason", "Nurses"]
    assert not any(each.skills for each in found)
    with pytest.raises(DataFileError, match="no such file"):
        training_postings(JdanRecipe("x", data=JdanData(postings=("gone.csv",))), folder, store)


def test_skills_for_those_that_read_them(folder: Path, store: TaxonomyStore) -> None:
    """By the names of the taxonomy, each once, in the order of the text."""
    data = JdanData(postings=("a.csv",), skills="esco-1.0")
    found = training_postings(JdanRecipe("x", variant="skill-mean", data=data), folder, store)
    assert [each.skills for each in found] == [("care",), ("bricks", "mortar"), ("ovens", "dough")]
    with pytest.raises(TaxonomyError, match="gone"):
        training_postings(JdanRecipe("x", variant="jobbert", data=JdanData(("a.csv",), skills="gone")), folder, store)


def test_what_is_made_is_drawn(folder: Path, store: TaxonomyStore) -> None:
    """The given numbers of O*NET's and the taxonomy's titles are drawn, in their order, and reproducibly."""
    lines = [f"{number}-1\t{name}" for number, name in enumerate(("Clerks", "Cooks", "Guards", "Tutors"))]
    tasks = [f"{number}-1\tDo things." for number in range(4)]
    (folder / "Occupation Data.txt").write_text("O*NET-SOC Code\tTitle\n" + "\n".join(lines) + "\n", "utf-8")
    (folder / "Task Statements.txt").write_text("O*NET-SOC Code\tTask\n" + "\n".join(tasks) + "\n", "utf-8")
    data = JdanData(onet=".", taxonomy="esco-1.0")
    everything = [each.title for each in training_postings(JdanRecipe("x", data=data), folder, store)]
    names = everything[4:]
    assert everything[:4] == ["Clerks", "Cooks", "Guards", "Tutors"]
    assert len(names) > 2
    drawn = JdanRecipe("x", data=JdanData(onet=".", taxonomy="esco-1.0", made_most=2))
    found = [each.title for each in training_postings(drawn, folder, store)]
    assert len(found) == 4
    assert sorted(found[:2], key=everything.index) == found[:2]
    assert set(found[2:]) < set(names)
    assert [each.title for each in training_postings(drawn, folder, store)] == found


def test_some_titles_as_adverts_write_them(folder: Path, store: TaxonomyStore) -> None:
    """Those of the taxonomy's names; a table's stay as the employers wrote them."""
    plain = JdanData(postings=("a.csv",), taxonomy="esco-1.0")
    before = training_postings(JdanRecipe("x", data=plain), folder, store)
    after = training_postings(JdanRecipe("x", data=replace(plain, advertised=0.9)), folder, store)
    assert [each.title for each in after[:3]] == ["Nurse", "Mason", "Baker"]
    assert [each.occupation_name for each in after] == [each.occupation_name for each in before]
    assert all(a.title in b.title for a, b in zip(before, after, strict=True))
    assert before != after
