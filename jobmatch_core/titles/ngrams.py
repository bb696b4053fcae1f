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
_WORTH_ARRAYS = 50  # words from which hashing them as arrays is faster
_POLYNOMIAL = 0xEDB88320  # of CRC-32, its bits reversed
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


# the change of a CRC-32 by each byte
def _crc_table() -> Hashes:
    changes = np.arange(256, dtype=np.uint32)
    for _ in range(8):
        changes = (changes >> np.uint32(1)) ^ np.where(changes & 1, np.uint32(_POLYNOMIAL), np.uint32(0))
    return changes


_CRC_TABLE = _crc_table()


def hashes_of_words(words: Sequence[str]) -> tuple[Hashes, NDArray[np.int64]]:
    """Return the hashes of `word_hashes`, but each as often as it occurs, and where those of each word start and end.

    They are calculated for all words at once, letter by letter, in a fifth of the time.
    """
    bordered = [f"<{word}>" for word in words]
    text = "".join(bordered)
    codes = np.frombuffer(text.encode("utf-32-le"), np.uint32)
    data = np.frombuffer(text.encode(), np.uint8)
    bytes_at = np.flatnonzero((data & 0xC0) != 0x80)  # where each letter begins in UTF-8
    widths = np.diff(bytes_at, append=len(data))
    lengths = np.fromiter(map(len, bordered), np.int64, len(bordered))
    ends = np.cumsum(lengths)
    is_cjk = np.maximum.reduceat(codes, ends - lengths) >= ord(_FIRST_CJK)
    shortest = np.where(is_cjk, SHORTEST_CJK, SHORTEST)
    longest = np.minimum(np.where(is_cjk, LONGEST_CJK, LONGEST), lengths - 1)

    # how many features a word has before its n-grams of a size: the word itself, and the shorter n-grams
    def before(size: NDArray[np.int64], of: NDArray[np.intp] | slice) -> NDArray[np.int64]:
        return 1 + (size - shortest[of]) * (2 * lengths[of] + 3 - size - shortest[of]) // 2

    starts = np.append(0, np.cumsum(before(longest + 1, slice(None))))
    hashes = np.empty(starts[-1], np.uint32)
    hashes[starts[:-1]] = [crc32(word.encode()) for word in bordered]
    letters, owners = np.arange(len(codes)), np.repeat(np.arange(len(bordered)), lengths)
    state = np.full(len(codes), 0xFFFFFFFF, np.uint32)  # of the CRC of the n-gram that begins at each of the letters
    for size in range(1, LONGEST + 1):
        goes_on = (letters + size <= ends[owners]) & (size <= longest[owners])
        letters, owners, state = letters[goes_on], owners[goes_on], state[goes_on]
        last = letters + size - 1
        for byte in range(int(widths[last].max(initial=0))):
            more = np.flatnonzero(widths[last] > byte) if byte else slice(None)
            old = state[more]
            state[more] = _CRC_TABLE[(old ^ data[bytes_at[last[more]] + byte]) & 0xFF] ^ (old >> np.uint32(8))
        counts = shortest[owners] <= size
        owner, letter = owners[counts], letters[counts]
        inside = letter - (ends - lengths)[owner]
        hashes[starts[owner] + before(np.full(len(owner), size), owner) + inside] = ~state[counts]
    return hashes, starts


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
        if len(words) >= _WORTH_ARRAYS:
            repeated, starts = hashes_of_words(words)
            rows, in_vocabulary = self.look_up(repeated)
            places = np.flatnonzero(in_vocabulary)
            keys = np.repeat(np.arange(len(words)), np.diff(starts))[places] * len(self) + rows[places]
            places = places[np.sort(np.unique(keys, return_index=True)[1])]
            return FeatureRows(rows[places], np.searchsorted(places, starts))
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
        order, rows = np.argsort(hashes), np.empty(len(hashes), np.int32)
        rows[order] = np.searchsorted(self.hashes, hashes[order])  # sorted ones are found in half the time
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
