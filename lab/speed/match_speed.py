"""Speed of finding freelancers for a project, beside code that a user would otherwise write or install."""

import tempfile
from collections.abc import Callable, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from multiprocessing import get_context
from pathlib import Path

import numpy as np
import pandas as pd

from jobmatch_core.entities import FloatArray, Progress, no_progress
from jobmatch_core.errors import MatchingError
from jobmatch_core.metrics.gauges import peak_memory_mb, timed
from jobmatch_core.ranking.ranker import shipped_ranker
from jobmatch_core.retrieval.finder import Finder, Profiles
from jobmatch_core.retrieval.match_models import load_match_model
from jobmatch_core.vector_stores.exact_store import ExactStore
from jobmatch_core.vector_stores.vector_store import VectorStore
from lab.speed.drawn_freelancers import (
    Freelancers,
    Query,
    drawn_freelancers,
    drawn_queries,
    real_freelancers,
    store_drawn_freelancers,
)

N_FREELANCERS = 100_000
LIMIT = 100
_QUERIES, _WARM_UP, _SLOW_QUERIES = 120, 20, 40  # timed; run before without timing; timed where each is slow
_CHANGED, _DELETED = 1000, 100  # freelancers in the update, as on one day
_STEPS = 4
_KIB = 1024
Search = Callable[[Query], object]


@dataclass(frozen=True, slots=True)
class MatchSpeed:
    """Seconds, milliseconds and megabytes of one run."""

    model: str  # that encodes projects
    freelancers: int
    dimension: int
    passing: float  # the mean share of freelancers that pass the two filters, on language and day rate
    fill_s: float  # drawing freelancers and storing their vectors and profiles, in a separate process
    disk_mb: float  # what that takes on disk
    start_s: float  # opening it, memory-mapped; the model is loaded before
    # match_p50_ms, match_p95_ms: a project encoded, and its best hundred that pass, with profiles and skills
    match_p50_ms: float
    match_p95_ms: float
    # unfiltered_p50_ms, unfiltered_p95_ms: the same without filters
    unfiltered_p50_ms: float
    unfiltered_p95_ms: float
    # search_p50_ms, search_p95_ms: the store alone, with both filters
    search_p50_ms: float
    search_p95_ms: float
    update_s: float  # encoding and storing a thousand freelancers again, and deleting a hundred
    rss_mb: float  # peak resident memory of the finding process, including torch and the mapped pages
    argsort_p50_ms: float  # the same search by masks of a pandas table and an argsort of all scores
    argsort_ratio: float  # argsort_p50_ms / search_p50_ms


def measure_match_speed(
    n_freelancers: int = N_FREELANCERS, model: str = "", *, progress: Progress = no_progress
) -> MatchSpeed:
    """Store freelancers in a temporary folder, find some, and compare.

    Args:
        n_freelancers: number of freelancers; a million take 5 GB of disk temporarily.
        model: name of the model, for `load_match_model`.

    Raises:
        ModelError: the model cannot be loaded.
        MatchingError: fewer than a hundred freelancers are asked for.
    """
    if n_freelancers < LIMIT:
        raise MatchingError(f"The best {LIMIT} of {n_freelancers} freelancers cannot be found; ask for more.")
    loaded = load_match_model(model)
    real = real_freelancers(n_freelancers, loaded)
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        progress(0, _STEPS)
        fill_s, _ = timed(lambda: _in_a_process(folder, real, n_freelancers))
        progress(1, _STEPS)
        start_s, finder = timed(
            lambda: Finder(loaded, ExactStore.open(folder / "store"), Profiles(folder), shipped_ranker())
        )
        queries = drawn_queries(_QUERIES)
        vectors = {query.project.id: loaded.encode_projects([query.project]) for query in queries}
        match = _times(lambda query: finder.match(query.project, query.filters, LIMIT), queries)
        unfiltered = _times(lambda query: finder.match(query.project, limit=LIMIT), queries)
        search = _times(_searching(finder.store, vectors), queries)
        rss_mb = peak_memory_mb()
        progress(2, _STEPS)
        disk_mb = sum(path.stat().st_size for path in folder.rglob("*") if path.is_file()) / _KIB**2
        passing = float(np.mean([finder.store.count(query.filters) for query in queries])) / n_freelancers
        ids = finder.store.ids()[: _CHANGED + _DELETED]
        update_s, _ = timed(lambda: _update(finder, ids[:_CHANGED], ids[_CHANGED:]))
        progress(3, _STEPS)
    argsort = _times(_Argsort(real, n_freelancers, vectors), queries[:_SLOW_QUERIES])
    progress(4, _STEPS)
    return MatchSpeed(
        model=loaded.name,
        freelancers=n_freelancers,
        dimension=loaded.dimension,
        passing=passing,
        fill_s=fill_s,
        disk_mb=disk_mb,
        start_s=start_s,
        match_p50_ms=_percentile(match, 50),
        match_p95_ms=_percentile(match, 95),
        unfiltered_p50_ms=_percentile(unfiltered, 50),
        unfiltered_p95_ms=_percentile(unfiltered, 95),
        search_p50_ms=_percentile(search, 50),
        search_p95_ms=_percentile(search, 95),
        update_s=update_s,
        rss_mb=rss_mb,
        argsort_p50_ms=_percentile(argsort, 50),
        argsort_ratio=_percentile(argsort, 50) / _percentile(search, 50),
    )


def _in_a_process(folder: Path, real: Freelancers, n_freelancers: int) -> None:
    """Store freelancers in another process, so that its memory is not that of finding."""
    with ProcessPoolExecutor(1, mp_context=get_context("spawn")) as pool:
        pool.submit(store_drawn_freelancers, folder, real, n_freelancers).result()


def _times(search: Search, queries: Sequence[Query]) -> list[float]:
    """Return milliseconds; the first queries are asked twice, to warm up."""
    for query in queries[:_WARM_UP]:
        search(query)
    return [timed(lambda query=query: search(query))[0] * 1000 for query in queries]  # type: ignore[misc]


def _percentile(times: Sequence[float], share: float) -> float:
    return float(np.percentile(times, share))


def _searching(store: VectorStore, vectors: dict[str, FloatArray]) -> Search:
    return lambda query: store.search(vectors[query.project.id], query.filters, LIMIT)


def _update(finder: Finder, changed: Sequence[str], deleted: Sequence[str]) -> None:
    """Encode and store some freelancers again, and delete others, as on any day."""
    profiles = list(finder.profiles.by_id(changed).values())
    Freelancers(profiles, finder.model.encode_freelancers(profiles)).put_into(finder.store)
    finder.store.delete(deleted)


class _Argsort:
    """A search without a store: all scores, masks of a table, an argsort."""

    def __init__(self, real: Freelancers, n_freelancers: int, queries: dict[str, FloatArray]) -> None:
        blocks = list(drawn_freelancers(real, n_freelancers))
        self._queries = queries
        self._vectors = np.concatenate([block.vectors for block in blocks])
        rows = [(profile.id, profile.language, profile.day_rate) for block in blocks for profile in block.profiles]
        self._table = pd.DataFrame(rows, columns=["id", "language", "day_rate"])

    def __call__(self, query: Query) -> list[str]:
        filters, table = query.filters, self._table
        scores = self._vectors @ self._queries[query.project.id][0]
        passing = table["language"].isin(filters.languages) & table["day_rate"].le(filters.max_day_rate or np.inf)
        scores[~passing.to_numpy()] = -np.inf
        best = np.argsort(-scores)[: min(LIMIT, int(passing.sum()))]
        return table["id"].iloc[best].to_list()
