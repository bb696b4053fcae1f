"""Relevance feedback of judged titles: concept vectors move towards accepted titles, and away from refused ones.

The method is Rocchio's (1971), with the occupation in place of the query. Only judged occupations move. Moves are
stored by URI, so that they apply to other releases of a taxonomy, too.
"""

import hashlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Self

import numpy as np

from jobmatch_core.entities import FloatArray

AWAY = 0.25  # share of the strength: a refused title says less than an accepted one


@dataclass(frozen=True)
class HeadMoves:
    """Moves of the head's vectors, added before they are normalised again.

    Attributes:
        uris: URIs of the moved occupations, all different.
        vectors: (occupation, dimension) move of each.
    """

    uris: tuple[str, ...]
    vectors: FloatArray

    @classmethod
    def of(
        cls, toward: Mapping[str, FloatArray], away: Mapping[str, FloatArray], strength: float, dimension: int
    ) -> Self:
        """Return moves by the mean of accepted titles minus a share of that of refused ones; few titles move less.

        Args:
            toward: URI -> (title, dimension) vectors of the titles accepted for the occupation.
            away: URI -> (title, dimension) vectors of the refused titles.
            strength: length of the move by many accepted titles; an occupation's own vector has length 1.
            dimension: length of the vectors.
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
            uris: URIs of the taxonomy's concepts, by number.
        """
        row_of = {uri: row for row, uri in enumerate(self.uris)}
        moves = np.zeros((len(uris), self.vectors.shape[1]), dtype=np.float32)
        for concept, uri in enumerate(uris):
            if uri in row_of:
                moves[concept] = self.vectors[row_of[uri]]
        return moves


def _shrunk_mean(vectors: FloatArray | None) -> FloatArray | float:
    """Return the mean with one zero vector added; a single title may be an exception."""
    return 0.0 if vectors is None else vectors.sum(axis=0) / (len(vectors) + 1)
