"""Predicted relations measured on national crosswalks, which train nothing, beside the majority and rules by hand.

The crosswalks are split by country: the size of the trees was chosen by looking at thirteen, and the figure that counts
is of the three `UNSEEN` ones. Some files say `narrowMatch` of the source and some of the target, as SKOS does; a file's
direction follows from its counts alone: sources with several targets are the broader ones.
"""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray
from sklearn.metrics import f1_score

from jobmatch_core.benchmarks.datasets.melo import FILE, read_crosswalk
from jobmatch_core.crosswalks.candidates import list_candidates
from jobmatch_core.crosswalks.joint_relations import LEFT_OUT
from jobmatch_core.crosswalks.mapping import BROADER, CLOSE, EXACT, NARROWER, PREDICTED
from jobmatch_core.crosswalks.proposals import proposed_pairs
from jobmatch_core.crosswalks.relation_features import RelationPairs, SourceCode, relation_features
from jobmatch_core.crosswalks.relation_model import RelationModel
from jobmatch_core.crosswalks.relation_rules import ruled
from jobmatch_core.crosswalks.source_list import prefix_parent
from jobmatch_core.crosswalks.targets import target_concepts
from jobmatch_core.entities import Encoder
from jobmatch_core.io.text_files import read_json
from jobmatch_core.linking import Linker
from jobmatch_core.metrics.calibration import expected_calibration_error
from jobmatch_core.taxonomy import Taxonomy

UNSEEN = ("deu_de", "ita_it", "svk_sk")  # every fifth from the fourth, by name, before anything was measured
_KINDS = {"exactMatch": EXACT, "narrowMatch": NARROWER, "broadMatch": BROADER, "closeMatch": CLOSE}
_EXACT, _NARROWER, _BROADER, _CLOSE = range(len(PREDICTED))
Classes = NDArray[np.intp]


@dataclass(frozen=True, slots=True)
class RelationReport:
    """How well the relations of a country's right pairs are predicted."""

    country: str  # folder of the crosswalk
    unseen: bool  # whether nothing was chosen by it
    turned: bool  # whether its narrowMatch was said of the target
    pairs: int  # right pairs whose concept the taxonomy has
    # majority, rules, model: macro F1 over the relations that the country has
    majority: float
    rules: float
    model: float
    by_relation: tuple[float, ...]  # F1 of the model for each relation of `PREDICTED`
    calibration_error: float  # expected calibration error of the model's probability of its relation


@dataclass(frozen=True, slots=True)
class ProposalReport:
    """How good proposed mappings are where the right pairs are not given."""

    country: str  # folder of the crosswalk
    proposed: int  # proposed pairs
    right: float  # share of them that the crosswalk has
    found: float  # share of the crosswalk's pairs among them
    with_relation: float  # share of the proposed right pairs with the right relation


def crosswalk_pairs(path: Path, taxonomy: Taxonomy) -> tuple[RelationPairs, Classes, bool]:
    """Return the right pairs of a crosswalk, their relations, and whether narrow and broad were exchanged."""
    crosswalk = read_crosswalk(path)
    codes = [str(code).rpartition("/")[2] for code in read_json(path / FILE)]
    code_set = set(codes)
    sources = [
        SourceCode(code, entry.title, prefix_parent(code, code_set))
        for code, entry in zip(codes, crosswalk.entries, strict=True)
    ]
    concepts: dict[int, int] = {}
    rows = [
        (source, concepts.setdefault(taxonomy.number(uri), len(concepts)), PREDICTED.index(_KINDS[kind]))
        for source, entry in enumerate(crosswalk.entries)
        for uri, kind in entry.matches
        if kind in _KINDS and taxonomy.has_concept(uri) and taxonomy.is_occupation(uri)
    ]
    source_of, target_of, relations = np.array(rows, np.intp).reshape(-1, 3).T
    pairs = RelationPairs(sources, target_concepts(taxonomy, list(concepts), crosswalk.language), source_of, target_of)
    turned = _is_turned(pairs, relations)
    return pairs, _exchanged(relations) if turned else relations, turned


def _is_turned(pairs: RelationPairs, relations: Classes) -> bool:
    targets = np.log(np.bincount(pairs.source_of)[pairs.source_of])
    sources = np.log(np.bincount(pairs.target_of)[pairs.target_of])
    means = [
        (targets - sources)[relations == kind].mean() for kind in (_NARROWER, _BROADER) if (relations == kind).any()
    ]
    return len(means) > 1 and bool(means[0] > means[1])


def _exchanged(relations: Classes) -> Classes:
    order = np.array([_EXACT, _BROADER, _NARROWER, _CLOSE])
    exchanged: Classes = order[relations]
    return exchanged


def evaluate_relations(
    paths: Sequence[Path], taxonomy: Taxonomy, model: RelationModel, encoder: Encoder
) -> Iterator[RelationReport]:
    """Yield a report for each crosswalk's folder."""
    for path in paths:
        pairs, right, turned = crosswalk_pairs(path, taxonomy)
        features = relation_features(pairs, encoder)
        shares = model.relation_probabilities(features)
        predicted = shares.argmax(axis=1)
        labels = sorted(set(right.tolist()))
        macro: Callable[[Classes], float] = lambda guess: float(  # noqa: E731
            f1_score(right, guess, average="macro", labels=labels, zero_division=0)  # noqa: B023  # used at once
        )
        f1_by_relation = f1_score(right, predicted, average=None, labels=range(len(PREDICTED)), zero_division=0)
        yield RelationReport(
            path.name,
            path.name in UNSEEN,
            turned,
            len(pairs),
            macro(np.full(len(right), np.bincount(right).argmax())),
            macro(ruled(features)),
            macro(predicted),
            tuple(float(value) for value in f1_by_relation),
            expected_calibration_error(shares.max(axis=1), predicted == right),
        )


def evaluate_proposals(paths: Sequence[Path], linker: Linker, model: RelationModel) -> Iterator[ProposalReport]:
    """Yield what is proposed for each crosswalk's source codes, compared with its pairs."""
    for path in paths:
        pairs, relations, _ = crosswalk_pairs(path, linker.taxonomy)
        language = read_crosswalk(path).language
        right = {
            (source, pairs.targets[target].uri): relation
            for source, target, relation in zip(
                pairs.source_of.tolist(), pairs.target_of.tolist(), relations.tolist(), strict=True
            )
        }
        proposed = proposed_pairs(pairs.sources, list_candidates(pairs.sources, linker), linker, language, model)
        found, chosen = proposed.pairs, proposed.chosen
        guesses = {
            (int(found.source_of[pair]), found.targets[found.target_of[pair]].uri): int(chosen[pair])
            for pair in np.flatnonzero(chosen != LEFT_OUT)
        }
        hits = [right[key] == guess for key, guess in guesses.items() if key in right]
        yield ProposalReport(
            path.name,
            len(guesses),
            len(hits) / max(len(guesses), 1),
            len(hits) / max(len(right), 1),
            sum(hits) / max(len(hits), 1),
        )
