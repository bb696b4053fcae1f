"""Matching models: their protocols, and baselines without training.

A matching model scores all pairs of some projects and freelancers. A `DocumentEncoder`'s scores are products of
vectors, so that freelancers can be stored in a vector store.

The baselines go by words, by declared skills, and by an unchanged sentence encoder. Paper: Jouanneau et al. (2024),
section 4.1. The lexical two are ours: the paper has none.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

import numpy as np
from scipy.sparse import csr_matrix

from jobmatch_core.entities import Encoder, FloatArray
from jobmatch_core.text.bm25 import okapi_weights
from jobmatch_core.text.folding import fold
from jobmatch_core.towers.documents import Document, section_vectors, term_matrices
from jobmatch_core.vectors import normalised

_PROJECTS = 64  # multiplied at a time: products of whole texts are hardly sparse


class Matcher(Protocol):
    """A model that scores the fit of freelancers to projects."""

    @property
    def name(self) -> str:
        """The model's name in tables."""

    def scores(self, projects: Sequence[Document], freelancers: Sequence[Document]) -> FloatArray:
        """Return a score for each pair, higher is better, shape (project, freelancer)."""


class DocumentEncoder(Protocol):
    """A model that turns documents of either kind into vectors of one space."""

    @property
    def name(self) -> str:
        """The model's name in tables."""

    def encode(self, documents: Sequence[Document]) -> FloatArray:
        """Return L2-normalised row vectors of documents of one kind, shape (document, dimension)."""


@dataclass(frozen=True, slots=True)
class CosineMatcher:
    """The cosine of two documents' vectors as a score."""

    encoder: DocumentEncoder

    @property
    def name(self) -> str:
        """The encoder's name."""
        return self.encoder.name

    def scores(self, projects: Sequence[Document], freelancers: Sequence[Document]) -> FloatArray:
        """Return the cosines, shape (project, freelancer)."""
        products = self.encoder.encode(projects) @ self.encoder.encode(freelancers).T
        return np.asarray(products, dtype=np.float32)


@dataclass(frozen=True, slots=True)
class BM25Matcher:
    """Okapi BM25 of the folded words of whole documents, the project being the query."""

    name: str = "bm25"

    def scores(self, projects: Sequence[Document], freelancers: Sequence[Document]) -> FloatArray:
        """Return the sums of the weights of common words, shape (project, freelancer)."""
        words = ([fold(each.whole).split() for each in kind] for kind in (projects, freelancers))
        queries, corpus = term_matrices(*words)
        known = np.flatnonzero(corpus.getnnz(axis=0))  # words that only projects have must not count among the corpus's
        queries, corpus = queries[:, known], corpus[:, known]
        scores = np.zeros((len(projects), len(freelancers)), dtype=np.float32)
        if not corpus.nnz:
            return scores
        weights = csr_matrix(okapi_weights(corpus).T)
        for start in range(0, len(projects), _PROJECTS):
            block = slice(start, start + _PROJECTS)
            scores[block] = (queries[block] @ weights).toarray()
        return scores


@dataclass(frozen=True, slots=True)
class SkillOverlap:
    """The share of the project's skills that the freelancer declares."""

    name: str = "skill-overlap"

    def scores(self, projects: Sequence[Document], freelancers: Sequence[Document]) -> FloatArray:
        """Return the shares, shape (project, freelancer); 0 where the project names no skill."""
        wanted, declared = term_matrices(*([each.skill_keys for each in kind] for kind in (projects, freelancers)))
        shared = (wanted @ declared.T).toarray()
        counts = np.asarray(wanted.sum(axis=1))
        return np.asarray(shared / np.maximum(counts, 1), dtype=np.float32)


@dataclass(frozen=True, slots=True)
class SectionSBert:
    """Section-S-BERT without training: the mean of the sections' vectors, empty sections included."""

    encoder: Encoder
    name: str = "section-sbert"

    def encode(self, documents: Sequence[Document]) -> FloatArray:
        """Return L2-normalised row vectors of documents of one kind, shape (document, dimension)."""
        return normalised(section_vectors(documents, self.encoder).mean(axis=1))


@dataclass(frozen=True, slots=True)
class ConcatenatedText:
    """A sentence encoder without training, given all sections as one text."""

    encoder: Encoder
    name: str = "concatenated-text"

    def encode(self, documents: Sequence[Document]) -> FloatArray:
        """Return L2-normalised row vectors, shape (document, dimension)."""
        return self.encoder.encode([each.whole for each in documents])
