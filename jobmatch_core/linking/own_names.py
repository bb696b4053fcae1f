"""The layer of own names: titles that people accepted, searched beside the taxonomy's names.

A title equal to an accepted one is settled: its accepted occupation gets `ACCEPTED` of the probability. For a title
that equals an accepted one only after cleaning, the accepted title is a further name of its occupation. Titles that
merely resemble an accepted one do not change, because one person's acceptance says nothing about them: 'nurse',
accepted for a specialist nurse, does not change 'nurse assistant'. Once `AGREEING` annotators accept the same, it
is searched like any name of the taxonomy, for near titles too.
"""

# The index is not built again for accepted titles. Its scorers get further rows, with the index's terms and weights; a
# term that only accepted titles have is as rare as the rarest. Each is encoded once, however often the layer changes.

import hashlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from threading import Lock

import numpy as np
from numpy.typing import NDArray

from jobmatch_core.entities import FloatArray
from jobmatch_core.judged_title import OwnName
from jobmatch_core.linking.arrays import Indices, Pairs
from jobmatch_core.linking.index import LEXICAL, NameIndex
from jobmatch_core.linking.scorers import TfidfScorer, fuzzy, words_of
from jobmatch_core.text.folding import fold
from jobmatch_core.text.language_guess import main_scripts
from jobmatch_core.titles.cleaning import clean_title

AGREEING = 2  # annotators who must accept a title before near titles are linked by it
NEAR = 0.5  # lowest similarity by letters, words or meaning; the support of names further away is noise
_PROPOSED = 10  # names that each scorer proposes for a title
_QUERIES_AT_ONCE = 256  # multiplied with all names
_NONE = np.empty(0, np.intp)


@dataclass(frozen=True, slots=True)
class WrittenTitle:
    """A folded accepted title: the whole, and the cleaned text by which it is searched.

    A title of two jobs has one cleaned text, too: the judgment does not say which of them was meant.
    """

    whole: str
    text: str


@dataclass(frozen=True, slots=True)
class OwnPairs:
    """Scored pairs of queries and own names."""

    queries: Indices  # (pair,) query numbers, ascending
    names: Indices  # (pair,) own-name numbers
    scores: FloatArray  # (pair, scorer) 0 to 1, the scorers as in `candidates.NamePairs`


class OwnLayer:
    """Searchable accepted titles; built by `OwnTexts`."""

    def __init__(
        self,
        names: Sequence[OwnName],
        written: Sequence[WrittenTitle],
        concepts: NDArray[np.int64],
        scorers: Sequence[TfidfScorer],
        vectors: FloatArray | None,
    ) -> None:
        """Combine own names, at least one, with scorers over them and their vectors, (own name, dimension)."""
        self.names = names
        self.concepts = concepts  # (own name,) concept numbers
        self._texts = [title.text for title in written]
        self._scorers = scorers
        self._vectors = vectors
        self._agreed = np.flatnonzero([len(name.by) >= AGREEING for name in names])
        self._agreed_scorers = [scorer.subset(self._agreed) for scorer in scorers]
        self._accepted: dict[str, dict[int, OwnName]] = {}  # by the whole title, folded, and the concept
        self._equal: dict[str, set[int]] = {}  # by folded text: whole titles and cleaned ones
        for number, (name, title, concept) in enumerate(zip(names, written, concepts.tolist(), strict=True)):
            self._accepted.setdefault(title.whole, {})[concept] = name
            for text in (title.whole, title.text):
                self._equal.setdefault(text, set()).add(number)

    @cached_property
    def digest(self) -> str:
        """Hash of the names, eight hexadecimal digits."""
        return hashlib.sha256(repr([(name.title, name.uri) for name in self.names]).encode()).hexdigest()[:8]

    @cached_property
    def scripts(self) -> frozenset[str]:
        """The scripts of the own names."""
        return main_scripts(self._texts)

    @cached_property
    def words(self) -> frozenset[str]:
        """The words of the own names."""
        return frozenset(word for text in self._texts for word in words_of(text))

    def accepted(self, title: str) -> dict[int, OwnName]:
        """Return the own names equal to a folded title, by concept number."""
        return self._accepted.get(title, {})

    def pairs(self, queries: Sequence[str], vectors: FloatArray | None) -> OwnPairs:
        """Find each query's equal names, and the near ones that annotators agree on, and score them.

        Args:
            queries: folded titles.
            vectors: (query, dimension) vectors of the encoder, None without one.
        """
        equal = [(query, name) for query, text in enumerate(queries) for name in self._equal.get(text, ())]
        encoded = [(scorer, scorer.encode(queries)) for scorer in self._scorers]
        proposals = [Pairs(*np.array(equal, np.intp).reshape(-1, 2).T)]
        if len(self._agreed):
            for scorer, (_, terms) in zip(self._agreed_scorers, encoded, strict=True):
                near = scorer.nearest(terms, _PROPOSED)
                proposals.append(Pairs(near.queries, self._agreed[near.entries]))
            if vectors is not None:
                proposals.append(self._near_in_meaning(vectors))
        n_names = len(self.names)
        keys = np.unique(np.concatenate([pairs.queries * n_names + pairs.entries for pairs in proposals]))
        rows, names = np.divmod(keys, n_names)
        scores = [scorer.pairs(terms, rows, names) for scorer, terms in encoded]
        if vectors is not None and self._vectors is not None:
            scores.append(np.clip(np.einsum("ij,ij->i", vectors[rows], self._vectors[names]), 0.0, 1.0))
        is_equal = np.isin(keys, [query * n_names + name for query, name in equal])
        counted = is_equal | (np.stack(scores, axis=1).max(axis=1) >= NEAR)
        scores.append(fuzzy([queries[row] for row in rows], [self._texts[name] for name in names]))
        both = np.where(is_equal[:, None], np.float32(1.0), np.stack(scores, axis=1))
        return OwnPairs(rows[counted], names[counted], both[counted])

    # agreed names whose cosine is at least `NEAR`, each query's nearest
    def _near_in_meaning(self, vectors: FloatArray) -> Pairs:
        own = np.empty((0, vectors.shape[1]), np.float32) if self._vectors is None else self._vectors[self._agreed]
        queries, names = [], []
        for start in range(0, len(vectors), _QUERIES_AT_ONCE):
            cosine = vectors[start : start + _QUERIES_AT_ONCE] @ own.T
            rows, columns = np.nonzero(cosine >= NEAR)
            order = np.lexsort((-cosine[rows, columns], rows))
            rows, columns = rows[order], columns[order]
            rank = np.arange(len(rows)) - np.searchsorted(rows, rows)
            queries.append(start + rows[rank < _PROPOSED])
            names.append(self._agreed[columns[rank < _PROPOSED]])
        return Pairs(np.concatenate(queries), np.concatenate(names))


class OwnTexts:
    """Cache of the encoded accepted titles of an index; thread-safe."""

    def __init__(self, index: NameIndex) -> None:
        """Start with no titles."""
        self._index = index
        self._scorers: list[TfidfScorer] = []
        self._vectors: FloatArray | None = None
        self._written: dict[str, WrittenTitle] = {}  # by title
        self._rows: dict[str, int] = {}  # by text
        self._lock = Lock()  # pages of several users share an index

    def written(self, title: str) -> WrittenTitle:
        """Return a title, folded and cleaned."""
        if title not in self._written:
            forms = clean_title(title, self._index.known_words, self._index.known_texts).forms
            self._written[title] = WrittenTitle(fold(title), forms[-1] if forms else "")
        return self._written[title]

    def layer(self, names: Sequence[OwnName], concepts: Mapping[str, int]) -> OwnLayer | None:
        """Return a layer of the names with an occupation in the index, given URI -> concept; None without any."""
        indexed = set(np.unique(self._index.concepts).tolist())
        with self._lock:
            names = [name for name in names if concepts.get(name.uri) in indexed and self.written(name.title).whole]
            if not names:
                return None
            written = [self.written(name.title) for name in names]
            self._encode([text for text in dict.fromkeys(title.text for title in written) if text not in self._rows])
            rows = np.array([self._rows[title.text] for title in written], dtype=np.intp)
            return OwnLayer(
                names,
                written,
                np.array([concepts[name.uri] for name in names], dtype=np.int64),
                [scorer.subset(rows) for scorer in self._scorers],
                None if self._vectors is None else self._vectors[rows],
            )

    def _encode(self, texts: Sequence[str]) -> None:
        if not texts:
            return
        if not self._scorers:
            index_scorers = (self._index.scorers[kind] for kind in LEXICAL)
            self._scorers = [scorer.subset(_NONE) for scorer in index_scorers if isinstance(scorer, TfidfScorer)]
        self._scorers = [scorer.extended(texts) for scorer in self._scorers]
        if self._index.encoder is not None:
            vectors = self._index.encoder.encode(texts)
            self._vectors = vectors if self._vectors is None else np.concatenate([self._vectors, vectors])
        first = len(self._rows)
        self._rows.update(zip(texts, range(first, first + len(texts)), strict=True))
