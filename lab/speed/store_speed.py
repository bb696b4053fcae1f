"""Vector stores compared: the same freelancers, filters, updates and deletes for each, and what brute force finds.

The engines are the caller's: see `ENGINES` of `lab/stores/store_engines.py`.

Any number of freelancers is drawn around those of a demo marketplace: the same profiles and payloads with other ids,
and vectors that lie near theirs, so that a million take no encoding.
"""

import time
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import chain
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Protocol

import numpy as np

from jobmatch_core.entities import FloatArray, Freelancer, Progress, Project, no_progress
from jobmatch_core.errors import MatchingError
from jobmatch_core.marketplace.demo.generator import DemoSpec, demo_marketplace
from jobmatch_core.metrics.gauges import timed
from jobmatch_core.retrieval.finder import MatchModel, Profiles
from jobmatch_core.retrieval.match_models import load_match_model
from jobmatch_core.taxonomy import TaxonomyStore
from jobmatch_core.vector_stores.exact_store import ExactStore
from jobmatch_core.vector_stores.stored_segment import PayloadColumns
from jobmatch_core.vector_stores.vector_store import NO_FILTERS, Filters, Payload, VectorHit, VectorStore
from jobmatch_core.vectors import normalised

_REAL = 5000  # freelancers of the marketplace
_SPREAD = 0.5  # length of what is added to a vector of length one: the cosine of both is 0.89
_DRAWN_AT_ONCE = 20_000
_HIGHEST_RATE = 600.0
_DEMO_SEED = 5
LIMIT = 100
_QUERIES = 40
_CHANGED, _DELETED = 1000, 100  # freelancers, on a day
_MEBIBYTE = 1024**2
_BLOCK = 5000  # freelancers stored at once
_SEED = 9


@dataclass(frozen=True, slots=True)
class Freelancers:
    """Some freelancers and their vectors, (freelancer, dimension)."""

    profiles: Sequence[Freelancer]
    vectors: FloatArray

    def payloads(self) -> list[Payload]:
        """Return what is filtered on."""
        return [Payload.of(profile) for profile in self.profiles]

    def put_into(self, store: VectorStore) -> None:
        """Store them."""
        store.upsert([profile.id for profile in self.profiles], self.vectors, self.payloads())


def real_freelancers(count: int, model: MatchModel) -> Freelancers:
    """Return up to five thousand freelancers of a demo marketplace, encoded by a model."""
    spec = DemoSpec(projects=1, freelancers=min(count, _REAL), seed=_DEMO_SEED)
    profiles = demo_marketplace(TaxonomyStore.open().load(), spec).freelancers
    return Freelancers(profiles, model.encode_freelancers(profiles))


def drawn_freelancers(real: Freelancers, count: int) -> Iterator[Freelancers]:
    """Yield *count* synthetic freelancers in blocks, reproducibly."""
    generator = np.random.default_rng(_DEMO_SEED)
    for start in range(0, count, _DRAWN_AT_ONCE):
        numbers = range(start, min(start + _DRAWN_AT_ONCE, count))
        rows = [number % len(real.profiles) for number in numbers]
        noise = generator.standard_normal((len(rows), real.vectors.shape[1]), dtype=np.float32)
        profiles = [replace(real.profiles[row], id=f"{number:08}") for number, row in zip(numbers, rows, strict=True)]
        yield Freelancers(profiles, normalised(real.vectors[rows] + _SPREAD * normalised(noise)))


def store_drawn_freelancers(folder: Path, real: Freelancers, count: int) -> None:
    """Write freelancers into a folder, as `Profiles` and, in `store`, as `ExactStore`."""
    store = ExactStore.create(folder / "store", real.vectors.shape[1])

    def stored() -> Iterator[Sequence[Freelancer]]:
        for block in drawn_freelancers(real, count):
            block.put_into(store)
            yield block.profiles

    Profiles.write(folder, chain.from_iterable(stored()))


@dataclass(frozen=True, slots=True)
class Query:
    """A project, and two filters on who may answer it: its language or English, and a highest day rate."""

    project: Project
    filters: Filters


def drawn_queries(count: int) -> list[Query]:
    """Return projects of the same marketplace, which do not depend on the number of freelancers."""
    spec = DemoSpec(projects=count, freelancers=1, seed=_DEMO_SEED)
    projects = demo_marketplace(TaxonomyStore.open().load(), spec).projects
    return [
        Query(project, Filters(languages=(project.language, "en"), max_day_rate=_HIGHEST_RATE)) for project in projects
    ]


class ComparedStore(Protocol):
    """The measured part of a `VectorStore`."""

    def upsert(self, ids: Sequence[str], vectors: FloatArray, payloads: Sequence[Payload]) -> None:
        """Insert freelancers, and replace those with the same ids."""

    def delete(self, ids: Collection[str]) -> None:
        """Delete freelancers."""

    def search(self, vectors: FloatArray, filters: Filters = NO_FILTERS, limit: int = LIMIT) -> list[list[VectorHit]]:
        """Return the nearest freelancers of each vector that pass the filters, nearest first."""

    def close(self) -> None:
        """Release all resources."""


Fill = Callable[[ComparedStore], None]


def folder_bytes(store: ComparedStore, folder: Path) -> int:
    """Return the size of what an engine has written into its folder."""
    return sum(path.stat().st_size for path in folder.rglob("*") if path.is_file())


@dataclass(frozen=True, slots=True)
class Engine:
    """A way to store vectors."""

    # makes a store in an empty folder, with vectors of some length, fills it and makes its indexes; raises
    # ModuleNotFoundError where the engine is not installed
    filled: Callable[[Path, int, Fill], ComparedStore]
    note: str = ""  # what a reader of the figures has to know
    most: int | None = None  # freelancers that it is measured with at most
    disk_bytes: Callable[[ComparedStore, Path], int] = folder_bytes  # what a store takes on disk


@dataclass(frozen=True, slots=True)
class SearchSpeed:
    """Milliseconds of a query, and the mean share of brute force's best hundred that is found."""

    p50_ms: float
    p95_ms: float
    recall: float


@dataclass(frozen=True, slots=True)
class StoreSpeed:
    """Measurements of one engine."""

    engine: str
    note: str = ""  # what to know of the engine; 'not installed' where it was not measured
    freelancers: int = 0  # how many were stored, 0 where it was not measured
    fill_s: float = 0.0  # storing all of them, with indexes
    disk_mb: float = 0.0  # what they take on disk then
    # unfiltered, filtered, narrow: queries for the best hundred of all, of those with one of two languages and at most
    # a day rate, and of those in one category besides
    unfiltered: SearchSpeed | None = None
    filtered: SearchSpeed | None = None
    narrow: SearchSpeed | None = None
    update_s: float = 0.0  # storing a thousand with other vectors, and deleting a hundred
    visible_ms: float = 0.0  # from the beginning of storing one freelancer until a query finds it
    filtered_after: SearchSpeed | None = None  # as *filtered*, after the update


class BruteForce:
    """All freelancers in arrays, compared one by one."""

    def __init__(self, freelancers: Sequence[Freelancers]) -> None:
        self.ids = np.array([profile.id for block in freelancers for profile in block.profiles])
        self.vectors = np.concatenate([block.vectors for block in freelancers])
        self.payloads = [payload for block in freelancers for payload in block.payloads()]
        self._columns = PayloadColumns.of(self.payloads)
        self._alive = np.ones(len(self.ids), dtype=bool)

    def part(self, rows: slice) -> tuple[list[str], FloatArray, list[Payload]]:
        """Return ids, vectors and payloads of some rows."""
        return self.ids[rows].tolist(), self.vectors[rows], self.payloads[rows]

    def changed(self, rows: slice, gone: slice) -> "BruteForce":
        """Return the same with other vectors in some rows and without others."""
        other = object.__new__(BruteForce)
        other.ids, other.payloads, other._columns = self.ids, self.payloads, self._columns
        other.vectors, other._alive = self.vectors.copy(), self._alive.copy()
        noise = np.random.default_rng(_SEED).standard_normal(self.vectors[rows].shape, dtype=np.float32)
        other.vectors[rows] = normalised(self.vectors[rows] + normalised(noise))
        other._alive[gone] = False
        return other

    def best(self, vector: FloatArray, filters: Filters) -> set[str]:
        """Return the ids of the nearest that pass."""
        rows = self._columns.passing(filters, self._alive)
        scores = self.vectors[rows] @ vector
        best = np.argpartition(-scores, LIMIT - 1)[:LIMIT] if len(rows) > LIMIT else slice(None)
        return set(self.ids[rows[best]].tolist())


def measure_stores(
    engines: Mapping[str, Engine], n_freelancers: int, model: str = "", *, progress: Progress = no_progress
) -> list[StoreSpeed]:
    """Fill a store of each engine in a temporary folder, ask and change it.

    Args:
        engines: by name.
        n_freelancers: number of freelancers; a million take 3 GB of memory.
        model: name of the model that encodes, for `load_match_model`.

    Raises:
        ModelError: the model cannot be loaded.
        MatchingError: there are fewer freelancers than are changed, or a server refuses.
    """
    if n_freelancers <= _CHANGED + _DELETED:
        raise MatchingError(f"Choose more than {_CHANGED + _DELETED} freelancers; that many are changed or deleted.")
    loaded = load_match_model(model)
    blocks = list(drawn_freelancers(real_freelancers(n_freelancers, loaded), n_freelancers))
    queries = drawn_queries(_QUERIES)
    vectors = loaded.encode_projects([query.project for query in queries])
    measured = []
    for done, (name, engine) in enumerate(engines.items()):
        progress(done, len(engines))
        freelancers = _first(blocks, engine.most or n_freelancers)
        measured.append(_measured(name, engine, BruteForce(freelancers), queries, vectors))
    progress(len(engines), len(engines))
    return measured


def _first(blocks: Sequence[Freelancers], most: int) -> list[Freelancers]:
    chosen, left = [], most
    for block in blocks:
        chosen.append(Freelancers(block.profiles[:left], block.vectors[:left]))
        left -= len(chosen[-1].profiles)
        if not left:
            break
    return chosen


def _measured(
    name: str, engine: Engine, exact: BruteForce, queries: Sequence[Query], vectors: FloatArray
) -> StoreSpeed:
    def fill(store: ComparedStore) -> None:
        for start in range(0, len(exact.ids), _BLOCK):
            store.upsert(*exact.part(slice(start, start + _BLOCK)))

    with TemporaryDirectory() as home:
        folder = Path(home)
        try:
            fill_s, store = timed(lambda: engine.filled(folder, vectors.shape[1], fill))
        except ModuleNotFoundError:
            return StoreSpeed(name, "not installed")
        try:
            disk_mb = engine.disk_bytes(store, folder) / _MEBIBYTE
            both = [query.filters for query in queries]
            narrow = [replace(query.filters, categories=(query.project.category,)) for query in queries]
            outcomes = {
                "unfiltered": _asked(store, exact, vectors, [NO_FILTERS] * len(queries)),
                "filtered": _asked(store, exact, vectors, both),
                "narrow": _asked(store, exact, vectors, narrow),
            }
            changed, gone = slice(0, _CHANGED), slice(_CHANGED, _CHANGED + _DELETED)
            after = exact.changed(changed, gone)
            update_s, _ = timed(lambda: _update(store, after, changed, gone))
            return StoreSpeed(
                name,
                engine.note,
                len(exact.ids),
                fill_s,
                disk_mb,
                **outcomes,
                update_s=update_s,
                visible_ms=_visible_ms(store, after, _CHANGED + _DELETED),
                filtered_after=_asked(store, after, vectors, both),
            )
        finally:
            store.close()


def _asked(store: ComparedStore, exact: BruteForce, vectors: FloatArray, filters: Sequence[Filters]) -> SearchSpeed:
    """Ask each query once to warm up and once with a watch."""
    milliseconds, recalls = [], []
    for vector, conditions in zip(vectors, filters, strict=True):
        store.search(vector[None], conditions, LIMIT)
        seconds, [hits] = timed(lambda v=vector, c=conditions: store.search(v[None], c, LIMIT))  # type: ignore[misc]
        milliseconds.append(seconds * 1000)
        if best := exact.best(vector, conditions):
            recalls.append(len(best & {hit.id for hit in hits}) / len(best))
    p50, p95 = np.percentile(milliseconds, [50, 95])
    return SearchSpeed(float(p50), float(p95), float(np.mean(recalls)) if recalls else 1.0)


def _update(store: ComparedStore, after: BruteForce, changed: slice, gone: slice) -> None:
    store.upsert(*after.part(changed))
    store.delete(after.part(gone)[0])


def _visible_ms(store: ComparedStore, after: BruteForce, row: int) -> float:
    """Store a freelancer under a new id with a vector that nobody else has, and ask until it is found."""
    [vector] = normalised(np.random.default_rng(_SEED).standard_normal((1, after.vectors.shape[1]), dtype=np.float32))
    began = time.perf_counter()
    store.upsert(["just stored"], vector[None], [after.payloads[row]])
    while [hit.id for hit in store.search(vector[None], limit=1)[0]] != ["just stored"]:
        pass
    taken = (time.perf_counter() - began) * 1000
    store.delete(["just stored"])
    return taken
