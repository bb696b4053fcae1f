"""Splits by project: never a project on both sides."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from jobmatch_core.entities import PairKind
from jobmatch_core.errors import LabellingError
from jobmatch_core.labelling.labels import Label, labels_of
from jobmatch_core.labelling.splits import split_by_project
from tests.core.labelling.made_judgments import judgment, pair


def labels(*given: tuple[str, float]) -> list[Label]:
    """Return a label a project and minute, each with a freelancer of its own."""
    return [
        label
        for row, (left, minute) in enumerate(given)
        for label in labels_of([judgment("+", of=pair(left, f"f{row}"), minute=minute)]).labels
    ]


def lefts(side: tuple[Label, ...]) -> list[str]:
    """Return the projects of a side."""
    return [label.pair.left for label in side]


GIVEN = st.lists(st.tuples(st.sampled_from("pqrstuv"), st.integers(0, 60)), min_size=2, max_size=20)


@given(given=GIVEN, share=st.floats(0.01, 0.99))
def test_no_project_is_on_both_sides(given: list[tuple[str, float]], share: float) -> None:
    """Whatever was labelled: both sides have labels, no project is on both, and no label is lost or there twice."""
    whole = labels(*given)
    if len({left for left, _ in given}) < 2:
        with pytest.raises(LabellingError):
            split_by_project(whole, share)
        return
    split = split_by_project(whole, share)
    assert split.train
    assert split.test
    assert not set(lefts(split.train)) & set(lefts(split.test))
    assert [label for label in whole if label in split.train] == list(split.train)
    assert [label for label in whole if label in split.test] == list(split.test)
    assert set(whole) == {*split.train, *split.test}


def test_about_the_share_of_projects() -> None:
    """Of 400 projects about 80; the same ones when there are more labels, and when there are more projects."""
    whole = labels(*((f"p{number}", 0) for number in range(400)))
    aside = set(lefts(split_by_project(whole, 0.2).test))
    assert 55 < len(aside) < 105
    assert set(lefts(split_by_project(whole[:300], 0.2).test)) < aside
    assert set(lefts(split_by_project(whole[::-1] + whole, 0.2).test)) == aside
    assert aside < set(lefts(split_by_project(whole, 0.4).test))


def test_two_projects_are_enough() -> None:
    """One on either side, whatever chance says."""
    for share in (0.001, 0.999):
        found = split_by_project(labels(("p", 0), ("q", 0), ("p", 1)), share)
        assert sorted({*lefts(found.train), *lefts(found.test)}) == ["p", "q"]


def test_the_same_id_elsewhere_is_another_project() -> None:
    """Of another kind of pair, or another source."""
    whole = labels_of([judgment("+", of=pair("p", kind=kind)) for kind in PairKind]).labels
    found = split_by_project(whole, 0.5)
    assert len(found.train) + len(found.test) == 3
    assert found.train
    assert found.test


@pytest.mark.parametrize("share", [0, 1, -0.5, 1.5, float("nan")])
def test_shares_that_cannot_be(share: float) -> None:
    """Neither side may be empty."""
    with pytest.raises(LabellingError, match="must be between 0 and 1"):
        split_by_project(labels(("p", 0), ("q", 1)), share)


@pytest.mark.parametrize("given", [[("p", 0), ("p", 1)], []])
def test_too_few_projects(given: list[tuple[str, float]]) -> None:
    """One project with several labels is too few, and so is none."""
    with pytest.raises(LabellingError, match="at least two projects or titles"):
        split_by_project(labels(*given), 0.5)
