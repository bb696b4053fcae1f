"""Scorer by an encoder: it proposes occupations by meaning, and scores the similarity of any name and query.

The concept head has one vector an occupation: the normalised mean of its names' vectors in all languages (the
nearest-mean classifier), or the mean of that and the vector that the encoder was trained with for the occupation.

Whitening follows within-class covariance normalisation (Hatch, Kajarekar & Stolcke 2006, Within-class covariance
normalization for SVM-based speaker recognition): directions in which the names of one occupation differ, such as from
`engineer` to `technician`, say little about which occupation is meant, and count less.
"""

# Names are stored as 16-bit integers, sorted by occupation, so that an occupation's are adjacent on disk and in memory.
# Fitting a head by gradient on the finished vectors gains nothing over the means (lab/notes/2026-11-22.md), and takes a
# hundred times as long.

import copy
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Protocol, Self, runtime_checkable

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import csr_matrix

from jobmatch_core.entities import ConceptEncoder, Encoder, FloatArray, Progress, no_progress
from jobmatch_core.io.folders import make_folder
from jobmatch_core.linking.arrays import Indices, Pairs
from jobmatch_core.vectors import normalised

N_OCCUPATIONS = 12  # proposed by the head for a title; more cost time and find next to nothing
N_NAMES_EACH = 2  # of each of them: the evidence, and a sign whether several agree
_NAMES_AT_ONCE = 65536  # names read at once, so that memory-mapped integers are not copied whole
_BLOCK = 4096
_UNIT = 32767  # stands for 1: integers are widened in half the time of half-precision numbers, and are more exact
_PAIRS_AT_ONCE = 1024  # their vectors fit the processor's cache, which halves the time
_ROWS_AT_ONCE = 128  # of scores of all occupations that are sorted
_NOBODY = np.empty(0, np.intp)


@dataclass(frozen=True)
class ConceptHead:
    """Occupations with their vectors."""

    concepts: NDArray[np.int32]  # (column,) concept numbers, ascending
    vectors: FloatArray  # (column, dimension), L2-normalised

    @classmethod
    def fit(
        cls, names: NDArray[np.number[Any]], concepts: NDArray[np.int32], anchors: FloatArray | None = None
    ) -> Self:
        """Fit on the names of a taxonomy.

        Args:
            names: (name, dimension) vectors of one length.
            concepts: (name,) concept numbers.
            anchors: (concept, dimension) the encoder's own vectors, zeros where it has none.
        """
        numbers, classes = np.unique(concepts, return_inverse=True)
        members = _members(classes)
        sums = np.zeros((len(numbers), names.shape[1]), dtype=np.float32)
        for start in range(0, len(names), _NAMES_AT_ONCE):
            block = slice(start, start + _NAMES_AT_ONCE)
            sums += members[:, block] @ np.asarray(names[block], dtype=np.float32)
        vectors = normalised(sums)
        if anchors is not None:
            vectors = normalised(vectors + anchors[numbers])
        return cls(numbers.astype(np.int32), vectors)

    def moved(self, moves: FloatArray) -> Self:
        """Return the head with vectors moved by (column, dimension) *moves* and normalised; a zero changes nothing."""
        touched = moves.any(axis=1, keepdims=True)
        return type(self)(self.concepts, np.where(touched, normalised(self.vectors + moves), self.vectors))

    def scores(self, encoded: FloatArray) -> FloatArray:
        """Return all cosines, (query, column)."""
        return encoded @ self.vectors.T


def whitening(names: NDArray[np.number[Any]], concepts: NDArray[np.int32], unit: float = 1.0) -> FloatArray:
    """Return the symmetric matrix to multiply vectors by, (dimension, dimension).

    It is the inverse square root of the scatter of names about the mean of their concept, plus the identity, so that
    few names leave vectors nearly unchanged.

    Args:
        names: (name, dimension) vectors of one length.
        concepts: (name,) concept numbers.
        unit: the length of the vectors.
    """
    _, classes, counts = np.unique(concepts, return_inverse=True, return_counts=True)
    members = _members(classes)
    sums = np.zeros((len(counts), names.shape[1]))
    products = np.eye(names.shape[1])
    for start in range(0, len(names), _NAMES_AT_ONCE):
        block = slice(start, start + _NAMES_AT_ONCE)
        vectors = np.asarray(names[block], dtype=np.float32) / np.float32(unit)
        sums += members[:, block] @ vectors
        products += vectors.T @ vectors
    of_means = sums / np.sqrt(counts)[:, np.newaxis]
    scatters, directions = np.linalg.eigh(products - of_means.T @ of_means)
    return np.asarray((directions / np.sqrt(scatters)) @ directions.T, dtype=np.float32)


# (class, name) 1 where a name is of a class
def _members(classes: Indices) -> csr_matrix:
    cells = np.ones(len(classes), np.float32), (classes, np.arange(len(classes)))
    return csr_matrix(cells, shape=(int(classes.max(initial=-1)) + 1, len(classes)))


class UnitGroupClassifier(Protocol):
    """A classifier of titles into unit groups of ISCO-08, of its own choice and order."""

    codes: NDArray[np.int32]  # (class,) codes of unit groups as numbers

    def probabilities(self, texts: Sequence[str]) -> FloatArray:
        """Return probabilities, (text, class); rows sum to at most one."""


@runtime_checkable
class GroupEncoder(Encoder, Protocol):
    """An encoder that may have a classifier of unit groups beside it."""

    @property
    def group_classifier(self) -> UnitGroupClassifier | None:
        """The classifier; None without one."""


class EncoderScorer:
    """Cosine of an encoder's vectors; finds occupations that share no word with the title."""

    def __init__(
        self,
        encoder: Encoder,
        names: NDArray[np.int16],
        concepts: NDArray[np.int32],
        anchors: FloatArray,
        head: ConceptHead | None = None,
        moves: FloatArray | None = None,
    ) -> None:
        """Wrap an encoder.

        Args:
            encoder: the encoder of the vectors.
            names: (entry, dimension) vectors of the names as `stored` makes them, sorted by concept.
            concepts: (entry,) concept numbers, in the index's order.
            anchors: (concept, dimension) vectors of concepts from the encoder's training, or zeros.
            head: a head fitted on more names than these; by default it is fitted on these.
            moves: (concept, dimension) moves of the head by judged titles, see `HeadMoves.by_concept`.
        """
        self._moves = moves
        self._anchors = anchors
        self._encoder = encoder
        self._names = np.asarray(names)  # a plain view of a memory map is sliced three times as fast
        self._entry_concepts = concepts
        self._entries = np.argsort(concepts, kind="stable")  # by row of names
        self._rows = np.empty_like(self._entries)  # by entry
        self._rows[self._entries] = np.arange(len(concepts))
        self._unmoved = head or ConceptHead.fit(self._names, concepts[self._entries], anchors)
        self.head = self._unmoved if moves is None else self._unmoved.moved(moves[self._unmoved.concepts])
        self._starts = np.searchsorted(concepts[self._entries], self.head.concepts)
        self._ends = np.append(self._starts[1:], len(concepts))
        self._columns = np.full(int(self.head.concepts.max(initial=-1)) + 1, -1)  # of the head's scores, by concept
        self._columns[self.head.concepts] = np.arange(len(self.head.concepts))

    @property
    def name(self) -> str:
        """The encoder's name."""
        return self._encoder.name

    @classmethod
    def fit(
        cls,
        encoder: Encoder,
        names: Sequence[str],
        concepts: NDArray[np.int32],
        uris: Sequence[str],
        *,
        progress: Progress = no_progress,
    ) -> "EncoderScorer":
        """Encode the names of an index.

        Args:
            names: names by entry.
            concepts: (entry,) concept numbers.
            uris: URIs by concept.
            progress: called with names encoded and names in total.
        """
        order = np.argsort(concepts, kind="stable")
        vectors = []
        for start in range(0, len(names), _BLOCK):
            progress(start, len(names))
            block = encoder.encode([names[entry] for entry in order[start : start + _BLOCK]])
            vectors.append(stored(block))
        progress(len(names), len(names))
        if isinstance(encoder, ConceptEncoder):
            anchors = encoder.concept_vectors(uris)
        else:
            anchors = np.zeros((len(uris), vectors[0].shape[1]), dtype=np.float32)
        return cls(encoder, np.concatenate(vectors), concepts, anchors)

    def encode(self, queries: Sequence[str]) -> FloatArray:
        """Return the encoder's vectors, (query, dimension)."""
        return np.asarray(self._encoder.encode(list(queries)), dtype=np.float32)

    def occupation_scores(self, encoded: FloatArray) -> FloatArray:
        """Return the head's scores of all occupations, (query, column)."""
        return self.head.scores(encoded)

    def columns(self, concepts: Indices) -> Indices:
        """Return the head's column of each of *concepts*."""
        return self._columns[concepts]

    def group_shares(self, queries: Sequence[str], codes: NDArray[np.int32]) -> FloatArray:
        """Return the classifier's probabilities of unit groups, (query, group); zeros without a classifier.

        Args:
            queries: folded titles.
            codes: (group,) codes as numbers, ascending; probabilities of other groups are left out.
        """
        shares = np.zeros((len(queries), len(codes)), dtype=np.float32)
        classifier = self._encoder.group_classifier if isinstance(self._encoder, GroupEncoder) else None
        if classifier is not None:
            groups = np.minimum(np.searchsorted(codes, classifier.codes), len(codes) - 1)
            is_group = codes[groups] == classifier.codes
            shares[:, groups[is_group]] = classifier.probabilities(queries)[:, is_group]
        return shares

    def whitening(self) -> FloatArray:
        """Return the whitening of the names' vectors, (dimension, dimension), in seconds: it reads them all."""
        return whitening(self._names, self._entry_concepts[self._entries], _UNIT)

    def nearest(self, encoded: FloatArray, limit: int) -> Pairs:
        """Return the nearest entries of at most *limit* occupations, the best by the head, for each query."""
        return self.nearest_by(self.occupation_scores(encoded), encoded, limit)

    def nearest_by(self, occupations: FloatArray, encoded: FloatArray, limit: int) -> Pairs:
        """Return the same as `nearest`, from the head's (query, column) scores."""
        understood = np.flatnonzero(encoded.any(axis=1))  # a title without any known feature has no nearest
        columns = _largest(occupations, min(N_OCCUPATIONS, limit))[understood]
        return self.nearest_of(encoded, np.repeat(understood, columns.shape[1]), columns.ravel())

    def nearest_of(self, encoded: FloatArray, queries: Indices, columns: Indices) -> Pairs:
        """Return the nearest entries of occupations that are proposed for queries.

        Args:
            encoded: (query, dimension) vectors.
            queries: (proposal,) query numbers.
            columns: (proposal,) the head's columns of the occupations.
        """
        order = np.argsort(columns, kind="stable")
        distinct, starts = np.unique(columns[order], return_index=True)
        near_queries, near_rows = [_NOBODY], [_NOBODY]
        for column, proposals in zip(distinct.tolist(), np.split(order, starts)[1:], strict=True):
            start, end = self._starts[column], self._ends[column]
            products = encoded[queries[proposals]] @ self._names[start:end].astype(np.float32).T
            best = _best_columns(products, N_NAMES_EACH)
            near_queries.append(np.repeat(queries[proposals], best.shape[1]))
            near_rows.append(start + best.ravel())
        return Pairs(np.concatenate(near_queries), self._entries[np.concatenate(near_rows)])

    def pairs(self, encoded: FloatArray, queries: Indices, entries: Indices) -> FloatArray:
        """Return (pair,) cosines, negative ones as 0."""
        cosine = np.empty(len(queries), dtype=np.float32)
        for start in range(0, len(queries), _PAIRS_AT_ONCE):
            block = slice(start, start + _PAIRS_AT_ONCE)
            names = self._names[self._rows[entries[block]]].astype(np.float32)
            cosine[block] = np.einsum("ij,ij->i", encoded[queries[block]], names)
        return np.clip(cosine / _UNIT, 0.0, 1.0)

    def without(self, encoded: FloatArray, concept: int, left_out: Indices) -> float:
        """Return the head's score of one query and concept as if some of its entries did not exist.

        Args:
            encoded: (dimension,) the query's vector.
            left_out: entry numbers; if they are all of the concept's, the score is -1.
        """
        column = self._columns[concept]
        rows = np.arange(self._starts[column], self._ends[column])
        rows = rows[~np.isin(self._entries[rows], left_out)]
        if not len(rows):
            return -1.0
        mean = normalised(self._names[rows].astype(np.float32).sum(axis=0))
        vector = normalised(mean + self._anchors[concept])
        return float(encoded @ (vector if self._moves is None else normalised(vector + self._moves[concept])))

    def subset(self, entries: Indices) -> "EncoderScorer":
        """Return a scorer over some of the entries, with the concept head of all."""
        concepts = self._entry_concepts[entries]
        order = np.argsort(concepts, kind="stable")
        names = self._names[self._rows[entries[order]]]
        return EncoderScorer(self._encoder, names, concepts, self._anchors, self._unmoved, self._moves)

    def moved(self, moves: FloatArray) -> "EncoderScorer":
        """Return a scorer over the same entries whose fitted head is moved by (concept, dimension) vectors."""
        scorer = copy.copy(self)  # the names, which may be hundreds of thousands, are in order already
        scorer._moves = moves
        scorer.head = self._unmoved.moved(moves[self._unmoved.concepts])
        return scorer

    def save(self, folder: Path) -> None:
        """Write the names' vectors and concepts; the encoder itself is not saved."""
        make_folder(folder)
        np.save(folder / "names.npy", self._names)
        np.save(folder / "concepts.npy", self._entry_concepts)
        np.save(folder / "anchors.npy", self._anchors)
        np.save(folder / "head.npy", self._unmoved.vectors)

    @classmethod
    def load(cls, encoder: Encoder, folder: Path) -> "EncoderScorer":
        """Read the files that `save` wrote, with memory-mapped vectors."""
        names = np.load(folder / "names.npy", mmap_mode="r")
        concepts = np.load(folder / "concepts.npy")
        head = ConceptHead(np.unique(concepts), np.load(folder / "head.npy"))  # fitting it would read all names
        return cls(encoder, names, concepts, np.load(folder / "anchors.npy"), head)


def stored(vectors: FloatArray) -> NDArray[np.int16]:
    """Return L2-normalised vectors as whole multiples of 1/32767."""
    return np.rint(vectors * _UNIT).astype(np.int16)


# the columns of each row's largest scores, at most n, in no order
def _largest(scores: FloatArray, n: int) -> Indices:
    n = min(n, scores.shape[1])
    if not n:  # no occupation has a name in the languages that were chosen
        return np.empty((len(scores), 0), dtype=np.intp)
    largest = np.empty((len(scores), n), dtype=np.intp)
    for start in range(0, len(scores), _ROWS_AT_ONCE):
        block = slice(start, start + _ROWS_AT_ONCE)
        largest[block] = np.argpartition(-scores[block], n - 1, axis=1)[:, :n]
    return largest


# the same in descending order, for few columns; overwrites the scores
def _best_columns(scores: FloatArray, n: int) -> Indices:
    rows = np.arange(len(scores))
    best = np.empty((len(scores), min(n, scores.shape[1])), dtype=np.intp)
    for place in range(best.shape[1]):
        best[:, place] = scores.argmax(axis=1)
        scores[rows, best[:, place]] = -np.inf
    return best
