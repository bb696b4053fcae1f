"""Growth of retrieval: the exact store on disk, over profiles and over the profiles that pass a filter.

Vectors are random directions, and day rates random numbers, so that no model is needed and a filter's share is known.
"""

from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial
from itertools import count
from pathlib import Path

import numpy as np

from jobmatch_core.entities import FloatArray
from jobmatch_core.vector_stores.exact_store import ExactStore
from jobmatch_core.vector_stores.vector_store import NO_FILTERS, Filters, Payload
from jobmatch_core.vectors import normalised
from lab.growth.growth_series import GrowthSetting, Series

MOST, FILTERED, DIMENSION = 1_000_000, 100_000, 256
_HIGHEST_RATE = 1000.0
_BLOCK = 20_000
_CHANGED, _LIMIT = 1000, 100
_SEED = 3


def retrieval_growth(setting: GrowthSetting) -> list[Series]:
    """Return what is measured; raises SettingsError where the share leaves too little."""
    filtered = setting.sizes(FILTERED)
    over_profiles = {
        "fill the store": StoreWork.fill,
        f"replace {_CHANGED:,} profiles": StoreWork.update,
        f"find {_LIMIT}": StoreWork.search_all,
        f"find {_LIMIT} of the 1 % that pass": StoreWork.search_few,
    }
    return [
        Series("profiles", "profiles", setting.sizes(MOST), _empty, over_profiles),
        Series(
            f"profiles that pass a filter, of {filtered[-1]:,}",
            "passing",
            filtered,
            partial(_filled, filtered[-1]),
            {f"find {_LIMIT}": StoreWork.search_passing},
        ),
    ]


class StoreWork:
    """A store that is filled with drawn profiles, and what is asked of it."""

    def __init__(self, size: int, folder: Path, passing: float = 1.0) -> None:
        """Draw vectors.

        Args:
            size: number of profiles.
            folder: of the stores; each filling makes a new one.
            passing: share of the profiles that `search_passing` looks among.
        """
        random = np.random.default_rng(_SEED)
        self._size, self._folder = size, folder
        self._drawn = normalised(random.standard_normal((_BLOCK, DIMENSION), dtype=np.float32))
        self._query = normalised(random.standard_normal((1, DIMENSION), dtype=np.float32))
        rates = random.random(_BLOCK) * _HIGHEST_RATE
        self._payloads = [Payload(language="en", day_rate=rate) for rate in rates.tolist()]
        self._passing = Filters(max_day_rate=passing * _HIGHEST_RATE)
        self._numbers, self._store = count(), ExactStore(DIMENSION)

    def fill(self) -> None:
        """Store all profiles in a new store, a block at a time."""
        self._store = ExactStore.create(self._folder / f"store-{next(self._numbers)}", DIMENSION)
        for start in range(0, self._size, _BLOCK):
            self._put(start, min(_BLOCK, self._size - start), turn=start // _BLOCK)

    def update(self) -> None:
        """Store some profiles again, with other vectors."""
        self._put(0, min(_CHANGED, self._size), turn=-1)

    def search_all(self) -> None:
        """Find the nearest among all."""
        self._store.search(self._query, NO_FILTERS, _LIMIT)

    def search_few(self) -> None:
        """Find the nearest among a hundredth."""
        self._store.search(self._query, Filters(max_day_rate=_HIGHEST_RATE / 100), _LIMIT)

    def search_passing(self) -> None:
        """Find the nearest among those that pass."""
        self._store.search(self._query, self._passing, _LIMIT)

    def _put(self, start: int, n: int, turn: int) -> None:
        vectors: FloatArray = np.roll(
            self._drawn[:n], turn, axis=1
        )  # other directions in each block, as long as before
        self._store.upsert([f"{start + row:08}" for row in range(n)], vectors, self._payloads[:n])


@contextmanager
def _empty(size: int, folder: Path) -> Iterator[StoreWork]:
    yield StoreWork(size, folder)


@contextmanager
def _filled(profiles: int, size: int, folder: Path) -> Iterator[StoreWork]:
    work = StoreWork(profiles, folder, passing=size / profiles)
    work.fill()
    yield work
