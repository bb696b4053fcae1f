"""Protocols of matching models: scores of all pairs of some projects and freelancers.

A `DocumentEncoder`'s scores are products of vectors, so that freelancers can be stored in a vector store.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

import numpy as np

from jobmatch_core.entities import FloatArray
from jobmatch_core.towers.documents import Document


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
