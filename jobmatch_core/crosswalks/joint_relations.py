"""Relations of all pairs of a crosswalk together, so that no two of them contradict each other.

A source code is exact with one concept and then at most close to others, or else narrower than all its concepts, or
broader than all of them, apart from close ones. Two codes are never exact with one concept. As no code is narrower and
broader at the same time, mappings cannot form a circle either.
"""

from collections import defaultdict
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from jobmatch_core.crosswalks.mapping import BROADER, CLOSE, EXACT, NARROWER
from jobmatch_core.crosswalks.relation_features import Indices
from jobmatch_core.crosswalks.relation_model import PREDICTED

LEFT_OUT = -1  # in place of a relation: the pair is no mapping
_EXACT, _NARROWER, _BROADER, _CLOSE = (PREDICTED.index(relation) for relation in (EXACT, NARROWER, BROADER, CLOSE))
_LEAST = 1e-9  # probability, so that logarithms are finite
_Choice = tuple[float, dict[int, int]]  # log-likelihood, and the relation of each pair


def joint_relations(source_of: Indices, target_of: Indices, relations: NDArray[np.float64]) -> NDArray[np.intp]:
    """Return the most likely relations that do not contradict each other.

    Args:
        source_of: (pair,) number of each pair's source code.
        target_of: (pair,) number of each pair's concept.
        relations: (pair, relation) probabilities in the order of `PREDICTED`; what is missing to 1 is the probability
            that the pair is wrong.

    Returns:
        (pair,) number of the relation, or `LEFT_OUT`. Each source code keeps at least one pair.
    """
    logs = np.log(np.maximum(relations, _LEAST))
    wrong = np.log(np.maximum(1 - relations.sum(axis=1), _LEAST))
    pairs_of: dict[int, list[int]] = defaultdict(list)
    for pair, source in enumerate(source_of.tolist()):
        pairs_of[source].append(pair)
    chosen = np.full(len(relations), LEFT_OUT, np.intp)
    taken: set[int] = set()  # concepts that are exact with a code
    surest = {source: relations[pairs, _EXACT].max() for source, pairs in pairs_of.items()}
    for source in sorted(pairs_of, key=lambda source: -surest[source]):
        pairs = pairs_of[source]
        options = [_one_way(pairs, logs, _NARROWER), _one_way(pairs, logs, _BROADER)]
        options += [_exact(pair, pairs, logs, wrong) for pair in pairs if int(target_of[pair]) not in taken]
        for pair, relation in max(options, key=lambda option: option[0])[1].items():
            chosen[pair] = relation
            if relation == _EXACT:
                taken.add(int(target_of[pair]))
    return chosen


def _one_way(pairs: Sequence[int], logs: NDArray[np.float64], way: int) -> _Choice:
    relations = {pair: way if logs[pair, way] >= logs[pair, _CLOSE] else _CLOSE for pair in pairs}
    return float(sum(logs[pair, relation] for pair, relation in relations.items())), relations


def _exact(exact: int, pairs: Sequence[int], logs: NDArray[np.float64], wrong: NDArray[np.float64]) -> _Choice:
    likelihood, relations = float(logs[exact, _EXACT]), {exact: _EXACT}
    for pair in pairs:
        if pair != exact:
            likelihood += float(max(logs[pair, _CLOSE], wrong[pair]))
            if logs[pair, _CLOSE] > wrong[pair]:
                relations[pair] = _CLOSE
    return likelihood, relations
