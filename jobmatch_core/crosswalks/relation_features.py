"""Features of (source code, target concept) pairs, from which the relation of a pair is predicted.

Names are compared by trigrams of letters, which survive inflection, and by the vectors of the title encoder. The counts
say how many targets a source code has and how many source codes a target has, among the pairs that are given.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import csr_matrix

from jobmatch_core.entities import Encoder, FloatArray
from jobmatch_core.text.folding import fold

Indices = NDArray[np.intp]
Comparison = Callable[[Indices, Indices], FloatArray]  # of sources and names, by number
FEATURES = (
    "equals a name",
    "equals the preferred name",
    "letters of the source in a name",
    "letters of the preferred name in the source",
    "letters of the source in the preferred name",
    "meaning of a name",
    "meaning of the preferred name",
    "words more than the preferred name",
    "targets of the source",
    "sources of the target",
    "best target of the source",
    "best source of the target",
    "behind the best target",
    "behind the best source",
    "unit groups of the source's targets",
    "meaning of the target's unit group",
    "source codes below the source",
    "occupations below the target",
)
_BLOCK = 100_000  # (pair, name) rows that are compared at once, to limit memory
_GRAM = 3


@dataclass(frozen=True, slots=True)
class SourceCode:
    """A code of the source list."""

    code: str  # as in the list
    name: str
    parent: str = ""  # the code above it in the list; '' for none
    description: str = ""  # what the list says of it, for reviewers; '' for nothing


@dataclass(frozen=True, slots=True)
class TargetConcept:
    """A concept of the target taxonomy."""

    uri: str
    names: tuple[str, ...]  # names that are compared with, the preferred one first
    group: str = ""  # name of its unit group; '' where unknown
    group_code: str = ""  # code of its unit group; '' where unknown
    n_below: int = 0  # number of occupations directly below it


@dataclass(frozen=True)
class RelationPairs:
    """Pairs of a source code and a target concept."""

    sources: Sequence[SourceCode]  # the codes of the source list
    targets: Sequence[TargetConcept]  # the concepts of the taxonomy
    source_of: Indices  # (pair,) number of each pair's source
    target_of: Indices  # (pair,) number of each pair's target

    def __len__(self) -> int:
        """Return the number of pairs."""
        return len(self.source_of)

    @cached_property
    def below_sources(self) -> FloatArray:
        """Number of codes directly below each source code, (source,)."""
        numbers = {source.code: number for number, source in enumerate(self.sources)}
        parents = [numbers[source.parent] for source in self.sources if source.parent in numbers]
        return np.bincount(np.array(parents, np.intp), minlength=len(self.sources)).astype(np.float32)


def relation_features(pairs: RelationPairs, encoder: Encoder) -> FloatArray:
    """Return the features of pairs, (pair, feature), in the order of `FEATURES`."""
    source_of, target_of = pairs.source_of, pairs.target_of
    names = [name for target in pairs.targets for name in target.names]
    n_names = np.array([len(target.names) for target in pairs.targets], np.intp)
    first = np.cumsum(n_names) - n_names
    titles = [source.name for source in pairs.sources]
    grams, vectors = _Grams.of(titles, names), _Vectors.of(encoder, titles, names)
    folded = [fold(title) for title in titles]
    equal = _best_of_names(pairs, first, n_names, _equality(folded, [fold(name) for name in names]))
    inside = _best_of_names(pairs, first, n_names, grams.of_first)
    meaning = _best_of_names(pairs, first, n_names, vectors.cosines)
    preferred = first[target_of]
    n_words = np.array([len(text.split()) for text in folded], np.float32)
    name_words = np.array([len(fold(target.names[0]).split()) for target in pairs.targets], np.float32)
    best_target, behind_target = _standing(meaning + equal, source_of, len(pairs.sources))
    best_source, behind_source = _standing(meaning + equal, target_of, len(pairs.targets))
    columns = (
        equal,
        np.array([folded[s] == fold(names[p]) for s, p in zip(source_of, preferred, strict=True)], np.float32),
        inside,
        grams.of_second(source_of, preferred),
        grams.of_first(source_of, preferred),
        meaning,
        vectors.cosines(source_of, preferred),
        np.clip(n_words[source_of] - name_words[target_of], -6, 6) / 3,
        np.log(np.bincount(source_of, minlength=len(pairs.sources))[source_of]),
        np.log(np.bincount(target_of, minlength=len(pairs.targets))[target_of]),
        best_target,
        best_source,
        behind_target,
        behind_source,
        np.log(_group_counts(pairs)[source_of]),
        _group_meaning(pairs, encoder, vectors.titles),
        np.log1p(pairs.below_sources[source_of]),
        np.log1p(np.array([target.n_below for target in pairs.targets], np.float32))[target_of],
    )
    return np.column_stack(columns).astype(np.float32)


def _best_of_names(pairs: RelationPairs, first: Indices, n_names: Indices, compare: Comparison) -> FloatArray:
    # the largest value over all names of each pair's target
    best = np.zeros(len(pairs), np.float32)
    counts = n_names[pairs.target_of]
    ends = np.cumsum(counts)
    start = 0
    while start < len(pairs):
        done = ends[start - 1] if start else 0
        stop = max(start + 1, int(np.searchsorted(ends, done + _BLOCK, side="right")))
        sizes = counts[start:stop]
        offsets = np.cumsum(sizes) - sizes
        names = np.arange(sizes.sum()) + np.repeat(first[pairs.target_of[start:stop]] - offsets, sizes)
        values = compare(np.repeat(pairs.source_of[start:stop], sizes), names)
        best[start:stop] = np.maximum.reduceat(values, offsets)
        start = stop
    return best


def _equality(titles: Sequence[str], names: Sequence[str]) -> Comparison:
    numbers: dict[str, int] = {}
    of_titles = np.array([numbers.setdefault(title, len(numbers)) for title in titles], np.intp)
    of_names = np.array([numbers.setdefault(name, len(numbers)) for name in names], np.intp)
    return lambda sources, others: (of_titles[sources] == of_names[others]).astype(np.float32)


@dataclass(frozen=True)
class _Grams:
    # trigrams of the words of titles and names, each once
    titles: csr_matrix
    names: csr_matrix

    @classmethod
    def of(cls, titles: Sequence[str], names: Sequence[str]) -> "_Grams":
        numbers: dict[str, int] = {}
        rows = [_numbered(text, numbers) for text in (*titles, *names)]
        sizes = np.array([len(row) for row in rows])
        indices = np.concatenate([np.array(row, np.int32) for row in rows]) if rows else np.zeros(0, np.int32)
        matrix = csr_matrix(
            (np.ones(len(indices), np.float32), indices, np.concatenate([[0], np.cumsum(sizes)])),
            shape=(len(rows), max(len(numbers), 1)),
        )
        return cls(matrix[: len(titles)], matrix[len(titles) :])

    def _common(self, sources: Indices, names: Indices) -> FloatArray:
        shared = self.titles[sources].multiply(self.names[names])
        return np.asarray(shared.sum(axis=1), np.float32).ravel()

    def of_first(self, sources: Indices, names: Indices) -> FloatArray:
        return self._common(sources, names) / _sizes(self.titles)[sources]

    def of_second(self, sources: Indices, names: Indices) -> FloatArray:
        return self._common(sources, names) / _sizes(self.names)[names]


def _sizes(matrix: csr_matrix) -> FloatArray:
    return np.maximum(np.diff(matrix.indptr), 1).astype(np.float32)


def _numbered(text: str, numbers: dict[str, int]) -> list[int]:
    words = [f"<{word}>" for word in fold(text).split()]
    grams = {word[at : at + _GRAM] for word in words for at in range(max(len(word) - _GRAM + 1, 1))}
    return [numbers.setdefault(gram, len(numbers)) for gram in sorted(grams)]


@dataclass(frozen=True)
class _Vectors:
    titles: FloatArray
    names: FloatArray

    @classmethod
    def of(cls, encoder: Encoder, titles: Sequence[str], names: Sequence[str]) -> "_Vectors":
        return cls(encoder.encode(titles), encoder.encode(names))

    def cosines(self, sources: Indices, names: Indices) -> FloatArray:
        cosines: FloatArray = np.einsum("ij,ij->i", self.titles[sources], self.names[names])
        return cosines


def _standing(values: FloatArray, owner_of: Indices, n_owners: int) -> tuple[FloatArray, FloatArray]:
    # whether a pair has the highest value of its owner, and how far it is behind the best other one (-1 to 1)
    order = np.lexsort((-values, owner_of))
    firsts = np.searchsorted(owner_of[order], np.arange(n_owners))
    counts = np.bincount(owner_of, minlength=n_owners)
    best = np.zeros(n_owners, np.float32)
    second = np.zeros(n_owners, np.float32)
    has, has_two = counts > 0, counts > 1
    best[has] = values[order][firsts[has]]
    second[has_two] = values[order][firsts[has_two] + 1]
    leads = values >= best[owner_of]
    other = np.where(leads, np.where(has_two[owner_of], second[owner_of], values), best[owner_of])
    return leads.astype(np.float32), np.clip(other - values, -1, 1).astype(np.float32)


def _group_counts(pairs: RelationPairs) -> FloatArray:
    # the number of unit groups among the targets of each source, at least 1
    codes = {target.group_code for target in pairs.targets}
    numbers = {code: number for number, code in enumerate(sorted(codes))}
    groups = np.array([numbers[target.group_code] for target in pairs.targets], np.intp)[pairs.target_of]
    distinct = np.unique(np.column_stack([pairs.source_of, groups]), axis=0)
    return np.maximum(np.bincount(distinct[:, 0], minlength=len(pairs.sources)), 1).astype(np.float32)


def _group_meaning(pairs: RelationPairs, encoder: Encoder, titles: FloatArray) -> FloatArray:
    vectors = encoder.encode([target.group for target in pairs.targets])
    has_group = np.array([bool(target.group) for target in pairs.targets])[pairs.target_of]
    cosines = np.einsum("ij,ij->i", titles[pairs.source_of], vectors[pairs.target_of])
    return np.where(has_group, cosines, 0).astype(np.float32)
