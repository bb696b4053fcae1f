"""The linker as a system, with all names of a taxonomy in the queries' language.

It links to the dataset's taxonomy or to a named one, whatever the corpus's language; `linker:corpus` uses the corpus
alone. By name, a score is the mean of two cosines: with the name's vector and, by the concept head, with the nearest
occupation of that name. A hundredth of the letters' cosine tells apart names that are equal to the encoder. Similar
titles are linked and compared by their meanings (`MeaningRanker`).
"""

import hashlib
from collections import defaultdict
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from importlib.resources import files
from typing import cast

import numpy as np
from numpy.typing import NDArray

from jobmatch_core.benchmarks.datasets.dataset import RankingDataset
from jobmatch_core.benchmarks.systems.system import Digests, OverTitleEncoder, Ranker
from jobmatch_core.encoders.loading import shipped_encoder
from jobmatch_core.entities import Encoder, FloatArray, Progress
from jobmatch_core.errors import SettingsError, TaxonomyError
from jobmatch_core.io.text_files import json_text
from jobmatch_core.linking import Linker, open_linker
from jobmatch_core.linking.calibration import SHIPPED_CALIBRATION, Calibration
from jobmatch_core.linking.encoder_scorer import EncoderScorer
from jobmatch_core.linking.linking_model import promoted_model
from jobmatch_core.linking.scorers import TfidfVectorizer
from jobmatch_core.settings import Settings
from jobmatch_core.taxonomy import TaxonomyStore
from jobmatch_core.taxonomy.tables import Manifest
from jobmatch_core.text.folding import fold
from jobmatch_core.text.locales import ENGLISH, language_name
from jobmatch_core.titles.readings.glosses import glossed
from jobmatch_core.vectors import normalised

_DIGEST = 8  # letters of one that are shown
_LETTERS = 0.01  # weight of the letters' cosine
_GLOSSED = frozenset(("ja", "ko", "zh"))  # languages that are read by an English gloss
ALL_NAMES = "with all of the taxonomy's names, those in the queries' language among them"


@dataclass(frozen=True, slots=True)
class LinkerSystem(OverTitleEncoder):
    """The linker with the shipped encoder and all names of a taxonomy."""

    settings: Settings  # location of the taxonomies
    taxonomy: str = ""  # the one to link to, in place of the dataset's

    @property
    def name(self) -> str:
        """The name in the catalogue."""
        return f"linker:{self.taxonomy}" if self.taxonomy else "linker"

    def digests(self, dataset: RankingDataset) -> Digests:
        """Return the digests of the encoder, the calibration in use and the taxonomy; raises as `prepare`."""
        manifest, encoder = self._manifest(dataset), shipped_encoder().name
        taxonomy = f"{manifest.id}@{manifest.source_hash[:_DIGEST]}"
        return Digests(encoder, calibration_digest(encoder, self.settings), taxonomy)

    def note(self, dataset: RankingDataset) -> str:
        """Return a note if O*NET was seen, or names in the queries' language are used."""
        crossed = ALL_NAMES if dataset.cross_lingual and not dataset.ranks_titles else ""
        return "; ".join(filter(None, (crossed, OverTitleEncoder.note(self, dataset))))

    def prepare(self, dataset: RankingDataset, *, progress: Progress) -> Ranker:
        """Open the linker of the dataset's taxonomy.

        Raises:
            SettingsError: neither the dataset nor the system names a taxonomy.
            TaxonomyError: it is not installed, or lacks one of the dataset's languages.
        """
        taxonomy_id = self._manifest(dataset).id
        groups = not dataset.ranks_titles and self._wants_groups(taxonomy_id, dataset)
        linker = open_linker(taxonomy_id, groups=groups, settings=self.settings, progress=progress)
        if dataset.ranks_titles:
            return MeaningRanker(linker, dataset.elements)
        return LinkerRanker(linker, shipped_encoder(), dataset)

    def _manifest(self, dataset: RankingDataset) -> Manifest:
        wanted = self.taxonomy or dataset.taxonomy
        if not wanted:
            raise SettingsError(
                f"{dataset.name} does not say which taxonomy it was made of; name it, as linker:esco-1.0.3, or measure "
                "linker:corpus, which needs none."
            )
        if not self.taxonomy and wanted not in {manifest.id for manifest in self._store().installed()}:
            raise TaxonomyError(
                f"{dataset.name} is about {wanted}, which is not installed; import it with 'jobmatch taxonomy import', "
                "name another taxonomy, as linker:esco-1.0.3, or measure linker:corpus, which needs none."
            )
        manifest = self._store().manifest(wanted)
        needed = {
            ENGLISH if language in _GLOSSED else language
            for language in (dataset.query_language, *dataset.corpus_languages)
        }
        if missing := sorted(needed - set(manifest.languages)):
            raise TaxonomyError(
                f"{dataset.name} cannot be measured with {manifest.id}, which has no names in "
                f"{', '.join(map(language_name, missing))}; import {manifest.name} {manifest.version} with them, or "
                "name another taxonomy, as linker:esco-1.0.3."
            )
        return manifest

    def _wants_groups(self, taxonomy_id: str, dataset: RankingDataset) -> bool:
        taxonomy = self._store().load(taxonomy_id)
        occupations = {taxonomy.uris[number] for number in taxonomy.occupation_numbers}
        return not {*taxonomy.uris}.isdisjoint({*dataset.concepts} - occupations)

    def _store(self) -> TaxonomyStore:
        return TaxonomyStore.open(self.settings)


def shipped_calibration_digest(encoder: str) -> str:
    """Return a digest of an encoder's shipped calibration; 'fitted' without one."""
    if Calibration.shipped_for(encoder) is None:
        return "fitted"
    content = (files("jobmatch_core.linking") / SHIPPED_CALIBRATION).read_bytes()
    return hashlib.sha256(content).hexdigest()[:_DIGEST]


def calibration_digest(encoder: str, settings: Settings) -> str:
    """Return a digest of the calibration in use: that of a promoted model, else the shipped one."""
    shipped = Calibration.shipped_for(encoder)
    promoted = promoted_model(shipped.features, encoder, settings) if shipped else None
    if promoted is None:
        return shipped_calibration_digest(encoder)
    moves = promoted.moves
    content = json_text(asdict(promoted.calibration)).encode() + (moves.vectors.tobytes() if moves else b"")
    return hashlib.sha256(content).hexdigest()[:_DIGEST]


class NamesByText:
    """A corpus of names, each scored by its text alone."""

    def __init__(self, encoder: Encoder, names: Sequence[str]) -> None:
        self._encoder = encoder
        self.folded = [fold(name) for name in names]
        self._vectors = encoder.encode(self.folded)
        self._letters, self._ngrams = TfidfVectorizer.fit("char", self.folded)

    def of(self, queries: Sequence[str]) -> tuple[FloatArray, FloatArray, FloatArray]:
        """Return the queries' vectors, their cosines with the names, and a hundredth of the letters' cosines.

        The shapes are (query, dimension), (query, name) and (query, name).
        """
        folded = [fold(query) for query in queries]
        encoded = self._encoder.encode(folded)
        letters = (self._letters.transform(folded) @ self._ngrams.T).toarray()
        return encoded, encoded @ self._vectors.T, np.asarray(_LETTERS * letters, dtype=np.float32)


class CandidatesFirst:
    """A linker's ranking of a dataset's concepts."""

    def __init__(self, linker: Linker, dataset: RankingDataset, languages: tuple[str, ...]) -> None:
        """Find the dataset's concepts in the linker's taxonomy; names are matched in *languages*, or in all."""
        self._linker = linker
        self._languages = languages
        self._columns = _columns(linker, dataset)
        self._n_concepts = len(dataset.concepts)

    def scores(self, queries: Sequence[str]) -> FloatArray:
        """Rank the linker's candidates first, then the others by the concept head, (query, concept).

        Minus infinity for concepts that are not in the taxonomy.
        """
        scores = np.full((len(queries), self._n_concepts + 1), -np.inf, dtype=np.float32)
        head = self._linker.index.encoder
        if head is not None:
            columns = self._columns[head.head.concepts]
            scores[:, columns] = head.occupation_scores(head.encode([fold(query) for query in queries]))
        for row, ranking in enumerate(self._linker.rank(queries, languages=self._languages)):
            places = np.arange(len(ranking.concepts), 0, -1, dtype=np.float32)
            scores[row, self._columns[ranking.concepts]] = 1 + places
        return scores[:, :-1]


class LinkerRanker:
    """The linker prepared for a corpus, with all names of its taxonomy."""

    def __init__(self, linker: Linker, encoder: Encoder, dataset: RankingDataset) -> None:
        self._linker = linker
        self._texts = NamesByText(encoder, dataset.elements)
        self._named, self._starts, self._meant = _occupations_named(linker, self._texts.folded)
        has_language = dataset.query_language in linker.taxonomy.manifest.languages
        self._candidates = CandidatesFirst(linker, dataset, (dataset.query_language,) if has_language else ())

    def scores(self, queries: Sequence[str]) -> FloatArray:
        """Score every name by its text and by the occupations that bear it in the taxonomy, shape (query, name)."""
        encoded, cosines, letters = self._texts.of(queries)
        return np.asarray((cosines + self._concept_scores(encoded, cosines)) / 2 + letters, dtype=np.float32)

    def _concept_scores(self, encoded: FloatArray, cosines: FloatArray) -> FloatArray:
        head = self._linker.index.encoder
        scores = cosines.copy()
        if head is not None and len(self._named):
            of_occupations = head.occupation_scores(encoded)[:, head.columns(self._meant)]
            scores[:, self._named] = np.maximum.reduceat(of_occupations, self._starts, axis=1)
        return scores

    def occupation_scores(self, queries: Sequence[str]) -> FloatArray:
        """Rank the linker's candidates first, then the others by the concept head."""
        return self._candidates.scores(queries)


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
    own = ~index.are_further(np.arange(len(index.texts)))
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
