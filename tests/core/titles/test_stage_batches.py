"""What stands behind the trainer's row numbers."""

from typing import Any

import numpy as np
import pytest

from jobmatch_core.taxonomy import TaxonomyStore
from jobmatch_core.titles.occupation_names import OccupationNames
from jobmatch_core.titles.similarity_pairs import similarity_pairs
from jobmatch_core.titles.skill_vectors import TitleTargets
from jobmatch_core.titles.stage_batches import NUMBER, TargetBatches, TupleBatches


def as_they_are(texts: list[str]) -> dict[str, Any]:
    """Return the texts in place of a model's features."""
    return {"input_ids": texts}


def rows(*numbers: int) -> list[dict[str, int]]:
    """Return what the trainer gives."""
    return [{NUMBER: number} for number in numbers]


def test_titles_come_with_their_bags_vector() -> None:
    """Numbers beyond the third title begin again: 4 is the second."""
    targets = TitleTargets(["a", "b", "c"], np.array([1, 0, 1], np.int32), np.eye(2, dtype=np.float32))
    batch = TargetBatches(targets, as_they_are)(rows(2, 1, 4))
    assert batch["title_input_ids"] == ["c", "b", "b"]
    assert batch["label"].tolist() == [[0, 1], [1, 0], [1, 0]]


@pytest.mark.parametrize("negatives", [1, 3])
def test_negatives_follow_anchor_by_anchor(store: TaxonomyStore, negatives: int) -> None:
    """They are those of the tuples of these numbers."""
    pairs = similarity_pairs(OccupationNames.of(store.load("esco-1.0")), seed=1)
    batch = TupleBatches(pairs, as_they_are, negatives=negatives, pool=8)(rows(5, 3))
    drawn = [pairs.draw(number, negatives, pool=8) for number in (5, 3)]
    assert list(batch) == ["anchor_input_ids", "positive_input_ids", "negatives_input_ids"]
    assert batch["anchor_input_ids"] == [each.anchor for each in drawn]
    assert batch["positive_input_ids"] == [each.positive for each in drawn]
    assert batch["negatives_input_ids"] == [text for each in drawn for text in each.negatives]
