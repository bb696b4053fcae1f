"""The model of relations: whether a candidate is right, and then whether it is exact, narrower, broader or close.

Both parts are small gradient-boosted trees (Friedman 2001) on `relation_features`, trained on lists simulated from
ESCO, never on a national classification or crosswalk. Whether a candidate is right is predicted without the counts,
which are known only when the right candidates are.
"""

from dataclasses import dataclass
from functools import cache
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from jobmatch_core.crosswalks.boosted_trees import BoostedTrees, checked_trees
from jobmatch_core.crosswalks.mapping import BROADER, CLOSE, EXACT, NARROWER
from jobmatch_core.crosswalks.relation_features import COUNTS, FEATURES
from jobmatch_core.entities import FloatArray
from jobmatch_core.io.records import read_record

PREDICTED = (EXACT, NARROWER, BROADER, CLOSE)  # of a right pair, in the order of the classes
WITHOUT_COUNTS = tuple(place for place, name in enumerate(FEATURES) if name not in COUNTS)
FORMAT = 1
_SHIPPED = Path(__file__).with_name("relation_weights.json")


@dataclass(frozen=True, slots=True)
class RelationModel:
    """Trees that recognise right candidates, and trees that classify their relations."""

    format: int  # of the file
    features: tuple[str, ...]  # names of the features that it was trained on
    right: BoostedTrees  # one sum: the log-odds that a candidate is right
    relations: BoostedTrees  # sums in the order of `PREDICTED`

    def right_probabilities(self, features: FloatArray) -> NDArray[np.float64]:
        """Return the probability that each candidate is right, (pair,), from (pair, feature) values."""
        return self.right.probabilities(features[:, WITHOUT_COUNTS])[:, 1]

    def relation_probabilities(self, features: FloatArray) -> NDArray[np.float64]:
        """Return the probabilities of `PREDICTED` for right pairs, (pair, relation), from (pair, feature) values."""
        return self.relations.probabilities(features)


def read_relation_model(path: Path) -> RelationModel:
    """Read a model.

    Raises:
        OSError: the file cannot be read.
        ValueError: it is damaged, or of other features.
    """
    model = read_record(path, RelationModel, (FORMAT,))
    if model.features != FEATURES:
        raise ValueError(f"{path.name} is a model of other features")
    checked_trees(model.right, len(WITHOUT_COUNTS), 1)
    checked_trees(model.relations, len(FEATURES), len(PREDICTED))
    return model


@cache
def shipped_relation_model() -> RelationModel:
    """Return the model that comes with jobmatch."""
    return read_relation_model(_SHIPPED)
