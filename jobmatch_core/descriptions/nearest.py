"""The titles and occupations that lie nearest to a posting's vector.

Knows titles and the URIs of their occupations; an occupation lies where the mean of its titles does.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from jobmatch_core.entities import Encoder, FloatArray, Progress, no_progress
from jobmatch_core.vectors import in_blocks, normalised


@dataclass(frozen=True, slots=True)
class Near:
    """A title or an occupation.

    Attributes:
        text: the title, or the first of the occupation's titles.
        uri: of the occupation.
        likeness: the cosine, from -1 to 1.
    """

    text: str
    uri: str
    likeness: float


class TitleSpace:
    """Titles with their vectors."""

    def __init__(
        self, encoder: Encoder, titles: Sequence[str], uris: Sequence[str], *, progress: Progress = no_progress
    ) -> None:
        """Encode the titles.

        Args:
            encoder: of the model that gives the postings' vectors.
            titles: an occupation's preferred one before its others.
            uris: of their occupations.
            progress: called with titles encoded and in all.

        Raises:
            ValueError: there are not as many of one as of the other, or none.
        """
        if len(titles) != len(uris) or not titles:
            raise ValueError(f"expected as many titles as URIs, and some, but got {len(titles)} and {len(uris)}")
        self._titles, self._uris = list(titles), list(uris)
        self._vectors = in_blocks(encoder.encode, self._titles, progress)
        self._first = {uri: row for row, uri in reversed(list(enumerate(self._uris)))}
        self._occupations = list(dict.fromkeys(self._uris))
        places = {uri: place for place, uri in enumerate(self._occupations)}
        sums = np.zeros((len(places), self._vectors.shape[1]), dtype=np.float32)
        np.add.at(sums, [places[uri] for uri in self._uris], self._vectors)
        self._means = normalised(sums)

    def titles(self, vector: FloatArray, top: int = 5) -> tuple[Near, ...]:
        """Return the nearest titles, the nearest first; one of each spelling."""
        likeness = self._vectors @ vector
        found: dict[str, Near] = {}
        for row in np.argsort(-likeness, kind="stable"):
            if len(found) == top:
                break
            text = self._titles[row]
            found.setdefault(text.casefold(), Near(text, self._uris[row], float(likeness[row])))
        return tuple(found.values())

    def occupations(self, vector: FloatArray, top: int = 5) -> tuple[Near, ...]:
        """Return the nearest occupations, the nearest first."""
        likeness = self._means @ vector
        nearest = np.argsort(-likeness, kind="stable")[:top]
        return tuple(
            Near(self._titles[self._first[uri]], uri, float(likeness[place]))
            for place, uri in ((place, self._occupations[place]) for place in nearest.tolist())
        )

    def changed(self, vector: FloatArray, others: FloatArray, top: int = 5) -> NDArray[np.intp]:
        """Return how many of the nearest occupations of each other vector are not among those of a vector.

        Args:
            vector: (dimension,).
            others: (other, dimension).
            top: how many are the nearest.
        """
        top = min(top, len(self._occupations))
        own = np.argpartition(-(self._means @ vector), top - 1)[:top]
        nearest = np.argpartition(-(others @ self._means.T), top - 1, axis=1)[:, :top]
        return np.asarray(top - np.isin(nearest, own).sum(axis=1), dtype=np.intp)
