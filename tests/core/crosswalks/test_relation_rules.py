"""Relations by hand."""

import numpy as np

from jobmatch_core.crosswalks.mapping import BROADER, CLOSE, EXACT, NARROWER, PREDICTED
from jobmatch_core.crosswalks.relation_features import FEATURES
from jobmatch_core.crosswalks.relation_model import shipped_relation_model
from jobmatch_core.crosswalks.relation_rules import ruled


def test_rules_by_hand() -> None:
    """One target and one source: exact; more targets: broader; more sources: narrower; as many of both: close."""
    features = np.zeros((5, len(FEATURES)), np.float32)
    features[:, FEATURES.index("targets of the source")] = [0, 1, 0, 1, 1]
    features[:, FEATURES.index("sources of the target")] = [0, 0, 1, 1, 0]
    features[4, FEATURES.index("equals a name")] = 1
    assert [PREDICTED[relation] for relation in ruled(features)] == [EXACT, BROADER, NARROWER, CLOSE, EXACT]


def test_no_pair_has_no_relation() -> None:
    """Neither by the rules nor by the model."""
    nothing = np.zeros((0, len(FEATURES)), np.float32)
    assert len(ruled(nothing)) == 0
    assert shipped_relation_model().relation_probabilities(nothing).shape == (0, len(PREDICTED))
