"""Search encoders: one vector for a query, one for a document, whose dot product is their similarity.

Paper: Hajiaghayi et al. (2021), section II. The n-gram encoder stands on the shipped title encoder: a text's vector is
the sum of the vectors of its features there, projected, and of the vectors that some features have of their own here,
L2-normalised. It needs no torch. A model is a folder:

    config.json         kind of the backbone, its name, and the lengths that are read
    model.safetensors   projections and own vectors, the latter with four bits a weight
    report.json         how it was trained
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol, Self

import numpy as np
from numpy.typing import NDArray
from safetensors.numpy import load_file, save_file

from jobmatch_core.entities import Encoder, FloatArray
from jobmatch_core.io.text_files import read_json
from jobmatch_core.model_store.model_spec import TITLES
from jobmatch_core.model_store.saved_model import (
    CONFIG_FILE,
    WEIGHTS_FILE,
    as_model_error,
    model_written,
    read_weights,
    weights_digest,
)
from jobmatch_core.text.folding import fold
from jobmatch_core.titles.encoder import TitleEncoder
from jobmatch_core.titles.ngrams import Hashes, NgramVocabulary
from jobmatch_core.titles.packing import pack
from jobmatch_core.vectors import normalised

NGRAMS, TRANSFORMER = "ngrams", "transformer"  # kinds of backbone
REMEDY = "Expected a folder as `jobmatch train search-encoder` writes it; train it again."
QUERY, DOCUMENT = "query", "document"


class SearchEncoder(Encoder, Protocol):
    """An encoder of documents that encodes queries into the same space, perhaps in another way."""

    @property
    def dimension(self) -> int:
        """The length of the vectors."""

    def encode_queries(self, texts: Sequence[str]) -> FloatArray:
        """Return L2-normalised row vectors of queries, shape (len(texts), dimension)."""


class PlainSearchEncoder:
    """Any other encoder, which encodes queries as it does documents."""

    def __init__(self, encoder: Encoder) -> None:
        """Wrap an encoder."""
        self._encoder = encoder
        self.dimension = int(encoder.encode([]).shape[1])

    @property
    def name(self) -> str:
        """The encoder's name."""
        return self._encoder.name

    def encode(self, texts: Sequence[str]) -> FloatArray:
        """Return L2-normalised row vectors of documents."""
        return self._encoder.encode(texts)

    def encode_queries(self, texts: Sequence[str]) -> FloatArray:
        """Return L2-normalised row vectors of queries."""
        return self._encoder.encode(texts)


@dataclass(frozen=True, slots=True)
class NgramTower:
    """What is learned over the title encoder.

    Attributes:
        projection: (dimension, title encoder's dimension) map of the sums of the title encoder's vectors.
        hashes: (feature,) hashes of the features with vectors of their own, ascending.
        codes, scales: their vectors, as `packing.pack` gives them.
    """

    projection: NDArray[np.float16]
    hashes: Hashes
    codes: NDArray[np.uint8]
    scales: NDArray[np.float16]

    @classmethod
    def packed(cls, projection: FloatArray, hashes: Hashes, weights: FloatArray) -> Self:
        """Round trained weights to the precision in which they are saved."""
        return cls(projection.astype(np.float16), hashes, *pack(weights))

    def check(self, dimension: int) -> None:
        """Raise ValueError for arrays that do not fit together."""
        fit = self.codes.shape == (len(self.hashes), dimension // 2) and self.scales.shape == self.hashes.shape
        if not fit or self.projection.ndim != 2 or len(self.projection) != dimension:
            raise ValueError("its tensors do not fit together")


class NgramSearchEncoder:
    """A search encoder over the shipped title encoder.

    Attributes:
        towers: the tower of documents, and that of queries where it has its own.
    """

    def __init__(
        self, titles: TitleEncoder, towers: Mapping[str, NgramTower], *, query_tokens: int, document_tokens: int,
        name: str,
    ) -> None:  # fmt: skip
        """Combine the title encoder with what was learned over it.

        Raises:
            ValueError: the arrays do not fit together or to the title encoder.
        """
        self.towers = dict(towers)
        self.dimension = len(towers[DOCUMENT].projection)
        for tower in towers.values():
            tower.check(self.dimension)
            if tower.projection.shape[1] != titles.dimension:
                raise ValueError(f"it projects {tower.projection.shape[1]} numbers, not {titles.dimension}")
        self._titles = titles
        self._own = {
            side: TitleEncoder(NgramVocabulary(tower.hashes), tower.codes, tower.scales, name)
            for side, tower in towers.items()
        }
        self._tokens = {QUERY: query_tokens, DOCUMENT: document_tokens}
        self._name = name

    @property
    def name(self) -> str:
        """The folder's name and a digest of the weights and of the title encoder."""
        return self._name

    def encode(self, texts: Sequence[str]) -> FloatArray:
        """Return L2-normalised vectors of documents, shape (len(texts), dimension); zeros where nothing is known."""
        return self._encode(texts, DOCUMENT)

    def encode_queries(self, texts: Sequence[str]) -> FloatArray:
        """Return L2-normalised vectors of queries, shape (len(texts), dimension); zeros where nothing is known."""
        return self._encode(texts, QUERY)

    def _encode(self, texts: Sequence[str], side: str) -> FloatArray:
        own = side if side in self.towers else DOCUMENT
        read = [first_words(text, self._tokens[side]) for text in texts]
        projected = self._titles.sums(read) @ self.towers[own].projection.T.astype(np.float32)
        return normalised(projected + self._own[own].sums(read))

    def save(self, folder: Path, report: Mapping[str, object], *, replace: bool = False) -> None:
        """Write a complete folder.

        Raises:
            OSError: the disk refuses, or the folder exists and must not be replaced.
        """
        config = {
            "search": NGRAMS,
            "backbone": TITLES,
            "backbone_name": self._titles.name,
            "dimension": self.dimension,
            "query_tokens": self._tokens[QUERY],
            "document_tokens": self._tokens[DOCUMENT],
        }
        tensors = {
            f"{side}.{name}": np.ascontiguousarray(getattr(tower, name))
            for side, tower in self.towers.items()
            for name in NgramTower.__slots__
        }
        with model_written(folder, config, report, replace=replace) as temporary:
            save_file(tensors, temporary / WEIGHTS_FILE)

    @classmethod
    def load(cls, folder: Path, titles: TitleEncoder) -> Self:
        """Read the folder that `save` wrote.

        Raises:
            ModelError: it holds no such model, a damaged one, or one over another title encoder.
        """
        with as_model_error(f"{folder} holds no search encoder that can be used", REMEDY):
            config = read_json(folder / CONFIG_FILE)
            if config["backbone_name"] != titles.name:
                named = config["backbone_name"]
                raise ValueError(f"it was trained over {named}, and {titles.name} gives other vectors")
            weights = read_weights(folder / WEIGHTS_FILE, load_file)
            sides = [side for side in (DOCUMENT, QUERY) if f"{side}.hashes" in weights]
            towers = {side: NgramTower(*(weights[f"{side}.{name}"] for name in NgramTower.__slots__)) for side in sides}
            return cls(
                titles,
                towers,
                query_tokens=int(config["query_tokens"]),
                document_tokens=int(config["document_tokens"]),
                name=f"{folder.name}-{weights_digest(folder, after=titles.name.encode())}",
            )


def first_words(text: str, most: int) -> str:
    """Return the first folded words of a text."""
    return " ".join(fold(text).split()[:most])
