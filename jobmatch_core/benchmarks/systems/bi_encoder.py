"""Bi-encoders: ranking by the cosine between the vectors of a query and an element, with any encoder."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from jobmatch_core.benchmarks.datasets.dataset import RankingDataset
from jobmatch_core.benchmarks.systems.system import Ranker
from jobmatch_core.entities import Encoder, FloatArray, Progress

# Retyk et al. (2024), MELO, appendix B
PROMPT = 'The candidate\'s job title is "{title}". What skills are likely required for this job?'
_BLOCK = 1024  # texts between two reports of progress


@dataclass(frozen=True, slots=True)
class BiEncoder:
    """An encoder as a system.

    Attributes:
        encoder: any; wrap it in an `EmbeddingCache` to encode each text only once.
        prompted: as in the MELO paper: every title stands in a prompt, and the Spanish terminology's queries, which
            are in capitals, are lower-cased before. Otherwise the encoder sees the bare titles.
    """

    encoder: Encoder
    prompted: bool = False

    @property
    def name(self) -> str:
        """The catalogue's word and the encoder's name."""
        return f"{'prompted' if self.prompted else 'encoder'}:{self.encoder.name}"

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
    """The distinct texts' vectors, and which of them is each element's."""

    system: BiEncoder
    vectors: FloatArray
    columns: NDArray[np.int32]
    lowered: bool

    def scores(self, queries: Sequence[str]) -> FloatArray:
        """Return the cosines."""
        return (self.system.encode_queries(queries, lowered=self.lowered) @ self.vectors.T)[:, self.columns]
