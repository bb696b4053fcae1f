"""Systems to evaluate: each is prepared for a dataset's corpus and then scores queries; and bi-encoders.

*By name*, every element is scored (the MELO paper's protocol). *By occupation*, each occupation is ranked once, under
its best name, unless the system scores occupations itself.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol, runtime_checkable

import numpy as np
from numpy.typing import NDArray

from jobmatch_core.benchmarks.datasets.dataset import RankingDataset
from jobmatch_core.encoders.loading import shipped_encoder
from jobmatch_core.entities import Encoder, FloatArray, Progress

# Retyk et al. (2024), MELO, appendix B
PROMPT = 'The candidate\'s job title is "{title}". What skills are likely required for this job?'
_BLOCK = 1024  # texts between two reports of progress
VOCABULARY_SEEN = "vocabulary seen: O*NET's alternate titles are in the encoder's training data"


@dataclass(frozen=True, slots=True)
class Digests:
    """Identifiers of a system's model and taxonomy; '' for parts that it does not have."""

    encoder: str = ""  # the encoder's name with the digest of its weights
    calibration: str = ""  # digest of the linker's calibration and, for a promoted model, of its moved vectors
    taxonomy: str = ""  # the linked taxonomy with the digest of its names, such as `esco-1.0.3@1a2b3c4d`


class Ranker(Protocol):
    """A system prepared for one corpus."""

    def scores(self, queries: Sequence[str]) -> FloatArray:
        """Return how well each element fits each query, shape (query, element)."""


@runtime_checkable
class OccupationRanker(Ranker, Protocol):
    """A ranker that also scores occupations."""

    def occupation_scores(self, queries: Sequence[str]) -> FloatArray:
        """Return how well each of the dataset's concepts fits each query, shape (query, concept)."""


class System(Protocol):
    """Something that ranks: a lexical baseline, an encoder, the linker."""

    @property
    def name(self) -> str:
        """The system's name in results and on the scoreboard."""

    def prepare(self, dataset: RankingDataset, *, progress: Progress) -> Ranker:
        """Fit, index or encode a dataset's corpus."""


@dataclass(frozen=True, slots=True)
class BiEncoder:
    """An encoder as a system."""

    encoder: Encoder
    prompted: bool = False  # put titles into the MELO paper's prompt, and lower-case the Spanish terminology's queries

    @property
    def name(self) -> str:
        """The prefix in the catalogue and the encoder's name."""
        return f"{'prompted' if self.prompted else 'encoder'}:{self.encoder.name}"

    def digests(self, dataset: RankingDataset) -> Digests:
        """Return the encoder's name, which has a digest where it is a folder's."""
        return Digests(self.encoder.name)

    def prepare(self, dataset: RankingDataset, *, progress: Progress) -> Ranker:
        """Encode the corpus, each of its texts once."""
        numbers = {text: number for number, text in enumerate(dict.fromkeys(dataset.elements))}
        texts = [self._shown(text) for text in numbers]
        blocks = []
        for start in range(0, len(texts), _BLOCK):
            blocks.append(self.encoder.encode(texts[start : start + _BLOCK]))
            progress(min(start + _BLOCK, len(texts)), len(texts))
        columns = np.array([numbers[text] for text in dataset.elements], dtype=np.int32)
        lowered = self.prompted and dataset.task == "melo" and dataset.name.startswith("esp_q_es")
        return _CosineRanker(self, np.concatenate(blocks), columns, lowered)

    def encode_queries(self, queries: Sequence[str], *, lowered: bool) -> FloatArray:
        """Return the vectors of queries, shape (query, dimension)."""
        return self.encoder.encode([self._shown(query.lower() if lowered else query) for query in queries])

    def _shown(self, title: str) -> str:
        return PROMPT.format(title=title) if self.prompted else title


@dataclass(frozen=True, slots=True)
class _CosineRanker:
    system: BiEncoder
    vectors: FloatArray
    columns: NDArray[np.int32]
    lowered: bool

    def scores(self, queries: Sequence[str]) -> FloatArray:
        return (self.system.encode_queries(queries, lowered=self.lowered) @ self.vectors.T)[:, self.columns]


class OverTitleEncoder:
    """Base of the systems that rank with the shipped title encoder."""

    __slots__ = ()

    @property
    def size_mb(self) -> float | None:
        """Size of the encoder on disk."""
        return shipped_encoder().size_mb

    def note(self, dataset: RankingDataset) -> str:
        """Return the note beside the figures: the encoder has seen O*NET."""
        return VOCABULARY_SEEN if dataset.task == "melo" and dataset.name.startswith("usa_") else ""


@dataclass(frozen=True, slots=True)
class TitleEncoderSystem(OverTitleEncoder):
    """The shipped title encoder as a bi-encoder, over the corpus's texts alone."""

    name: str = "encoder:titles"

    def digests(self, dataset: RankingDataset) -> Digests:
        """Return the encoder's digest."""
        return Digests(shipped_encoder().name)

    def prepare(self, dataset: RankingDataset, *, progress: Progress) -> Ranker:
        """Encode the corpus."""
        return BiEncoder(shipped_encoder()).prepare(dataset, progress=progress)
