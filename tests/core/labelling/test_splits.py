"""Splits: by project and by time, and never a project on both sides."""

from collections.abc import Callable
from datetime import timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from jobmatch_core.entities import PairKind
from jobmatch_core.errors import LabellingError
from jobmatch_core.labelling.labels import Label, labels_of
from jobmatch_core.labelling.splits import Split, split_by_project, split_by_time
from tests.core.labelling.made_judgments import START, judgment, pair

SPLITS = (split_by_project, split_by_time)


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


@pytest.mark.parametrize("split", SPLITS)
@given(given=GIVEN, share=st.floats(0.01, 0.99))
def test_no_project_is_on_both_sides(
    split: Callable[[list[Label], float], Split], given: list[tuple[str, float]], share: float
) -> None:
    """Whatever was labelled: both sides have labels, no project is on both, no label is there twice."""
    whole = labels(*given)
    try:
        found = split(whole, share)
    except LabellingError:
        first = {left: min(minute for other, minute in given if other == left) for left, _ in given}
        assert len(first) == 1 or (split is split_by_time and len(set(first.values())) == 1)
        return
    assert found.train
    assert found.test
    assert not set(lefts(found.train)) & set(lefts(found.test))
    assert [label for label in whole if label in found.train] == list(found.train)
    assert [label for label in whole if label in found.test] == list(found.test)
    left_out = set(whole) - {*found.train, *found.test}
    since = min(label.at for label in found.test)
    if split is split_by_time:
        assert max(label.at for label in found.train) < since
        assert all(label.at >= since for label in left_out)
    else:
        assert not left_out


def test_by_time_by_hand() -> None:
    """First came p and q; what was said of p when r had come was not known then, and is left out."""
    whole = labels(("p", 0), ("q", 5), ("r", 10), ("p", 20), ("r", 30), ("s", 40))
    found = split_by_time(whole, 0.5)
    assert lefts(found.train) == ["p", "q"]
    assert lefts(found.test) == ["r", "r", "s"]


def test_projects_of_one_moment_stay_together() -> None:
    """More are tested on than asked for, but never those of the first moment."""
    found = split_by_time(labels(("p", 0), ("q", 5), ("r", 5), ("s", 5)), 0.25)
    assert (lefts(found.train), lefts(found.test)) == (["p"], ["q", "r", "s"])
    found = split_by_time(labels(("p", 0), ("q", 0), ("r", 0), ("s", 5)), 0.9)
    assert (lefts(found.train), lefts(found.test)) == (["p", "q", "r"], ["s"])


def test_a_label_is_as_late_as_its_last_judgment() -> None:
    """Two judged p; the second when r had come."""
    both = [
        judgment("+", "a", pair("p")),
        judgment("+", "b", pair("p"), minute=15),
        judgment("+", "a", pair("r"), minute=10),
    ]
    found = split_by_time(labels_of(both).labels, 0.4)
    assert lefts(found.test) == ["p"]  # it was known only at minute 15
    assert found.train[0].at == START + timedelta(minutes=10)


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


@pytest.mark.parametrize("split", SPLITS)
@pytest.mark.parametrize("share", [0, 1, -0.5, 1.5, float("nan")])
def test_shares_that_cannot_be(split: Callable[[list[Label], float], Split], share: float) -> None:
    """Neither side may be empty."""
    with pytest.raises(LabellingError, match="must be between 0 and 1"):
        split(labels(("p", 0), ("q", 1)), share)


@pytest.mark.parametrize("split", SPLITS)
def test_too_few_projects(split: Callable[[list[Label], float], Split]) -> None:
    """However many pairs."""
    with pytest.raises(LabellingError, match="at least two projects or titles"):
        split(labels(("p", 0), ("p", 1)), 0.5)
    with pytest.raises(LabellingError, match="at least two projects or titles"):
        split([], 0.5)


def test_one_moment() -> None:
    """Time parts nothing."""
    with pytest.raises(LabellingError, match="cannot be split by time"):
        split_by_time(labels(("p", 0), ("q", 0)), 0.5)
