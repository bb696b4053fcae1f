"""Similarity of titles by what they mean to the linker, for datasets whose corpus is of titles and no occupations.

A title's meaning is its expected occupation: the mean of the concept head's vectors, weighted by the probabilities
that the linker gives the occupations, whitened by the names of the taxonomy. The score of two titles is the mean of two
cosines, of their own vectors and of their meanings; there is no weight to fit. A title in Japanese, Chinese or Korean
stands as its English gloss.
"""

from collections.abc import Sequence
from typing import cast

import numpy as np

from jobmatch_core.entities import FloatArray
from jobmatch_core.linking import Linker
from jobmatch_core.linking.encoder_scorer import EncoderScorer
from jobmatch_core.text.folding import fold
from jobmatch_core.titles.glossary import glossed
from jobmatch_core.vectors import normalised


class MeaningRanker:
    """A linker prepared for a corpus of titles."""

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
