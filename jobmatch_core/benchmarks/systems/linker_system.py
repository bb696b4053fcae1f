"""The linker as a system: how it does on benchmarks, with what it would really have.

By occupation it links each query to the installed taxonomy that knows most of the dataset's concepts, whatever the
corpus's language, and to the dataset's own corpus where none knows enough. It is told the queries' language, as users
can tell it: names are matched in that language, where the taxonomy has it, and meanings in all.

By name each name is resolved to the occupations that the same taxonomy says bear it, in any language. Its score is
the mean of two cosines: of the query's and the name's own vector, and of the query's and the nearest of these
occupations', by the concept head; of the texts alone where no occupation bears the name. A hundredth of the letters'
cosine is added, which tells names apart that are one text to the encoder, such as both forms of a gendered one. Which
concepts the dataset gives its names is looked at only where its corpus has to stand in for a taxonomy.

Similar titles have no occupations: they are linked, and compared by their meanings (`MeaningRanker`).
"""

import hashlib
from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from importlib.resources import files
from typing import cast

import numpy as np
from numpy.typing import NDArray

from jobmatch_core import __version__
from jobmatch_core.benchmarks.datasets.dataset import RankingDataset
from jobmatch_core.benchmarks.datasets.title_sets import SIMILARITY_TASK as TITLE_SIMILARITY
from jobmatch_core.benchmarks.systems.system import OverTitleEncoder, Ranker
from jobmatch_core.encoders.loading import shipped_encoder
from jobmatch_core.entities import Encoder, FloatArray, Progress
from jobmatch_core.linking import Linker, open_linker
from jobmatch_core.linking.calibration import SHIPPED_CALIBRATION, Calibration
from jobmatch_core.linking.encoder_scorer import EncoderScorer
from jobmatch_core.linking.index import NameIndex
from jobmatch_core.linking.scorers import TfidfVectorizer
from jobmatch_core.settings import Settings
from jobmatch_core.taxonomy import Taxonomy, TaxonomyStore
from jobmatch_core.taxonomy.tables import OCCUPATION, Manifest, TablesBuilder
from jobmatch_core.text.folding import fold
from jobmatch_core.titles.readings import glossed
from jobmatch_core.vectors import normalised

_DIGEST = 8  # letters of one that are shown
_LETTERS = 0.01  # weight of the letters' cosine
_KNOWN_ENOUGH = 0.5  # of the dataset's concepts; below it another version or another taxonomy was installed


@dataclass(frozen=True, slots=True)
class LinkerSystem(OverTitleEncoder):
    """The linker with the shipped encoder.

    Attributes:
        settings: location of the taxonomies.
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
        """The release, the encoder, the calibration, and the taxonomies that it may choose from: all with digests."""
        store, encoder = self._store(), shipped_encoder().name
        manifests = [store.manifest(self.taxonomy)] if self.taxonomy else store.installed()
        taxonomies = ",".join(f"{each.id}@{each.source_hash[:_DIGEST]}" for each in manifests)
        return f"{__version__} {encoder} {_calibration_digest(encoder)} {taxonomies}"

    def prepare(self, dataset: RankingDataset, *, progress: Progress) -> Ranker:
        """Open or build the linker of the dataset's occupations.

        Raises:
            TaxonomyError: the taxonomy asked for is not installed.
        """
        if dataset.task == TITLE_SIMILARITY:
            return self._of_titles(dataset, progress)
        encoder = shipped_encoder()
        known, share = (self.taxonomy, 1.0) if self.taxonomy else self._store().knowing(dataset.concepts)
        if share >= _KNOWN_ENOUGH:
            groups = self._wants_groups(known, dataset)
            linker = open_linker(known, groups=groups, settings=self.settings, progress=progress)
        else:
            taxonomy = taxonomy_of(dataset)
            calibration = Calibration.shipped_for(encoder.name)
            index = NameIndex.build(taxonomy, encoder, progress=progress)
            linker = Linker(taxonomy, index, calibration or Calibration.fit(index, progress=progress))
        return LinkerRanker(linker, encoder, dataset)

    def _of_titles(self, dataset: RankingDataset, progress: Progress) -> Ranker:
        """Link the corpus to the taxonomy asked for, or the one with the most names, of those in its language."""
        manifests = self._store().installed()
        spoken = [each for each in manifests if dataset.query_language in each.languages] or manifests
        widest = max(spoken, key=lambda each: (each.counts["names"], each.id)).id
        linker = open_linker(self.taxonomy or widest, settings=self.settings, progress=progress)
        return MeaningRanker(linker, dataset.elements)

    def _wants_groups(self, taxonomy_id: str, dataset: RankingDataset) -> bool:
        """Return whether the dataset's concepts are not all occupations: MELO's crosswalks also lead to ISCO groups."""
        taxonomy = self._store().load(taxonomy_id)
        occupations = {taxonomy.uris[number] for number in taxonomy.occupation_numbers}
        return not {*taxonomy.uris}.isdisjoint({*dataset.concepts} - occupations)

    def _store(self) -> TaxonomyStore:
        return TaxonomyStore.open(self.settings)


def _calibration_digest(encoder: str) -> str:
    """Return a digest of an encoder's shipped calibration; 'fitted' without one, which other fields then identify."""
    if Calibration.shipped_for(encoder) is None:
        return "fitted"
    content = (files("jobmatch_core.linking") / SHIPPED_CALIBRATION).read_bytes()
    return hashlib.sha256(content).hexdigest()[:_DIGEST]


class LinkerRanker:
    """The linker prepared for a corpus."""

    def __init__(self, linker: Linker, encoder: Encoder, dataset: RankingDataset) -> None:
        """Encode the corpus, and find its names and its concepts in the linker's taxonomy."""
        self._linker = linker
        self._encoder = encoder
        texts = [fold(text) for text in dataset.elements]
        self._vectors = encoder.encode(texts)
        self._letters, self._ngrams = TfidfVectorizer.fit("char", texts)
        self._named, self._starts, self._meant = _occupations_named(linker, texts)
        self._columns = _columns(linker, dataset)
        known = dataset.query_language in linker.taxonomy.manifest.languages
        self._languages = (dataset.query_language,) if known else ()
        self._n_concepts = len(dataset.concepts)

    def scores(self, queries: Sequence[str]) -> FloatArray:
        """Score every name by its text and by the occupations that bear it in the taxonomy, shape (query, name)."""
        folded = [fold(query) for query in queries]
        encoded = self._encoder.encode(folded)
        cosines = encoded @ self._vectors.T
        letters = (self._letters.transform(folded) @ self._ngrams.T).toarray()
        meanings = (cosines + self._concept_scores(encoded, cosines)) / 2
        return np.asarray(meanings + _LETTERS * letters, dtype=np.float32)

    def _concept_scores(self, encoded: FloatArray, cosines: FloatArray) -> FloatArray:
        """Return the head's score of the best occupation that bears each name; the text's cosine where none does."""
        head = self._linker.index.encoder
        scores = cosines.copy()
        if head is not None and len(self._named):
            of_occupations = head.occupation_scores(encoded)[:, head.columns(self._meant)]
            scores[:, self._named] = np.maximum.reduceat(of_occupations, self._starts, axis=1)
        return scores

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


class MeaningRanker:
    """The linker prepared for a corpus of titles.

    A title's meaning is its expected occupation: the mean of the concept head's vectors, weighted by the probabilities
    of the linked occupations and whitened by the names of the taxonomy. The score of two titles is the mean of two
    cosines, of their vectors and of their meanings; no weight is fitted. A title in Japanese, Chinese or Korean is
    replaced by its English gloss.
    """

    def __init__(self, linker: Linker, titles: Sequence[str]) -> None:
        """Encode and link the corpus with a linker that has an encoder."""
        self._linker = linker
        self._scorer = cast(EncoderScorer, linker.index.encoder)
        self._whitening = self._scorer.whitening()
        self._vectors, self._meanings = self._encoded(titles)

    def scores(self, queries: Sequence[str]) -> FloatArray:
        """Score every title of the corpus, shape (query, title)."""
        vectors, meanings = self._encoded(queries)
        return np.asarray((vectors @ self._vectors.T + meanings @ self._meanings.T) / 2, dtype=np.float32)

    def _encoded(self, titles: Sequence[str]) -> tuple[FloatArray, FloatArray]:
        """Return titles' own vectors and their meanings, each (title, dimension); zeros where nothing is found."""
        folded = [fold(title) for title in titles]
        vectors = self._scorer.encode([next(iter(glossed(title)), title) for title in folded])
        meanings = np.zeros_like(vectors)
        for row, ranking in enumerate(self._linker.rank(titles)):
            occupations = self._scorer.head.vectors[self._scorer.columns(ranking.concepts)]
            meanings[row] = ranking.probabilities @ occupations
        return vectors, normalised(meanings @ self._whitening)


def _occupations_named(
    linker: Linker, texts: Sequence[str]
) -> tuple[NDArray[np.int64], NDArray[np.int64], NDArray[np.int64]]:
    """Return the texts that are the taxonomy's own names, where the concepts of each begin, and the concepts."""
    index = linker.index
    own = ~index.are_further(linker.taxonomy, np.arange(len(index.texts)))
    concepts: dict[str, list[int]] = defaultdict(list)
    for text, concept, is_own in zip(index.texts, index.concepts.tolist(), own.tolist(), strict=True):
        if is_own:
            concepts[text].append(concept)
    named = [number for number, text in enumerate(texts) if text in concepts]
    counts = [len(concepts[texts[number]]) for number in named]
    meant = [concept for number in named for concept in concepts[texts[number]]]
    starts = np.cumsum(np.array([0, *counts]), dtype=np.int64)[:-1]
    return np.array(named, dtype=np.int64), starts, np.array(meant, dtype=np.int64)


def _columns(linker: Linker, dataset: RankingDataset) -> NDArray[np.int64]:
    """Return the number in the dataset of every concept of the taxonomy; one past the last where it has none."""
    numbers = {uri: number for number, uri in enumerate(dataset.concepts)}
    return np.array([numbers.get(uri, len(numbers)) for uri in linker.taxonomy.uris], dtype=np.int64)


def taxonomy_of(dataset: RankingDataset) -> Taxonomy:
    """Return the corpus's concepts as occupations, its elements as their names."""
    builder = TablesBuilder()
    names: dict[tuple[int, str], list[str]] = defaultdict(list)
    for text, language, concept in zip(
        dataset.elements, dataset.element_languages, dataset.element_concepts.tolist(), strict=True
    ):
        number = builder.concept(dataset.concepts[concept], kind=OCCUPATION, code="", isco="")
        names[number, language].append(text)
    for (number, language), texts in names.items():
        builder.add_names(number, language, texts[0], texts[1:])
    manifest = Manifest(
        id=f"corpus-{dataset.name}",
        name=dataset.name,
        version="",
        languages=tuple(sorted(set(dataset.element_languages))),
        counts={},
        source_hash=dataset.data_hash,
        attribution="",
        created="",
    )
    return Taxonomy(manifest, builder.build())
