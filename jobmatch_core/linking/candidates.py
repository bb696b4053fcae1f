"""Candidate occupations of titles, with one feature per scorer."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from jobmatch_core.entities import FloatArray
from jobmatch_core.linking.index import ENCODER, NameIndex
from jobmatch_core.linking.own_names import OwnLayer, OwnPairs
from jobmatch_core.linking.scorers import Indices, NameScorer, fuzzy

OCCUPATION = "occupation"  # the only feature that does not depend on the title
N_NAMES = 100  # names that each scorer proposes; more cost time and find nothing
N_NAMES_BESIDE = 50  # names that each lexical scorer proposes if there is an encoder, which finds the rest
_SHARPNESS = 10.0  # of the soft maximum over an occupation's names
_SUPPORT_SCALE = np.log(100.0)  # brings log counts to the scale of the other features


@dataclass(frozen=True, slots=True)
class NamePairs:
    """(query, entry) pairs and their scores, sorted by query.

    Attributes:
        queries: (pair,) query numbers, ascending.
        entries: (pair,) entry numbers of the index; higher ones belong to the layer of own names.
        scores: (pair, scorer), 0 to 1; the last column is `fuzzy`.
        occupations: (query, occupation) scores of the encoder's concept head, -1 to 1; no columns without an encoder.
    """

    queries: Indices
    entries: Indices
    scores: FloatArray
    occupations: FloatArray

    def without(self, dropped: NDArray[np.bool_], occupations: FloatArray) -> "NamePairs":
        """Return the pairs that are not dropped, with other scores of the head."""
        return NamePairs(self.queries[~dropped], self.entries[~dropped], self.scores[~dropped], occupations)


@dataclass(frozen=True, slots=True)
class Candidates:
    """(query, concept) candidates and their features, sorted by query.

    Attributes:
        queries: (candidate,) query numbers, ascending.
        concepts: (candidate,) concept numbers of the taxonomy.
        entries: (candidate,) the concept's best entry: the evidence.
        features: (candidate, feature), see `feature_names`.
    """

    queries: Indices
    concepts: Indices
    entries: Indices
    features: FloatArray


def feature_names(scorers: Sequence[str]) -> list[str]:
    """Return the names of the columns of `Candidates.features` for an index with these scorers.

    `char`: the best name's similarity. `char_many`: the soft maximum over all the occupation's names,
    higher where several, in several languages, agree. `preferred`: the letters' similarity
    to a preferred name. `names`: the number of near names. `concept`: the encoder's concept head.
    `occupation`: 1 for an occupation, 0 for an ISCO group, which fewer titles mean.
    """
    best = [*scorers, "fuzzy"]
    concept = ["concept"] if ENCODER in scorers else []
    return [*best, *(f"{name}_many" for name in best), "preferred", "names", *concept, OCCUPATION]


def score_names(index: NameIndex, queries: Sequence[str], *, limit: int = 0, own: OwnLayer | None = None) -> NamePairs:
    """Find each folded query's nearest names, own names among them, and score them by every scorer.

    Args:
        index: index of the taxonomy's names.
        queries: folded titles.
        limit: maximum number of names that a scorer proposes; the index's default for 0.
        own: layer of own names, None without one.
    """
    limit = limit or (N_NAMES_BESIDE if index.encoder else N_NAMES)
    encoded = [(scorer, scorer.encode(queries)) for scorer in index.scorers.values()]
    found = [scorer.nearest(vectors, limit) for scorer, vectors in encoded]
    n_names = len(index.texts)
    keys = np.unique(np.concatenate([rows * n_names + columns for rows, columns in found]))
    rows, columns = np.divmod(keys, n_names)
    scores = [scorer.pairs(vectors, rows, columns) for scorer, vectors in encoded]
    scores.append(fuzzy([queries[row] for row in rows], [index.texts[column] for column in columns]))
    pairs = NamePairs(rows, columns, np.stack(scores, axis=1), _occupations(index, len(queries), encoded))
    return pairs if own is None else _with_own(index, pairs, own.pairs(queries, _encoder_vectors(index, encoded)), own)


def _with_own(index: NameIndex, pairs: NamePairs, found: OwnPairs, own: OwnLayer) -> NamePairs:
    """Add the pairs with own names, each query's after those with the taxonomy's.

    To the concept head an accepted title is another meaning of its occupation, not one more name in a mean of many.
    """
    rows = np.concatenate([pairs.queries, found.queries])
    order = np.argsort(rows, kind="stable")
    entries = np.concatenate([pairs.entries, len(index.texts) + found.names])
    scores = np.concatenate([pairs.scores, found.scores])
    occupations = pairs.occupations
    if index.encoder is not None:
        columns = index.encoder.columns(own.concepts[found.names])
        cosine = found.scores[:, list(index.scorers).index(ENCODER)]
        occupations = occupations.copy()
        np.maximum.at(occupations, (found.queries, columns), cosine)
    return NamePairs(rows[order], entries[order], scores[order], occupations)


def _occupations(index: NameIndex, n_queries: int, encoded: Sequence[tuple[NameScorer[Any], Any]]) -> FloatArray:
    vectors = _encoder_vectors(index, encoded)
    if index.encoder is None or vectors is None:
        return np.empty((n_queries, 0), dtype=np.float32)
    return index.encoder.occupation_scores(vectors)


def _encoder_vectors(index: NameIndex, encoded: Sequence[tuple[NameScorer[Any], Any]]) -> FloatArray | None:
    return next((vectors for scorer, vectors in encoded if scorer is index.encoder), None)


def pool(index: NameIndex, pairs: NamePairs, own: OwnLayer | None = None) -> Candidates:
    """Give each concept the best scores of its names; the name with the best mean is its evidence."""
    n_concepts = len(index.groups)
    concept_of_pair, preferred_pair = _looked_up(index, own, pairs.entries)
    keys = pairs.queries.astype(np.int64) * n_concepts + concept_of_pair
    order = np.lexsort((-pairs.scores.mean(axis=1), keys))
    keys, scores, entries = keys[order], pairs.scores[order], pairs.entries[order]
    starts = np.flatnonzero(np.diff(keys, prepend=-1))
    if not len(starts):
        n_features = len(feature_names(list(index.scorers)))
        return Candidates(keys, keys, entries, np.empty((0, n_features), np.float32))
    counts = np.diff(starts, append=len(keys))
    best = np.maximum.reduceat(scores, starts, axis=0)
    many = np.log(np.add.reduceat(np.exp(_SHARPNESS * (scores - 1)), starts, axis=0)) / _SHARPNESS + 1
    is_preferred = preferred_pair[order]
    preferred = np.maximum.reduceat(scores[:, :1] * is_preferred[:, None], starts, axis=0)
    support = (np.log(counts) / _SUPPORT_SCALE)[:, None]
    queries, concepts = np.divmod(keys[starts], n_concepts)
    features = [best, many, preferred, support]
    if index.encoder is not None:
        features.append(pairs.occupations[queries, index.encoder.columns(concepts)][:, None])
    features.append(~index.groups[concepts][:, None])
    return Candidates(queries, concepts, entries[starts], np.hstack(features).astype(np.float32))


def _looked_up(
    index: NameIndex, own: OwnLayer | None, entries: Indices
) -> tuple[NDArray[np.integer[Any]], NDArray[np.bool_]]:
    """Return the concepts of entries, and whether these are preferred names; own names never are."""
    if own is None:
        return index.concepts[entries], index.preferred[entries]
    n_names = len(index.texts)
    is_own = entries >= n_names
    in_index, in_layer = np.where(is_own, 0, entries), np.where(is_own, entries - n_names, 0)
    concepts = np.where(is_own, own.concepts[in_layer], index.concepts[in_index])
    return concepts, index.preferred[in_index] & ~is_own
