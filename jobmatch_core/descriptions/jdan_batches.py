"""Numbered postings, and the batches that they are trained in.

Equation 2 of Laosaengpha et al. (2024) takes every other posting of a batch for a negative. Two of the same title, or
with the same description, would be none; so no batch has two of either, which the paper does not say. Where titles are
drawn to the names of their occupations, too, a batch has no two of a name, and no title that is another's name.
"""

from collections import deque
from collections.abc import Hashable, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from jobmatch_core.descriptions.aggregators import Reading
from jobmatch_core.descriptions.postings import Posting
from jobmatch_core.text.folding import fold

NO_NAME = -1
_LEAST = 2  # postings of a batch: one alone has no negatives
_LEAST_SHARE = 0.5  # of a batch's size: a step on few postings weighs as much as one on many

Rows = NDArray[np.intp]


@dataclass(frozen=True)
class NumberedPostings:
    """Postings whose texts are numbers.

    Attributes:
        postings: those that say something.
        texts: all of their titles and parts, each once.
        titles: (posting,) the number of its title.
        names: (posting,) the number of its occupation's name, `NO_NAME` where that is not known or not asked for.
        parts: each posting's parts, as numbers.
    """

    postings: list[Posting]
    texts: list[str]
    titles: Rows
    names: Rows
    parts: list[Rows]

    @classmethod
    def of(cls, postings: Sequence[Posting], reading: Reading, *, with_names: bool = False) -> "NumberedPostings":
        """Number the texts of all postings with a title and at least one part; the others are left out.

        Args:
            postings: any.
            reading: settings for reading the parts.
            with_names: also number the names of their occupations.
        """
        numbers: dict[str, int] = {}
        kept: list[Posting] = []
        titles: list[int] = []
        names: list[int] = []
        parts: list[Rows] = []
        for posting in postings:
            texts = reading.texts(posting)
            if texts and fold(posting.title):
                kept.append(posting)
                titles.append(numbers.setdefault(posting.title, len(numbers)))
                named = with_names and fold(posting.occupation_name)
                names.append(numbers.setdefault(posting.occupation_name, len(numbers)) if named else NO_NAME)
                parts.append(np.array([numbers.setdefault(text, len(numbers)) for text in texts], dtype=np.intp))
        return cls(kept, list(numbers), np.array(titles, dtype=np.intp), np.array(names, dtype=np.intp), parts)

    def __len__(self) -> int:
        """Return the number of postings."""
        return len(self.postings)

    def split(self, share: float, seed: int) -> tuple[Rows, Rows]:
        """Return the rows of postings to train on and, a share of them, to validate with.

        All postings of a title fall on one side, so that the titles validated with have not been seen, unless
        as the names of others' occupations.
        """
        keys = [fold(posting.title) for posting in self.postings]
        names = sorted(set(keys))
        left_out = set(np.random.default_rng(seed).permutation(len(names))[: round(share * len(names))].tolist())
        places = {name: place for place, name in enumerate(names)}
        is_left_out = np.array([places[key] in left_out for key in keys], dtype=bool)
        return np.flatnonzero(~is_left_out), np.flatnonzero(is_left_out)


class JdanBatches:
    """Draws the batches of some of the postings."""

    def __init__(self, numbered: NumberedPostings, rows: Rows, size: int, *, by_names: bool = False) -> None:
        """Take the postings, the rows of those that are drawn, how many a batch has, and whether names are learned."""
        self._rows = rows
        self._size = size
        self._keys: list[set[Hashable]] = [
            {fold(numbered.postings[row].title), numbered.parts[row].tobytes()}
            | ({fold(numbered.postings[row].occupation_name)} if by_names and numbered.names[row] != NO_NAME else set())
            for row in rows
        ]

    def epoch(self, seed: tuple[int, ...]) -> list[Rows]:
        """Return the batches of an epoch, by rows; the same seed draws the same ones.

        A posting that would meet its own title waits for the next batch; those that wait in the end, too few to fill
        half a batch, are not drawn in this epoch.
        """
        waiting = deque(np.random.default_rng(seed).permutation(len(self._rows)).tolist())
        batches: list[Rows] = []
        while waiting:
            batch = self._draw(waiting)
            if len(batch) >= (max(_LEAST, _LEAST_SHARE * self._size) if batches else _LEAST):
                batches.append(self._rows[np.array(batch, dtype=np.intp)])
        return batches

    def _draw(self, waiting: deque[int]) -> list[int]:
        """Take a batch out of those who wait; the others keep their order."""
        batch: list[int] = []
        met: set[Hashable] = set()
        later: list[int] = []
        while waiting and len(batch) < self._size:
            place = waiting.popleft()
            if met.isdisjoint(self._keys[place]):
                met.update(self._keys[place])
                batch.append(place)
            else:
                later.append(place)
        waiting.extendleft(reversed(later))
        return batch
