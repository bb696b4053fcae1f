"""What judged titles do to the concept head: its vectors move towards accepted titles, and away from refused ones.

This is relevance feedback (Rocchio, 1971), with the occupation in place of the query. Only occupations that somebody
judged move. Moves are kept by URI, so that they serve other releases of a taxonomy, too.
"""

import hashlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Self

import numpy as np

from jobmatch_core.entities import FloatArray

AWAY = 0.25  # of the strength: what a title does not mean says less than what it means


@dataclass(frozen=True)
class HeadMoves:
    """What is added to the head's vectors before they are normalised again.

    Attributes:
        uris: of the occupations, all different.
        vectors: (occupation, dimension) a move each.
    """

    uris: tuple[str, ...]
    vectors: FloatArray

    @classmethod
    def of(
        cls, toward: Mapping[str, FloatArray], away: Mapping[str, FloatArray], strength: float, dimension: int
    ) -> Self:
        """Move by the mean of accepted titles, less a share of that of refused ones; few titles move less than many.

        Args:
            toward: the vectors of the accepted titles of each occupation's URI, shape (title, dimension).
            away: those of the refused ones.
            strength: how far many titles that are all accepted move an occupation; its own vector has length 1.
            dimension: of the vectors.
        """
        uris = tuple(dict.fromkeys([*toward, *away]))
        moves = [strength * (_shrunk_mean(toward.get(uri)) - AWAY * _shrunk_mean(away.get(uri))) for uri in uris]
        return cls(uris, np.array(moves, dtype=np.float32).reshape(-1, dimension))

    @cached_property
    def digest(self) -> str:
        """Eight letters that stand for these moves."""
        return hashlib.sha256(repr(self.uris).encode() + self.vectors.tobytes()).hexdigest()[:8]

    def by_concept(self, uris: Sequence[str]) -> FloatArray:
        """Return the move of each concept of a taxonomy, shape (concept, dimension), zeros where it has none.

        Args:
            uris: of the taxonomy's concepts, by number.
        """
        row_of = {uri: row for row, uri in enumerate(self.uris)}
        moves = np.zeros((len(uris), self.vectors.shape[1]), dtype=np.float32)
        for concept, uri in enumerate(uris):
            if uri in row_of:
                moves[concept] = self.vectors[row_of[uri]]
        return moves


def _shrunk_mean(vectors: FloatArray | None) -> FloatArray | float:
    """Return the mean as if one vector more, of zeros, had been there; a single title may be an exception."""
    return 0.0 if vectors is None else vectors.sum(axis=0) / (len(vectors) + 1)
