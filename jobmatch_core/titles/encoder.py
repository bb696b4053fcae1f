"""Our title encoder for inference without torch, and the concept head of its training.

Word vectors (sums of n-grams) are cached, so that a batch is one sparse product. Thread-safe.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from itertools import chain
from pathlib import Path
from threading import Lock
from typing import Self
from zlib import crc32

import numpy as np
from numpy.typing import NDArray
from safetensors.numpy import load_file, save_file
from scipy.sparse import csr_matrix

from jobmatch_core.entities import FloatArray
from jobmatch_core.io.text_files import read_json
from jobmatch_core.model_store.saved_model import (
    CONFIG_FILE,
    WEIGHTS_FILE,
    as_model_error,
    read_weights,
    weights_digest,
)
from jobmatch_core.titles.gendered_words import GENDERED_FILE, GenderedWords
from jobmatch_core.titles.group_classifier import GROUPS_FILE, GroupClassifier
from jobmatch_core.titles.ngrams import Hashes, NgramVocabulary, pair_hashes
from jobmatch_core.titles.packing import pack, unpack
from jobmatch_core.token_vectors import TokenBatch
from jobmatch_core.vectors import normalised

CONCEPTS_FILE = "concepts.safetensors"
SHIPPED = "jobmatch-titles"  # the folder of the model that comes with jobmatch
MODULE = "jobmatch_core.titles.subword.SubwordBag"
_MOST_WORDS = 200_000  # cached at once: 200 MB; beyond that the cache is emptied
_BATCH = 4096
_WORDS_AT_ONCE = 1000  # new words per step; their n-grams' vectors take 10 MB
MOST_TOKENS = 128  # of one text: a section of a profile, not a book


@dataclass(frozen=True)
class ConceptTable:
    """Concepts by the CRC-32 of their URIs."""

    hashes: NDArray[np.uint32]  # (concept,) ascending
    # codes, scales: packed vectors in that order
    codes: NDArray[np.uint8]
    scales: NDArray[np.float16]

    @classmethod
    def of(cls, uris: Sequence[str], vectors: FloatArray) -> Self:
        """Pack the vectors of concepts, shape (concept, dimension)."""
        hashes = _hashes(uris)
        order = np.argsort(hashes)
        codes, scales = pack(vectors[order])
        return cls(hashes[order], codes, scales)

    def vectors(self, uris: Sequence[str]) -> FloatArray:
        """Return L2-normalised vectors, shape (len(uris), dimension); zeros for unknown concepts."""
        hashes = _hashes(uris)
        places = np.minimum(np.searchsorted(self.hashes, hashes), len(self.hashes) - 1)
        in_vocabulary = self.hashes[places] == hashes
        vectors = unpack(self.codes[places], self.scales[places]) * in_vocabulary[:, None]
        return normalised(vectors)

    def save(self, folder: Path) -> None:
        """Write the table into a model's folder."""
        save_file({"hashes": self.hashes, "codes": self.codes, "scales": self.scales}, folder / CONCEPTS_FILE)

    @classmethod
    def load(cls, path: Path) -> Self:
        """Read what `save` wrote; raises what the reader of safetensors raises."""
        tensors = read_weights(path, load_file)
        hashes, codes, scales = (tensors[name] for name in ("hashes", "codes", "scales"))
        if not len(hashes) == len(codes) == len(scales) > 0:
            raise ValueError("its concepts do not fit together")
        return cls(hashes, codes, scales)


def _hashes(uris: Sequence[str]) -> NDArray[np.uint32]:
    return np.fromiter((crc32(uri.encode()) for uri in uris), dtype=np.uint32, count=len(uris))


class TitleEncoder:
    """An encoder of titles in any language into L2-normalised vectors."""

    def __init__(
        self,
        vocabulary: NgramVocabulary,
        codes: NDArray[np.uint8],
        scales: NDArray[np.float16],
        name: str,
        concepts: ConceptTable | None = None,
        group_classifier: GroupClassifier | None = None,
        gendered_words: GenderedWords | None = None,
    ) -> None:
        self._concepts = concepts
        self._gendered_words = gendered_words or GenderedWords({})
        self.group_classifier = group_classifier
        self._vocabulary = vocabulary
        self._codes = codes
        self._scales = scales
        self._name = name
        self._lock = Lock()
        self._words: dict[str, int] = {}
        self._vectors: FloatArray = np.empty((0, 0), dtype=np.float32)
        self._forget()

    @classmethod
    def load(cls, folder: Path) -> Self:
        """Read a packed model folder; raises ModelError if it is not a packed model of ours, or damaged."""
        with as_model_error(
            f"{folder} holds no title encoder that can be read",
            "Expected a folder with config.json and model.safetensors, as `jobmatch train title-encoder` writes it.",
        ):
            config = read_json(folder / CONFIG_FILE)
            if config["bits"] != 4:
                raise ValueError(f"its weights have {config['bits']} bits, not 4")
            tensors = read_weights(folder / WEIGHTS_FILE, load_file)
            hashes, codes, scales = (tensors[name] for name in ("hashes", "codes", "scales"))
            if codes.shape != (len(hashes), config["dimension"] // 2) or scales.shape != hashes.shape:
                raise ValueError("its tensors do not fit together")
            concepts = ConceptTable.load(folder / CONCEPTS_FILE) if (folder / CONCEPTS_FILE).exists() else None
            groups = GroupClassifier.load(path, cls.of_bag) if (path := folder / GROUPS_FILE).exists() else None
            gendered = folder / GENDERED_FILE
            name = f"{folder.name}-{weights_digest(folder, after=gendered.read_bytes() if gendered.exists() else b'')}"
            return cls(NgramVocabulary(hashes), codes, scales, name, concepts, groups, GenderedWords.load(gendered))

    @classmethod
    def of_bag(cls, hashes: Hashes, codes: NDArray[np.uint8], scales: NDArray[np.float16]) -> Self:
        """Return an encoder without further parts, as used by the classifier of unit groups."""
        return cls(NgramVocabulary(hashes), codes, scales, GROUPS_FILE)

    @property
    def name(self) -> str:
        """The folder's name and a digest of the weights and of the rules of gendered words."""
        return self._name

    @property
    def dimension(self) -> int:
        """The length of the vectors."""
        return int(self._codes.shape[1]) * 2

    @property
    def size_mb(self) -> float:
        """Size of the features' vectors in MB, on disk and in memory."""
        return (self._vocabulary.hashes.nbytes + self._codes.nbytes + self._scales.nbytes) / 1e6

    @property
    def hashes(self) -> Hashes:
        """The features' hashes, ascending."""
        return self._vocabulary.hashes

    def weights(self) -> FloatArray:
        """Return the features' vectors, unpacked, shape (feature, dimension)."""
        return unpack(self._codes, self._scales)

    def concept_vectors(self, uris: Sequence[str]) -> FloatArray:
        """Return the vectors of concepts from training, shape (len(uris), dimension); zeros for unknown concepts."""
        if self._concepts is None:
            return np.zeros((len(uris), self.dimension), dtype=np.float32)
        return self._concepts.vectors(uris)

    def encode(self, texts: Sequence[str]) -> FloatArray:
        """Return L2-normalised vectors, shape (len(texts), dimension); zeros where no feature is known."""
        return normalised(self.sums(texts))

    def sums(self, texts: Sequence[str]) -> FloatArray:
        """Return the sums of each text's features before normalisation, shape (len(texts), dimension)."""
        blocks = [self._sum_block(texts[start : start + _BATCH]) for start in range(0, len(texts), _BATCH)]
        return np.concatenate(blocks) if blocks else np.empty((0, self.dimension), np.float32)

    def encode_tokens(self, texts: Sequence[str]) -> TokenBatch:
        """Return the first 128 words of each text as tokens.

        A token's vector is the sum of the word's n-grams and half of its pairs with neighbours; its length is the
        word's weight. Tokens are scaled so that their mean equals the text's vector by `encode`.
        """
        titles = [self._gendered_words.words_of(text, MOST_TOKENS) for text in texts]
        with self._lock:
            numbers, words = self._numbers(titles)
        lengths = np.array([len(title) for title in titles], dtype=np.intp)
        mask = np.arange(max(lengths, default=0)) < lengths[:, None]
        vectors = np.zeros((*mask.shape, self.dimension), dtype=np.float32)
        vectors[mask] = words[numbers]
        self._add_pairs(vectors, titles)
        means = np.linalg.norm(vectors.sum(axis=1), axis=-1) / np.maximum(lengths, 1)
        vectors /= np.where(means > 0, means, 1).astype(np.float32)[:, None, None]
        return TokenBatch(vectors, mask)

    def _sum_block(self, texts: Sequence[str]) -> FloatArray:
        titles = [self._gendered_words.words_of(text) for text in texts]
        with self._lock:
            numbers, words = self._numbers(titles)
        sums = _rows_summed(numbers, np.array([len(title) for title in titles], dtype=np.int64), words)
        sums += self._pair_sums(titles)
        return sums

    def _numbers(self, titles: list[list[str]]) -> tuple[NDArray[np.int64], FloatArray]:
        if len(self._words) > _MOST_WORDS:
            self._forget()
        numbers_by_word = self._words
        words = list(chain(*titles))
        new = list(dict.fromkeys(word for word in words if word not in numbers_by_word))
        for start in range(0, len(new), _WORDS_AT_ONCE):
            self._remember(new[start : start + _WORDS_AT_ONCE])
        numbers = np.fromiter((numbers_by_word[word] for word in words), dtype=np.int64, count=len(words))
        return numbers, self._vectors[: len(numbers_by_word)]

    def _remember(self, words: list[str]) -> None:
        first = len(self._words)
        while len(self._vectors) < first + len(words):
            larger = np.empty((2 * len(self._vectors), self.dimension), dtype=np.float32)
            larger[:first] = self._vectors[:first]  # alone: what is not written yet takes no memory
            self._vectors = larger
        features = self._vocabulary.rows_of_words(words)
        self._vectors[first : first + len(words)] = self._summed(features.rows, np.diff(features.starts))
        self._words.update(zip(words, range(first, first + len(words)), strict=True))

    def _forget(self) -> None:
        self._words, self._vectors = {}, np.empty((1024, self.dimension), dtype=np.float32)

    def _pair_sums(self, titles: list[list[str]]) -> FloatArray:
        owners, _, rows = self._pairs(titles)
        return self._summed(rows, np.bincount(owners, minlength=len(titles)))

    def _summed(self, rows: NDArray[np.int32], counts: NDArray[np.int64]) -> FloatArray:
        distinct, numbers = np.unique(rows, return_inverse=True)
        return _rows_summed(numbers, counts, unpack(self._codes[distinct], self._scales[distinct]))

    def _add_pairs(self, vectors: FloatArray, titles: list[list[str]]) -> None:
        owners, places, rows = self._pairs(titles)
        halves = unpack(self._codes[rows], self._scales[rows]) / 2
        vectors[owners, places] += halves  # a word begins one pair at most, and ends one
        vectors[owners, places + 1] += halves

    def _pairs(self, titles: list[list[str]]) -> tuple[NDArray[np.intp], NDArray[np.intp], NDArray[np.int32]]:
        pairs = [pair_hashes(title) for title in titles]
        counts = [len(text_pairs) for text_pairs in pairs]
        places = np.array([place for count in counts for place in range(count)], dtype=np.intp)
        rows, in_vocabulary = self._vocabulary.look_up(
            np.array([value for text_pairs in pairs for value in text_pairs], dtype=np.uint32)
        )
        return np.repeat(np.arange(len(titles)), counts)[in_vocabulary], places[in_vocabulary], rows[in_vocabulary]


def _rows_summed(numbers: NDArray[np.int64], counts: NDArray[np.int64], vectors: FloatArray) -> FloatArray:
    """Return each text's sum of vectors[number], the texts having counts[i] numbers each."""
    starts = np.concatenate([np.zeros(1, np.int64), np.cumsum(counts)])
    ones = np.ones(len(numbers), dtype=np.float32)
    matrix = csr_matrix((ones, numbers, starts), shape=(len(counts), len(vectors)))
    return np.asarray(matrix @ vectors, dtype=np.float32)


def is_title_encoder(folder: Path) -> bool:
    """Return whether a folder holds a title encoder of ours, possibly damaged."""
    try:
        modules = read_json(folder / "modules.json")
        return bool(modules[0]["type"] == MODULE)
    except (OSError, ValueError, LookupError, TypeError):
        return False


def shipped_folder() -> Path:
    """Return the folder of the shipped encoder."""
    return Path(str(files("jobmatch_core.titles") / SHIPPED))


@cache
def shipped_encoder() -> TitleEncoder:
    """Return the shipped encoder."""
    return TitleEncoder.load(shipped_folder())
