"""Weights that fuse a posting's title and description, and their fit.

The postings that they are fitted on are synthetic: a real vacancy title with its occupation, and below it sentences
    about that occupation from the taxonomy, among sentences of other occupations, as real descriptions contain much
    that is not about the job. No benchmark of postings is used, and no crosswalk.
"""

from collections.abc import Sequence
from dataclasses import asdict, dataclass
from importlib.resources import files
from pathlib import Path
from typing import Self

import numpy as np
from numpy.typing import NDArray

from jobmatch_core.entities import FloatArray
from jobmatch_core.errors import LinkingError
from jobmatch_core.io.folders import write_text_whole
from jobmatch_core.io.records import read_record
from jobmatch_core.io.text_files import json_text
from jobmatch_core.linking.calibration import MIN_THRESHOLD, SURE
from jobmatch_core.linking.fusion import ConditionalLogit
from jobmatch_core.metrics.calibration import expected_calibration_error, precision_curve, threshold_for
from jobmatch_core.model_store.saved_model import check_finite

FEATURES = ("title", "names", "description")
_BETA = 0.5


@dataclass(frozen=True, slots=True)
class PostingWeights:
    """Fitted weights and threshold.

    Attributes:
        weights: weights of the features, in their order.
        none: the utility of 'none of these'.
        threshold: the probability from which a posting is linked, at least `MIN_THRESHOLD`.
        held_out: figures on synthetic postings by weights not fitted on them: `postings`, `accuracy`, `ece`, and the
            share `linked` from the threshold on, with its `precision`.
    """

    weights: tuple[float, ...]
    none: float
    threshold: float
    held_out: dict[str, float]

    @property
    def logit(self) -> ConditionalLogit:
        """The fitted model."""
        return ConditionalLogit(np.array(self.weights), self.none)

    def __post_init__(self) -> None:
        """Raise ValueError for weights that are not finite numbers."""
        check_finite({"posting weights": [*self.weights, self.none, self.threshold]})

    @classmethod
    def fit(
        cls, features: FloatArray, right: NDArray[np.bool_], half: NDArray[np.bool_], *, precision: float | None = None
    ) -> Self:
        """Fit on all postings; choose the threshold, and measure, on each half by weights fitted on the other.

        Args:
            features: (posting, occupation, feature).
            right: (posting, occupation) true for those that are right; none where there is no answer.
            half: (posting,) true for one half; postings with the same answer belong into the same.
            precision: share of right links that is wished; where None, the threshold is that of the best F0.5.
        """
        top, correct = np.empty(len(half)), np.empty(len(half), dtype=bool)
        for part in (half, ~half):
            logit = _fitted(features[~part], right[~part])
            top[part], correct[part] = _top(features[part], logit, right[part])
        logit = _fitted(features, right)
        threshold = max(_threshold(top, correct, right, precision), MIN_THRESHOLD)
        linked = top >= threshold
        return cls(
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

    def save(self, path: Path) -> None:
        """Write a JSON file."""
        write_text_whole(path, json_text(asdict(self), indent=2) + "\n")

    @classmethod
    def load(cls, path: Path) -> Self:
        """Read the file that `save` wrote.

        Raises:
            LinkingError: the file is missing or damaged.
        """
        try:
            return read_record(path, cls)
        except (OSError, ValueError) as error:
            raise LinkingError(f"{path} holds no weights of postings that can be read ({error}).") from error

    @classmethod
    def shipped(cls) -> Self:
        """Return the weights of postings that come with jobmatch."""
        return cls.load(shipped_weights_file())

    @classmethod
    def shipped_for_hints(cls) -> Self:
        """Return the weights of general titles with short descriptions that come with jobmatch."""
        return cls.load(shipped_hint_weights_file())


def shipped_weights_file() -> Path:
    """Return the file of the weights of postings that come with jobmatch."""
    return _shipped("posting_weights.json")


def shipped_hint_weights_file() -> Path:
    """Return the file of the weights of general titles with short descriptions that come with jobmatch."""
    return _shipped("hint_weights.json")


def _shipped(name: str) -> Path:
    return Path(str(files("jobmatch_core.linking") / name))


def made_description(own: Sequence[str], others: Sequence[str], random: np.random.Generator) -> str:
    """Return a synthetic description: three to eight sentences of the occupation's own, and twice as many others.

    Args:
        own: sentences of the taxonomy about the occupation, such as its skills.
        others: sentences about all occupations.
        random: random generator.
    """
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
    """Return each posting's highest probability, and whether it is a right one's."""
    utilities = features @ logit.weights
    highest = np.maximum(utilities.max(axis=1), logit.none)
    totals = np.exp(utilities - highest[:, None]).sum(axis=1) + np.exp(logit.none - highest)
    best = utilities.argmax(axis=1)
    return np.exp(utilities.max(axis=1) - highest) / totals, right[np.arange(len(best)), best]


def best_threshold(top: NDArray[np.float64], correct: NDArray[np.bool_], answerable: int) -> tuple[float, float]:
    """Return the threshold on the top probability with the best F-measure, and that measure.

    Precision is over the titles that are linked, recall over those that have an answer. Precision
    counts double (F0.5), because a wrong link costs a recruiter more than one that is set aside.
    """
    order = np.argsort(-top)
    hits = np.cumsum(correct[order])
    linked = np.arange(1, len(top) + 1)
    f_measure = (1 + _BETA**2) * hits / (linked + _BETA**2 * max(answerable, 1))
    f_measure[:-1][top[order][:-1] == top[order][1:]] = 0.0  # a threshold cannot part equal probabilities
    best = int(np.argmax(f_measure))
    return float(top[order[best]]), float(f_measure[best])
