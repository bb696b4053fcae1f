"""The concept head: one vector an occupation, so that a title finds it by meaning, whatever the language.

An occupation's vector is the mean of its names' vectors in all languages, normalised (the nearest-mean classifier);
where the encoder was trained with a vector for the occupation, it is the mean of both. Fitting a head by gradient on
the finished vectors gains nothing over the means (docs/experiments.md), and takes a hundred times as long.
"""

from dataclasses import dataclass
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray

from jobmatch_core.entities import FloatArray
from jobmatch_core.vectors import normalised

_BLOCK = 65536  # names read at once, so that memory-mapped integers are not copied whole


@dataclass(frozen=True)
class ConceptHead:
    """Occupations with their vectors.

    Attributes:
        concepts: (occupation,) concept numbers, ascending.
        vectors: (occupation, dimension), L2-normalised.
    """

    concepts: NDArray[np.int32]
    vectors: FloatArray

    @classmethod
    def fit(
        cls, names: NDArray[np.number[Any]], concepts: NDArray[np.int32], anchors: FloatArray | None = None
    ) -> Self:
        """Fit on the names of a taxonomy.

        Args:
            names: vectors of one length, shape (name, dimension).
            concepts: (name,) concept number of each name.
            anchors: (concept, dimension) the encoder's own vectors by concept number, zeros where it has none.
        """
        numbers, classes = np.unique(concepts, return_inverse=True)
        sums = np.zeros((len(numbers), names.shape[1]), dtype=np.float32)
        for start in range(0, len(names), _BLOCK):
            block = slice(start, start + _BLOCK)
            np.add.at(sums, classes[block], np.asarray(names[block], dtype=np.float32))
        vectors = normalised(sums)
        if anchors is not None:
            vectors = normalised(vectors + anchors[numbers])
        return cls(numbers.astype(np.int32), vectors)

    def moved(self, moves: FloatArray) -> Self:
        """Return the head with its vectors moved and normalised again; those whose move is zero stay as they are."""
        touched = moves.any(axis=1, keepdims=True)
        return type(self)(self.concepts, np.where(touched, normalised(self.vectors + moves), self.vectors))

    def scores(self, titles: FloatArray) -> FloatArray:
        """Return the cosine of each title and each occupation, shape (title, occupation)."""
        return titles @ self.vectors.T
