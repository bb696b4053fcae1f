"""The titles and occupations nearest to a posting's vector.

The title space of a taxonomy is the encoded names of its occupations in one language; an occupation's vector is the
mean of its titles' vectors.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from jobmatch_core.entities import Encoder, FloatArray, Progress, no_progress
from jobmatch_core.taxonomy import Taxonomy
from jobmatch_core.text.locales import ENGLISH
from jobmatch_core.vectors import in_blocks, normalised


@dataclass(frozen=True, slots=True)
class Near:
    """A title or an occupation."""

    text: str  # the title, or the first of the occupation's titles
    uri: str  # URI of the occupation
    likeness: float  # cosine, -1 to 1


class TitleSpace:
    """Titles with their vectors."""

    def __init__(
        self, encoder: Encoder, titles: Sequence[str], uris: Sequence[str], *, progress: Progress = no_progress
    ) -> None:
        """Encode titles, an occupation's preferred one first, with the URI of the occupation of each.

        Raises ValueError if there are no titles, or the lengths differ.
        """
        if len(titles) != len(uris) or not titles:
            raise ValueError(f"expected as many titles as URIs, at least one, but got {len(titles)} and {len(uris)}")
        self._titles, self._uris = list(titles), list(uris)
        self._vectors = in_blocks(encoder.encode, self._titles, progress)
        self._first = {uri: row for row, uri in reversed(list(enumerate(self._uris)))}
        self._occupations = list(dict.fromkeys(self._uris))
        places = {uri: place for place, uri in enumerate(self._occupations)}
        sums = np.zeros((len(places), self._vectors.shape[1]), dtype=np.float32)
        np.add.at(sums, [places[uri] for uri in self._uris], self._vectors)
        self._means = normalised(sums)

    def titles(self, vector: FloatArray, top: int = 5) -> tuple[Near, ...]:
        """Return the nearest titles, nearest first, without case variants."""
        likeness = self._vectors @ vector
        nearest: dict[str, Near] = {}
        for row in np.argsort(-likeness, kind="stable"):
            if len(nearest) == top:
                break
            text = self._titles[row]
            nearest.setdefault(text.casefold(), Near(text, self._uris[row], float(likeness[row])))
        return tuple(nearest.values())

    def occupations(self, vector: FloatArray, top: int = 5) -> tuple[Near, ...]:
        """Return the nearest occupations, nearest first."""
        likeness = self._means @ vector
        nearest = np.argsort(-likeness, kind="stable")[:top]
        return tuple(
            Near(self._titles[self._first[uri]], uri, float(likeness[place]))
            for place, uri in ((place, self._occupations[place]) for place in nearest.tolist())
        )

    def changed(self, vector: FloatArray, others: FloatArray, top: int = 5) -> NDArray[np.intp]:
        """Return how many nearest occupations of each other vector, (other, dimension), are not those of *vector*."""
        top = min(top, len(self._occupations))
        own = np.argpartition(-(self._means @ vector), top - 1)[:top]
        nearest = np.argpartition(-(others @ self._means.T), top - 1, axis=1)[:, :top]
        return np.asarray(top - np.isin(nearest, own).sum(axis=1), dtype=np.intp)


def open_title_space(
    taxonomy: Taxonomy, encoder: Encoder, language: str = ENGLISH, *, progress: Progress = no_progress
) -> TitleSpace:
    """Encode the names of all occupations in a language; an occupation without one has its displayed name.

    Args:
        encoder: encoder of the model that encodes the postings; a transformer needs minutes for a whole taxonomy and
            should cache its vectors (`DescriptionModel.keeping_vectors`).
    """
    concepts, names = taxonomy.occupation_numbers, taxonomy.tables.names
    rows = names[(names["language"] == language) & names["concept"].isin(concepts)]
    ordered = rows.sort_values(["concept", "preferred"], ascending=[True, False], kind="stable")
    owners, texts = ordered["concept"].to_list(), ordered["text"].to_list()
    for concept in sorted(set(concepts.tolist()) - set(owners)):
        owners.append(concept)
        texts.append(taxonomy.name(concept, language))
    return TitleSpace(encoder, texts, [taxonomy.uris[owner] for owner in owners], progress=progress)
