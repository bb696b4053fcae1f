"""A ranker that can be read: a weighted sum of the features of `features.FEATURES`, none of them negative.

Fitted as a conditional logit (McFadden 1974) on two choices at once: whom of the pool a company and a freelancer agreed
on, and whom of those that were shown to it. Only the first knows who should never be shown; only the second is free of
the older system's habits in showing. Gradient boosting of trees, which cannot be read, is no better on the same past.
"""

from collections.abc import Sequence
from dataclasses import asdict, dataclass
from functools import cache
from hashlib import sha256
from importlib.resources import as_file, files
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from jobmatch_core.errors import ModelError
from jobmatch_core.io.folders import write_text_whole
from jobmatch_core.io.records import read_record
from jobmatch_core.io.text_files import json_text
from jobmatch_core.ranking.choices import Choice, Term, fit_weights, spread
from jobmatch_core.ranking.features import FEATURES, Floats, Pool, features_of

FORMAT = 1
RANKER_FILE = "ranker.json"  # in the folder of towers
SHOWN_WEIGHT = 1.0  # of the choice among those shown; 3 finds more skills and repeats the past less
_L2 = 1e-3


@dataclass(frozen=True, slots=True)
class Fit:
    """How well a freelancer fits by all that is known."""

    score: float  # sum of the features' parts; compares freelancers of one project only
    # what each feature adds, largest first; features that add nothing are left out
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
    def fit(cls, past: Sequence[Answers], fitted_on: str) -> "Ranker":
        """Fit the weights by maximum likelihood, each at least 0; deterministic.

        Args:
            past: pools of projects that the model of the pools was not trained on.
            fitted_on: description of the data.

        Raises:
            ModelError: there is no mutual interest in any pool.
        """
        chosen = [answered for answered in past if (answered.answers > 0).any()]
        if not chosen:
            raise ModelError("No freelancer of these pools has mutual interest; the ranker needs some past answers.")
        among_pool = [Choice(features_of(answered.pool), answered.answers > 0) for answered in chosen]
        among_shown = [choice.among(answered.answers != 0) for choice, answered in zip(among_pool, chosen, strict=True)]
        terms = [Term(among_pool), Term(among_shown, SHOWN_WEIGHT)]
        return cls.of(fit_weights(terms, spread([choice.features for choice in among_pool]), ridge=_L2), fitted_on)

    @classmethod
    def of(cls, weights: Floats, fitted_on: str) -> "Ranker":
        """Return the ranker of weights in the order of `FEATURES`."""
        return cls(dict(zip(FEATURES, np.round(weights, 4).tolist(), strict=True)), fitted_on)

    @property
    def digest(self) -> str:
        """Eight hexadecimal digits of the SHA-256 of the weights and their origin."""
        return sha256(json_text([self.fitted_on, self.weights]).encode("utf-8", "surrogatepass")).hexdigest()[:8]

    def save(self, path: Path) -> None:
        """Write the ranker as JSON; OSError if it cannot be written."""
        write_text_whole(path, json_text(asdict(_Stored(FORMAT, self.fitted_on, self.weights, self.digest))))

    @classmethod
    def load(cls, path: Path) -> "Ranker":
        """Read a ranker; raises ModelError if the file is missing, damaged or of another release."""
        try:
            stored = read_record(path, _Stored, [FORMAT])
        except (OSError, ValueError) as error:
            raise ModelError(f"The ranker {path} cannot be read ({error}); fit it again.") from error
        if unknown := stored.weights.keys() - FEATURES.keys():
            raise ModelError(f"The ranker {path} has the unknown features {', '.join(sorted(unknown))}; fit it again.")
        ranker = cls(stored.weights, stored.fitted_on)
        if stored.digest not in ("", ranker.digest):
            raise ModelError(f"The ranker {path} is damaged (its weights do not match its digest); fit it again.")
        return ranker


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
    digest: str = ""  # of rankers that were fitted before there were digests


def _fit(names: Sequence[str] | dict[str, float], parts: Sequence[float]) -> Fit:
    adding = [(name, part) for name, part in zip(names, parts, strict=True) if part > 0]
    return Fit(sum(parts), tuple(sorted(adding, key=lambda pair: -pair[1])))
