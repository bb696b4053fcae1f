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
from jobmatch_core.linking.calibration import MIN_THRESHOLD
from jobmatch_core.linking.fusion import ConditionalLogit
from jobmatch_core.metrics.calibration import expected_calibration_error
from jobmatch_core.model_store.weights import check_finite

FEATURES = ("title", "names", "description")
_BETA = 0.5


@dataclass(frozen=True, slots=True)
class PostingWeights:
    """Fitted weights and threshold.

    Attributes:
        weights: weights of the features, in their order.
        none: the utility of 'none of these'.
        threshold: the probability under which a posting is not linked; the best F0.5, but at least `MIN_THRESHOLD`.
        held_out: figures on synthetic postings that it was not fitted on: `postings`, `accuracy`, `ece`.
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
    def fit(cls, features: FloatArray, right: NDArray[np.int64]) -> Self:
        """Fit on every other posting; choose the threshold and measure on the rest.

        Args:
            features: (posting, occupation, feature).
            right: (posting,) position of its occupation, -1 where none is right.
        """
        fitted, checked = slice(0, None, 2), slice(1, None, 2)
        logit = ConditionalLogit.fit(*_rows(features[fitted], right[fitted]), len(right[fitted]))
        utilities = features[checked] @ logit.weights
        top, correct = _top(utilities, logit.none, right[checked])
        threshold, _ = best_threshold(top, correct, int((right[checked] >= 0).sum()))
        return cls(
            weights=tuple(float(weight) for weight in logit.weights),
            none=logit.none,
            threshold=max(threshold, MIN_THRESHOLD),
            held_out={
                "postings": float(len(top)),
                "accuracy": float(correct.mean()),
                "ece": expected_calibration_error(top, correct),
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


def _rows(features: FloatArray, right: NDArray[np.int64]) -> tuple[NDArray[np.int64], FloatArray, NDArray[np.bool_]]:
    """Return postings' occupations as rows: number of the posting, features, and whether it is the right one."""
    n_postings, n_occupations, n_features = features.shape
    queries = np.repeat(np.arange(n_postings), n_occupations)
    is_right = (np.arange(n_occupations) == right[:, None]).reshape(-1)
    return queries, features.reshape(-1, n_features), is_right


def _top(
    utilities: NDArray[np.float64], none: float, right: NDArray[np.int64]
) -> tuple[NDArray[np.float64], NDArray[np.bool_]]:
    """Return each posting's highest probability, and whether it is the right one's."""
    highest = np.maximum(utilities.max(axis=1), none)
    totals = np.exp(utilities - highest[:, None]).sum(axis=1) + np.exp(none - highest)
    return np.exp(utilities.max(axis=1) - highest) / totals, utilities.argmax(axis=1) == right


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
