"""Data of a ranking benchmark: queries, a corpus of elements, and the relevant elements of each query."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import csr_matrix


@dataclass(frozen=True)
class RankingDataset:
    """Queries over a corpus.

    Attributes:
        name: unique within the task, such as `deu_q_de_c_en`.
        task: a key of `found.TASKS`.
        query_ids: ids in the file.
        queries: their texts.
        element_ids: ids in the file, which break ties in rankings.
        elements: their texts.
        concepts: distinct concepts (URIs) of the elements; the elements' ids where there are none.
        element_concepts: (element,) index into *concepts*.
        relevant: (query, element) boolean.
        data_hash: SHA-256 of the files read, for the reports.
        taxonomy: id of its taxonomy, such as `esco-1.0.3`; '' if unknown.
        ranks_titles: whether the elements are titles, each with a meaning of its own, and not names of occupations.
    """

    name: str
    task: str
    query_language: str
    corpus_languages: tuple[str, ...]
    query_ids: list[str]
    queries: list[str]
    element_ids: list[str]
    elements: list[str]
    element_languages: list[str]
    concepts: list[str]
    element_concepts: NDArray[np.int32]
    relevant: csr_matrix
    data_hash: str
    taxonomy: str = ""
    ranks_titles: bool = False

    @property
    def cross_lingual(self) -> bool:
        """True if no element is in the queries' language."""
        return self.query_language not in self.corpus_languages
