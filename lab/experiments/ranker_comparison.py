"""What orders found freelancers best: the readable ranker by weight of the shown, or trees with monotone features.

The pools are those of the untrained encoder, so that no model has seen the projects; rankers are fitted on the past of
a marketplace and measured on its latest projects.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np

from jobmatch_core.benchmarks.retrieval.matching_experiment import SHARE_TEST
from jobmatch_core.encoders.loading import shipped_encoder
from jobmatch_core.marketplace.marketplace import Marketplace
from jobmatch_core.ranking.features import FEATURES, Floats, Pool, features_of
from jobmatch_core.ranking.ranker import Answers, Ranker, shipped_ranker
from jobmatch_core.ranking.second_stage import SecondStage, past_answers
from jobmatch_core.towers.document_pairs import DocumentPairs, temporal_split
from jobmatch_core.towers.matcher import SectionSBert
from jobmatch_core.towers.matching_metrics import MatchingFigures, MatchingJudgments, measure

SHOWN_WEIGHTS = (0.0, 1.0, 3.0)


@dataclass(frozen=True, slots=True)
class RankerRow:
    """A ranker's figures over the latest projects."""

    ranker: str
    figures: MatchingFigures


class Trees:
    """Gradient boosting that tells mutual interest from all else in a pool, rising in every feature."""

    def __init__(self, past: Sequence[Answers]) -> None:
        """Fit it; deterministic."""
        from sklearn.ensemble import HistGradientBoostingClassifier

        self._model = HistGradientBoostingClassifier(
            monotonic_cst=[1] * len(FEATURES),
            learning_rate=0.08,
            max_leaf_nodes=15,
            min_samples_leaf=50,
            l2_regularization=1.0,
            random_state=0,
        )
        self._model.fit(
            np.concatenate([features_of(answered.pool) for answered in past]),
            np.concatenate([answered.answers > 0 for answered in past]),
        )

    def scores(self, pool: Pool) -> Floats:
        """Return the log-odds of interest, shape (profile,)."""
        return np.asarray(self._model.decision_function(features_of(pool)))


def compare_rankers(marketplace: Marketplace) -> list[RankerRow]:
    """Measure the encoder alone, the ranker by weight of the shown, the shipped one, and trees.

    Raises:
        MarketplaceError: the marketplace cannot be split by time.
        ModelError: its past has no mutual interest.
    """
    encoder = SectionSBert(shipped_encoder())
    train, test = temporal_split(marketplace, SHARE_TEST)
    past = past_answers(encoder, train)
    fitted = {
        f"ranker, shown {weight:g}": Ranker.fit(past, marketplace.name, shown_weight=weight) for weight in SHOWN_WEIGHTS
    }
    rankers = {"similarity": Ranker({"similarity": 1.0}, ""), **fitted, "shipped": shipped_ranker()}
    trees = Trees(past)
    scored: dict[str, Callable[[Pool], Floats]] = {name: ranker.scores for name, ranker in rankers.items()}
    pairs = DocumentPairs.of(test)
    truth = test.truth.coverage() if test.truth else None
    judgments = MatchingJudgments.of(pairs.projects, pairs.freelancers, pairs.interactions, truth)
    projects, freelancers = tuple(test.projects), tuple(test.freelancers)
    return [
        RankerRow(name, measure(SecondStage(encoder, order).record_scores(projects, freelancers), judgments).overall())
        for name, order in (scored | {"trees": trees.scores}).items()
    ]
