"""Sections joined for display."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from jobmatch_core.retrieval.section_shares import section_shares
from jobmatch_core.towers.documents import SECTIONS, Kind

KINDS: tuple[Kind, ...] = ("freelancer", "project")


def test_a_worked_example() -> None:
    """Category and family together 0.3 of a positive sum of 0.8; the text speaks against it."""
    contributions = {"title": 0.1, "description": -0.2, "family": 0.2, "category": 0.1, "skills": 0.4, "experience": 0}
    shares = {each.name: each for each in section_shares(contributions, "freelancer")}
    assert list(shares) == ["skills", "experience", "title", "text", "category"]
    assert shares["category"].score == pytest.approx(0.3)
    assert shares["category"].share == pytest.approx(0.375)
    assert (shares["text"].score, shares["text"].share) == (-0.2, 0)
    assert (shares["experience"].score, shares["experience"].share) == (0, 0)


def test_nothing_speaks_for_it() -> None:
    """There are no shares then."""
    assert {each.share for each in section_shares(dict.fromkeys(SECTIONS["project"], -0.1), "project")} == {0.0}


@given(st.sampled_from(KINDS), st.lists(st.floats(-1, 1), min_size=7, max_size=7))
def test_nothing_is_lost(kind: Kind, values: list[float]) -> None:
    """The groups' scores sum up to the sections', and shares to one or nothing."""
    contributions = dict(zip(SECTIONS[kind], values, strict=False))
    shares = section_shares(contributions, kind)
    assert sum(each.score for each in shares) == pytest.approx(sum(contributions.values()), abs=1e-9)
    whole = sum(each.share for each in shares)
    assert whole == pytest.approx(1) if any(each.score > 0 for each in shares) else whole == 0
