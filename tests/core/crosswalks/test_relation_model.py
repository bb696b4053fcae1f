"""Trees as arrays: their sums by hand, damaged files, and the shipped model."""

import json
from dataclasses import asdict
from pathlib import Path

import numpy as np
import pytest

from jobmatch_core.crosswalks.boosted_trees import BoostedTrees, Tree
from jobmatch_core.crosswalks.mapping import BROADER, EXACT, NARROWER, PREDICTED
from jobmatch_core.crosswalks.relation_features import RelationPairs, SourceCode, TargetConcept, relation_features
from jobmatch_core.crosswalks.relation_model import (
    read_relation_model,
    shipped_relation_model,
)
from jobmatch_core.encoders.loading import shipped_encoder
from jobmatch_core.io.text_files import json_text

STUMP = Tree(0, (1, -1, -1), (0.5, 0, 0), (1, 0, 0), (2, 0, 0), (0, -1, 3))


def test_sums_by_hand() -> None:
    """Up to the threshold -1, above it 3; with base 1 and temperature 2: 0 and 2."""
    trees = BoostedTrees((1.0, 0.0), 2.0, (STUMP,))
    features = np.array([[9, 0.5], [0, 0.6]], np.float32)
    assert trees.utilities(features).tolist() == [[0, 0], [2, 0]]
    assert trees.probabilities(features)[1, 0] == pytest.approx(np.e**2 / (1 + np.e**2))


@pytest.mark.parametrize("changed", [{"left": (0, 0, 0)}, {"feature": (99, -1, -1)}, {"of": 4}, {"value": (1,)}])
def test_damaged_trees_are_refused(tmp_path: Path, changed: dict[str, object]) -> None:
    """Among them one whose way never ends."""
    content = asdict(shipped_relation_model())
    content["relations"]["trees"] = [asdict(STUMP) | changed]
    path = tmp_path / "model.json"
    path.write_text(json_text(content), "utf-8")
    with pytest.raises(ValueError, match="a tree is damaged"):
        read_relation_model(path)
    content["features"] = ["others"]
    path.write_text(json.dumps(content), "utf-8")
    with pytest.raises(ValueError, match="other features"):
        read_relation_model(path)


def test_the_shipped_model_knows_plain_relations() -> None:
    """An equal name is exact, one group of several occupations broader, and names that share an occupation narrower."""
    sources = [
        SourceCode("1", "carpenter"),
        SourceCode("2", "Bakers, butchers and fishmongers"),
        *(
            SourceCode(f"3{number}", f"bus driver on {road}")
            for number, road in enumerate(("city lines", "long roads"))
        ),
    ]
    targets = [TargetConcept(name, (name,)) for name in ("carpenter", "baker", "butcher", "fishmonger", "bus driver")]
    pairs = RelationPairs(sources, targets, np.array([0, 1, 1, 1, 2, 3]), np.array([0, 1, 2, 3, 4, 4]))
    features = relation_features(pairs, shipped_encoder())
    relations = shipped_relation_model().relation_probabilities(features)
    assert relations.sum(axis=1) == pytest.approx(1)
    assert [PREDICTED[number] for number in relations.argmax(axis=1)] == [EXACT, *[BROADER] * 3, *[NARROWER] * 2]
