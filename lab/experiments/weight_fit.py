"""Fit of the weights of a posting's title and description, and the synthetic descriptions that it needs.

Below a real vacancy title stand sentences about its occupation from the taxonomy, among twice as many about others,
since much of a real description is not about the job.
"""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from jobmatch_core.entities import FloatArray
from jobmatch_core.linking.calibration import MIN_THRESHOLD, SURE
from jobmatch_core.linking.fusion import ConditionalLogit
from jobmatch_core.linking.posting_linker import PostingWeights
from jobmatch_core.metrics.calibration import expected_calibration_error, precision_curve, threshold_for

_BETA = 0.5


def fit_weights(
    features: FloatArray, right: NDArray[np.bool_], half: NDArray[np.bool_], *, precision: float | None = None
) -> PostingWeights:
    """Fit weights on all postings; choose and measure the threshold on each half by weights fitted on the other.

    Args:
        features: (posting, occupation, feature).
        right: (posting, occupation) true for right ones; none where there is no answer.
        half: (posting,) true for one half; postings with the same answer belong into the same half.
        precision: target precision; with None, the threshold is that of the best F0.5.
    """
    top, correct = np.empty(len(half)), np.empty(len(half), dtype=bool)
    for part in (half, ~half):
        logit = _fitted(features[~part], right[~part])
        top[part], correct[part] = _top(features[part], logit, right[part])
    logit = _fitted(features, right)
    threshold = max(_threshold(top, correct, right, precision), MIN_THRESHOLD)
    linked = top >= threshold
    return PostingWeights(
        weights=tuple(float(weight) for weight in logit.weights),
        none=logit.none,
        threshold=threshold,
        held_out={
            "postings": float(len(top)),
            "accuracy": float(correct.mean()),
            "ece": expected_calibration_error(top, correct),
            "linked": float(linked.mean()),
            "precision": float(correct[linked].mean()) if linked.any() else 0.0,
        },
    )


def made_description(own: Sequence[str], others: Sequence[str], random: np.random.Generator) -> str:
    """Return a synthetic description: three to eight sentences from *own*, twice as many from *others*, shuffled."""
    size = min(int(random.integers(3, 9)), len(own))
    drawn = [own[place] for place in random.permutation(len(own))[:size]]
    drawn += [others[place] for place in random.integers(len(others), size=2 * size)]
    return "\n".join(drawn[place] for place in random.permutation(len(drawn)))


def _fitted(features: FloatArray, right: NDArray[np.bool_]) -> ConditionalLogit:
    n_postings, n_occupations, n_features = features.shape
    queries = np.repeat(np.arange(n_postings), n_occupations)
    return ConditionalLogit.fit(queries, features.reshape(-1, n_features), right.reshape(-1), n_postings)


def _threshold(
    top: NDArray[np.float64], correct: NDArray[np.bool_], right: NDArray[np.bool_], precision: float | None
) -> float:
    if precision is None:
        return best_threshold(top, correct, int(right.any(axis=1).sum()))[0]
    point = threshold_for(precision_curve(top, correct), precision)
    return point.threshold if point else SURE


def _top(
    features: FloatArray, logit: ConditionalLogit, right: NDArray[np.bool_]
) -> tuple[NDArray[np.float64], NDArray[np.bool_]]:
    """Return each posting's highest probability, and whether it belongs to a right occupation."""
    utilities = features @ logit.weights
    highest = np.maximum(utilities.max(axis=1), logit.none)
    totals = np.exp(utilities - highest[:, None]).sum(axis=1) + np.exp(logit.none - highest)
    best = utilities.argmax(axis=1)
    return np.exp(utilities.max(axis=1) - highest) / totals, right[np.arange(len(best)), best]


def best_threshold(top: NDArray[np.float64], correct: NDArray[np.bool_], answerable: int) -> tuple[float, float]:
    """Return the threshold on the top probability with the best F0.5, and that F0.5.

    Precision is over linked titles, recall over titles that have an answer. Precision counts double, because a wrong
    link costs a recruiter more than a missing one.
    """
    order = np.argsort(-top)
    hits = np.cumsum(correct[order])
    linked = np.arange(1, len(top) + 1)
    f_measure = (1 + _BETA**2) * hits / (linked + _BETA**2 * max(answerable, 1))
    f_measure[:-1][top[order][:-1] == top[order][1:]] = 0.0  # a threshold cannot separate equal probabilities
    best = int(np.argmax(f_measure))
    return float(top[order[best]]), float(f_measure[best])
