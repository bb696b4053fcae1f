"""Subword features of titles: hashed n-grams, for all scripts, without a tokenizer file.

A folded title's features are its words, their n-grams of 3 to 6 characters with the word's borders (shorter
ones for scripts that write no spaces), and its pairs of neighbouring words. A feature is the CRC-32 of its
text; a vocabulary stores the hashes that occur in enough texts, each with a row of the embedding bag.
Feature hashing: Weinberger et al. (2009); subword n-grams: Bojanowski et al. (2017), section 3.2.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import chain, pairwise
from typing import Self
from zlib import crc32

import numpy as np
from numpy.typing import NDArray

from jobmatch_core.text.folding import fold

SHORTEST, LONGEST = 3, 6
SHORTEST_CJK, LONGEST_CJK = 1, 4
_FIRST_CJK = "\u2e80"  # from here on: kana, ideographs, Hangul
MAX_WORDS = 64  # of one text: a title has fewer, and a pasted page must not take minutes
_MAX_LETTERS = 64  # of one word
Hashes = NDArray[np.uint32]
Rows = NDArray[np.int32]


def words_of(text: str, most: int = MAX_WORDS) -> list[str]:
    """Fold a text and return its words, the first *most* of them."""
    return [word[:_MAX_LETTERS] for word in fold(text).split()[:most]]


def word_hashes(word: str) -> list[int]:
    """Return the hashes of a folded word and of its n-grams, each once."""
    shortest, longest = (SHORTEST_CJK, LONGEST_CJK) if max(word) >= _FIRST_CJK else (SHORTEST, LONGEST)
    bordered = f"<{word}>"
    sizes = range(shortest, min(longest, len(bordered) - 1) + 1)
    if bordered.isascii():  # its bytes can be cut like its letters, which is faster
        data = bordered.encode()
        parts = [data[start : start + size] for size in sizes for start in range(len(data) - size + 1)]
        return [crc32(part) for part in dict.fromkeys([data, *parts])]
    grams = [bordered[start : start + size] for size in sizes for start in range(len(bordered) - size + 1)]
    return [crc32(gram.encode()) for gram in dict.fromkeys([bordered, *grams])]


def pair_hashes(words: Sequence[str]) -> list[int]:
    """Return the hashes of neighbouring words."""
    return [crc32(f"{left}_{right}".encode()) for left, right in pairwise(words)]


@dataclass(frozen=True)
class FeatureRows:
    """The rows of many texts' features, one text after the other."""

    rows: Rows  # (feature,) row numbers
    # (text + 1,) position of each text's first feature; the last entry is the number of features
    starts: NDArray[np.int64]

    def __len__(self) -> int:
        return len(self.starts) - 1

    def take(self, texts: NDArray[np.intp]) -> "FeatureRows":
        """Return the features of some texts, in that order."""
        sizes = np.diff(self.starts)[texts]
        starts = np.concatenate([np.zeros(1, np.int64), np.cumsum(sizes)])
        places = np.arange(starts[-1]) + np.repeat(self.starts[texts] - starts[:-1], sizes)
        return FeatureRows(self.rows[places], starts)

    def dropped(self, share: float, random: np.random.Generator) -> "FeatureRows":
        """Return the features without a random share of them."""
        retained = random.random(len(self.rows), dtype=np.float32) >= share
        counts = np.concatenate([np.zeros(1, np.int64), np.cumsum(retained)])
        return FeatureRows(self.rows[retained], counts[self.starts])


class NgramVocabulary:
    """The feature hashes that have a row."""

    def __init__(self, hashes: Hashes) -> None:
        """Take the hashes, ascending; a hash's place is its row."""
        self.hashes = hashes

    def __len__(self) -> int:
        return len(self.hashes)

    @classmethod
    def from_texts(cls, texts: Iterable[str], *, least: int, most: int) -> Self:
        """Return a vocabulary of the *most* most frequent hashes that occur in at least *least* texts."""
        collected = []
        hashes_by_word: dict[str, Hashes] = {}
        for text in texts:
            words = words_of(text)
            for word in words:
                if word not in hashes_by_word:
                    hashes_by_word[word] = np.array(word_hashes(word), dtype=np.uint32)
            pairs = np.array(pair_hashes(words), dtype=np.uint32)
            collected.append(np.unique(np.concatenate([pairs, *(hashes_by_word[word] for word in words)])))
        return cls.from_hashes(collected, least=least, most=most)

    @classmethod
    def from_hashes(cls, collected: Iterable[Hashes], *, least: int, most: int) -> Self:
        """Return a vocabulary as `from_texts` does, from the distinct hashes of each text."""
        empty = np.empty(0, np.uint32)
        hashes, counts = np.unique(np.concatenate([empty, *collected]), return_counts=True)
        frequent = np.flatnonzero(counts >= least)
        order = np.argsort(-counts[frequent], kind="stable")[:most]
        return cls(np.sort(hashes[frequent[order]]))

    def rows_of_words(self, words: Sequence[str]) -> FeatureRows:
        """Return the rows of folded words and their n-grams; those without a row are left out."""
        hashes = [word_hashes(word) for word in words]
        ends = np.cumsum(np.array([0, *map(len, hashes)], dtype=np.int64))
        rows, in_vocabulary = self.look_up(np.fromiter(chain(*hashes), dtype=np.uint32, count=int(ends[-1])))
        return FeatureRows(rows[in_vocabulary], np.concatenate([np.zeros(1, np.int64), np.cumsum(in_vocabulary)])[ends])

    def find(self, hashes: Hashes) -> Rows:
        """Return the rows of hashes; those without a row are left out."""
        rows, in_vocabulary = self.look_up(hashes)
        return rows[in_vocabulary]

    def look_up(self, hashes: Hashes) -> tuple[Rows, NDArray[np.bool_]]:
        """Return a row for each hash, and whether that row belongs to the hash."""
        rows = np.searchsorted(self.hashes, hashes).astype(np.int32)
        in_vocabulary = rows < len(self.hashes)
        in_vocabulary[in_vocabulary] = self.hashes[rows[in_vocabulary]] == hashes[in_vocabulary]
        return rows, in_vocabulary

    def features(self, texts: Iterable[str]) -> FeatureRows:
        """Return the rows of each text's features."""
        cache: dict[str, Rows] = {}
        parts: list[Rows] = []
        sizes = [0]
        for text in texts:
            words = words_of(text)
            for word in words:
                if word not in cache:
                    cache[word] = self.find(np.array(word_hashes(word), dtype=np.uint32))
            rows = [*(cache[word] for word in words), self.find(np.array(pair_hashes(words), dtype=np.uint32))]
            parts.extend(rows)
            sizes.append(sum(len(part) for part in rows))
        empty = np.empty(0, np.int32)
        return FeatureRows(np.concatenate([empty, *parts]), np.cumsum(np.array(sizes, dtype=np.int64)))
