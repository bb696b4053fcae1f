"""The model of relations: whether a code is exact with a concept, narrower, broader or close.

Small gradient-boosted trees (Friedman 2001) on `relation_features`, trained on lists simulated from ESCO, never on a
national classification or crosswalk. The relation is that of the trees and of the rules by hand together: the rules
know nothing of names, but hold in countries that the simulated lists do not resemble.
"""

from dataclasses import dataclass
from functools import cache
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from jobmatch_core.crosswalks.boosted_trees import BoostedTrees, checked_trees
from jobmatch_core.crosswalks.mapping import PREDICTED
from jobmatch_core.crosswalks.relation_features import FEATURES
from jobmatch_core.crosswalks.relation_rules import ruled
from jobmatch_core.entities import FloatArray
from jobmatch_core.io.records import read_record

FORMAT = 2
# Both were chosen by the 13 national crosswalks that also chose the size of the trees.
_RULED = 1.0  # what the rules add to the logarithm of their relation's probability
_BALANCE = 0.75  # 1 makes all relations equally frequent in a list, 0 leaves them as the trees have them
_LEAST = 1e-3  # mean probability of a relation in a list
_SHIPPED = Path(__file__).with_name("relation_weights.json")


@dataclass(frozen=True, slots=True)
class RelationModel:
    """Trees that classify the relations of pairs."""

    format: int  # of the file
    features: tuple[str, ...]  # names of the features that it was trained on
    relations: BoostedTrees  # sums in the order of `PREDICTED`

    def relation_probabilities(self, features: FloatArray) -> NDArray[np.float64]:
        """Return the probabilities of `PREDICTED` for the right pairs of a list, (pair, relation).

        *features*, (pair, feature), are those of all right pairs, since a relation that the trees find everywhere
        counts less.
        """
        shares = self.relations.probabilities(features)
        if len(shares):
            shares /= np.maximum(shares.mean(axis=0), _LEAST) ** _BALANCE
            shares[np.arange(len(shares)), ruled(features)] *= np.exp(_RULED)
            shares /= shares.sum(axis=1, keepdims=True)
        return shares


def read_relation_model(path: Path) -> RelationModel:
    """Read a model.

    Raises:
        OSError: the file cannot be read.
        ValueError: it is damaged, or of other features.
    """
    model = read_record(path, RelationModel, (FORMAT,))
    if model.features != FEATURES:
        raise ValueError(f"{path.name} is a model of other features")
    checked_trees(model.relations, len(FEATURES), len(PREDICTED))
    return model


@cache
def shipped_relation_model() -> RelationModel:
    """Return the model that comes with jobmatch."""
    return read_relation_model(_SHIPPED)
