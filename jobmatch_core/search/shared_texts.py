"""Texts that several items share, such as what people of a unit group do: encoded and stored once."""

from collections.abc import Iterable
from pathlib import Path
from typing import Self

import numpy as np
from numpy.typing import NDArray

from jobmatch_core.entities import Encoder, FloatArray
from jobmatch_core.vector_stores.stored_segment import mapped

_NONE = -1  # the group of an item that shares nothing
_VECTORS, _STARTS, _GROUPS = "shared_vectors.npy", "shared_starts.npy", "shared_groups.npy"

Numbers = NDArray[np.intp]


class SharedTexts:
    """Groups of texts, and the group of each item."""

    def __init__(self, vectors: FloatArray, starts: Numbers, groups: Numbers) -> None:
        """Put together what `of` or `load` made.

        Args:
            vectors: (text, dimension) vectors of the texts, those of a group one after the other.
            starts: (group,) where each group's texts start.
            groups: (item,) number of the item's group, -1 for none.
        """
        self._vectors, self._starts, self._groups = vectors, starts, groups

    @classmethod
    def of(cls, texts_of_items: Iterable[tuple[str, ...]], encoder: Encoder) -> Self:
        """Encode the texts of each item; items with the same texts are a group."""
        numbers: dict[tuple[str, ...], int] = {}
        groups = [numbers.setdefault(texts, len(numbers)) if texts else _NONE for texts in texts_of_items]
        flat = [text for texts in numbers for text in texts]
        starts = np.cumsum([0, *map(len, numbers)])[: len(numbers)]
        return cls(encoder.encode(flat).astype(np.float32), starts.astype(np.intp), np.array(groups, dtype=np.intp))

    def likeness(self, vector: FloatArray) -> FloatArray:
        """Return the cosine of a vector and the nearest of each item's texts, shape (item,); 0 where it has none."""
        found = np.zeros(len(self._groups), dtype=np.float32)
        if len(self._starts):
            best = np.maximum.reduceat(self._vectors @ vector, self._starts)
            some = self._groups != _NONE
            found[some] = best[self._groups[some]]
        return found

    def save(self, folder: Path) -> None:
        """Write everything into a folder."""
        np.save(folder / _VECTORS, self._vectors)
        np.save(folder / _STARTS, self._starts)
        np.save(folder / _GROUPS, self._groups)

    @classmethod
    def load(cls, folder: Path) -> Self:
        """Read the files that `save` wrote, memory-mapped.

        Raises:
            OSError, ValueError: a file is missing or damaged.
        """
        return cls(mapped(folder / _VECTORS), mapped(folder / _STARTS), mapped(folder / _GROUPS))
