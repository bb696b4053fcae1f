"""Evidence for the second stage from a marketplace: its past, judgments of its pairs, and searches in it."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

import numpy as np
from scipy.sparse import csr_array

from jobmatch_core.entities import Freelancer, Interaction, Project
from jobmatch_core.labelling.labels import Label
from jobmatch_core.marketplace.marketplace import Marketplace
from jobmatch_core.ranking.evidence import Evidence, Source, Verdicts
from jobmatch_core.ranking.features import POOL, Pool, features_of
from jobmatch_core.ranking.profile_terms import ProfileTerms
from jobmatch_core.ranking.second_stage import FoundPool, found_pools
from jobmatch_core.search.position_bias import WeightedChoice
from jobmatch_core.text.language_guess import guess_language
from jobmatch_core.towers.documents import freelancer_document, project_document
from jobmatch_core.towers.matcher import DocumentEncoder
from jobmatch_core.towers.sampling import interaction_matrix

_MOST_PROJECTS = 2000  # the features of a pool take 44 kB
_MOST_SEARCHES = 5000  # the latest


@dataclass(frozen=True)
class RankerMaterial:
    """What a second stage may be fitted on."""

    marketplace: Marketplace  # projects that towers are trained on, with all freelancers
    past: Sequence[Interaction]  # interactions of the past, without those of judged pairs
    labels: Sequence[Label]  # labels of these projects
    searches: Sequence[WeightedChoice] = ()  # results opened in searches for freelancers

    @classmethod
    def of(
        cls,
        marketplace: Marketplace,
        past: Iterable[Interaction],
        labels: Iterable[Label],
        searches: Sequence[WeightedChoice] = (),
    ) -> "RankerMaterial":
        """Return the material of a marketplace's projects; labels count before the past, bulk decisions do not count.

        Args:
            marketplace: as the attribute.
            labels: any labels of the marketplace.
            searches: as the attribute.
        """
        judged = [label for label in labels if label.looked_at and label.pair.left in marketplace.project_rows]
        settled = {(label.pair.left, label.pair.right) for label in judged}
        open_ = [
            interaction
            for interaction in past
            if interaction.project in marketplace.project_rows
            and (interaction.project, interaction.freelancer) not in settled
        ]
        return cls(marketplace, open_, judged, searches)


class KnownAnswers:
    """Known answers about projects: 1 for who fits, -1 for who does not, 0 if that is unknown."""

    def __init__(
        self,
        projects: Sequence[Project],
        freelancers: Sequence[Freelancer],
        past: Sequence[Interaction],
        labels: Sequence[Label],
    ) -> None:
        """Take answers of the past and labels, both of these projects and freelancers.

        Raises DataFileError if one names an unknown project or freelancer.
        """
        self._rows = {project.id: row for row, project in enumerate(projects)}
        said = [
            Interaction(label.pair.left, label.pair.right, label.positive, label.at.date().isoformat())
            for label in labels
        ]
        self._by_source = {
            Source.PAST: interaction_matrix(projects, freelancers, past),
            Source.JUDGMENTS: interaction_matrix(projects, freelancers, said),
        }

    def questions(self, source: Source) -> int:
        """Return the number of projects with somebody who fits and somebody who does not."""
        matrix = self._by_source[source]
        both = ((matrix > 0).sum(axis=1) > 0) & ((matrix < 0).sum(axis=1) > 0)
        return int(np.asarray(both).sum())

    def of(self, project: str, source: Source) -> Verdicts:
        """Return the answers about a project, (freelancer,)."""
        matrix: csr_array = self._by_source[source]
        return np.asarray(matrix[[self._rows[project]]].toarray()[0], dtype=np.int8)

    def evidence(self, found_pool: FoundPool) -> Iterator[Evidence]:
        """Yield what is known about a pool's project, by source; nothing where a source knows nobody."""
        project = found_pool.pool.project.id
        past, judged = (self.of(project, source) for source in (Source.PAST, Source.JUDGMENTS))
        if not past.any() and not judged.any():
            return
        features = features_of(found_pool.pool)
        if past.any():
            counted = judged[found_pool.rows] <= 0  # who was judged to fit was not passed over by the past
            yield Evidence(
                Source.PAST,
                project,
                features if counted.all() else features[counted],
                past[found_pool.rows][counted],
                _below(found_pool, past),
            )
        if judged.any():
            yield Evidence(Source.JUDGMENTS, project, features, judged[found_pool.rows], _below(found_pool, judged))


def projects_with_answers(material: RankerMaterial) -> set[str]:
    """Return the ids of the projects to fit on: those with judgments first, then the latest, at most 2,000."""
    judged = {label.pair.left for label in material.labels}
    answered = judged | {interaction.project for interaction in material.past}
    projects = [project for project in material.marketplace.projects if project.id in answered]
    projects.sort(key=lambda project: (project.id in judged, project.created), reverse=True)
    return {project.id for project in projects[:_MOST_PROJECTS]}


def judged_evidence(
    encoder: DocumentEncoder, projects: Sequence[Project], freelancers: Sequence[Freelancer], labels: Sequence[Label]
) -> list[Evidence]:
    """Return what was judged of each project, in the pools of a model."""
    answers = KnownAnswers(projects, freelancers, (), labels)
    pools = found_pools(encoder, projects, freelancers)
    return [evidence for found_pool in pools for evidence in answers.evidence(found_pool)]


def search_evidence(
    encoder: DocumentEncoder, searches: Sequence[WeightedChoice], freelancers: Sequence[Freelancer], terms: ProfileTerms
) -> list[Evidence]:
    """Return what was opened in searches; a query is read as a project that has a title alone.

    Items that no longer exist are left out.
    """
    rows = {freelancer.id: row for row, freelancer in enumerate(freelancers)}
    latest = [search for search in searches if search.opened in rows][-_MOST_SEARCHES:]
    items = sorted({item for search in latest for item in search.items if item in rows})
    queries = [_query(search.query) for search in latest]
    if not latest:
        return []
    vectors = encoder.encode([freelancer_document(freelancers[rows[item]]) for item in items])
    place = {item: number for number, item in enumerate(items)}
    similarities = encoder.encode([*map(project_document, queries)]) @ vectors.T
    evidence = []
    for search, query, likeness in zip(latest, queries, similarities, strict=True):
        shown = [item for item in search.items if item in rows]
        order = np.argsort([-likeness[place[item]] for item in shown], kind="stable")[:POOL]
        ranked = [shown[number] for number in order.tolist()]
        features = features_of(Pool(query, terms.take([rows[item] for item in ranked])))
        evidence.append(
            Evidence(Source.SEARCHES, search.query, features, _opened(search, ranked), weight=search.weight)
        )
    return [question for question in evidence if question.asks]


def _query(text: str) -> Project:
    return Project("", guess_language(text), text, "", "", "", "", "", "", (), ())


def _opened(search: WeightedChoice, items: Sequence[str]) -> Verdicts:
    said = [1 if item == search.opened else 0 if item in search.others else -1 for item in items]
    return np.array(said, dtype=np.int8)


def _below(found_pool: FoundPool, answers: Verdicts) -> Verdicts:
    answered = np.flatnonzero(answers)
    beyond = answered[~np.isin(answered, found_pool.rows)]
    return answers[beyond[np.argsort(-found_pool.similarities[beyond], kind="stable")]]
