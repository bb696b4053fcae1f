"""What a marketplace teaches a ranker: whom the past agreed on, what was opened in searches, and who was judged to fit.

The past is read as two choices, as in `Ranker.fit`: among the pool, and among those that were shown, which is free of
the older system's habits in showing. A result that was opened in a search is a choice among the results shown, weighted
by the inverse propensity of its rank. Whom people judged to fit is a choice among those they judged.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from enum import StrEnum

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import csr_matrix

from jobmatch_core.metrics.judgment_metrics import rank_graded
from jobmatch_core.ranking.choices import Choice, Term, fit_weights, spread
from jobmatch_core.ranking.features import FEATURES, Floats
from jobmatch_core.ranking.ranker import SHOWN_WEIGHT, Ranker

JUDGED_WEIGHT = 5.0  # of a freelancer judged to fit against one of the past; 10 follows judgments more, the past less
_PRIOR = 30.0  # freelancers of the past that the prior is worth

Verdicts = NDArray[np.int8]


class Source(StrEnum):
    """Where evidence comes from."""

    PAST = "past"
    SEARCHES = "searches"
    JUDGMENTS = "judgments"


def _nobody() -> Verdicts:
    return np.empty(0, dtype=np.int8)


@dataclass(frozen=True)
class Evidence:
    """What one source knows of a project's or a query's freelancers."""

    source: Source
    key: str  # id of the project, or the query
    features: Floats  # (profile, feature of `FEATURES`) of the pool, most similar first
    answers: Verdicts  # (profile,) 1 for who fits, -1 for who does not, 0 if that is unknown
    # the known answers of freelancers beyond the pool, most similar first
    below: Verdicts = field(default_factory=_nobody)
    weight: float = 1.0  # how much it counts

    @property
    def asks(self) -> bool:
        """True if an order can be measured: somebody fits, and somebody else does not."""
        answers = np.concatenate([self.answers, self.below])
        return bool((answers > 0).any() and (answers < 0).any())

    def ndcg_at_10(self, ranker: Ranker) -> float:
        """Return the NDCG@10 of a ranker's order of those with known answers; those beyond the pool come last."""
        answered = self.answers != 0
        weights = np.array([ranker.weights.get(name, 0.0) for name in FEATURES])
        order = np.argsort(-(self.features[answered] @ weights), kind="stable")
        fits = np.concatenate([self.answers[answered][order], self.below]) > 0
        falling = -np.arange(len(fits), dtype=np.float32)[None]
        return float(rank_graded(falling, csr_matrix(fits[None].astype(np.float64))).ndcg_at(10)[0])


def refitted(evidence: Sequence[Evidence], prior: Ranker, fitted_on: str) -> Ranker:
    """Return a ranker fitted to evidence of all sources, drawn towards the prior; the prior without any choice."""
    terms = [term for term in _terms(evidence) if term.choices]
    total = sum(term.weight * term.count for term in terms)
    if not total:
        return prior
    shares = [Term(term.choices, term.weight * term.count / total) for term in terms]
    before = np.array([prior.weights.get(name, 0.0) for name in FEATURES])
    scales = spread([question.features for question in evidence])
    return Ranker.of(fit_weights(shares, scales, ridge=_PRIOR / total, prior=before), fitted_on)


def _terms(evidence: Iterable[Evidence]) -> list[Term]:
    pools: list[Choice] = []
    shown: list[Choice] = []
    opened: list[Choice] = []
    judged: list[Choice] = []
    for question in evidence:
        choice = Choice(question.features, question.answers > 0, question.weight)
        answered = choice.among(question.answers != 0)
        if question.source is Source.PAST and choice.right.any():
            pools.append(choice)
            shown.append(answered)
        elif question.source is not Source.PAST and answered.decides:
            (opened if question.source is Source.SEARCHES else judged).append(answered)
    return [Term(pools), Term(shown, SHOWN_WEIGHT), Term(opened), Term(judged, JUDGED_WEIGHT)]
