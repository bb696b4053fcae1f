"""Search encoders: a query vector and a document vector whose dot product is their similarity.

Paper: Hajiaghayi et al. (2021), section II. The n-gram encoder adds to the projected sum of a title encoder's feature
vectors own vectors of some features, and L2-normalises; it needs no torch. A model is a folder:

    config.json         kind of backbone, word and name of the title encoder, maximum lengths
    model.safetensors   projections and own vectors, the latter with four bits a weight
    report.json         training report
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
    "Expected a folder written by `jobmatch train search-encoder` and the backbone that it was trained over: restore "
    "the backbone, or train the encoder again."
)
QUERY, DOCUMENT = "query", "document"
MOST_WORDS = 75  # of a short description: the encoder's maximum length of a document


class SearchEncoder(Encoder, Protocol):
    """An encoder of documents that also encodes queries into the same space."""

    @property
    def dimension(self) -> int:
        """The length of the vectors."""

    def encode_queries(self, texts: Sequence[str]) -> FloatArray:
        """Return L2-normalised row vectors of queries, shape (len(texts), dimension)."""


class TrainedSearchEncoder(ABC):
    """Base of search encoders over any backbone, with one tower for both sides or one each."""

    kind: ClassVar[str]  # of backbone

    def __init__(self, dimension: int, *, query_tokens: int, document_tokens: int, name: str) -> None:
        self.dimension = dimension
        self._tokens = {QUERY: query_tokens, DOCUMENT: document_tokens}
        self._name = name

    @property
    def name(self) -> str:
        """The folder's name and a digest of everything that determines the vectors."""
        return self._name

    def encode(self, texts: Sequence[str]) -> FloatArray:
        """Return L2-normalised vectors of documents, shape (len(texts), dimension); zeros for unknown features."""
        return self._encoded(texts, DOCUMENT, self._tokens[DOCUMENT])

    def encode_queries(self, texts: Sequence[str]) -> FloatArray:
        """Return L2-normalised vectors of queries, shape (len(texts), dimension); zeros for unknown features."""
        return self._encoded(texts, QUERY, self._tokens[QUERY])

    @abstractmethod
    def save(self, folder: Path, report: Mapping[str, object], *, replace: bool = False) -> None:
        """Write a complete folder.

        Raises OSError if the folder cannot be written, or exists and may not be replaced.
        """

    @abstractmethod
    def _encoded(self, texts: Sequence[str], side: str, most: int) -> FloatArray:
        """Return the vectors of texts by the tower of a side, reading at most `most` tokens of each."""

    def _config(self, **backbone: object) -> dict[str, object]:
        lengths = {f"{side}_tokens": tokens for side, tokens in self._tokens.items()}
        return {"search": self.kind, "dimension": self.dimension} | lengths | backbone


def stored_lengths(config: Mapping[str, Any]) -> dict[str, int]:
    """Return the maximum lengths of queries and documents, as arguments of an encoder."""
    return {name: int(config[name]) for name in (f"{QUERY}_tokens", f"{DOCUMENT}_tokens")}


class PlainSearchEncoder:
    """Any other encoder; encodes queries like documents."""

    def __init__(self, encoder: Encoder) -> None:
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
    """Weights learned over the title encoder."""

    projection: NDArray[np.float16]  # (dimension, title encoder's dimension) map of the sums of its vectors
    hashes: Hashes  # (feature,) hashes of the features with own vectors, ascending
    # codes, scales: their vectors, as `packing.pack` gives them
    codes: NDArray[np.uint8]
    scales: NDArray[np.float16]

    @classmethod
    def packed(cls, projection: FloatArray, hashes: Hashes, weights: FloatArray) -> Self:
        """Round trained weights to the precision in which they are saved."""
        return cls(projection.astype(np.float16), hashes, *pack(weights))

    def check(self, dimension: int) -> None:
        """Raise ValueError if the arrays do not fit together."""
        fit = self.codes.shape == (len(self.hashes), dimension // 2) and self.scales.shape == self.hashes.shape
        if not fit or self.projection.ndim != 2 or len(self.projection) != dimension:
            raise ValueError("its tensors do not fit together")


class NgramSearchEncoder(TrainedSearchEncoder):
    """A search encoder over a title encoder."""

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
        """Combine a title encoder, found again by the word *backbone*, with the towers learned over it by side.

        Raises ValueError if the arrays do not fit together or to the title encoder.
        """
        super().__init__(
            len(towers[DOCUMENT].projection), query_tokens=query_tokens, document_tokens=document_tokens, name=name
        )
        self.towers = dict(towers)  # the tower of documents, and that of queries if they have their own
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

        Raises ModelError if no such model, a damaged one, or its title encoder is missing or has changed.
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
    """Encodes titles and short descriptions as documents of a search encoder, for `linking.posting_linker`.

    It has learned occupations from a few words; models of postings have learned from long texts, most of which is not
    about the job, and tell little from a single sentence (lab/notes/2026-11-24.md).
    """

    def __init__(self, encoder: SearchEncoder) -> None:
        self._encoder = encoder

    @property
    def name(self) -> str:
        """The encoder's name."""
        return self._encoder.name

    def encode_titles(self, titles: Sequence[str]) -> FloatArray:
        """Return L2-normalised row vectors, shape (title, dimension)."""
        return self._encoder.encode(titles)

    def encode_descriptions(self, descriptions: Sequence[str]) -> FloatArray:
        """Return L2-normalised row vectors, shape (description, dimension); zeros for texts without known features."""
        return self._encoder.encode(descriptions)


def is_short(description: str) -> bool:
    """Return whether a search encoder reads a description completely."""
    return len(description.split()) <= MOST_WORDS
