"""A ranker that can be read: a weighted sum of the features of `features.FEATURES`, none of them negative.

Fitted as a conditional logit (McFadden 1974) on two choices at once: whom of the pool a company and a freelancer agreed
on, and whom of those that were shown to it. Only the first knows who should never be shown; only the second is free of
the older system's habits in showing. Gradient boosting of trees, which cannot
be read, is no better on the same past (`python -m lab evaluate rankers`).
"""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from importlib.resources import as_file, files
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from jobmatch_core.errors import ModelError
from jobmatch_core.io.folders import write_text_whole
from jobmatch_core.io.records import read_record
from jobmatch_core.io.text_files import json_text
from jobmatch_core.ranking.features import FEATURES, Floats, Pool, features_of

FORMAT = 1
SHOWN_WEIGHT = 1.0  # of the choice among those shown; 3 finds more skills and repeats the past less
_L2 = 1e-3


@dataclass(frozen=True, slots=True)
class Fit:
    """How well a freelancer fits by all that is known.

    Attributes:
        score: sum of the features' parts; compares freelancers of one project only.
        parts: what each feature adds, largest first; features that add nothing are left out.
    """

    score: float
    parts: tuple[tuple[str, float], ...]

    def shares(self) -> list[tuple[str, float]]:
        """Return each feature's share of the score, largest first."""
        return [(name, part / self.score) for name, part in self.parts]


@dataclass(frozen=True)
class Answers:
    """A pool with the answers of the past: (profile,) 1 for mutual interest, -1 for a refusal, 0 for never shown."""

    pool: Pool
    answers: NDArray[np.int8]


@dataclass(frozen=True, slots=True)
class Ranker:
    """Weights by feature, and what they were fitted on."""

    weights: dict[str, float]
    fitted_on: str

    def parts(self, pool: Pool) -> Floats:
        """Return what each feature adds, shape (profile, feature)."""
        weighted: Floats = features_of(pool, tuple(self.weights)) * np.array([*self.weights.values()])
        return weighted

    def scores(self, pool: Pool) -> Floats:
        """Return the score of each profile, higher is better, shape (profile,)."""
        return np.asarray(self.parts(pool).sum(axis=1))

    def best(self, pool: Pool, limit: int) -> list[tuple[int, Fit]]:
        """Return the places in the pool and the fits of the best profiles, ties in the pool's order."""
        parts = self.parts(pool)
        first = np.argsort(-parts.sum(axis=1), kind="stable")[:limit]
        return [(row, _fit(self.weights, parts[row].tolist())) for row in first.tolist()]

    @classmethod
    def fit(cls, past: Sequence[Answers], fitted_on: str, *, shown_weight: float = SHOWN_WEIGHT) -> "Ranker":
        """Fit the weights by maximum likelihood, each at least 0; deterministic.

        Args:
            past: pools of projects that the model of the pools was not trained on.
            fitted_on: description of the data.
            shown_weight: weight of the choice among those shown against that among the pool.

        Raises:
            ModelError: there is no mutual interest in any pool.
        """
        from scipy.optimize import minimize

        chosen = [answered for answered in past if (answered.answers > 0).any()]
        if not chosen:
            raise ModelError("No freelancer of these pools has mutual interest; the ranker needs some past answers.")
        features = [features_of(answered.pool) for answered in chosen]
        scales = np.maximum(np.concatenate(features).std(axis=0), 1e-9)
        among_pool = _Choices([rows / scales for rows in features], [answered.answers > 0 for answered in chosen])
        among_shown = among_pool.within([answered.answers != 0 for answered in chosen])

        def loss(weights: Floats) -> tuple[float, Floats]:
            value, slope = among_pool.loss(weights)
            shown_value, shown_slope = among_shown.loss(weights)
            penalty = _L2 * float(weights @ weights)
            return value + shown_weight * shown_value + penalty, slope + shown_weight * shown_slope + 2 * _L2 * weights

        start, bounds = np.zeros(len(FEATURES)), [(0.0, None)] * len(FEATURES)
        found = minimize(loss, start, jac=True, method="L-BFGS-B", bounds=bounds).x / scales
        return cls(dict(zip(FEATURES, np.round(found, 4).tolist(), strict=True)), fitted_on)

    def save(self, path: Path) -> None:
        """Write the ranker as JSON; OSError if it cannot be written."""
        write_text_whole(path, json_text({"format": FORMAT, "fitted_on": self.fitted_on, "weights": self.weights}))

    @classmethod
    def load(cls, path: Path) -> "Ranker":
        """Read a ranker.

        Raises:
            ModelError: the file is missing, damaged or of another release.
        """
        try:
            stored = read_record(path, _Stored, [FORMAT])
        except (OSError, ValueError) as error:
            raise ModelError(f"The ranker {path} cannot be read ({error}); fit it again.") from error
        if unknown := stored.weights.keys() - FEATURES.keys():
            raise ModelError(f"The ranker {path} has the unknown features {', '.join(sorted(unknown))}; fit it again.")
        return cls(stored.weights, stored.fitted_on)


@cache
def shipped_ranker() -> Ranker:
    """Return the ranker that works without any label; its origin is in `fitted_on`."""
    with as_file(files("jobmatch_core.ranking") / "shipped_ranker.json") as path:
        return Ranker.load(path)


@dataclass(frozen=True, slots=True)
class _Stored:
    format: int
    fitted_on: str
    weights: dict[str, float]


@dataclass(frozen=True)
class _Choices:
    # for each project, features of the profiles to choose from, and which of them were right
    features: list[Floats]
    right: list[NDArray[np.bool_]]

    def within(self, kept: Sequence[NDArray[np.bool_]]) -> "_Choices":
        pairs = zip(self.features, self.right, kept, strict=True)
        chosen = [(rows[keep], right[keep]) for rows, right, keep in pairs]
        return _Choices([rows for rows, _ in chosen], [right for _, right in chosen])

    def loss(self, weights: Floats) -> tuple[float, Floats]:
        # mean negative log-likelihood of a right profile, with its gradient
        value, slope, count = 0.0, np.zeros(len(weights)), 0
        for rows, right in zip(self.features, self.right, strict=True):
            utilities = rows @ weights
            highest = utilities.max()
            exponentials = np.exp(utilities - highest)
            total, n_right = exponentials.sum(), int(right.sum())
            value += n_right * (np.log(total) + highest) - utilities[right].sum()
            slope += n_right * (exponentials @ rows) / total - rows[right].sum(axis=0)
            count += n_right
        return value / count, slope / count


def _fit(names: Sequence[str] | dict[str, float], parts: Sequence[float]) -> Fit:
    adding = [(name, part) for name, part in zip(names, parts, strict=True) if part > 0]
    return Fit(sum(parts), tuple(sorted(adding, key=lambda pair: -pair[1])))
