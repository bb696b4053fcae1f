"""Folds: as a loop that looks at every pair of rows would part them, and models that have not seen what they rank."""

from collections import Counter
from collections.abc import Sequence

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from jobmatch_core.entities import FloatArray
from jobmatch_core.marketplace.marketplace import Marketplace
from jobmatch_core.ranking.cross_fitting import cross_fitted, fold_numbers, unseen_folds
from jobmatch_core.ranking.ranker import Ranker
from jobmatch_core.towers.documents import Document
from tests.made_marketplace import marketplace

KEYS = st.lists(st.sampled_from([f"p{number}" for number in range(9)]), min_size=1, max_size=30)


@given(KEYS, st.integers(1, 6))
def test_folds_are_of_equal_size(keys: list[str], folds: int) -> None:
    """To one key, and rows of one key are in one fold."""
    numbers = fold_numbers(keys, folds)
    fold_of = dict(zip(keys, numbers.tolist(), strict=True))
    assert [fold_of[key] for key in keys] == numbers.tolist()
    sizes = Counter(fold_of.values())
    assert set(sizes) <= set(range(folds))
    assert max(sizes.values()) - min([*sizes.values(), *([0] if len(sizes) < folds else [])]) <= 1


def fitted_on(rows: Sequence[int]) -> Ranker:
    """Return a ranker that tells what it was fitted on."""
    return Ranker({}, ",".join(map(str, rows)))


@given(KEYS, st.integers(1, 6))
def test_each_ranker_has_seen_all_other_folds_and_nothing_else(keys: list[str], folds: int) -> None:
    """The oracle goes through all pairs of rows."""
    numbers = fold_numbers(keys, folds)
    expected = []
    for one in range(len(keys)):
        others = []
        for other in range(len(keys)):
            if numbers[other] != numbers[one]:
                assert keys[other] != keys[one]
                others.append(other)
        expected.append(fitted_on(others))
    assert cross_fitted(keys, fitted_on, folds) == expected


class Seen:
    """A model that knows the projects that it was trained on."""

    name = "seen"

    def __init__(self, part: Marketplace) -> None:
        self.projects = {project.id for project in part.projects}
        self.interactions = {each.project for each in part.interactions}

    def encode(self, documents: Sequence[Document]) -> FloatArray:
        """Return nothing of interest."""
        return np.ones((len(documents), 1), dtype=np.float32)


def test_no_project_is_found_by_a_model_that_has_seen_it() -> None:
    """Each project is in one fold, and its model was trained on all others and on their answers."""
    market = marketplace(3)
    everyone = {project.id for project in market.projects}
    found = [(project.id, fold.encoder) for fold in unseen_folds(Seen, market, 2) for project in fold.projects]
    assert sorted(id_ for id_, _ in found) == sorted(everyone)
    for fold in unseen_folds(Seen, market, 2):
        unseen = {project.id for project in fold.projects}
        assert isinstance(fold.encoder, Seen)
        assert fold.encoder.projects == fold.encoder.interactions == everyone - unseen
