"""BM25 word index that tolerates inflection, typing errors and compounds.

A query word matches all indexed words of similar spelling (`repairs`, `repairer`), each weighted by its share of common
four-letter pieces. BM25 treats them as one word, so a rare misspelling counts no more than the word itself. Saturation
is that of `text/bm25`.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import csc_matrix, csr_matrix

from jobmatch_core.entities import FloatArray
from jobmatch_core.text.bm25 import okapi_saturation
from jobmatch_core.text.folding import fold
from jobmatch_core.text.language_guess import guess_language, is_stop_word
from jobmatch_core.text.locales import ENGLISH
from jobmatch_core.vector_stores.stored_segment import mapped

MOST_WORDS = 32  # of a query
_PIECE, _SHORT_PIECE = 4, 2  # letters of a piece; in scripts without spaces
_NO_BLANKS = "\u0e00"  # first letter of scripts without spaces: Thai, Chinese, Japanese and others
_ALIKE = 0.55  # minimum share of common pieces of two matching words
_COMPOUND = 0.7  # weight of a longer word that begins or ends with the query's
_SHORTEST = 4  # letters of a word that is searched for inside others
_MARKS = "\"'.,;:!?()[]{}„“”«»…"  # around a word as typed
_MOST_ALIKE = 24  # indexed words that match one word of a query

Numbers = NDArray[np.int32]


@dataclass(frozen=True, slots=True)
class QueryWord:
    """A query word with its matches."""

    text: str  # as typed; a part of it in scripts without spaces
    alike: tuple[tuple[int, float], ...]  # numbers and weights of the indexed words that it matches, most similar first
    scores: FloatArray  # (item,) share of the item's score


class WordIndex:
    """Postings of each word (its items) and of each piece (its words)."""

    def __init__(
        self,
        words: list[str],
        postings: "Postings",
        weights: FloatArray,
        pieces: list[str],
        spelled: "Postings",
        count: int,
    ) -> None:
        """Wrap postings.

        Args:
            words: the indexed words.
            postings: items of each word.
            weights: saturated frequencies, parallel to the numbers of *postings*.
            pieces: pieces of the words.
            spelled: words of each piece.
            count: number of items.
        """
        self._words, self._postings, self._weights, self._count = words, postings, weights, count
        self._pieces, self._spelled = {piece: number for number, piece in enumerate(pieces)}, spelled
        self._numbers = {word: number for number, word in enumerate(words)}
        self._piece_counts = np.bincount(spelled.numbers, minlength=len(words))

    @classmethod
    def of(cls, texts: Iterable[str]) -> "WordIndex":
        """Index one text per item."""
        words, counts = _counted(words_of(text) for text in texts)
        postings = (okapi_saturation(counts) if counts.nnz else counts).tocsc()
        pieces, spelled = _counted(pieces_of(word) for word in words)
        return cls(
            words,
            Postings.of(postings),
            postings.data.astype(np.float32),
            pieces,
            Postings.of(spelled.tocsc()),
            counts.shape[0],
        )

    def look_up(self, query: str) -> list[QueryWord]:
        """Return the query words with a match, with each item's score."""
        matches = []
        for word, typed in _telling(query).items():
            if alike := self._alike(word):
                matches.append(QueryWord(typed, alike, self._scores(alike)))
        return matches

    def matched(self, word: QueryWord, items: Sequence[int]) -> list[str]:
        """Return the word of each item that is most similar to a query word, or ''."""
        answers = [""] * len(items)
        wanted = np.asarray(items, dtype=np.int32)
        for number, _ in reversed(word.alike):
            there = self._postings[number]
            places = np.minimum(np.searchsorted(there, wanted), len(there) - 1)
            for row in np.flatnonzero(there[places] == wanted).tolist():
                answers[row] = self._words[number]
        return answers

    def _scores(self, alike: tuple[tuple[int, float], ...]) -> FloatArray:
        scores = np.zeros(self._count, dtype=np.float32)
        for number, likeness in alike:
            items, part = self._postings[number], self._postings.part(number)
            scores[items] = np.maximum(scores[items], self._weights[part] * np.float32(likeness))
        found_in = np.count_nonzero(scores)
        return scores * np.float32(np.log1p((self._count - found_in + 0.5) / (found_in + 0.5)))

    def _alike(self, word: str) -> tuple[tuple[int, float], ...]:
        own = pieces_of(word)
        rows = [self._spelled[self._pieces[piece]] for piece in own if piece in self._pieces]
        if not rows:
            return ((self._numbers[word], 1.0),) if word in self._numbers else ()
        numbers, shared = np.unique(np.concatenate(rows), return_counts=True)
        likeness = 2 * shared / (len(own) + self._piece_counts[numbers])
        order = np.argsort(-likeness, kind="stable")[: 4 * _MOST_ALIKE]
        weights = {int(numbers[place]): float(likeness[place]) for place in order if likeness[place] >= _ALIKE}
        weights |= {number: max(weights.get(number, 0.0), _COMPOUND) for number in self._compounds(word, numbers)}
        if word in self._numbers:
            weights[self._numbers[word]] = 1.0
        return tuple(sorted(weights.items(), key=lambda item: -item[1])[:_MOST_ALIKE])

    def _compounds(self, word: str, numbers: Numbers) -> list[int]:
        if len(word) < _SHORTEST:
            return []
        return [
            number
            for number in numbers.tolist()
            if self._words[number].startswith(word) or self._words[number].endswith(word)
        ]

    def save(self, folder: Path, name: str) -> None:
        """Write the postings into files whose names begin with *name*."""
        for part, texts, postings in (
            (name, self._words, self._postings),
            (f"{name}-pieces", self._pieces, self._spelled),
        ):
            (folder / f"{part}.txt").write_text("\n".join(texts), "utf-8")
            np.save(folder / f"{part}-starts.npy", postings.starts)
            np.save(folder / f"{part}-numbers.npy", postings.numbers)
        np.save(folder / f"{name}-weights.npy", self._weights)

    @classmethod
    def load(cls, folder: Path, name: str, count: int) -> "WordIndex":
        """Read the files that `save` wrote; the postings are memory-mapped.

        Raises OSError or ValueError if a file is missing or damaged.
        """
        words, postings = _read(folder, name)
        pieces, spelled = _read(folder, f"{name}-pieces")
        weights = mapped(folder / f"{name}-weights.npy")
        if len(weights) != len(postings.numbers):
            raise ValueError("the words do not fit together")
        return cls(words, postings, weights, pieces, spelled, count)


@dataclass(frozen=True, slots=True)
class Postings:
    """Ascending numbers of several rows, one row after the other."""

    starts: Numbers  # (row + 1,) where each row starts
    numbers: Numbers

    @classmethod
    def of(cls, columns: csc_matrix) -> "Postings":
        """Return the rows of each column."""
        columns.sort_indices()
        return cls(columns.indptr.astype(np.int32), columns.indices.astype(np.int32))

    def part(self, row: int) -> slice:
        """Return the slice of a row."""
        return slice(int(self.starts[row]), int(self.starts[row + 1]))

    def __getitem__(self, row: int) -> Numbers:
        return self.numbers[self.part(row)]


def _read(folder: Path, name: str) -> tuple[list[str], Postings]:
    content = (folder / f"{name}.txt").read_text("utf-8")
    texts = content.split("\n") if content else []
    postings = Postings(mapped(folder / f"{name}-starts.npy"), mapped(folder / f"{name}-numbers.npy"))
    if len(postings.starts) != len(texts) + 1 or postings.starts[-1] != len(postings.numbers):
        raise ValueError(f"the {name} do not fit together")
    return texts, postings


def _counted(texts: Iterable[Iterable[str]]) -> tuple[list[str], csr_matrix]:
    vocabulary: dict[str, int] = {}
    rows = [np.array([vocabulary.setdefault(term, len(vocabulary)) for term in text], np.int32) for text in texts]
    terms = np.concatenate(rows) if rows else np.empty(0, np.int32)
    ends = np.cumsum([0, *map(len, rows)])
    counts = csr_matrix((np.ones(len(terms)), terms, ends), shape=(len(rows), len(vocabulary)))
    counts.sum_duplicates()
    return list(vocabulary), counts


def words_of(text: str) -> list[str]:
    """Return the folded words of a text; scripts without spaces are cut into pairs of letters."""
    return [part for word in fold(text).split() for part in _parts(word)]


def _parts(word: str) -> list[str]:
    if word < _NO_BLANKS or len(word) <= _SHORT_PIECE:
        return [word]
    return [first + second for first, second in pairwise(word)]


def pieces_of(word: str) -> frozenset[str]:
    """Return the four-letter pieces of a word, its ends marked; none for a word of less than four letters."""
    if len(word) < _SHORTEST:
        return frozenset()
    marked = f"<{word}>"
    return frozenset(marked[start : start + _PIECE] for start in range(len(marked) - _PIECE + 1))


def _telling(query: str) -> dict[str, str]:
    words: dict[str, str] = {}
    for typed in query.split():
        parts = words_of(typed)
        words |= {part: typed.strip(_MARKS) if len(parts) == 1 else part for part in parts if part not in words}
    languages = {guess_language(query), ENGLISH} - {""}
    telling = [word for word in words if not any(is_stop_word(word, language) for language in languages)]
    return {word: words[word] for word in (telling or list(words))[:MOST_WORDS]}
