"""Search systems to compare: the baselines of the paper's Table III, and any encoder.

Paper: Hajiaghayi et al., section V: BM25 over subwords in place of words, edit distance, encoders that are
used as they are, and chance. The optimal order, its first row, needs no system.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import accumulate, chain
from typing import Protocol

import numpy as np
from numpy.typing import NDArray
from rapidfuzz import fuzz, process
from sklearn.feature_extraction.text import CountVectorizer

from jobmatch_core.entities import Encoder, FloatArray
from jobmatch_core.search.search_encoder import SearchEncoder
from jobmatch_core.search.search_index import SearchIndex
from jobmatch_core.search.search_items import OccupationCard, Record, SearchItem
from jobmatch_core.text.bm25 import okapi_weights
from jobmatch_core.text.folding import fold
from jobmatch_core.titles.ngrams import word_hashes

Texts = tuple[str, ...]
Numbers = NDArray[np.intp]
_WORDS = 1 << 17  # whose n-grams are remembered
_FOUND = 100  # documents that the app's search ranks
_ROWS = 64  # queries at a time, where scores of every text are needed


class SearchSystem(Protocol):
    """A scorer of documents for queries."""

    @property
    def name(self) -> str:
        """The system's name in tables."""

    def scores(self, queries: Sequence[str], documents: Sequence[Texts], joint: str) -> FloatArray:
        """Return the score of every query and document, from its texts, (query, document); higher is better.

        *joint* separates the texts of a document that are joined.
        """

    def pair_scores(self, queries: Sequence[str], documents: Sequence[str]) -> FloatArray:
        """Return a score for each pair of a query and a document, (pair,), comparable between pairs."""


@dataclass(frozen=True)
class EncoderSearch:
    """Cosine of an encoder's vectors."""

    encoder: SearchEncoder
    by_text: bool = False  # score a document by its best text instead of its joint texts

    @property
    def name(self) -> str:
        """The encoder's name."""
        return f"{self.encoder.name}, best text" if self.by_text else self.encoder.name

    def scores(self, queries: Sequence[str], documents: Sequence[Texts], joint: str) -> FloatArray:
        """Return cosines."""
        vectors = self.encoder.encode_queries(queries)
        if not self.by_text:
            return np.asarray(vectors @ self.encoder.encode([joint.join(texts) for texts in documents]).T)
        texts, starts = _flat(documents)
        places, rows = _once(texts)
        distinct = self.encoder.encode(list(places))
        return _best_of_each(lambda block: (vectors[block] @ distinct.T)[:, rows], len(queries), starts)

    def pair_scores(self, queries: Sequence[str], documents: Sequence[str]) -> FloatArray:
        """Return cosines."""
        cosines: FloatArray = (_rows_of(self.encoder, queries) * _rows_of(self.encoder, documents)).sum(axis=1)
        return cosines


@dataclass(frozen=True)
class IndexSearch:
    """The search of the app: words, meaning, and what items share, fused by reciprocal rank."""

    encoder: SearchEncoder  # the encoder of its vectors
    beside: Encoder | None = None  # another encoder, which ranks occupations beside it

    @property
    def name(self) -> str:
        """Name in tables, with the encoders'."""
        return f"the app's search, {self.encoder.name}" + (f" beside {self.beside.name}" if self.beside else "")

    def scores(self, queries: Sequence[str], documents: Sequence[Texts], joint: str) -> FloatArray:
        """Return one over the rank of each document that is found."""
        cards = [OccupationCard(str(row), "", {}, "") for row in range(len(documents))]
        items = [SearchItem(card, texts, " ".join(texts)) for card, texts in zip(cards, documents, strict=True)]
        return self.ranked(queries, items)

    def ranked(self, queries: Sequence[str], items: Sequence[SearchItem]) -> FloatArray:
        """Return the same scores for items of the app, (query, item)."""
        kind: type[Record] = type(items[0].record)
        index = SearchIndex.build(items, kind, self.encoder, beside=self.beside)
        places = {item.record.id: place for place, item in enumerate(items)}
        scores = np.zeros((len(queries), len(items)), dtype=np.float32)
        for row, query in enumerate(queries):
            for hit in index.search(query, limit=_FOUND):
                scores[row, places[hit.record.id]] = 1 / hit.rank
        return scores

    def pair_scores(self, queries: Sequence[str], documents: Sequence[str]) -> FloatArray:
        """Return cosines: a pair has no rank."""
        return EncoderSearch(self.encoder).pair_scores(queries, documents)


@dataclass(frozen=True)
class SubwordBM25:
    """Okapi BM25 over words and their n-grams, those that the title encoder reads."""

    name: str = "bm25 of subwords"  # name in tables

    def scores(self, queries: Sequence[str], documents: Sequence[Texts], joint: str) -> FloatArray:
        """Return the sums of a query's subwords' weights."""
        vectorizer = CountVectorizer(analyzer=_subwords)
        weights = okapi_weights(vectorizer.fit_transform([joint.join(texts) for texts in documents]))
        return np.asarray((vectorizer.transform(queries) @ weights.T).toarray(), dtype=np.float32)

    def pair_scores(self, queries: Sequence[str], documents: Sequence[str]) -> FloatArray:
        """Return the score relative to a document that is the query itself, to be comparable between queries."""
        counts = CountVectorizer(analyzer=_subwords).fit_transform([*documents, *queries])
        weights = okapi_weights(counts)
        query_counts = counts[len(documents) :]
        own, most = (
            np.asarray(query_counts.multiply(part).sum(axis=1)).ravel()
            for part in (weights[: len(documents)], weights[len(documents) :])
        )
        shares: FloatArray = np.divide(own, most, out=np.zeros_like(own), where=most > 0).astype(np.float32)
        return shares


@dataclass(frozen=True)
class FoldedEditDistance:
    """RapidFuzz's ratio of the folded texts; a document scores as its most similar text."""

    name: str = "edit distance"  # name in tables

    def scores(self, queries: Sequence[str], documents: Sequence[Texts], joint: str) -> FloatArray:
        """Return the ratio with the most similar text of each document, 0 to 1."""
        texts, starts = _flat(documents)
        places, rows = _once([fold(text) for text in texts])
        folded, distinct = [fold(query) for query in queries], list(places)

        def ratios(block: slice) -> FloatArray:
            distances: FloatArray = process.cdist(folded[block], distinct, scorer=fuzz.ratio, dtype=np.float32)
            return distances[:, rows] / np.float32(100)

        return _best_of_each(ratios, len(queries), starts)

    def pair_scores(self, queries: Sequence[str], documents: Sequence[str]) -> FloatArray:
        """Return ratios, 0 to 1."""
        pairs = zip(map(fold, queries), map(fold, documents), strict=True)
        return np.array([fuzz.ratio(*pair) / 100 for pair in pairs], dtype=np.float32)


@dataclass(frozen=True)
class Chance:
    """Random scores, the same ones in every run."""

    name: str = "random"  # name in tables

    def scores(self, queries: Sequence[str], documents: Sequence[Texts], joint: str) -> FloatArray:
        """Return numbers between 0 and 1."""
        return np.random.default_rng(0).random((len(queries), len(documents)), dtype=np.float32)

    def pair_scores(self, queries: Sequence[str], documents: Sequence[str]) -> FloatArray:
        """Return numbers between 0 and 1."""
        return np.random.default_rng(0).random(len(queries), dtype=np.float32)


def _subwords(text: str) -> list[int]:
    return list(chain.from_iterable(map(_subwords_of, fold(text).split())))


@lru_cache(maxsize=_WORDS)
def _subwords_of(word: str) -> tuple[int, ...]:
    return tuple(word_hashes(word))


def _flat(documents: Sequence[Texts]) -> tuple[list[str], Numbers]:
    starts = accumulate((len(texts) for texts in documents[:-1]), initial=0)
    return list(chain.from_iterable(documents)), np.fromiter(starts, dtype=np.intp)


def _once(texts: Sequence[str]) -> tuple[dict[str, int], Numbers]:
    """Return the distinct texts, numbered, and the number of each text."""
    places: dict[str, int] = {}
    return places, np.array([places.setdefault(text, len(places)) for text in texts], dtype=np.intp)


def _best_of_each(scores: Callable[[slice], FloatArray], n_queries: int, starts: Numbers) -> FloatArray:
    """Return the score of each document's best text, from scores of all texts for some queries at a time."""
    blocks = [slice(start, start + _ROWS) for start in range(0, n_queries, _ROWS)]
    return np.concatenate([np.maximum.reduceat(scores(block), starts, axis=1) for block in blocks])


def _rows_of(encoder: Encoder, texts: Sequence[str]) -> FloatArray:
    places, rows = _once(texts)
    return encoder.encode(list(places))[rows]
