"""Proposed mappings: the probable candidates of each source code, with their relations.

A code without any gets the relation `none`.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date

import numpy as np
from numpy.typing import NDArray

from jobmatch_core import __version__
from jobmatch_core.crosswalks.candidates import CodeCandidates, list_candidates
from jobmatch_core.crosswalks.joint_relations import LEFT_OUT, joint_relations
from jobmatch_core.crosswalks.mapping import BY_TOOL, NONE, PREDICTED, PROPOSED_FROM, Mapping
from jobmatch_core.crosswalks.relation_features import RelationPairs, SourceCode, relation_features
from jobmatch_core.crosswalks.relation_model import RelationModel, shipped_relation_model
from jobmatch_core.crosswalks.targets import target_concepts
from jobmatch_core.encoders.loading import shipped_encoder
from jobmatch_core.entities import Progress, no_progress
from jobmatch_core.linking.linker import Linker

TOOL = "jobmatch"
_DECIMALS = 4


@dataclass(frozen=True, slots=True)
class ProposedPairs:
    """Pairs that are proposed."""

    pairs: RelationPairs  # of a source code and a concept, by source code
    relations: NDArray[np.float64]  # (pair, relation) probabilities in the order of `PREDICTED`
    chosen: NDArray[np.intp]  # (pair,) place of the relation in `PREDICTED`, or `LEFT_OUT`


def proposed_mappings(
    sources: Sequence[SourceCode],
    linker: Linker,
    language: str,
    today: date,
    *,
    least: float = PROPOSED_FROM,
    progress: Progress = no_progress,
) -> list[Mapping]:
    """Return proposed mappings of a source list, code by code, the most probable first.

    Args:
        linker: of the target taxonomy.
        language: of the source's names; names of the taxonomy in it are compared.
        least: probability from which a candidate is proposed.
        progress: called with codes done and codes in total.

    Raises LinkingError if the taxonomy cannot be searched.
    """
    candidates = list_candidates(sources, linker, progress=progress)
    proposed = proposed_pairs(sources, candidates, linker, language, shipped_relation_model(), least)
    version = linker.taxonomy.id
    mappings: list[list[Mapping]] = [[] for _ in sources]
    for pair in np.flatnonzero(proposed.chosen != LEFT_OUT).tolist():
        source, place = proposed.pairs.source_of[pair], proposed.chosen[pair]
        concept = proposed.pairs.targets[proposed.pairs.target_of[pair]]
        mappings[source].append(
            _mapping(
                sources[source],
                concept.uri,
                concept.names[0],
                PREDICTED[place],
                proposed.relations[pair, place],
                today,
                version,
            )
        )
    for source_code, found, items in zip(sources, candidates, mappings, strict=True):
        if not items:
            items.append(_mapping(source_code, "", "", NONE, 1 - max(found.probabilities, default=0), today, version))
    return [item for items in mappings for item in sorted(items, key=lambda item: -(item.probability or 0))]


def proposed_pairs(
    sources: Sequence[SourceCode],
    candidates: Sequence[CodeCandidates],
    linker: Linker,
    language: str,
    model: RelationModel,
    least: float = PROPOSED_FROM,
) -> ProposedPairs:
    """Return the candidates with a probability of at least *least*, and their relations."""
    probable = [found.probabilities >= least for found in candidates]
    concepts_of = [found.concepts[flags] for found, flags in zip(candidates, probable, strict=True)]
    concepts, target_of = np.unique(np.concatenate([np.zeros(0, np.intp), *concepts_of]), return_inverse=True)
    source_of = np.repeat(np.arange(len(sources)), [len(numbers) for numbers in concepts_of])
    targets = target_concepts(linker.taxonomy, concepts.tolist(), language)
    pairs = RelationPairs(sources, targets, source_of, target_of)
    if not len(pairs):
        return ProposedPairs(pairs, np.zeros((0, len(PREDICTED))), np.zeros(0, np.intp))
    probabilities = np.concatenate(
        [found.probabilities[flags] for found, flags in zip(candidates, probable, strict=True)]
    )
    relations = model.relation_probabilities(relation_features(pairs, shipped_encoder())) * probabilities[:, None]
    return ProposedPairs(pairs, relations, joint_relations(source_of, target_of, relations))


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
