"""The model of titles in context: unit groups of ISCO-08 by a title and what is known beside it.

A linear layer over the L2-normalised sum of hashed features in few dimensions, as of `titles/group_classifier`. Beside
the words and n-grams of the title and of the context, each word of the one with each of the other is a feature:
`drawer` in `metal` is another job than in `textiles`. Words of the context that the training has not seen are left out.
"""

from collections.abc import Sequence
from functools import lru_cache
from importlib.resources import files
from itertools import pairwise
from pathlib import Path
from typing import Self
from zlib import crc32

import numpy as np

from jobmatch_core.entities import FloatArray
from jobmatch_core.model_store.saved_model import as_model_error
from jobmatch_core.titles.group_classifier import GroupTensors
from jobmatch_core.titles.ngrams import Hashes, NgramVocabulary, pair_hashes, word_hashes, words_of
from jobmatch_core.titles.packing import unpack

SHIPPED_CONTEXT = "context.safetensors"
_LEFT_OUT = frozenset({"and", "or", "of", "the", "in", "for", "not", "other", "etc"})  # they say nothing by themselves
_MOST_WORDS = 40  # of a context
_MOST_CROSSED = 6  # last words of a title that are joined with those of the context
_ENDING = 4  # letters of its last word, which often names the job


def context_words_of(text: str) -> list[str]:
    """Return the folded words of a context that may say something."""
    return [word for word in words_of(text, _MOST_WORDS) if word not in _LEFT_OUT]


def _word_hash(word: str) -> int:
    return crc32(f"c:{word}".encode())


def joint_hashes(title: str, context: Sequence[str]) -> Hashes:
    """Return the distinct hashes of a title, and of the folded words of its context."""
    words = words_of(title)
    hashes = [number for word in words for number in word_hashes(word)] + pair_hashes(words)
    hashes += [number for word in context for number in word_hashes(word)]
    hashes += [_word_hash(word) for word in context]
    hashes += [crc32(f"c:{left}_{right}".encode()) for left, right in pairwise(context)]
    crossed, whole = words[-_MOST_CROSSED:], "_".join(context)
    hashes += [crc32(f"x:{word}_{other}".encode()) for word in crossed for other in context]
    if context:
        hashes += [crc32(f"w:{word}_{whole}".encode()) for word in crossed]
        hashes += [crc32(f"e:{word[-_ENDING:]}_{other}".encode()) for word in words[-1:] for other in context]
    return np.unique(np.array(hashes, dtype=np.uint32))


class ContextModel:
    """The trained model, of these tensors; the classes are the unit groups."""

    def __init__(self, tensors: GroupTensors) -> None:
        """Use the tensors of a layer over `joint_hashes`."""
        self.tensors = tensors
        self.codes = tensors.codes
        self._vocabulary = NgramVocabulary(tensors.hashes)

    def known_words(self, text: str) -> list[str]:
        """Return the folded words of a context that the training has seen in one."""
        words = context_words_of(text)
        _, known = self._vocabulary.look_up(np.array([_word_hash(word) for word in words], dtype=np.uint32))
        return [word for word, is_known in zip(words, known.tolist(), strict=True) if is_known]

    def known_share(self, title: str) -> float:
        """Return the share of a title's words that the training has seen in titles; 0 without words."""
        words = words_of(title)
        first = np.array([word_hashes(word)[0] for word in words], dtype=np.uint32)  # the whole word
        _, known = self._vocabulary.look_up(first)
        return float(known.mean()) if words else 0.0

    def log_probabilities(self, pairs: Sequence[tuple[str, Sequence[str]]]) -> FloatArray:
        """Return logs of the probabilities of unit groups, (pair, unit group).

        A pair is a title, '' for none, with the known words of its context.
        """
        _, packed, scales, layer, bias, _ = self.tensors
        vectors = np.zeros((len(pairs), layer.shape[1]), dtype=np.float32)
        for row, (title, context) in enumerate(pairs):
            rows = self._vocabulary.find(joint_hashes(title, context))
            vectors[row] = unpack(packed[rows], scales[rows]).sum(axis=0)
        vectors /= np.maximum(np.linalg.norm(vectors, axis=1, keepdims=True), 1e-9)
        logits = vectors @ layer.T + bias
        logits -= logits.max(axis=1, keepdims=True)
        return np.asarray(logits - np.log(np.exp(logits).sum(axis=1, keepdims=True)), dtype=np.float32)

    @classmethod
    def load(cls, path: Path) -> Self:
        """Read the file that `GroupTensors.save` wrote; raises ModelError if it is missing or damaged."""
        with as_model_error(f"The model of titles in context in {path.name} cannot be read", "Install jobmatch again."):
            return cls(GroupTensors.load(path))


@lru_cache(maxsize=1)
def shipped_context() -> ContextModel:
    """Return the model that comes with jobmatch; raises ModelError if it is damaged."""
    return ContextModel.load(Path(str(files("jobmatch_core.linking") / SHIPPED_CONTEXT)))
