"""Search encoders: one vector for a query, one for a document, whose dot product is their similarity.

Paper: Hajiaghayi et al. (2021), section II. The n-gram encoder stands on a title encoder: a text's vector is the sum of
the vectors of its features there, projected, and of the vectors that some features have of their own here,
L2-normalised. It needs no torch. A model is a folder:

    config.json         kind of the backbone, the word and the name of a title encoder, and the lengths that are read
    model.safetensors   projections and own vectors, the latter with four bits a weight
    report.json         how it was trained

`SearchDescriptions` makes a search encoder one of short descriptions, for `linking.posting_linker`. It has learned what
people do in each occupation from a few words. Models of postings have learned from long texts, of which most is not
about the job, and tell little from a single sentence (lab/notes/2026-11-24.md).
"""

from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, ClassVar, Protocol, Self

import numpy as np
from numpy.typing import NDArray
from safetensors.numpy import load_file, save_file

from jobmatch_core.entities import Encoder, FloatArray
from jobmatch_core.io.text_files import read_json
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
REMEDY = (
    "Expected a folder as `jobmatch train search-encoder` writes it, and the backbone that it was trained over: put "
    "that back, or train it again."
)
QUERY, DOCUMENT = "query", "document"


MOST_WORDS = 75  # of a short description: what the encoder reads of a document


class SearchEncoder(Encoder, Protocol):
    """An encoder of documents that encodes queries into the same space, perhaps in another way."""

    @property
    def dimension(self) -> int:
        """The length of the vectors."""

    def encode_queries(self, texts: Sequence[str]) -> FloatArray:
        """Return L2-normalised row vectors of queries, shape (len(texts), dimension)."""


class TrainedSearchEncoder(ABC):
    """Base of search encoders over any backbone: a tower for both sides, or one for each.

    Attributes:
        dimension: length of the vectors.
    """

    kind: ClassVar[str]  # of backbone

    def __init__(self, dimension: int, *, query_tokens: int, document_tokens: int, name: str) -> None:
        """Store what does not depend on the backbone."""
        self.dimension = dimension
        self._tokens = {QUERY: query_tokens, DOCUMENT: document_tokens}
        self._name = name

    @property
    def name(self) -> str:
        """The folder's name and a digest of all that determines the vectors."""
        return self._name

    def encode(self, texts: Sequence[str]) -> FloatArray:
        """Return L2-normalised vectors of documents, shape (len(texts), dimension); zeros where nothing is known."""
        return self._encoded(texts, DOCUMENT, self._tokens[DOCUMENT])

    def encode_queries(self, texts: Sequence[str]) -> FloatArray:
        """Return L2-normalised vectors of queries, shape (len(texts), dimension); zeros where nothing is known."""
        return self._encoded(texts, QUERY, self._tokens[QUERY])

    @abstractmethod
    def save(self, folder: Path, report: Mapping[str, object], *, replace: bool = False) -> None:
        """Write a complete folder.

        Raises:
            OSError: the disk refuses, or the folder exists and must not be replaced.
        """

    @abstractmethod
    def _encoded(self, texts: Sequence[str], side: str, most: int) -> FloatArray:
        """Return the vectors of texts by the tower of a side, which reads so many tokens of each."""

    def _config(self, **backbone: object) -> dict[str, object]:
        """Return the content of `config.json`."""
        lengths = {f"{side}_tokens": tokens for side, tokens in self._tokens.items()}
        return {"search": self.kind, "dimension": self.dimension} | lengths | backbone


def stored_lengths(config: Mapping[str, Any]) -> dict[str, int]:
    """Return how many tokens are read of a query and of a document, by the arguments' names."""
    return {name: int(config[name]) for name in (f"{QUERY}_tokens", f"{DOCUMENT}_tokens")}


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
    """Weights learned over the title encoder.

    Attributes:
        projection: (dimension, title encoder's dimension) map of the sums of the title encoder's vectors.
        hashes: (feature,) hashes of the features with vectors of their own, ascending.
        codes, scales: their vectors, as `encoder.pack` gives them.
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


class NgramSearchEncoder(TrainedSearchEncoder):
    """A search encoder over a title encoder.

    Attributes:
        towers: the tower of documents, and that of queries where it has its own.
        titles: the title encoder.
    """

    kind = NGRAMS

    def __init__(
        self,
        titles: TitleEncoder,
        backbone: str,
        towers: Mapping[str, NgramTower],
        *,
        query_tokens: int,
        document_tokens: int,
        name: str,
    ) -> None:
        """Combine a title encoder with what was learned over it.

        Args:
            titles: the title encoder.
            backbone: its word, by which it is found again.
            towers: the towers by side.
            query_tokens: number of words that are read of a query.
            document_tokens: number of words that are read of a document.
            name: name of the encoder.

        Raises:
            ValueError: the arrays do not fit together or to the title encoder.
        """
        super().__init__(
            len(towers[DOCUMENT].projection), query_tokens=query_tokens, document_tokens=document_tokens, name=name
        )
        self.towers = dict(towers)
        for tower in towers.values():
            tower.check(self.dimension)
            if tower.projection.shape[1] != titles.dimension:
                raise ValueError(f"it projects {tower.projection.shape[1]} numbers, not {titles.dimension}")
        self.titles = titles
        self._backbone = backbone
        self._own = {
            side: TitleEncoder(NgramVocabulary(tower.hashes), tower.codes, tower.scales, name)
            for side, tower in towers.items()
        }

    def _encoded(self, texts: Sequence[str], side: str, most: int) -> FloatArray:
        own = side if side in self.towers else DOCUMENT
        read = [first_words(text, most) for text in texts]
        projected = self.titles.sums(read) @ self.towers[own].projection.T.astype(np.float32)
        return normalised(projected + self._own[own].sums(read))

    def save(self, folder: Path, report: Mapping[str, object], *, replace: bool = False) -> None:
        """Write a complete folder; see `TrainedSearchEncoder.save`."""
        config = self._config(backbone=self._backbone, backbone_name=self.titles.name)
        tensors = {
            f"{side}.{name}": np.ascontiguousarray(getattr(tower, name))
            for side, tower in self.towers.items()
            for name in NgramTower.__slots__
        }
        with model_written(folder, config, report, replace=replace) as temporary:
            save_file(tensors, temporary / WEIGHTS_FILE)

    @classmethod
    def load(cls, folder: Path, open_titles: Callable[[str], TitleEncoder]) -> Self:
        """Read the folder that `save` wrote.

        Args:
            folder: the folder.
            open_titles: opens a title encoder by its word.

        Raises:
            ModelError: it holds no such model, a damaged one, or one over a title encoder that is gone or has changed.
        """
        with as_model_error(f"{folder} holds no search encoder that can be used", REMEDY):
            config = read_json(folder / CONFIG_FILE)
            titles = open_titles(config["backbone"])
            if config["backbone_name"] != titles.name:
                named = config["backbone_name"]
                raise ValueError(f"it was trained over {named}, and {titles.name} gives other vectors")
            weights = read_weights(folder / WEIGHTS_FILE, load_file)
            sides = [side for side in (DOCUMENT, QUERY) if f"{side}.hashes" in weights]
            towers = {side: NgramTower(*(weights[f"{side}.{name}"] for name in NgramTower.__slots__)) for side in sides}
            return cls(
                titles,
                config["backbone"],
                towers,
                **stored_lengths(config),
                name=f"{folder.name}-{weights_digest(folder, after=titles.name.encode())}",
            )


def first_words(text: str, most: int) -> str:
    """Return the first folded words of a text."""
    return " ".join(fold(text).split()[:most])


class SearchDescriptions:
    """Encodes titles and descriptions of the work as documents of a search encoder."""

    def __init__(self, encoder: SearchEncoder) -> None:
        """Wrap an encoder."""
        self._encoder = encoder

    @property
    def name(self) -> str:
        """The encoder's name."""
        return self._encoder.name

    def encode_titles(self, titles: Sequence[str]) -> FloatArray:
        """Return L2-normalised row vectors, shape (title, dimension)."""
        return self._encoder.encode(titles)

    def encode_descriptions(self, descriptions: Sequence[str]) -> FloatArray:
        """Return L2-normalised row vectors, shape (description, dimension); zeros where nothing is known."""
        return self._encoder.encode(descriptions)


def is_short(description: str) -> bool:
    """Return whether a search encoder reads a description whole."""
    return len(description.split()) <= MOST_WORDS
