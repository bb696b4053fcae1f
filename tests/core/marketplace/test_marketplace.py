"""The record of a marketplace, as a stream of blocks and back."""

from dataclasses import replace

import numpy as np

from jobmatch_core.marketplace.marketplace import BLOCK_ROWS, Block, Marketplace
from jobmatch_core.marketplace.skill_truth import Need
from tests.made_marketplace import freelancers, marketplace, projects

TRUTH = Block(
    projects=projects(1),
    freelancers=freelancers()[:3],
    needs=[Need((0,), (1,)), Need((2,), ()), Need((1, 2), ()), Need((0,), ())],
    mastered=[[0], [0, 1], []],
    skills=["a", "b", "c"],
)


def test_rows_by_id() -> None:
    """Of the record itself, and of its truth."""
    tiny = marketplace()
    assert tiny.projects[tiny.project_rows["p-logo-3"]].id == "p-logo-3"
    assert tiny.freelancers[tiny.freelancer_rows["f-film-5"]].id == "f-film-5"


def test_blocks_and_back() -> None:
    """Nothing is lost, and nothing is gained."""
    whole = Marketplace.of_blocks("tiny", [TRUTH], generated=True)
    again = Marketplace.of_blocks("tiny", whole.blocks(), generated=True)
    assert replace(again, truth=None) == replace(whole, truth=None)
    assert whole.truth is not None
    assert again.truth is not None
    assert again.truth.skills == ("a", "b", "c")
    np.testing.assert_array_equal(again.truth.coverage(), whole.truth.coverage())


def test_a_marketplace_without_a_truth() -> None:
    """As a real one."""
    tiny = replace(marketplace(), truth=None)
    assert Marketplace.of_blocks("tiny", tiny.blocks(), generated=True) == tiny


def test_blocks_are_small() -> None:
    """Many interactions come in several."""
    tiny = marketplace()
    many = replace(tiny, interactions=tuple(tiny.interactions[:1]) * (BLOCK_ROWS + 1))
    assert [len(block.interactions) for block in many.blocks()][-2:] == [BLOCK_ROWS, 1]
