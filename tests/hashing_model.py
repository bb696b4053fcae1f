"""A tiny real model of matching: words hashed to vectors, a document the mean of its sections."""

import zlib
from collections.abc import Sequence

import numpy as np

from jobmatch_core.entities import FloatArray, Freelancer, Project
from jobmatch_core.text.folding import fold
from jobmatch_core.towers.documents import Document, freelancer_document, project_document


class HashingModel:
    """Needs no training; counts what it has encoded."""

    def __init__(self, dimension: int = 64, name: str = "hashing") -> None:
        """Choose how many numbers a vector has."""
        self.name = name
        self.encoded: list[str] = []  # ids of freelancers
        self._dimension = dimension

    def encode_projects(self, projects: Sequence[Project]) -> FloatArray:
        """Return L2-normalised vectors."""
        return self._encode([project_document(each) for each in projects])

    def encode_freelancers(self, freelancers: Sequence[Freelancer]) -> FloatArray:
        """Return L2-normalised vectors."""
        self.encoded += [each.id for each in freelancers]
        return self._encode([freelancer_document(each) for each in freelancers])

    def section_vectors(self, documents: Sequence[Document]) -> FloatArray:
        """Return the sections' vectors, over the length of their sum."""
        parts = np.stack([[self._hashed(text) for text in each.texts] for each in documents])
        lengths = np.linalg.norm(parts.sum(axis=1), axis=-1)
        return np.asarray(parts / np.maximum(lengths, 1e-9)[:, None, None], dtype=np.float32)

    def _encode(self, documents: Sequence[Document]) -> FloatArray:
        return np.asarray(self.section_vectors(documents).sum(axis=1), dtype=np.float32)

    def _hashed(self, text: str) -> FloatArray:
        vector = np.zeros(self._dimension, dtype=np.float32)
        for word in fold(text).split():
            vector[zlib.crc32(word.encode()) % self._dimension] += 1
        return vector
