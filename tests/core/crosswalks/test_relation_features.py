"""Features of pairs: the arithmetic of a few, by hand."""

import numpy as np
import pytest

from jobmatch_core.crosswalks.relation_features import (
    FEATURES,
    RelationPairs,
    SourceCode,
    TargetConcept,
    relation_features,
)
from jobmatch_core.encoders.loading import shipped_encoder

SOURCES = [SourceCode("1", "Bakers"), SourceCode("11", "pastry cook", "1"), SourceCode("12", "bread baker", "1")]
TARGETS = [
    TargetConcept("b", ("baker", "bread baker"), "Bakers", "7512", 1),
    TargetConcept("c", ("confectioner", "pastry cook"), "Bakers", "7512"),
    TargetConcept("d", ("driver",)),
]
PAIRS = RelationPairs(SOURCES, TARGETS, np.array([0, 0, 1, 2, 0]), np.array([0, 1, 1, 0, 2]))


@pytest.fixture(scope="module")
def columns() -> dict[str, list[float]]:
    """Return feature -> its values for the five pairs."""
    features = relation_features(PAIRS, shipped_encoder())
    assert features.shape == (5, len(FEATURES))
    return {name: features[:, place].tolist() for place, name in enumerate(FEATURES)}


def test_names(columns: dict[str, list[float]]) -> None:
    """`Bakers` shares <ba, bak, ake, ker with `baker`, of the <ba, bak, ake, ker, ers, rs> that it has."""
    assert columns["equals a name"] == [0, 0, 1, 1, 0]
    assert columns["equals the preferred name"] == [0] * 5
    assert columns["letters of the source in the preferred name"][0] == pytest.approx(4 / 6)
    assert columns["letters of the source in a name"][2:4] == [1, 1]
    assert columns["letters of the preferred name in the source"][3] == 1
    assert columns["words more than the preferred name"][2:4] == pytest.approx([1 / 3, 1 / 3])
    assert columns["meaning of a name"][2] == pytest.approx(1, abs=1e-5)


def test_counts(columns: dict[str, list[float]]) -> None:
    """Code 1 has three targets in two unit groups and two codes below it; the baker has two sources."""
    assert np.exp(columns["targets of the source"]).tolist() == pytest.approx([3, 3, 1, 1, 3])
    assert np.exp(columns["sources of the target"]).tolist() == pytest.approx([2, 2, 2, 2, 1])
    assert np.exp(columns["unit groups of the source's targets"]).tolist() == pytest.approx([2, 2, 1, 1, 2])
    assert np.expm1(columns["source codes below the source"]).tolist() == pytest.approx([2, 2, 0, 0, 2])
    assert np.expm1(columns["occupations below the target"]).tolist() == pytest.approx([1, 0, 0, 1, 0])
    assert columns["best source of the target"] == [0, 0, 1, 1, 1]
    assert columns["best target of the source"][2:4] == [1, 1]
    assert columns["behind the best target"][2] == 0  # it has no other
    assert columns["meaning of the target's unit group"][4] == 0  # it has none
