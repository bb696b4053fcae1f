"""Relations of all pairs of a crosswalk together, so that no two of them contradict each other.

The surest relation of a source code decides for all its pairs: the code is exact with one concept alone, or narrower
than all its concepts, or broader than all of them, apart from close ones. Two codes are never exact with one concept.
As no code is narrower and broader at the same time, mappings cannot form a circle either.
"""

from collections import defaultdict

import numpy as np
from numpy.typing import NDArray

from jobmatch_core.crosswalks.mapping import BROADER, CLOSE, EXACT, NARROWER, PREDICTED
from jobmatch_core.crosswalks.relation_features import Indices

LEFT_OUT = -1  # in place of a relation: the pair is no mapping
_EXACT, _NARROWER, _BROADER, _CLOSE = (PREDICTED.index(relation) for relation in (EXACT, NARROWER, BROADER, CLOSE))


def joint_relations(source_of: Indices, target_of: Indices, relations: NDArray[np.float64]) -> NDArray[np.intp]:
    """Return relations that do not contradict each other.

    Args:
        source_of: (pair,) number of each pair's source code.
        target_of: (pair,) number of each pair's concept.
        relations: (pair, relation) probabilities in the order of `PREDICTED`.

    Returns:
        (pair,) number of the relation, or `LEFT_OUT`. Each source code keeps at least one pair; a concept that could be
        exact with several codes is exact with the surest.
    """
    pairs_of: dict[int, list[int]] = defaultdict(list)
    for pair, source in enumerate(source_of.tolist()):
        pairs_of[source].append(pair)
    chosen = np.full(len(relations), LEFT_OUT, np.intp)
    taken: set[int] = set()  # concepts that are exact with a code
    for pairs in sorted(pairs_of.values(), key=lambda pairs: -relations[pairs, _EXACT].max()):
        _, way, pair = max(
            (float(relations[pair, way]), way, pair)
            for pair in pairs
            for way in (_EXACT, _NARROWER, _BROADER)
            if way != _EXACT or int(target_of[pair]) not in taken
        )
        if way == _EXACT:
            chosen[pair] = _EXACT
            taken.add(int(target_of[pair]))
        else:
            chosen[pairs] = np.where(relations[pairs, way] >= relations[pairs, _CLOSE], way, _CLOSE)
    return chosen
