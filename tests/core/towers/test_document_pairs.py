"""The split by time keeps later interactions out of the training; documents and their matrix."""

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from jobmatch_core.entities import Interaction
from jobmatch_core.errors import MarketplaceError
from jobmatch_core.marketplace.marketplace import Marketplace, Need, RecordBlock
from jobmatch_core.towers.document_pairs import DocumentPairs, temporal_split
from jobmatch_core.towers.sampling import PAPER_INFO_NCE
from tests.made_marketplace import CATEGORIES, TRADES, freelancers, marketplace, projects

DATES = st.lists(st.integers(1, 28), min_size=4, max_size=4).filter(lambda days: len(set(days)) > 1)


def dated(*days: int | None) -> Marketplace:
    """Return projects created on these days, each with an answer after a day and one after a week."""
    wanted = [
        replace(project, created=f"2026-01-{day:02}" if day else "")
        for project, day in zip(projects(1), days, strict=True)
    ]
    people = freelancers()[:2]
    answers = [
        Interaction(project.id, people[delay % 2].id, True, f"2026-01-{(day or 0) + delay:02}")
        for project, day in zip(wanted, days, strict=True)
        for delay in (1, 7)
    ]
    truth = RecordBlock(
        needs=[Need((row,), ()) for row in range(4)], mastered=[[0, 1], [2]], skills=["a", "b", "c", "d"]
    )
    return Marketplace.of_blocks("dated", [RecordBlock(wanted, people, answers), truth], generated=True)


def test_by_hand() -> None:
    """The last of four projects is the test; later interactions of the first three are left out."""
    train, test = temporal_split(dated(3, 1, 10, 5), 0.25)
    assert [project.created for project in test.projects] == ["2026-01-10"]
    assert [project.created for project in train.projects] == ["2026-01-03", "2026-01-01", "2026-01-05"]
    assert [interaction.date for interaction in test.interactions] == ["2026-01-11", "2026-01-17"]
    assert [interaction.date for interaction in train.interactions] == [
        "2026-01-04",
        "2026-01-02",
        "2026-01-08",
        "2026-01-06",
    ]
    assert train.freelancers == test.freelancers == dated(3, 1, 10, 5).freelancers


def test_the_truth_goes_with_the_projects() -> None:
    """Each part has the rows of its own projects."""
    train, test = temporal_split(dated(3, 1, 10, 5), 0.25)
    assert train.truth is not None
    assert test.truth is not None
    np.testing.assert_array_equal(train.truth.coverage(), [[1, 0], [1, 0], [0, 0]])
    np.testing.assert_array_equal(test.truth.coverage(), [[0, 1]])
    assert train.project_rows == {project.id: row for row, project in enumerate(train.projects)}


@settings(max_examples=60, deadline=None)
@given(DATES, st.floats(0.01, 0.99))
def test_no_training_after_the_test_begins(days: list[int], share: float) -> None:
    """For any dates: both parts have projects, none is lost, and all training dates are before the test."""
    whole = dated(*days)
    train, test = temporal_split(whole, share)
    since = min(project.created for project in test.projects)
    assert max(project.created for project in train.projects) < since
    assert all(interaction.date < since for interaction in train.interactions)
    assert {project.id for project in (*train.projects, *test.projects)} == {project.id for project in whole.projects}
    assert len(test.interactions) == 2 * len(test.projects)


def test_projects_of_one_day_stay_together() -> None:
    """The test has more projects than requested."""
    train, test = temporal_split(dated(1, 5, 5, 5), 0.25)
    assert (len(train.projects), len(test.projects)) == (1, 3)


def test_projects_of_the_first_day_are_learned_from() -> None:
    """They are in the training, however many there are."""
    train, test = temporal_split(dated(1, 1, 1, 5), 0.9)
    assert (len(train.projects), len(test.projects)) == (3, 1)


def test_a_project_without_a_date_is_the_oldest() -> None:
    """It is in the training."""
    train, _ = temporal_split(dated(None, 2, 3, 4), 0.5)
    assert [project.created for project in train.projects] == ["", "2026-01-02"]


@pytest.mark.parametrize("days", [(None, None, None, None), (2, 2, 2, 2)], ids=["no dates", "one date"])
def test_dates_that_part_nothing(days: tuple[int | None, ...]) -> None:
    """The error says what to do."""
    with pytest.raises(MarketplaceError, match="import the marketplace with the dates"):
        temporal_split(dated(*days), 0.2)


def test_no_projects() -> None:
    """An empty marketplace cannot be split."""
    with pytest.raises(MarketplaceError, match="cannot be split by date"):
        temporal_split(Marketplace("empty", (), (), ()), 0.2)


@pytest.mark.parametrize("share", [0, 1, -0.5, 1.5, float("nan")])
def test_shares_that_cannot_be(share: float) -> None:
    """They are refused."""
    with pytest.raises(MarketplaceError, match="must be between 0 and 1"):
        temporal_split(dated(1, 2, 3, 4), share)


def test_rows_and_columns_are_those_of_the_documents() -> None:
    """Three positives and four negatives per project, all in its category."""
    pairs = DocumentPairs.of(marketplace(per_trade=2))
    assert pairs.interactions.shape == (8, 24) == (len(pairs.projects), len(pairs.freelancers))
    dense = pairs.interactions.toarray()
    assert ((dense > 0).sum(axis=1).tolist(), (dense < 0).sum(axis=1).tolist()) == ([3] * 8, [4] * 8)
    for row, column in zip(*dense.nonzero(), strict=True):
        assert pairs.projects[row].category == pairs.freelancers[column].category
    first = {pairs.freelancers[column].id for column in np.flatnonzero(dense[0] > 0)}
    assert (pairs.projects[0].id, first) == ("p-web-0", {"f-web-0", "f-web-2", "f-web-4"})


def test_the_sampler_draws_all_projects_and_other_categories() -> None:
    """Each project once per epoch, with weak negatives of the other category."""
    pairs = DocumentPairs.of(marketplace(per_trade=2))
    batches = list(pairs.sampler(replace(PAPER_INFO_NCE, weak_negatives=4)).batches(1))
    assert sorted(int(batch.projects[0]) for batch in batches) == list(range(8))
    for batch in batches:
        own = pairs.projects[batch.projects[0]].category
        drawn = [pairs.freelancers[column].category for column in batch.freelancers]
        assert drawn == [own] * 3 + [next(category for category in CATEGORIES if category != own)] * 4
    assert len(TRADES) == 4
