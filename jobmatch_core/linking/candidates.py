"""Candidate occupations of titles, with one feature per scorer."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray
from rapidfuzz import fuzz, process
from rapidfuzz.distance import Levenshtein

from jobmatch_core.entities import FloatArray
from jobmatch_core.linking.index import ENCODER, NO_UNIT, NameIndex
from jobmatch_core.linking.own_names import OwnLayer, OwnPairs
from jobmatch_core.linking.scorers import WORTH_THREADS, Indices, NameScorer, fuzzy, n_threads

OCCUPATION = "occupation"  # the only feature that does not depend on the title
EXACT, NEAR = "exact", "near"
_N_GROUPS = 2  # unit groups that propose occupations, the likeliest by the encoder's classifier
_N_OF_GROUP = 2  # occupations that each proposes, the nearest by the concept head
_LEAST_GROUP = 0.1  # probability of a group that proposes
_SHORTEST_NEAR = 6  # letters; a shorter name is another word when one letter differs
N_NAMES = 100  # names that each scorer proposes; more cost time and find nothing
N_NAMES_BESIDE = 30  # names that each lexical scorer proposes if there is an encoder, which finds the rest
_HEAD_TEMPERATURE = 0.07  # of the softmax over occupations, as in the encoder's training
_LEAST_SHARE = 1e-4  # of a unit group in the head's probability that counts
_QUERIES_AT_ONCE = 128  # with their probabilities of all occupations
_SHARPNESS = 10.0  # of the soft maximum over an occupation's names
_SUPPORT_SCALE = np.log(100.0)  # brings log counts to the scale of the other features


@dataclass(frozen=True, slots=True)
class NamePairs:
    """(query, entry) pairs and their scores, sorted by query.

    Attributes:
        queries: (pair,) query numbers, ascending.
        entries: (pair,) entry numbers of the index; higher ones belong to the layer of own names.
        scores: (pair, scorer), 0 to 1; the last column is `fuzzy`.
        same: (pair, 2) 1 if the name equals the title, and if it nearly does, see `_sameness`; 0 for own names.
        occupations: (query, occupation) scores of the encoder's concept head, -1 to 1; no columns without an encoder.
        groups: (query, group) probabilities of unit groups by the encoder's classifier, see `NameIndex.head_groups`;
            the rest of a row, up to one, is other languages and groups that the index does not have.
    """

    queries: Indices
    entries: Indices
    scores: FloatArray
    same: FloatArray
    occupations: FloatArray
    groups: FloatArray

    def without(self, dropped: NDArray[np.bool_], occupations: FloatArray) -> "NamePairs":
        """Return the pairs that are not dropped, with other scores of the head."""
        kept = ~dropped
        rows = (self.queries[kept], self.entries[kept], self.scores[kept], self.same[kept])
        return NamePairs(*rows, occupations, self.groups)


@dataclass(frozen=True, slots=True)
class OccupationCandidates:
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
    to a preferred name. `names`: the number of near names. `exact`: 1 if a name equals the title. `near`: 1 if one
    equals it but for the order of its words, spaces or one letter. `concept`: the encoder's concept head.
    `group`: the log probability of the occupation's unit group by that head. `coded`: that by the
    encoder's classifier and the head together, minus `group`; 0 if the classifier knows nothing of the title.
    `occupation`: 1 for an occupation, 0 for an ISCO group, which fewer titles mean.
    """
    best = [*scorers, "fuzzy"]
    concept = ["concept", "group", "coded"] if ENCODER in scorers else []
    return [*best, *(f"{name}_many" for name in best), "preferred", "names", EXACT, NEAR, *concept, OCCUPATION]


def have_equal_names(index: NameIndex, candidates: OccupationCandidates) -> NDArray[np.bool_]:
    """Return (candidate,) true if one of its names equals the title."""
    equal: NDArray[np.bool_] = candidates.features[:, feature_names(list(index.scorers)).index(EXACT)] > 0
    return equal


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
    encoder_vectors = _encoder_vectors(index, encoded)
    occupations, groups = _occupation_and_group_scores(index, queries, encoder_vectors)
    meaning = index.encoder
    found = [
        scorer.nearest(vectors, limit) if scorer is not meaning else meaning.nearest_by(occupations, vectors, limit)
        for scorer, vectors in encoded
    ]
    if encoder_vectors is not None and meaning is not None:
        found.append(meaning.nearest_of(encoder_vectors, *_of_likely_groups(index, occupations, groups)))
    n_names = len(index.texts)
    keys = np.sort(np.concatenate([rows * n_names + columns for rows, columns in found]))
    keys = keys[np.diff(keys, prepend=-1) > 0]  # np.unique hashes first, which takes four times as long
    rows, columns = np.divmod(keys, n_names)
    scores = [scorer.pairs(vectors, rows, columns) for scorer, vectors in encoded]
    titles, names = [queries[row] for row in rows.tolist()], index.texts.take(columns)
    scores.append(fuzzy(titles, names))
    same = _sameness(titles, names)
    pairs = NamePairs(rows, columns, np.stack(scores, axis=1), same, occupations, groups)
    return pairs if own is None else _with_own(index, pairs, own.pairs(queries, encoder_vectors), own)


def _sameness(titles: Sequence[str], names: Sequence[str]) -> FloatArray:
    """Return (pair, 2) 1 if two folded texts are equal, and 1 if they are equal but for little.

    Little is the order of the words, or one letter or space: `frontend` and `front end`, `nurse` and `nurses`.
    """
    lengths = np.stack([np.fromiter(map(len, texts), np.int64, len(texts)) for texts in (titles, names)])
    equal, near = np.zeros((2, len(titles)), dtype=bool)
    # a name that is longer or shorter by two letters is neither one edit away nor of the same words: most are
    alike = np.flatnonzero(np.abs(lengths[0] - lengths[1]) <= 1)
    texts = [titles[pair] for pair in alike.tolist()], [names[pair] for pair in alike.tolist()]
    workers = n_threads() if len(alike) > WORTH_THREADS else 1
    edits = process.cpdist(*texts, scorer=Levenshtein.distance, score_cutoff=1, workers=workers)
    sorted_alike = process.cpdist(*texts, scorer=fuzz.token_sort_ratio, score_cutoff=100, workers=workers)
    long = lengths.min(axis=0)[alike] >= _SHORTEST_NEAR
    equal[alike] = edits == 0
    near[alike] = equal[alike] | (long & ((edits <= 1) | (sorted_alike == 100)))
    return np.stack([equal, near], axis=1).astype(np.float32)


def _with_own(index: NameIndex, pairs: NamePairs, found: OwnPairs, own: OwnLayer) -> NamePairs:
    """Add the pairs with own names, each query's after those with the taxonomy's.

    To the concept head an accepted title is another meaning of its occupation, not one more name in a mean of many.
    """
    rows = np.concatenate([pairs.queries, found.queries])
    order = np.argsort(rows, kind="stable")
    entries = np.concatenate([pairs.entries, len(index.texts) + found.names])
    scores = np.concatenate([pairs.scores, found.scores])
    same = np.concatenate([pairs.same, np.zeros((len(found.names), 2), np.float32)])
    occupations = pairs.occupations
    if index.encoder is not None:
        columns = index.encoder.columns(own.concepts[found.names])
        cosine = found.scores[:, list(index.scorers).index(ENCODER)]
        occupations = occupations.copy()
        np.maximum.at(occupations, (found.queries, columns), cosine)
    return NamePairs(rows[order], entries[order], scores[order], same[order], occupations, pairs.groups)


def _occupation_and_group_scores(
    index: NameIndex, queries: Sequence[str], vectors: FloatArray | None
) -> tuple[FloatArray, FloatArray]:
    """Return scores of occupations and probabilities of unit groups, see `NamePairs`; no columns without an encoder."""
    if index.encoder is None or vectors is None:
        nothing = np.empty((len(queries), 0), dtype=np.float32)
        return nothing, nothing
    return index.encoder.occupation_scores(vectors), index.encoder.group_shares(queries, index.head_groups[0])


def _of_likely_groups(index: NameIndex, occupations: FloatArray, groups: FloatArray) -> tuple[Indices, Indices]:
    """Return query numbers and columns of the occupations that the likeliest unit groups propose.

    Args:
        index: index with an encoder.
        occupations: (query, occupation) scores of its head.
        groups: (query, group) probabilities of unit groups.
    """
    left = np.where(groups >= _LEAST_GROUP, groups, 0.0)
    rows, columns = [np.empty(0, np.intp)], [np.empty(0, np.intp)]
    for _ in range(min(_N_GROUPS, left.shape[1])):
        best = left.argmax(axis=1)
        asking = np.flatnonzero(left[np.arange(len(left)), best])
        left[asking, best[asking]] = 0.0
        for group in np.unique(best[asking]).tolist():
            of_group, queries = index.occupations_of_groups[group], asking[best[asking] == group]
            scores = occupations[np.ix_(queries, of_group)]
            n = min(_N_OF_GROUP, len(of_group))
            rows.append(np.repeat(queries, n))
            columns.append(of_group[np.argpartition(-scores, n - 1, axis=1)[:, :n]].ravel())
    return np.concatenate(rows), np.concatenate(columns)


def _encoder_vectors(index: NameIndex, encoded: Sequence[tuple[NameScorer[Any], Any]]) -> FloatArray | None:
    return next((vectors for scorer, vectors in encoded if scorer is index.encoder), None)


def pool(index: NameIndex, pairs: NamePairs, own: OwnLayer | None = None) -> OccupationCandidates:
    """Give each concept the best scores of its names.

    Its evidence is the name that equals the title, else the one with the best mean.
    """
    n_concepts = len(index.groups)
    concept_of_pair, preferred_pair = _looked_up(index, own, pairs.entries)
    keys = pairs.queries.astype(np.int64) * n_concepts + concept_of_pair
    order = np.lexsort((-pairs.scores.mean(axis=1) - pairs.same.sum(axis=1), keys))
    keys, scores, entries = keys[order], pairs.scores[order], pairs.entries[order]
    starts = np.flatnonzero(np.diff(keys, prepend=-1))
    if not len(starts):
        n_features = len(feature_names(list(index.scorers)))
        return OccupationCandidates(keys, keys, entries, np.empty((0, n_features), np.float32))
    counts = np.diff(starts, append=len(keys))
    best = np.maximum.reduceat(scores, starts, axis=0)
    many = np.log(np.add.reduceat(np.exp(_SHARPNESS * (scores - 1)), starts, axis=0)) / _SHARPNESS + 1
    is_preferred = preferred_pair[order]
    preferred = np.maximum.reduceat(scores[:, :1] * is_preferred[:, None], starts, axis=0)
    support = (np.log(counts) / _SUPPORT_SCALE)[:, None]
    queries, concepts = np.divmod(keys[starts], n_concepts)
    same = np.maximum.reduceat(pairs.same[order], starts, axis=0)
    features = [best, many, preferred, support, same]
    if index.encoder is not None:
        columns = index.encoder.columns(concepts)
        features.append(pairs.occupations[queries, columns][:, None])
        features.append(_group_scores(index, pairs, queries, columns))
    features.append(~index.groups[concepts][:, None])
    return OccupationCandidates(queries, concepts, entries[starts], np.hstack(features).astype(np.float32))


def _group_scores(index: NameIndex, pairs: NamePairs, queries: Indices, columns: Indices) -> FloatArray:
    """Return the log probabilities of candidates' unit groups, scaled to 0 to 1; 0 for an occupation without one.

    Args:
        index: index with an encoder.
        pairs: what its head and its classifier say of the queries.
        queries: (candidate,) query numbers.
        columns: (candidate,) columns of the head's occupations.

    Returns:
        (candidate, 2) by the head; by the classifier and the head together, minus that by the head.
    """
    units, groups, members = index.head_groups
    of_candidates = groups[columns]
    by_head = np.empty((len(pairs.occupations), len(units)), dtype=np.float32)
    for start in range(0, len(by_head), _QUERIES_AT_ONCE):
        block = slice(start, start + _QUERIES_AT_ONCE)
        shares = np.exp((pairs.occupations[block] - 1) / _HEAD_TEMPERATURE)
        by_head[block] = (shares @ members) / shares.sum(axis=1, keepdims=True)
    unsaid = np.maximum(1 - pairs.groups.sum(axis=1), 0.0)
    of_head, of_classifier = by_head[queries, of_candidates], pairs.groups[queries, of_candidates]
    both = np.stack([of_head, of_classifier + unsaid[queries] * of_head], axis=1)
    scores = 1 - np.log(np.maximum(both, _LEAST_SHARE)) / np.log(_LEAST_SHARE)
    scores[:, 1] -= scores[:, 0]  # so that it is 0 where the classifier is silent
    return np.where(units[of_candidates, None] == NO_UNIT, np.float32(0), scores).astype(np.float32)


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
