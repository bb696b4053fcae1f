"""Comparison of the lists of freelancers that people see, in the order of both stages."""

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from jobmatch_core.entities import Freelancer, Project
from jobmatch_core.labelling.labels import Label
from jobmatch_core.marketplace.marketplace import Marketplace
from jobmatch_core.metrics.comparisons import JUDGED, Part, changes_of
from jobmatch_core.ranking.ranker import Ranker
from jobmatch_core.ranking.second_stage import SecondStage
from jobmatch_core.retraining.ranker_evidence import judged_evidence
from jobmatch_core.towers.document_pairs import DocumentPairs
from jobmatch_core.towers.matcher import DocumentEncoder
from jobmatch_core.towers.matching_metrics import MatchingJudgments, measure

NAME = "The list of freelancers, in the order of both stages"
_FIGURES = ("ndcg_at_10", "coverage_at_10", "skills_at_10", "positives_at_100", "map")

Floats = NDArray[np.float64]


@dataclass(frozen=True)
class BothStages:
    """A model of the pools, and the ranker of their order."""

    encoder: DocumentEncoder
    ranker: Ranker


@dataclass(frozen=True)
class ListTest:
    """Test data."""

    benchmark: Marketplace | None  # the latest projects, with all freelancers; None if none are held out
    projects: Sequence[Project]  # projects with labels
    freelancers: Sequence[Freelancer]
    labels: Sequence[Label]  # labels of these projects, each of which somebody looked at
    unseen: frozenset[str]  # ids of those that the new model was not trained on
    # NDCG@10 of the others, by id, measured by cross-fitting; those without a figure are left out
    after: Mapping[str, float] = field(default_factory=dict)


def list_part(before: BothStages, after: BothStages, test: ListTest) -> Part:
    """Compare the list of the model in use with that of a new one; the judged measure comes first.

    Args:
        before: the model in use, which may have been trained on the judged projects; that favours it.
        test: test data.
    """
    new = {**test.after, **_judged(after, test, test.unseen)}
    old = _judged(before, test, new.keys())
    judged = changes_of({JUDGED: _column(old, old)}, {JUDGED: _column(new, old)}) if old else ()
    benchmark = test.benchmark
    changes = changes_of(_benchmark(before, benchmark), _benchmark(after, benchmark)) if benchmark else ()
    n_projects = len(old) or (len(benchmark.projects) if benchmark else 0)
    return Part("list", NAME, n_projects, "projects", (*judged, *changes))


def _judged(stages: BothStages, test: ListTest, ids: Collection[str]) -> dict[str, float]:
    projects = [project for project in test.projects if project.id in ids]
    if not projects:
        return {}
    labels = [label for label in test.labels if label.pair.left in ids]
    evidence = judged_evidence(stages.encoder, projects, test.freelancers, labels)
    return {question.key: question.ndcg_at_10(stages.ranker) for question in evidence if question.asks}


def _column(values: Mapping[str, float], keys: Iterable[str]) -> Floats:
    return np.array([values[key] for key in keys], dtype=np.float64)


def _benchmark(stages: BothStages, benchmark: Marketplace) -> dict[str, Floats]:
    pairs = DocumentPairs.of(benchmark)
    truth = benchmark.truth.coverage() if benchmark.truth else None
    judgments = MatchingJudgments.of(pairs.projects, pairs.freelancers, pairs.interactions, truth)
    stage = SecondStage(stages.encoder, stages.ranker.scores)
    scores = stage.record_scores(tuple(benchmark.projects), tuple(benchmark.freelancers))
    values = measure(scores, judgments).values
    return {name: values[name] for name in _FIGURES}
