"""Matching models: their protocols, and baselines without training (Jouanneau et al. 2024, section 4.1).

The paper has no lexical baselines; BM25 and skill overlap are additions.
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

_PROJECTS = 64  # per block, since products of whole texts are nearly dense


class Matcher(Protocol):
    """A model that scores the fit of freelancers to projects."""

    @property
    def name(self) -> str:
        """Name in tables."""

    def scores(self, projects: Sequence[Document], freelancers: Sequence[Document]) -> FloatArray:
        """Return a score for each pair, higher is better, shape (project, freelancer)."""


class DocumentEncoder(Protocol):
    """A model that maps documents of both kinds into one vector space, so that they fit a vector store."""

    @property
    def name(self) -> str:
        """Name in tables."""

    def encode(self, documents: Sequence[Document]) -> FloatArray:
        """Return L2-normalised row vectors of documents of one kind, shape (document, dimension)."""


@dataclass(frozen=True, slots=True)
class CosineMatcher:
    """Scores documents by the cosine of their vectors."""

    encoder: DocumentEncoder

    @property
    def name(self) -> str:
        """Name of the encoder."""
        return self.encoder.name

    def scores(self, projects: Sequence[Document], freelancers: Sequence[Document]) -> FloatArray:
        """Return the cosines, shape (project, freelancer)."""
        products = self.encoder.encode(projects) @ self.encoder.encode(freelancers).T
        return np.asarray(products, dtype=np.float32)


@dataclass(frozen=True, slots=True)
class BM25Matcher:
    """Okapi BM25 of the folded words of whole documents, with the project as the query."""

    name: str = "bm25"

    def scores(self, projects: Sequence[Document], freelancers: Sequence[Document]) -> FloatArray:
        """Return the BM25 scores, shape (project, freelancer)."""
        words = ([fold(document.whole).split() for document in kind] for kind in (projects, freelancers))
        queries, corpus = term_matrices(*words)
        # words of projects only must not count as words of the corpus
        in_corpus = np.flatnonzero(corpus.getnnz(axis=0))
        queries, corpus = queries[:, in_corpus], corpus[:, in_corpus]
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
    """Scores freelancers by the share of the project's skills that they declare."""

    name: str = "skill-overlap"

    def scores(self, projects: Sequence[Document], freelancers: Sequence[Document]) -> FloatArray:
        """Return the shares, shape (project, freelancer); 0 for projects without skills."""
        skills = ([document.skill_keys for document in kind] for kind in (projects, freelancers))
        wanted, declared = term_matrices(*skills)
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
    """A sentence encoder without training that reads all sections as one text."""

    encoder: Encoder
    name: str = "concatenated-text"

    def encode(self, documents: Sequence[Document]) -> FloatArray:
        """Return L2-normalised row vectors, shape (document, dimension)."""
        return self.encoder.encode([document.whole for document in documents])
