"""The figures of `python -m lab bench stores`: that recall is measured against the truth, before and after changes."""

from collections.abc import Collection, Sequence
from pathlib import Path

import numpy as np
import pytest

from jobmatch_core.entities import FloatArray
from jobmatch_core.errors import MatchingError
from jobmatch_core.vector_stores.exact_store import ExactStore
from jobmatch_core.vector_stores.vector_store import NO_FILTERS, Filters, Payload, VectorHit
from lab.speed import store_speed
from lab.speed.store_speed import (
    BruteForce,
    ComparedStore,
    Engine,
    Fill,
    drawn_freelancers,
    drawn_queries,
    measure_stores,
    real_freelancers,
)
from tests.hashing_model import HashingModel


class FirstVersion(ExactStore):
    """A store that adds freelancers but neither changes nor deletes any."""

    def upsert(self, ids: Sequence[str], vectors: FloatArray, payloads: Sequence[Payload]) -> None:
        """Add who is not there."""
        known = set(self.ids())
        new = [row for row, id_ in enumerate(ids) if id_ not in known]
        super().upsert([ids[row] for row in new], vectors[new], [payloads[row] for row in new])

    def delete(self, ids: Collection[str]) -> None:
        """Do nothing."""


def filled(store: ComparedStore, folder: Path, fill: Fill) -> ComparedStore:
    """Fill a store, and leave two kilobytes in its folder."""
    fill(store)
    (folder / "file").write_bytes(b"\0" * 2048)
    return store


def missing(folder: Path, dimension: int, fill: Fill) -> ComparedStore:
    """Stand for an engine that is not installed."""
    raise ModuleNotFoundError("No module named 'engine'")


@pytest.fixture(autouse=True)
def few(monkeypatch: pytest.MonkeyPatch) -> None:
    """Ask and change less."""
    for name, value in (("LIMIT", 5), ("_QUERIES", 4), ("_CHANGED", 60), ("_DELETED", 60), ("_BLOCK", 50)):
        monkeypatch.setattr(store_speed, name, value)
    monkeypatch.setattr(store_speed, "load_match_model", lambda model: HashingModel())


def test_recall_is_that_of_brute_force() -> None:
    """All of it by an exact store; less by one that keeps old vectors; what is not installed is said."""
    engines = {
        "exact": Engine(lambda folder, dimension, fill: filled(ExactStore(dimension), folder, fill), "a note"),
        "first": Engine(lambda folder, dimension, fill: filled(FirstVersion(dimension), folder, fill), most=150),
        "none": Engine(missing, "never shown"),
    }
    told: list[tuple[int, int]] = []
    exact, first, none = measure_stores(engines, 200, progress=lambda *step: told.append(step))
    assert (exact.engine, exact.note, exact.freelancers) == ("exact", "a note", 200)
    assert exact.disk_mb == 2048 / 1024**2
    for speed in (exact.unfiltered, exact.filtered, exact.narrow, exact.filtered_after):
        assert speed is not None
        assert speed.recall == 1
        assert 0 < speed.p50_ms <= speed.p95_ms
    assert min(exact.fill_s, exact.update_s, exact.visible_ms) > 0
    assert first.freelancers == 150
    assert first.filtered is not None
    assert first.filtered_after is not None
    assert first.filtered.recall == 1 > first.filtered_after.recall
    assert (none.note, none.freelancers, none.filtered) == ("not installed", 0, None)
    assert told == [(0, 3), (1, 3), (2, 3), (3, 3)]


def test_brute_force() -> None:
    """Agrees with a sort of everybody who passes, also after changes, which leave the first version alone."""
    known = BruteForce(list(drawn_freelancers(real_freelancers(30, HashingModel()), 80)))
    after = known.changed(slice(0, 10), slice(10, 20))
    filters = drawn_queries(1)[0].filters
    for each, rows in ((known, range(80)), (after, [*range(10), *range(20, 80)])):
        for conditions in (NO_FILTERS, filters):
            passing = [row for row in rows if passes(each.payloads[row], conditions)]
            best = sorted(passing, key=lambda row: -float(each.vectors[row] @ each.vectors[3]))[:5]
            assert each.best(each.vectors[3], conditions) == {f"{row:08}" for row in best}
    assert not np.array_equal(known.vectors[:10], after.vectors[:10])
    assert np.array_equal(known.vectors[10:], after.vectors[10:])


def passes(payload: Payload, filters: Filters) -> bool:
    """Say whether the two filters of a drawn query are passed."""
    if filters == NO_FILTERS:
        return True
    rate = payload.day_rate
    return payload.language in filters.languages and rate is not None and rate <= (filters.max_day_rate or 0)


class Late(ExactStore):
    """A store that finds who was stored alone only when it is asked again."""

    asked = 0

    def search(self, vectors: FloatArray, filters: Filters = NO_FILTERS, limit: int = 100) -> list[list[VectorHit]]:
        """Find nobody at first."""
        self.asked += 1
        return super().search(vectors, filters, limit) if self.asked > 2 else [[] for _ in vectors]


def test_visible_is_when_a_query_finds_it() -> None:
    """Not when the store has taken it; nothing is left behind."""
    known = BruteForce(list(drawn_freelancers(real_freelancers(30, HashingModel()), 30)))
    store = Late(known.vectors.shape[1])
    assert store_speed._visible_ms(store, known, 0) > 0
    assert store.asked == 3
    assert store.ids() == []


def test_too_few_freelancers_are_told() -> None:
    """More are needed than are changed."""
    with pytest.raises(MatchingError, match="more than 120 freelancers"):
        measure_stores({}, 120)
