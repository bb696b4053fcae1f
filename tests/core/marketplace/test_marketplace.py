"""A marketplace as a stream of blocks, and its coverage by hand and against a naive loop."""

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from jobmatch_core.marketplace.marketplace import (
    BLOCK_ROWS,
    Marketplace,
    Need,
    RecordBlock,
    SkillTruth,
    skill_rows,
    skills_of_rows,
)
from tests.made_marketplace import freelancers, marketplace, projects

TRUTH = RecordBlock(
    projects=projects(1),
    freelancers=freelancers()[:3],
    needs=[Need((0,), (1,)), Need((2,), ()), Need((1, 2), ()), Need((0,), ())],
    mastered=[[0], [0, 1], []],
    skills=["a", "b", "c"],
)


def test_rows_by_id() -> None:
    """Each id has the row of its record."""
    tiny = marketplace()
    assert tiny.projects[tiny.project_rows["p-logo-3"]].id == "p-logo-3"
    assert tiny.freelancers[tiny.freelancer_rows["f-film-5"]].id == "f-film-5"


def test_blocks_and_back() -> None:
    """All records and the truth are equal."""
    whole = Marketplace.of_blocks("tiny", [TRUTH], generated=True)
    again = Marketplace.of_blocks("tiny", whole.blocks(), generated=True)
    assert replace(again, truth=None) == replace(whole, truth=None)
    assert whole.truth is not None
    assert again.truth is not None
    assert again.truth.skills == ("a", "b", "c")
    np.testing.assert_array_equal(again.truth.coverage(), whole.truth.coverage())


def test_a_marketplace_without_a_truth() -> None:
    """Real marketplaces have none."""
    tiny = replace(marketplace(), truth=None)
    assert Marketplace.of_blocks("tiny", tiny.blocks(), generated=True) == tiny


def test_blocks_are_small() -> None:
    """Many interactions give several blocks."""
    tiny = marketplace()
    many = replace(tiny, interactions=tuple(tiny.interactions[:1]) * (BLOCK_ROWS + 1))
    assert [len(block.interactions) for block in many.blocks()][-2:] == [BLOCK_ROWS, 1]


ROWS = st.lists(st.sets(st.integers(0, 5)).map(sorted), min_size=1, max_size=4)


def truth_of(mastered: list[list[int]], needs: list[Need]) -> SkillTruth:
    """Return a truth with six skills."""
    return SkillTruth(
        tuple("abcdef"),
        mastered=skill_rows(mastered, 6),
        mandatory=skill_rows([need.mandatory for need in needs], 6),
        bonus=skill_rows([need.bonus for need in needs], 6),
    )


def test_coverage_by_hand() -> None:
    """Needs a and b, and c as a bonus: weights 2, 2, 1. Who has a and c: 3/5; b: 2/5; all: 1; d: 0."""
    truth = truth_of([[0, 2], [1], [0, 1, 2, 5], [3], []], [Need((0, 1), (2,))])
    assert truth.coverage().tolist() == [pytest.approx([0.6, 0.4, 1.0, 0.0, 0.0])]


def test_a_project_that_needs_nothing_is_covered_by_nobody() -> None:
    """The coverage is 0, not NaN."""
    assert truth_of([[0]], [Need((), ())]).coverage().tolist() == [[0.0]]


def test_coverage_is_at_most_one() -> None:
    """Seven rounded sevenths add up to more."""
    truth = truth_of([[0, 1, 2, 3]], [Need((0, 1, 2), (3,))])
    assert truth.coverage().max() == 1.0
    assert truth.coverage_of_pairs(np.array([0], np.int32), np.array([0], np.int32)).max() == 1.0


@settings(max_examples=40, deadline=None)
@given(mastered=ROWS, mandatory=ROWS)
def test_coverage_equals_a_naive_loop(mastered: list[list[int]], mandatory: list[list[int]]) -> None:
    """For all pairs, for some rows, and for single pairs."""
    needs = [Need(skills, sorted({0, 1, 2, 3} - set(skills))) for skills in mandatory]
    truth = truth_of(mastered, needs)
    expected = np.zeros((len(needs), len(mastered)))
    for p, need in enumerate(needs):
        total = 2 * len(need.mandatory) + len(need.bonus)
        for f, skills in enumerate(mastered):
            covered = sum(2 for skill in need.mandatory if skill in skills)
            covered += sum(1 for skill in need.bonus if skill in skills)
            expected[p, f] = covered / total if total else 0
    np.testing.assert_allclose(truth.coverage(), expected, rtol=1e-6)
    some = np.array([len(mastered) - 1, 0], dtype=np.int32)
    np.testing.assert_allclose(truth.coverage(np.array([0], np.int32), some), expected[:1, some], rtol=1e-6)
    rows, columns = (part.ravel().astype(np.int32) for part in np.indices(expected.shape))
    np.testing.assert_allclose(truth.coverage_of_pairs(rows, columns), expected.ravel(), rtol=1e-6)


def test_the_truth_of_some_projects() -> None:
    """Projects are in the order of the rows; freelancers stay."""
    truth = truth_of([[0], [1]], [Need((0,), ()), Need((1,), ()), Need((2,), (1,))])
    part = truth.with_projects(np.array([2, 0], dtype=np.int32))
    assert part.coverage().tolist() == [pytest.approx([0, 1 / 3]), [1, 0]]
    assert list(part.needs()) == [Need([2], [1]), Need([0], [])]


@settings(max_examples=40, deadline=None)
@given(ROWS)
def test_rows_come_back(rows: list[list[int]]) -> None:
    """Column numbers become a matrix and the same numbers again."""
    assert skills_of_rows(skill_rows(rows, 6)) == rows
