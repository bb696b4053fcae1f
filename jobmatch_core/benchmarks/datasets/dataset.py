"""Data of a ranking benchmark: queries, a corpus of elements, and the relevant elements of each query.

Shape of the record that every loader returns and every system takes; the loaders are in the files named after
their datasets.
"""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import csr_matrix


@dataclass(frozen=True)
class RankingDataset:
    """Queries to be answered out of a corpus.

    Attributes:
        name: such as `deu_q_de_c_en`; unique among the datasets of a task.
        task: `melo`, `title-similarity` or `job-normalization`.
        query_language: language code of all queries.
        corpus_languages: language codes of the elements; one, unless the corpus is multilingual.
        query_ids: the file's own ids.
        queries: their texts.
        element_ids: the file's own ids; ties in a ranking are broken by them.
        elements: their texts.
        element_languages: the language of each element.
        concepts: the distinct concepts (URIs) behind the elements; an element's own id where there are none.
        element_concepts: (element,) number in *concepts* of each element.
        relevant: (query, element) boolean.
        data_hash: SHA-256 of the files read, for the reports.
        taxonomy: id of the taxonomy that it is about, such as `esco-1.0.3`; '' where that is unknown.
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

    @property
    def cross_lingual(self) -> bool:
        """True if no element is in the queries' language."""
        return self.query_language not in self.corpus_languages
