"""Data of a ranking benchmark: queries, a corpus of elements, and the relevant elements of each query."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import csr_matrix


@dataclass(frozen=True)
class RankingDataset:
    """Queries over a corpus."""

    name: str  # unique within the task, such as `deu_q_de_c_en`
    task: str  # a key of `tasks.TASKS`
    query_language: str
    corpus_languages: tuple[str, ...]
    query_ids: list[str]  # ids in the file
    queries: list[str]
    element_ids: list[str]  # ids in the file, which break ties in rankings
    elements: list[str]
    element_languages: list[str]
    concepts: list[str]  # distinct concepts (URIs) of the elements; the elements' ids where there are none
    element_concepts: NDArray[np.int32]  # (element,) index into *concepts*
    relevant: csr_matrix  # (query, element) boolean
    data_hash: str  # SHA-256 of the files read, for the reports
    taxonomy: str = ""  # id of its taxonomy, such as `esco-1.0.3`; '' if unknown
    # whether the elements are titles, each with a meaning of its own, and not names of occupations
    ranks_titles: bool = False

    @property
    def cross_lingual(self) -> bool:
        """True if no element is in the queries' language."""
        return self.query_language not in self.corpus_languages
