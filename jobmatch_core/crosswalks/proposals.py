"""Proposed mappings: candidates of the linker for the names of a source list, each with its relation.

The linker finds concepts for each name; of those, the model of relations keeps the ones that are probably right, and
tells the relation of each. A code without any gets the relation `none`.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date

import numpy as np
from numpy.typing import NDArray

from jobmatch_core import __version__
from jobmatch_core.crosswalks.joint_relations import LEFT_OUT, joint_relations
from jobmatch_core.crosswalks.mapping import BY_TOOL, NONE, PREDICTED, Mapping
from jobmatch_core.crosswalks.relation_features import RelationPairs, SourceCode, features_of_some, relation_features
from jobmatch_core.crosswalks.relation_model import RelationModel, shipped_relation_model
from jobmatch_core.crosswalks.targets import target_concepts
from jobmatch_core.encoders.loading import shipped_encoder
from jobmatch_core.entities import Progress, no_progress
from jobmatch_core.linking.linker import BATCH, Linker
from jobmatch_core.linking.ranking import Ranking

CANDIDATES = 8  # of each name that are looked at
LEAST = 0.5  # probability from which a candidate counts as right
# where the linker is sure of a concept, others need a share of its probability: the trees know names, but no meanings
_SURE, _BESIDE_SURE = 0.9, 0.001
TOOL = "jobmatch"
_DECIMALS = 4


@dataclass(frozen=True, slots=True)
class ProposedRelations:
    """Right candidates with their relations."""

    pairs: RelationPairs  # of a source code and a concept, by source code
    # (pair, relation) probabilities in the order of `PREDICTED`, together the probability of being right
    relations: NDArray[np.float64]
    # (source,) probability that a source code has no concept, of those without any pair; NaN for others
    unmatched: NDArray[np.float64]


def proposed_mappings(
    sources: Sequence[SourceCode],
    linker: Linker,
    language: str,
    today: date,
    *,
    candidates: int = CANDIDATES,
    least: float = LEAST,
    progress: Progress = no_progress,
) -> list[Mapping]:
    """Return proposed mappings of a source list, code by code, the most probable first.

    Args:
        sources: the codes.
        linker: of the target taxonomy.
        language: of the source's names; names of the taxonomy in it are compared.
        today: date of the mappings.
        candidates: number of concepts that are looked at for each code.
        least: probability of being right from which a candidate is proposed.
        progress: called with codes done and codes in total.

    Raises:
        LinkingError: the taxonomy cannot be searched.
    """
    pairs = candidate_pairs(sources, linker, language, candidates, progress=progress)
    proposed = proposed_relations(pairs, shipped_relation_model(), least)
    version = linker.taxonomy.id
    mappings: list[list[Mapping]] = [[] for _ in sources]
    chosen = joint_relations(proposed.pairs.source_of, proposed.pairs.target_of, proposed.relations)
    for pair in np.flatnonzero(chosen != LEFT_OUT).tolist():
        source, concept = proposed.pairs.source_of[pair], proposed.pairs.targets[proposed.pairs.target_of[pair]]
        relation, probability = PREDICTED[chosen[pair]], proposed.relations[pair, chosen[pair]]
        mappings[source].append(
            _mapping(sources[source], concept.uri, concept.names[0], relation, probability, today, version)
        )
    for number, source_code in enumerate(sources):
        if not mappings[number]:
            mappings[number].append(_mapping(source_code, "", "", NONE, proposed.unmatched[number], today, version))
    return [item for items in mappings for item in sorted(items, key=lambda item: -(item.probability or 0))]


def candidate_pairs(
    sources: Sequence[SourceCode],
    linker: Linker,
    language: str,
    candidates: int = CANDIDATES,
    *,
    progress: Progress = no_progress,
) -> RelationPairs:
    """Return the pairs of each source code and the concepts that the linker finds for its name."""
    concepts_of: list[NDArray[np.intp]] = []
    for start in range(0, len(sources), BATCH):
        titles = [source.name for source in sources[start : start + BATCH]]
        concepts_of += [_candidates(ranking, candidates) for ranking in linker.rank(titles)]
        progress(len(concepts_of), len(sources))
    concepts, target_of = np.unique(np.concatenate([np.zeros(0, np.intp), *concepts_of]), return_inverse=True)
    source_of = np.repeat(np.arange(len(sources)), [len(numbers) for numbers in concepts_of])
    return RelationPairs(sources, target_concepts(linker.taxonomy, concepts.tolist(), language), source_of, target_of)


def _candidates(ranking: Ranking, most: int) -> NDArray[np.intp]:
    concepts, probabilities = np.asarray(ranking.concepts[:most], np.intp), ranking.probabilities[:most]
    if len(concepts) and probabilities[0] >= _SURE:
        concepts = concepts[probabilities >= _BESIDE_SURE * probabilities[0]]
    return concepts


def proposed_relations(pairs: RelationPairs, model: RelationModel, least: float = LEAST) -> ProposedRelations:
    """Return the candidates that are right with a probability of at least *least*, and their relations."""
    unmatched = np.full(len(pairs.sources), np.nan)
    if not len(pairs):
        return ProposedRelations(pairs, np.zeros((0, len(PREDICTED))), np.ones(len(pairs.sources)))
    features = relation_features(pairs, shipped_encoder())
    right = model.right_probabilities(features)
    likely = right >= least
    best = np.zeros(len(pairs.sources))
    np.maximum.at(best, pairs.source_of, right)
    has_none = np.bincount(pairs.source_of[likely], minlength=len(pairs.sources)) == 0
    unmatched[has_none] = 1 - best[has_none]
    chosen = pairs.of(likely)
    if not len(chosen):
        return ProposedRelations(chosen, np.zeros((0, len(PREDICTED))), unmatched)
    relations = model.relation_probabilities(features_of_some(pairs, features, likely)) * right[likely, None]
    return ProposedRelations(chosen, relations, unmatched)


def _mapping(
    source: SourceCode, target: str, name: str, relation: str, probability: float, today: date, version: str
) -> Mapping:
    return Mapping(
        source.code,
        target,
        relation,
        source_name=source.name,
        target_name=name,
        probability=round(float(probability), _DECIMALS),
        justification=BY_TOOL,
        date=today.isoformat(),
        tool=TOOL,
        version=f"{__version__} ({version})",
    )
