"""Texts that several items share, such as what people of a unit group do or names of a skill: encoded once."""

from collections.abc import Iterable
from itertools import chain
from pathlib import Path
from typing import Self

import numpy as np
from numpy.typing import NDArray

from jobmatch_core.entities import Encoder, FloatArray
from jobmatch_core.vector_stores.stored_segment import mapped

Group = tuple[str, ...]
Numbers = NDArray[np.intp]

_VECTORS, _STARTS = "shared_vectors.npy", "shared_starts.npy"
_GROUPS, _ITEM_STARTS = "shared_groups.npy", "shared_item_starts.npy"


class SharedTexts:
    """Groups of texts, and the groups of each item."""

    def __init__(self, vectors: FloatArray, starts: Numbers, groups: Numbers, item_starts: Numbers) -> None:
        """Assemble shared texts; use `of` or `load` to get them.

        Args:
            vectors: (text, dimension) vectors of the texts, those of a group one after the other.
            starts: (group,) where each group's texts start.
            groups: numbers of the groups of all items, those of an item one after the other.
            item_starts: (item + 1,) where each item's groups start.
        """
        self._vectors, self._starts, self._groups, self._item_starts = vectors, starts, groups, item_starts
        self._with_groups = np.flatnonzero(np.diff(item_starts))

    @classmethod
    def of(cls, groups_of_items: Iterable[tuple[Group, ...]], encoder: Encoder) -> Self:
        """Encode the texts of each group once, however many items have it; no group is empty."""
        numbers: dict[Group, int] = {}
        rows = [[numbers.setdefault(group, len(numbers)) for group in groups] for groups in groups_of_items]
        flat = [text for group in numbers for text in group]
        starts = np.cumsum([0, *map(len, numbers)])[: len(numbers)]
        item_starts = np.cumsum([0, *map(len, rows)])
        groups = np.fromiter(chain.from_iterable(rows), dtype=np.intp)
        return cls(encoder.encode(flat).astype(np.float32), starts.astype(np.intp), groups, item_starts.astype(np.intp))

    def likeness(self, vector: FloatArray) -> FloatArray:
        """Return the cosine of a vector and the nearest of each item's texts, shape (item,); 0 where it has none."""
        found = np.zeros(len(self._item_starts) - 1, dtype=np.float32)
        if len(self._with_groups):
            of_groups = np.maximum.reduceat(self._vectors @ vector, self._starts)
            starts = self._item_starts[self._with_groups]
            found[self._with_groups] = np.maximum.reduceat(of_groups[self._groups], starts)
        return found

    def save(self, folder: Path) -> None:
        """Write everything into a folder."""
        np.save(folder / _VECTORS, self._vectors)
        np.save(folder / _STARTS, self._starts)
        np.save(folder / _GROUPS, self._groups)
        np.save(folder / _ITEM_STARTS, self._item_starts)

    @classmethod
    def load(cls, folder: Path) -> Self:
        """Read the files that `save` wrote, memory-mapped.

        Raises:
            OSError, ValueError: a file is missing or damaged.
        """
        return cls(*(mapped(folder / name) for name in (_VECTORS, _STARTS, _GROUPS, _ITEM_STARTS)))
