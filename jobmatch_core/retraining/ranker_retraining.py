"""Refitting the second stage with the towers: on the past, the search log and judgments, adopted only if it is better.

The ranker that comes with jobmatch is the prior, and stays unless the fitted one is better on at least 30 questions by
cross-fitting. A question is a project, or a search, for which somebody who fits and somebody who does not are known.
Judgments decide if there are enough of them, because the past knows only whom an older system has shown; then the past,
then searches.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np

from jobmatch_core.errors import MarketplaceError
from jobmatch_core.metrics.comparisons import FEWEST_TOLD, JUDGED, FigureChange, changes_of
from jobmatch_core.ranking.cross_fitting import TOWER_FOLDS, TrainOn, cross_fitted, unseen_folds
from jobmatch_core.ranking.evidence import Evidence, Source, refitted
from jobmatch_core.ranking.profile_terms import ProfileTerms
from jobmatch_core.ranking.ranker import Ranker, shipped_ranker
from jobmatch_core.ranking.second_stage import found_pools
from jobmatch_core.retraining.ranker_evidence import (
    KnownAnswers,
    RankerMaterial,
    projects_with_answers,
    search_evidence,
)
from jobmatch_core.towers.matcher import DocumentEncoder
from jobmatch_core.training.figures import Watch
from jobmatch_core.training.ranker_report import ANSWERED, OPENED, RankerReport

_FIGURES = {Source.JUDGMENTS: JUDGED, Source.PAST: ANSWERED, Source.SEARCHES: OPENED}  # which decides first


@dataclass(frozen=True)
class RefittedStage:
    """A second stage for towers."""

    ranker: Ranker  # ranker of the list
    report: RankerReport
    # NDCG@10 of the judged people of each project by towers and a ranker that have not seen it, by id; empty if nothing
    # was fitted
    judged: dict[str, float] = field(default_factory=dict)


def refit_second_stage(
    material: RankerMaterial, towers: DocumentEncoder, train: TrainOn, watch: Watch | None = None
) -> RefittedStage:
    """Fit a ranker to a marketplace, and decide between it and the one that comes with jobmatch.

    Args:
        material: what it may be fitted on.
        towers: the new towers, which have not seen the searches.
        train: trains towers as these on a part of the projects; they must not start from weights that have seen others.

    Raises JobMatchError if *train* fails.
    """
    market, shipped = material.marketplace, shipped_ranker()
    answers = KnownAnswers(tuple(market.projects), tuple(market.freelancers), material.past, material.labels)
    counts = {
        Source.JUDGMENTS: answers.questions(Source.JUDGMENTS),
        Source.PAST: answers.questions(Source.PAST),
        Source.SEARCHES: len(material.searches),
    }
    if max(counts.values()) < FEWEST_TOLD:
        return RefittedStage(shipped, _report(shipped, counts, None, adopted=False))
    evidence = _evidence(material, answers, towers, train, watch or Watch())
    rankers = cross_fitted(
        [question.key for question in evidence],
        lambda rows: refitted([evidence[row] for row in rows], shipped, market.name),
    )
    change = _deciding(evidence, rankers, shipped)
    adopted = change is not None and change.better
    ranker = refitted(evidence, shipped, market.name) if adopted else shipped
    judged = {
        question.key: question.ndcg_at_10(fitted if adopted else shipped)
        for question, fitted in zip(evidence, rankers, strict=True)
        if question.source is Source.JUDGMENTS and question.asks
    }
    return RefittedStage(ranker, _report(ranker, counts, change, adopted=adopted), judged)


def _evidence(
    material: RankerMaterial, answers: KnownAnswers, towers: DocumentEncoder, train: TrainOn, watch: Watch
) -> list[Evidence]:
    market, wanted = material.marketplace, projects_with_answers(material)
    freelancers = tuple(market.freelancers)
    terms = ProfileTerms.of(freelancers)
    evidence: list[Evidence] = []
    watch.stage("Training towers for the order of the list")
    try:
        for number, fold in enumerate(unseen_folds(train, market, min(TOWER_FOLDS, len(market.projects))), 1):
            projects = [project for project in fold.projects if project.id in wanted]
            for pool in found_pools(fold.encoder, projects, freelancers, terms):
                evidence += answers.evidence(pool)
            watch.progress(number, TOWER_FOLDS)
    except MarketplaceError:  # a part of the projects has nobody to train on; searches are left
        evidence = []
    watch.stage("Fitting the order of the list")
    return [*evidence, *search_evidence(towers, material.searches, freelancers, terms)]


def _deciding(evidence: Sequence[Evidence], rankers: Sequence[Ranker], shipped: Ranker) -> FigureChange | None:
    """Return the change on the questions of the first source with enough of them."""
    for source, figure in _FIGURES.items():
        rows = [row for row, question in enumerate(evidence) if question.source is source and question.asks]
        if len(rows) >= FEWEST_TOLD:
            weights = np.array([evidence[row].weight for row in rows])
            shares = weights / weights.mean()
            before = np.array([evidence[row].ndcg_at_10(shipped) for row in rows]) * shares
            after = np.array([evidence[row].ndcg_at_10(rankers[row]) for row in rows]) * shares
            [change] = changes_of({figure: before}, {figure: after})
            return change
    return None


def _report(ranker: Ranker, counts: dict[Source, int], change: FigureChange | None, *, adopted: bool) -> RankerReport:
    return RankerReport(
        adopted=adopted,
        digest=ranker.digest,
        weights=ranker.weights,
        judged=counts[Source.JUDGMENTS],
        answered=counts[Source.PAST],
        opened=counts[Source.SEARCHES],
        change=change,
    )
