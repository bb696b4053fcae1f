"""A marketplace as documents and a matrix."""

from dataclasses import replace

import numpy as np

from jobmatch_core.towers.document_pairs import DocumentPairs
from jobmatch_core.towers.sampling import PAPER_INFO_NCE
from tests.made_marketplace import CATEGORIES, TRADES, marketplace


def test_rows_and_columns_are_those_of_the_documents() -> None:
    """Three yes and four no a project, all in its own category."""
    pairs = DocumentPairs.of(marketplace(per_trade=2))
    assert pairs.interactions.shape == (8, 24) == (len(pairs.projects), len(pairs.freelancers))
    dense = pairs.interactions.toarray()
    assert ((dense > 0).sum(axis=1).tolist(), (dense < 0).sum(axis=1).tolist()) == ([3] * 8, [4] * 8)
    for row, column in zip(*dense.nonzero(), strict=True):
        assert pairs.projects[row].category == pairs.freelancers[column].category
    first = {pairs.freelancers[column].id for column in np.flatnonzero(dense[0] > 0)}
    assert (pairs.projects[0].id, first) == ("p-web-0", {"f-web-0", "f-web-2", "f-web-4"})


def test_the_sampler_draws_all_projects_and_other_categories() -> None:
    """Each project once an epoch; weak negatives of the other category."""
    pairs = DocumentPairs.of(marketplace(per_trade=2))
    batches = list(pairs.sampler(replace(PAPER_INFO_NCE, weak_negatives=4)).batches(1))
    assert sorted(int(batch.projects[0]) for batch in batches) == list(range(8))
    for batch in batches:
        own = pairs.projects[batch.projects[0]].category
        drawn = [pairs.freelancers[column].category for column in batch.freelancers]
        assert drawn == [own] * 3 + [next(each for each in CATEGORIES if each != own)] * 4
    assert len(TRADES) == 4
