"""The linker as a system: how it does on benchmarks, with what it would really have.

By occupation it links each query to the installed taxonomy that knows most of the dataset's concepts, whatever the
corpus's language, and to the dataset's own corpus where none knows enough. It is told the queries' language, as users
can tell it: names are matched in that language, where the taxonomy has it, and meanings in all. By name there is no
taxonomy: each name is scored by its text alone, with the weights that the linker gives to an occupation's best name.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from jobmatch_core import __version__
from jobmatch_core.encoders import shipped_encoder
from jobmatch_core.entities import Encoder, FloatArray, Progress
from jobmatch_core.evaluation.corpus_taxonomy import taxonomy_of
from jobmatch_core.evaluation.datasets import RankingDataset
from jobmatch_core.evaluation.systems import Ranker
from jobmatch_core.linking import Linker, open_linker
from jobmatch_core.linking.calibration import Calibration
from jobmatch_core.linking.index import ENCODER, LEXICAL, NameIndex
from jobmatch_core.linking.scorers import TfidfScorer
from jobmatch_core.settings import Settings
from jobmatch_core.taxonomy import TaxonomyStore
from jobmatch_core.text import fold

VOCABULARY_SEEN = "vocabulary seen: O*NET's alternate titles are in the encoder's training data"
_KNOWN_ENOUGH = 0.5  # of the dataset's concepts; below it another version or another taxonomy was installed


def note_on(dataset: RankingDataset) -> str:
    """Return what has to be said of the shipped encoder's figures on a dataset."""
    return VOCABULARY_SEEN if dataset.task == "melo" and dataset.name.startswith("usa_") else ""


@dataclass(frozen=True, slots=True)
class LinkerSystem:
    """The linker with the shipped encoder.

    Attributes:
        settings: where taxonomies are installed.
        taxonomy: the one to link to, in place of the best known.
    """

    settings: Settings
    taxonomy: str = ""

    @property
    def name(self) -> str:
        """As the catalogue has it."""
        return f"linker:{self.taxonomy}" if self.taxonomy else "linker"

    @property
    def version(self) -> str:
        """The release, the encoder's digest, and the taxonomies that it may choose from."""
        installed = ",".join(sorted(manifest.id for manifest in self._store().installed()))
        return f"{__version__} {shipped_encoder().name} {installed}"

    @property
    def size_mb(self) -> float | None:
        """Size of the encoder on disk."""
        return shipped_encoder().size_mb

    def note(self, dataset: RankingDataset) -> str:
        """Say where O*NET was seen."""
        return note_on(dataset)

    def prepare(self, dataset: RankingDataset, *, progress: Progress) -> Ranker:
        """Open or build the linker of the dataset's occupations.

        Raises:
            TaxonomyError: the taxonomy asked for is not installed.
        """
        encoder = shipped_encoder()
        known, share = (self.taxonomy, 1.0) if self.taxonomy else self._store().knowing(dataset.concepts)
        if share >= _KNOWN_ENOUGH:
            linker = open_linker(known, settings=self.settings, progress=progress)
        else:
            taxonomy = taxonomy_of(dataset)
            calibration = Calibration.shipped_for(encoder.name)
            index = NameIndex.build(taxonomy, encoder, progress=progress)
            linker = Linker(taxonomy, index, calibration or Calibration.fit(index, progress=progress))
        return LinkerRanker(linker, encoder, dataset)

    def _store(self) -> TaxonomyStore:
        return TaxonomyStore.open(self.settings)


class LinkerRanker:
    """The linker prepared for a corpus."""

    def __init__(self, linker: Linker, encoder: Encoder, dataset: RankingDataset) -> None:
        """Encode the corpus by itself, and find its concepts in the linker's taxonomy."""
        self._linker = linker
        self._encoder = encoder
        texts = [fold(text) for text in dataset.elements]
        self._lexical = {kind: TfidfScorer.fit(kind, texts) for kind in LEXICAL}
        self._vectors = encoder.encode(texts)
        weights = dict(zip(linker.calibration.features, linker.calibration.weights, strict=True))
        # a name by itself is the best of its occupation's, all of them, and their mean
        self._weights = {kind: weights[kind] + weights[f"{kind}_many"] for kind in (*LEXICAL, ENCODER)}
        self._weights[ENCODER] += weights["concept"]
        self._columns = _columns(linker, dataset)
        known = dataset.query_language in linker.taxonomy.manifest.languages
        self._languages = (dataset.query_language,) if known else ()
        self._n_concepts = len(dataset.concepts)

    def scores(self, queries: Sequence[str]) -> FloatArray:
        """Score every name by its text alone."""
        folded = [fold(query) for query in queries]
        scores = self._encoder.encode(folded) @ self._vectors.T
        scores *= np.float32(self._weights[ENCODER])
        for kind, scorer in self._lexical.items():
            scores += np.float32(self._weights[kind]) * scorer.all(scorer.encode(folded))
        return np.asarray(scores, dtype=np.float32)

    def occupation_scores(self, queries: Sequence[str]) -> FloatArray:
        """Put the linker's candidates first, in their order, and the others after them by the concept head."""
        scores = np.full((len(queries), self._n_concepts + 1), -np.inf, dtype=np.float32)
        head = self._linker.index.encoder
        if head is not None:
            columns = self._columns[head.head.concepts]
            scores[:, columns] = head.occupation_scores(head.encode([fold(query) for query in queries]))
        for row, ranking in enumerate(self._linker.rank(queries, languages=self._languages)):
            places = np.arange(len(ranking.concepts), 0, -1, dtype=np.float32)
            scores[row, self._columns[ranking.concepts]] = 1 + places
        return scores[:, :-1]


def _columns(linker: Linker, dataset: RankingDataset) -> NDArray[np.int64]:
    """Return the number in the dataset of every concept of the taxonomy; one past the last where it has none."""
    numbers = {uri: number for number, uri in enumerate(dataset.concepts)}
    return np.array([numbers.get(uri, len(numbers)) for uri in linker.taxonomy.uris], dtype=np.int64)
