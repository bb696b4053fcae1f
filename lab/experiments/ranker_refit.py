"""What judgments bring to the second stage of a generated marketplace: the list before and after a refit.

The oracle of the closed loop judges, for some past projects, freelancers drawn from the top of the list and by chance.
Both lists have the pools of the untrained encoder, which has seen no project, so that only the order differs; they are
measured on the latest projects, of which nothing is judged, by the hidden truth.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime

import numpy as np

from jobmatch_core.benchmarks.retrieval.matching_experiment import SHARE_TEST
from jobmatch_core.encoders.loading import shipped_encoder
from jobmatch_core.entities import Pair, PairKind, Project, Provenance
from jobmatch_core.labelling.labels import Label, labels_of
from jobmatch_core.marketplace.marketplace import Marketplace
from jobmatch_core.metrics.comparisons import Part
from jobmatch_core.ranking.ranker import shipped_ranker
from jobmatch_core.ranking.second_stage import found_pools
from jobmatch_core.retraining.list_comparison import BothStages, ListTest, list_part
from jobmatch_core.retraining.ranker_evidence import RankerMaterial
from jobmatch_core.retraining.ranker_retraining import refit_second_stage
from jobmatch_core.towers.document_pairs import temporal_split
from jobmatch_core.towers.matcher import SectionSBert
from jobmatch_core.training.ranker_report import RankerReport
from lab.experiments.closed_loop import NAME, Oracle

_BEST, _DRAWN, _JUDGED = 30, 10, 20  # freelancers of a project: of the list, by chance, and judged of these
_SINCE = datetime(2026, 1, 5, 9, tzinfo=UTC)
_SEED = 7


@dataclass(frozen=True, slots=True)
class RefitRow:
    """A refit: judged projects, judgments, the report of the ranker, and the lists on the latest projects."""

    projects: int
    judgments: int
    ranker: RankerReport
    lists: Part


def measure_refit(marketplace: Marketplace, judged_projects: int) -> RefitRow:
    """Judge so many past projects, refit, and compare the lists.

    Raises:
        MarketplaceError: the marketplace has no hidden truth, or cannot be split by time.
    """
    past, later = temporal_split(marketplace, SHARE_TEST)
    encoder = SectionSBert(shipped_encoder())
    labels = _labels(past, encoder, judged_projects)
    material = RankerMaterial.of(past, past.interactions, labels)
    stage = refit_second_stage(material, encoder, lambda part: encoder)
    test = ListTest(later, past.projects, past.freelancers, labels, frozenset(), stage.judged)
    before, after = BothStages(encoder, shipped_ranker()), BothStages(encoder, stage.ranker)
    return RefitRow(judged_projects, len(labels), stage.report, list_part(before, after, test))


def _labels(past: Marketplace, encoder: SectionSBert, count: int) -> list[Label]:
    random = np.random.default_rng(_SEED)
    projects = [past.projects[row] for row in random.permutation(len(past.projects))[:count].tolist()]
    pairs = list(_pairs(past, encoder, projects, random))
    return list(labels_of(Oracle(past, name=NAME).judgments(pairs, _SINCE)).labels)


def _pairs(
    past: Marketplace, encoder: SectionSBert, projects: Sequence[Project], random: np.random.Generator
) -> Iterator[tuple[Pair, Provenance]]:
    freelancers = tuple(past.freelancers)
    for found in found_pools(encoder, projects, freelancers):
        best = [place for place, _ in shipped_ranker().best(found.pool, _BEST)]
        drawn = random.choice(len(freelancers), _DRAWN, replace=False)
        rows = np.unique(np.concatenate([found.rows[best], drawn]))
        for row in random.choice(rows, min(_JUDGED, len(rows)), replace=False).tolist():
            pair = Pair(PairKind.PROJECT_FREELANCER, past.name, found.pool.project.id, freelancers[row].id)
            yield pair, Provenance("refit")
