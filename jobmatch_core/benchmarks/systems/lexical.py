"""The lexical baselines of MELO: edit distance, TF-IDF over words and characters, BM25; the last three also on lemmas.

Paper: Retyk et al. (2024), MELO, section 4 and appendix B. The four without lemmas reproduce its figures. Those on
lemmas do not: the published ones are spaCy's, without stop words and with the queries' language assumed for the corpus
too; there are none where spaCy has no lemmas (Bulgarian, Czech, Estonian, Hungarian, Latvian, Slovak). Here simplemma
takes each text in its own language.
"""

import re
import unicodedata
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Literal

import numpy as np
import simplemma
from rapidfuzz import fuzz, process
from scipy.sparse import csr_matrix
from simplemma.strategies.dictionaries.dictionary_factory import SUPPORTED_LANGUAGES
from sklearn.feature_extraction.text import CountVectorizer, TfidfVectorizer

from jobmatch_core.benchmarks.datasets.dataset import RankingDataset
from jobmatch_core.benchmarks.systems.system import Ranker
from jobmatch_core.entities import FloatArray, Progress
from jobmatch_core.errors import SettingsError
from jobmatch_core.text.bm25 import okapi_weights

Analyzer = Literal["char", "word"]
CHAR_NGRAMS = (1, 3)
# Folding to ASCII would empty their texts; of MELO's languages, that is Bulgarian.
_OTHER_SCRIPTS = frozenset(
    ("ar", "bg", "el", "fa", "he", "hi", "hy", "ja", "ka", "kk", "ko", "mk", "ru", "sr", "th", "uk", "ur", "zh")
)
_TEXTS = 1000  # between two reports of progress
_QUERIES = 64  # multiplied at a time: products of characters are hardly sparse
_WORD = re.compile(r"\w+")
_NAMES = {"no": "nb"}  # simplemma's codes of languages that differ from ours


@dataclass(frozen=True, slots=True)
class EditDistance:
    """RapidFuzz's ratio of the lower-cased texts."""

    name: str

    def prepare(self, dataset: RankingDataset, *, progress: Progress) -> Ranker:
        """Lower the corpus's case."""
        elements = [text.lower() for text in dataset.elements]
        progress(len(elements), len(elements))
        return _EditDistanceRanker(elements)


@dataclass(frozen=True, slots=True)
class TfIdf:
    """Cosine of TF-IDF vectors over words of two or more letters, or over all runs of one to three characters."""

    name: str
    analyzer: Analyzer
    lemmas: bool = False

    def prepare(self, dataset: RankingDataset, *, progress: Progress) -> Ranker:
        """Fit on the corpus; raises SettingsError if the corpus has no word at all."""
        reading = _Reading(dataset.query_language, lemmas=self.lemmas)
        ngrams = CHAR_NGRAMS if self.analyzer == "char" else (1, 1)
        vectorizer = TfidfVectorizer(analyzer=self.analyzer, ngram_range=ngrams)
        elements = reading.elements(dataset, progress)
        try:
            weights = vectorizer.fit_transform(elements)
        except ValueError as error:  # an empty vocabulary
            raise SettingsError(
                f"{self.name} cannot rank {dataset.name}: none of its {len(elements):,} elements has a word of two "
                "letters; choose another system."
            ) from error
        return _SparseRanker(reading, vectorizer.transform, csr_matrix(weights.T))


@dataclass(frozen=True, slots=True)
class BM25:
    """Okapi BM25 over what stands between spaces."""

    name: str
    lemmas: bool = False

    def prepare(self, dataset: RankingDataset, *, progress: Progress) -> Ranker:
        """Weigh the corpus's words."""
        reading = _Reading(dataset.query_language, lemmas=self.lemmas)
        vectorizer = CountVectorizer(analyzer=_between_spaces)
        counts = vectorizer.fit_transform(reading.elements(dataset, progress))
        return _SparseRanker(reading, vectorizer.transform, csr_matrix(okapi_weights(counts).T))


@dataclass(frozen=True, slots=True)
class _Reading:
    """Preprocessing: lower case, lemmas if wanted, and ASCII folding if the queries are in Latin script."""

    language: str
    lemmas: bool

    def elements(self, dataset: RankingDataset, progress: Progress) -> list[str]:
        total = len(dataset.elements)
        texts = []
        for done, (text, language) in enumerate(zip(dataset.elements, dataset.element_languages, strict=True), start=1):
            texts.append(self._read(text, language))
            if done % _TEXTS == 0 or done == total:
                progress(done, total)
        return texts

    def queries(self, texts: Sequence[str]) -> list[str]:
        return [self._read(text, self.language) for text in texts]

    def _read(self, text: str, language: str) -> str:
        text = lemmatise(text, language) if self.lemmas else text.lower()
        if self.language in _OTHER_SCRIPTS:
            return text
        return unicodedata.normalize("NFKD", text).encode("ascii", "ignore").decode("ascii")


@dataclass(frozen=True)
class _SparseRanker:
    """Scores are products of a query's and an element's weights; *words* has the elements', shape (word, element)."""

    reading: _Reading
    vectorise: Callable[[list[str]], csr_matrix]
    words: csr_matrix

    def scores(self, queries: Sequence[str]) -> FloatArray:
        """Return the products, summed in double precision, so that equal elements tie."""
        texts = self.reading.queries(queries)
        scores = np.empty((len(texts), self.words.shape[1]), dtype=np.float32)
        for start in range(0, len(texts), _QUERIES):
            block = slice(start, start + _QUERIES)
            scores[block] = (self.vectorise(texts[block]) @ self.words).toarray()
        return scores


@dataclass(frozen=True)
class _EditDistanceRanker:
    elements: list[str]

    def scores(self, queries: Sequence[str]) -> FloatArray:
        lowered = [query.lower() for query in queries]
        return process.cdist(lowered, self.elements, scorer=fuzz.ratio, dtype=np.float32, workers=-1)


def _between_spaces(text: str) -> list[str]:
    return text.split(" ")


def lemmatise(text: str, language: str) -> str:
    """Return the lemmas of a text's words in lower case, one space apart, without punctuation.

    The words of a language that simplemma has no dictionary for stay as they are.
    """
    return " ".join(_lemma(word, _NAMES.get(language, language)) for word in _WORD.findall(text.lower()))


@lru_cache(maxsize=1 << 18)  # a corpus repeats its words, and taking one apart takes a millisecond
def _lemma(word: str, language: str) -> str:
    return simplemma.lemmatize(word, language).lower() if language in SUPPORTED_LANGUAGES else word
