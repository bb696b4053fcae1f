"""Growth of linking: over a taxonomy's names, its languages, the titles, and the worker processes.

Titles are names of the taxonomy with a letter left out. The indexes of a part of the names are without the lexicon's.
"""

import os
from collections.abc import Collection, Iterator
from contextlib import contextmanager
from dataclasses import replace
from functools import partial
from pathlib import Path

import numpy as np
from threadpoolctl import threadpool_limits

from jobmatch_core.encoders.loading import shipped_encoder
from jobmatch_core.engines import Processes
from jobmatch_core.entities import Encoder
from jobmatch_core.io.folders import atomic_folder
from jobmatch_core.linking import Linker, open_linker
from jobmatch_core.linking.calibration import Calibration
from jobmatch_core.linking.index import NameIndex
from jobmatch_core.linking.store import LinkerSpec
from jobmatch_core.taxonomy import Taxonomy, TaxonomyStore
from lab.growth.growth_series import GrowthSetting, Series, sizes_up_to

N_TITLES, MOST_TITLES, WORKERS_TITLES = 1000, 54_000, 6000  # linked to a growing index; at most; by several workers
_WORKERS = (1, 2, 4)
_CHUNK = 500  # titles that a worker links at once
_SIZES = 4
_SEED = 7


def linking_growth(setting: GrowthSetting) -> list[Series]:
    """Return what is measured.

    Raises:
        TaxonomyError: the taxonomy is not installed.
        SettingsError: the share leaves too little.
    """
    taxonomy = TaxonomyStore.open().load(setting.taxonomy)
    n_names, n_languages = len(taxonomy.tables.names), len(taxonomy.manifest.languages)
    steps = {
        "build and save the index": IndexWork.build,
        "open the index": IndexWork.open,
        f"link {N_TITLES:,} titles": IndexWork.link,
    }
    by_workers = partial(_workers, setting.taxonomy, max(round(WORKERS_TITLES * setting.share), _CHUNK))
    return [
        Series(
            "names of all languages",
            "names",
            setting.sizes(n_names, _SIZES),
            partial(_some_names, setting.taxonomy),
            steps,
        ),
        Series(
            "languages",
            "languages",
            sizes_up_to(n_languages, _SIZES),
            partial(_some_languages, setting.taxonomy),
            steps,
        ),
        Series(
            "titles",
            "titles",
            setting.sizes(min(MOST_TITLES, n_names)),
            partial(_titles, setting.taxonomy),
            {"link distinct titles": TitleWork.link},
        ),
        Series("workers", "workers", _WORKERS, by_workers, {"link the same titles": WorkerWork.link}, by_wall=True),
    ]


class IndexWork:
    """A part of a taxonomy's names, their index, and titles to link."""

    linker: Linker

    def __init__(self, taxonomy: Taxonomy, rows: np.ndarray, folder: Path) -> None:
        names = taxonomy.tables.names.iloc[rows].reset_index(drop=True)
        self._taxonomy = Taxonomy(taxonomy.manifest, replace(taxonomy.tables, names=names))
        self._folder = folder / "index"
        self._encoder: Encoder = shipped_encoder()
        self._titles = slipped_names(self._taxonomy, N_TITLES)

    def build(self) -> None:
        """Index the names, and write the index."""
        index = NameIndex.build(self._taxonomy, self._encoder)
        with atomic_folder(self._folder) as temporary:
            index.save(temporary)

    def open(self) -> None:
        """Open the index, memory-mapped."""
        calibration = Calibration.shipped_for(self._encoder.name)
        assert calibration is not None  # noqa: S101  # the shipped encoder has one
        self.linker = Linker(self._taxonomy, NameIndex.load(self._folder, self._encoder), calibration)

    def link(self) -> None:
        """Link the titles with all evidence."""
        self.linker.link_all(self._titles)


class TitleWork:
    """Titles to link to all names of a taxonomy."""

    def __init__(self, taxonomy: str, n_titles: int) -> None:
        self._linker = open_linker(taxonomy)
        self._titles = slipped_names(TaxonomyStore.open().load(taxonomy), n_titles)

    def link(self) -> None:
        """Link them with all evidence."""
        self._linker.link_all(self._titles)


class WorkerWork:
    """Titles to link by worker processes that run and have opened the linker."""

    def __init__(self, spec: LinkerSpec, titles: list[str], engine: Processes) -> None:
        """Wait until every worker has linked a title."""
        self._spec, self._engine = spec, engine
        self._chunks = [titles[start : start + _CHUNK] for start in range(0, len(titles), _CHUNK)]
        ready: set[int] = set()
        while len(ready) < engine.workers:  # the first may take the second one's task while that starts
            ready |= {process for process, _ in self._linked([["nurse"]] * engine.workers)}

    def link(self) -> None:
        """Link the titles with all evidence, which stays with the workers as in a job."""
        self._linked(self._chunks)

    def _linked(self, chunks: list[list[str]]) -> list[tuple[int, int]]:
        return list(self._engine.map(partial(_n_linked, self._spec), chunks))


def slipped_names(taxonomy: Taxonomy, count: int) -> list[str]:
    """Return up to so many different names of a taxonomy, the same each time, a letter left out of each."""
    random = np.random.default_rng(_SEED)
    names = random.permutation(taxonomy.tables.names["text"].unique())[:count].tolist()
    return list(dict.fromkeys(_slipped(name, int(random.integers(len(name)))) for name in names))


def _slipped(name: str, place: int) -> str:
    return name[:place] + name[place + 1 :]


def _n_linked(spec: LinkerSpec, titles: list[str]) -> tuple[int, int]:
    """Return the process that linked, and the number of links."""
    with threadpool_limits(limits=1):
        return os.getpid(), len(spec.link(titles))


@contextmanager
def _some_names(taxonomy_id: str, size: int, folder: Path) -> Iterator[IndexWork]:
    taxonomy = TaxonomyStore.open().load(taxonomy_id)
    rows = np.random.default_rng(_SEED).permutation(len(taxonomy.tables.names))[:size]
    yield IndexWork(taxonomy, np.sort(rows), folder)


@contextmanager
def _some_languages(taxonomy_id: str, size: int, folder: Path) -> Iterator[IndexWork]:
    taxonomy = TaxonomyStore.open().load(taxonomy_id)
    languages: Collection[str] = taxonomy.manifest.languages[:size]
    rows = np.flatnonzero(taxonomy.tables.names["language"].isin(languages).to_numpy())
    yield IndexWork(taxonomy, rows, folder)


@contextmanager
def _titles(taxonomy_id: str, size: int, _: Path) -> Iterator[TitleWork]:
    yield TitleWork(taxonomy_id, size)


@contextmanager
def _workers(taxonomy_id: str, n_titles: int, size: int, _: Path) -> Iterator[WorkerWork]:
    titles = slipped_names(TaxonomyStore.open().load(taxonomy_id), n_titles)
    with Processes(size) as engine:
        yield WorkerWork(LinkerSpec(taxonomy_id), titles, engine)
