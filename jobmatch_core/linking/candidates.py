"""Candidate occupations of queries, with one row of features each."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from rapidfuzz import fuzz, process
from rapidfuzz.distance import Levenshtein

from jobmatch_core.entities import FloatArray
from jobmatch_core.linking.arrays import Flags, Indices, Pairs, ParallelArrays
from jobmatch_core.linking.index import ENCODER, NO_UNIT, NameIndex
from jobmatch_core.linking.own_names import OwnLayer
from jobmatch_core.linking.scorers import NameScorer, fuzzy, threads_for

OCCUPATION = "occupation"  # the only feature that does not depend on the title
EXACT, NEAR = "exact", "near"
N_NAMES = 100  # names that each scorer proposes; more cost time and find nothing
N_NAMES_BESIDE = 30  # names that each lexical scorer proposes if there is an encoder, which finds the rest
_N_GROUPS = 2  # unit groups that propose occupations, the likeliest by the encoder's classifier
_N_OF_GROUP = 2  # occupations that each proposes, the nearest by the concept head
_LEAST_GROUP = 0.1  # probability of a group that proposes
_SHORTEST_NEAR = 6  # letters; a shorter name is another word when one letter differs
_HEAD_TEMPERATURE = 0.07  # of the softmax over occupations, as in the encoder's training
_LEAST_SHARE = 1e-4  # of a unit group in the head's probability that counts
_QUERIES_AT_ONCE = 128  # with their probabilities of all occupations
_SHARPNESS = 10.0  # of the soft maximum over an occupation's names
_SUPPORT_SCALE = np.log(100.0)  # brings log counts to the scale of the other features


@dataclass(frozen=True, slots=True)
class NamePairs:
    """Scored pairs, sorted by query, and what the encoder says of the queries."""

    queries: Indices  # (pair,) query numbers, ascending
    entries: Indices  # (pair,) entry numbers
    scores: FloatArray  # (pair, scorer), 0 to 1; the last column is `fuzzy`
    same: FloatArray  # (pair, 2) 1 if the name equals the query, and 1 if it nearly does; 0 for own names
    # (query, column) scores of the encoder's concept head, -1 to 1; no columns without an encoder
    occupations: FloatArray
    # (query, group) probabilities of unit groups by the encoder's classifier; the rest of a row, up to one, is other
    # languages and groups that the index does not have
    groups: FloatArray

    def without(self, dropped: Flags, occupations: FloatArray) -> "NamePairs":
        """Return the pairs that are not dropped, with other scores of the head."""
        left = ~dropped
        return NamePairs(
            self.queries[left], self.entries[left], self.scores[left], self.same[left], occupations, self.groups
        )


@dataclass(frozen=True, slots=True)
class OccupationCandidates(ParallelArrays):
    """Candidates and their features, sorted by query."""

    queries: Indices  # (candidate,) query numbers, ascending
    concepts: Indices  # (candidate,) concept numbers
    entries: Indices  # (candidate,) numbers of the concepts' best entries: the evidence
    features: FloatArray  # (candidate, feature), see `feature_names`

    @classmethod
    def none(cls, index: NameIndex) -> "OccupationCandidates":
        """Return no candidates."""
        nothing = np.empty(0, np.int64)
        n_features = len(feature_names(list(index.scorers)))
        return cls(nothing, nothing, nothing, np.empty((0, n_features), np.float32))


def feature_names(scorers: Sequence[str]) -> list[str]:
    """Return the names of the columns of `OccupationCandidates.features` for an index with these scorers.

    `char`: the best name's similarity. `char_many`: the soft maximum over all the occupation's names,
    higher where several, in several languages, agree. `preferred`: the letters' similarity
    to a preferred name. `names`: the number of near names. `exact`: 1 if a name equals the title. `near`: 1 if one
    equals it but for the order of its words, spaces or one letter. `concept`: the encoder's concept head.
    `group`: the log probability of the occupation's unit group by that head. `coded`: that by the
    encoder's classifier and the head together, minus `group`; 0 if the classifier knows nothing of the title.
    `coded_sure`: that times the classifier's highest probability: in languages with few coded titles it is seldom sure,
    and more often wrong.
    `occupation`: 1 for an occupation, 0 for an ISCO group, which fewer titles mean.
    """
    best = [*scorers, "fuzzy"]
    concept = ["concept", "group", "coded", "coded_sure"] if ENCODER in scorers else []
    return [*best, *(f"{name}_many" for name in best), "preferred", "names", EXACT, NEAR, *concept, OCCUPATION]


def have_equal_names(index: NameIndex, candidates: OccupationCandidates) -> Flags:
    """Return (candidate,) true if one of its names equals the query."""
    equal: Flags = candidates.features[:, feature_names(list(index.scorers)).index(EXACT)] > 0
    return equal


def score_names(index: NameIndex, queries: Sequence[str], *, limit: int = 0, own: OwnLayer | None = None) -> NamePairs:
    """Find each query's nearest names, own names among them, and score them by every scorer.

    Args:
        index: index of the taxonomy's names.
        queries: folded titles.
        limit: maximum number of names that a scorer proposes; the index's default for 0.
        own: layer of own names, None without one.
    """
    limit = limit or (N_NAMES_BESIDE if index.encoder else N_NAMES)
    encoded: list[tuple[NameScorer[Any], Any]] = [(scorer, scorer.encode(queries)) for scorer in index.scorers.values()]
    encoder = index.encoder
    vectors = next((query_vectors for scorer, query_vectors in encoded if scorer is encoder), None)
    proposals = [scorer.nearest(vectors, limit) for scorer, vectors in encoded if scorer is not encoder]
    occupations = groups = np.empty((len(queries), 0), dtype=np.float32)
    if encoder is not None and vectors is not None:
        occupations = encoder.occupation_scores(vectors)
        groups = encoder.group_shares(queries, index.head_groups.codes)
        proposals.append(encoder.nearest_by(occupations, vectors, limit))
        proposals.append(encoder.nearest_of(vectors, *_of_likely_groups(index, occupations, groups)))
    n_entries = len(index.texts)
    keys = np.sort(np.concatenate([pairs.queries * n_entries + pairs.entries for pairs in proposals]))
    keys = keys[np.diff(keys, prepend=-1) > 0]  # np.unique hashes first, which takes four times as long
    pairs = Pairs(*np.divmod(keys, n_entries))
    scores = [scorer.pairs(vectors, *pairs) for scorer, vectors in encoded]
    texts, names = [queries[query] for query in pairs.queries.tolist()], index.texts.take(pairs.entries)
    scores.append(fuzzy(texts, names))
    scored = NamePairs(*pairs, np.stack(scores, axis=1), _sameness(texts, names), occupations, groups)
    return scored if own is None else _with_own(index, scored, queries, vectors, own)


# (pair, 2) 1 if two folded texts are equal, and 1 if they are equal but for the order of the words, or one letter or
# space: `frontend` and `front end`, `nurse` and `nurses`
def _sameness(titles: Sequence[str], names: Sequence[str]) -> FloatArray:
    lengths = np.stack([np.fromiter(map(len, texts), np.int64, len(texts)) for texts in (titles, names)])
    equal, near = np.zeros((2, len(titles)), dtype=bool)
    # a name that is longer or shorter by two letters is neither one edit away nor of the same words: most are
    alike = np.flatnonzero(np.abs(lengths[0] - lengths[1]) <= 1)
    texts = [titles[pair] for pair in alike.tolist()], [names[pair] for pair in alike.tolist()]
    workers = threads_for(len(alike))
    edits = process.cpdist(*texts, scorer=Levenshtein.distance, score_cutoff=1, workers=workers)
    sorted_alike = process.cpdist(*texts, scorer=fuzz.token_sort_ratio, score_cutoff=100, workers=workers)
    long = lengths.min(axis=0)[alike] >= _SHORTEST_NEAR
    equal[alike] = edits == 0
    near[alike] = equal[alike] | (long & ((edits <= 1) | (sorted_alike == 100)))
    return np.stack([equal, near], axis=1).astype(np.float32)


# To the concept head an accepted title is another meaning of its occupation, not one more name in a mean of many.
def _with_own(
    index: NameIndex, pairs: NamePairs, texts: Sequence[str], vectors: FloatArray | None, own: OwnLayer
) -> NamePairs:
    own_pairs = own.pairs(texts, vectors)
    queries = np.concatenate([pairs.queries, own_pairs.queries])
    order = np.argsort(queries, kind="stable")
    entries = np.concatenate([pairs.entries, len(index.texts) + own_pairs.names])
    scores = np.concatenate([pairs.scores, own_pairs.scores])
    same = np.concatenate([pairs.same, np.zeros((len(own_pairs.names), 2), np.float32)])
    occupations = pairs.occupations
    if index.encoder is not None:
        columns = index.encoder.columns(own.concepts[own_pairs.names])
        cosine = own_pairs.scores[:, list(index.scorers).index(ENCODER)]
        occupations = occupations.copy()
        np.maximum.at(occupations, (own_pairs.queries, columns), cosine)
    return NamePairs(queries[order], entries[order], scores[order], same[order], occupations, pairs.groups)


# (proposal,) query numbers and columns of the occupations that the likeliest unit groups propose
def _of_likely_groups(index: NameIndex, occupations: FloatArray, groups: FloatArray) -> tuple[Indices, Indices]:
    left = np.where(groups >= _LEAST_GROUP, groups, 0.0)
    queries, columns = [np.empty(0, np.intp)], [np.empty(0, np.intp)]
    for _ in range(min(_N_GROUPS, left.shape[1])):
        best = left.argmax(axis=1)
        likely = np.flatnonzero(left[np.arange(len(left)), best])
        left[likely, best[likely]] = 0.0
        for group in np.unique(best[likely]).tolist():
            members, of_group = index.head_groups.columns_by_group[group], likely[best[likely] == group]
            scores = occupations[np.ix_(of_group, members)]
            n = min(_N_OF_GROUP, len(members))
            queries.append(np.repeat(of_group, n))
            columns.append(members[np.argpartition(-scores, n - 1, axis=1)[:, :n]].ravel())
    return np.concatenate(queries), np.concatenate(columns)


def pool(index: NameIndex, pairs: NamePairs, own: OwnLayer | None = None) -> OccupationCandidates:
    """Give each concept the best scores of its names.

    Its evidence is the name that equals the title, else the one with the best mean.
    """
    if not len(pairs.queries):
        return OccupationCandidates.none(index)
    n_concepts = len(index.groups)
    pair_concepts, pair_preferred = _concepts_and_preferred(index, own, pairs.entries)
    keys = pairs.queries.astype(np.int64) * n_concepts + pair_concepts
    order = np.lexsort((-pairs.scores.mean(axis=1) - pairs.same.sum(axis=1), keys))
    keys, scores, entries = keys[order], pairs.scores[order], pairs.entries[order]
    starts = np.flatnonzero(np.diff(keys, prepend=-1))
    counts = np.diff(starts, append=len(keys))
    best = np.maximum.reduceat(scores, starts, axis=0)
    many = np.log(np.add.reduceat(np.exp(_SHARPNESS * (scores - 1)), starts, axis=0)) / _SHARPNESS + 1
    preferred = np.maximum.reduceat(scores[:, :1] * pair_preferred[order][:, None], starts, axis=0)
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


# (candidate, 3) log probabilities of the candidates' unit groups, scaled to 0 to 1 and 0 without a group: by the head;
# the difference to that by the classifier and the head together; that times the classifier's highest probability.
# `queries` and `columns` are (candidate,).
def _group_scores(index: NameIndex, pairs: NamePairs, queries: Indices, columns: Indices) -> FloatArray:
    head = index.head_groups
    by_head = np.empty((len(pairs.occupations), len(head.codes)), dtype=np.float32)
    for start in range(0, len(by_head), _QUERIES_AT_ONCE):
        block = slice(start, start + _QUERIES_AT_ONCE)
        shares = np.exp((pairs.occupations[block] - 1) / _HEAD_TEMPERATURE)
        by_head[block] = (shares @ head.members) / shares.sum(axis=1, keepdims=True)
    groups = head.groups[columns]
    of_head, of_classifier = by_head[queries, groups], pairs.groups[queries, groups]
    unclassified = np.maximum(1 - pairs.groups.sum(axis=1), 0.0)
    both = np.stack([of_head, of_classifier + unclassified[queries] * of_head])
    by_head_alone, together = 1 - np.log(np.maximum(both, _LEAST_SHARE)) / np.log(_LEAST_SHARE)
    gain = together - by_head_alone  # 0 where the classifier is silent
    scores = np.stack([by_head_alone, gain, gain * pairs.groups.max(axis=1, initial=0.0)[queries]], axis=1)
    return np.where(head.codes[groups, None] == NO_UNIT, np.float32(0), scores).astype(np.float32)


# (pair,) concepts of entries, and whether these are preferred names, which own names never are
def _concepts_and_preferred(index: NameIndex, own: OwnLayer | None, entries: Indices) -> tuple[Indices, Flags]:
    if own is None:
        return index.concepts[entries], index.preferred[entries]
    n_entries = len(index.texts)
    is_own = entries >= n_entries
    in_index, in_layer = np.where(is_own, 0, entries), np.where(is_own, entries - n_entries, 0)
    concepts = np.where(is_own, own.concepts[in_layer], index.concepts[in_index])
    return concepts, index.preferred[in_index] & ~is_own
