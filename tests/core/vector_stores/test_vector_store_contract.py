"""The contract of vector stores, tested for the exact store and PostgreSQL."""

import math
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from datetime import date
from pathlib import Path
from tempfile import TemporaryDirectory
from uuid import uuid4

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from db.pgvector_store import PgvectorStore
from db.postgres_vectors import PostgresVectors
from jobmatch_core.earth import EARTH_RADIUS_KM
from jobmatch_core.entities import Place
from jobmatch_core.errors import MatchingError
from jobmatch_core.vector_stores.exact_store import ExactStore
from jobmatch_core.vector_stores.vector_store import NO_FILTERS, Filters, Payload, VectorHit, VectorStore, Within
from tests.vector_server import vector_server_url

Maker = Callable[[int], VectorStore]
BERLIN, POTSDAM, PARIS = Place(52.52, 13.405), Place(52.39, 13.06), Place(48.857, 2.352)
NEW_YEAR = date(2026, 1, 1).toordinal()


@dataclass(frozen=True)
class Point:
    """What is stored of one freelancer."""

    id: str
    vector: tuple[float, ...]
    payload: Payload


def put(store: VectorStore, points: Sequence[Point]) -> None:
    """Store points."""
    vectors = np.array([point.vector for point in points], dtype=np.float32).reshape(len(points), store.dimension)
    store.upsert([point.id for point in points], vectors, [point.payload for point in points])


def found(store: VectorStore, query: Sequence[float], filters: Filters = NO_FILTERS, limit: int = 100) -> list[str]:
    """Return the ids of the answer to one vector."""
    [hits] = store.search(np.array([query], dtype=np.float32), filters, limit)
    return [hit.id for hit in hits]


def pgvector(dimension: int) -> PgvectorStore:
    """Make an empty table."""
    return PostgresVectors(vector_server_url()).refill(f"test-{uuid4().hex}", "1", dimension, lambda store: None)


def drop(store: VectorStore) -> None:
    """Close a store; on a server, nothing of it stays."""
    if isinstance(store, PgvectorStore):
        with store._engine.begin() as connection:
            store._table.drop(connection)
    store.close()


STORES = [
    pytest.param(ExactStore, id="exact in memory"),
    pytest.param(pgvector, id="pgvector"),
]


@pytest.fixture(params=[*STORES, pytest.param(None, id="exact in a folder")])
def make(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Maker]:
    """Give a function that makes an empty store of some dimension."""
    made: list[VectorStore] = []

    def maker(dimension: int) -> VectorStore:
        made.append(request.param(dimension) if request.param else ExactStore.create(tmp_path / "store", dimension))
        return made[-1]

    yield maker
    for store in made:
        drop(store)


ANNA = Point("anna", (1, 0, 0), Payload("2512", "25", "de", "DE", BERLIN, NEW_YEAR, 500.0))
BEA = Point("bea", (0.6, 0.8, 0), Payload("2512", "25", "pl", "PL", POTSDAM, NEW_YEAR + 1, 300.0))
CARLA = Point("carla", (0, 1, 0), Payload("2166", "21", "fr", "FR", PARIS, None, 700.0))
DORA = Point("dora", (0, 0.6, 0.8), Payload("2166", "21", "fr", "", None, NEW_YEAR, None))
ALL = (ANNA, BEA, CARLA, DORA)


def test_the_nearest_come_first_with_their_cosines(make: Maker) -> None:
    """Two orthogonal vectors at the end are ordered by id."""
    store = make(3)
    put(store, ALL[::-1])
    [hits] = store.search(np.array([[1, 0, 0]], dtype=np.float32))
    assert [hit.id for hit in hits] == ["anna", "bea", "carla", "dora"]
    assert [hit.score for hit in hits] == pytest.approx([1, 0.6, 0, 0])


def test_several_vectors_have_an_answer_each(make: Maker) -> None:
    """Answers are in the order of the vectors; no vectors, no answers."""
    store = make(3)
    put(store, ALL)
    answers = store.search(np.array([[0, 1, 0], [0, 0, 1]], dtype=np.float32), limit=2)
    assert [[hit.id for hit in hits] for hits in answers] == [["carla", "bea"], ["dora", "anna"]]
    assert store.search(np.empty((0, 3), dtype=np.float32)) == []


@pytest.mark.parametrize(
    ("filters", "expected"),
    [
        pytest.param(Filters(categories=("2512",)), ["anna", "bea"], id="category"),
        pytest.param(Filters(families=("21", "99")), ["carla", "dora"], id="families, one unknown"),
        pytest.param(Filters(languages=("de", "fr")), ["anna", "carla", "dora"], id="languages"),
        pytest.param(Filters(countries=("DE", "FR")), ["anna", "carla"], id="countries; dora does not say"),
        pytest.param(Filters(within=Within(BERLIN, 10)), ["anna"], id="within 10 km"),
        pytest.param(Filters(within=Within(BERLIN, 50)), ["anna", "bea"], id="within 50 km"),
        pytest.param(Filters(within=Within(BERLIN, 0)), ["anna"], id="at the very place"),
        pytest.param(Filters(within=Within(BERLIN, 30_000)), ["anna", "bea", "carla"], id="anywhere, but somewhere"),
        pytest.param(Filters(available_by="2026-01-01"), ["anna", "dora"], id="by a day; carla does not say"),
        pytest.param(Filters(available_by="2026-01-02"), ["anna", "bea", "dora"], id="by the day after"),
        pytest.param(Filters(max_day_rate=500), ["anna", "bea"], id="up to a rate; dora does not say"),
        pytest.param(Filters(languages=("de", "fr"), max_day_rate=600), ["anna"], id="two at once"),
        pytest.param(Filters(categories=("2512",), families=("21",)), [], id="nobody"),
        pytest.param(Filters(languages=("xx",)), [], id="a value that nobody has"),
    ],
)
def test_filters(make: Maker, filters: Filters, expected: list[str]) -> None:
    """All filters must pass; of several values of a field, one must match."""
    store = make(3)
    put(store, ALL)
    assert sorted(found(store, (0, 1, 0), filters)) == expected
    assert store.count(filters) == len(expected)


def test_a_circle_reaches_across_the_date_line(make: Maker) -> None:
    """Fiji's two sides are 22 km apart, not 40,000."""
    store = make(1)
    put(store, [Point("fiji", (1,), Payload(place=Place(-17, 179.9)))])
    assert found(store, (1,), Filters(within=Within(Place(-17, -179.9), 25))) == ["fiji"]
    assert found(store, (1,), Filters(within=Within(Place(-17, -179.9), 20))) == []


def test_the_limit_cuts_and_may_be_larger_than_all(make: Maker) -> None:
    """The first two of four, or all four for a limit of a thousand."""
    store = make(3)
    put(store, ALL)
    assert found(store, (1, 0, 0), limit=2) == ["anna", "bea"]
    assert found(store, (1, 0, 0), limit=1000) == ["anna", "bea", "carla", "dora"]


def test_equal_scores_are_cut_by_id(make: Maker) -> None:
    """Of a hundred equal vectors, the first three by id, in any order of insertion."""
    store = make(2)
    ids = [f"{number:03}" for number in range(100)]
    put(store, [Point(id_, (0.6, 0.8), Payload()) for id_ in np.random.default_rng(1).permutation(ids)])
    assert found(store, (1, 0), limit=3) == ["000", "001", "002"]


def test_whoever_is_stored_again_is_replaced(make: Maker) -> None:
    """Vector and payload are replaced; the last duplicate of a call counts."""
    store = make(3)
    put(store, ALL)
    put(store, [Point("bea", (0, 0, 1), ANNA.payload), Point("bea", (0, 1, 0), DORA.payload)])
    assert (store.count(), store.ids()) == (4, ["anna", "bea", "carla", "dora"])
    assert found(store, (0, 1, 0), Filters(languages=("fr",)), limit=1) == ["bea"]
    assert found(store, (0, 1, 0), Filters(languages=("pl",))) == []


def test_whoever_is_deleted_is_not_found(make: Maker) -> None:
    """A deleted freelancer may be stored again; unknown ids are ignored."""
    store = make(3)
    put(store, ALL)
    store.delete(["bea", "nobody"])
    assert (store.count(), store.ids()) == (3, ["anna", "carla", "dora"])
    assert found(store, (1, 0, 0), Filters(categories=("2512",))) == ["anna"]
    put(store, [BEA])
    assert found(store, (1, 0, 0), Filters(categories=("2512",))) == ["anna", "bea"]
    store.delete([point.id for point in ALL])
    assert (store.count(), store.ids(), found(store, (1, 0, 0))) == (0, [], [])


def test_an_empty_store_finds_nobody(make: Maker) -> None:
    """Empty arguments are accepted."""
    store = make(3)
    put(store, [])
    store.delete([])
    assert (store.dimension, store.count(), store.ids()) == (3, 0, [])
    assert found(store, (1, 0, 0), Filters(within=Within(BERLIN, 10))) == []


def test_ids_in_any_script(make: Maker) -> None:
    """Ids of any length and script are sorted as by Python."""
    store = make(1)
    ids = ["ż", "ä/ö?#", "a b", "Ω" * 50, "😀", "1", "01"]
    put(store, [Point(id_, (1,), Payload(category=id_)) for id_ in ids])
    assert store.ids() == sorted(ids)
    assert found(store, (1,)) == sorted(ids)
    store.delete(["a b", "😀", "0"])
    assert found(store, (1,)) == sorted({*ids} - {"a b", "😀"})
    assert found(store, (1,), Filters(categories=("ż",))) == ["ż"]


@pytest.mark.parametrize("vectors", [np.zeros((1, 2)), np.zeros((1, 4)), np.zeros(3)], ids=["short", "long", "no rows"])
def test_vectors_of_another_model_are_refused(make: Maker, vectors: np.ndarray) -> None:
    """The error gives the expected and the actual shape."""
    store = make(3)
    message = r"vectors of dimension 3, but got an array of shape \([124, 3]+\) of another model"
    with pytest.raises(MatchingError, match=message):
        store.search(vectors.astype(np.float32))
    with pytest.raises(MatchingError, match=message):
        store.upsert(["anna"], vectors.astype(np.float32), [Payload()])
    assert store.count() == 0


def test_what_does_not_fit_together_is_refused(make: Maker) -> None:
    """Numbers of ids and payloads, empty ids, vectors that are not finite, a limit of zero."""
    store = make(3)
    vector = np.zeros((1, 3), dtype=np.float32)
    with pytest.raises(MatchingError, match="2 ids, 1 vectors and 1 payloads"):
        store.upsert(["a", "b"], vector, [Payload()])
    with pytest.raises(MatchingError, match="An id is empty"):
        store.upsert([""], vector, [Payload()])
    with pytest.raises(MatchingError, match="not finite"):
        store.upsert(["a"], vector + np.nan, [Payload()])
    with pytest.raises(MatchingError, match="At least one"):
        store.search(vector, limit=0)
    assert store.count() == 0


# Vectors of small whole numbers before they are brought to length one: many are alike, and many scores equal.
VECTORS = st.tuples(*[st.integers(-2, 2)] * 3).filter(any).map(lambda v: tuple(x / math.hypot(*v) for x in v))
PLACES = st.builds(Place, st.sampled_from([-90.0, 0.0, 48.8, 52.5]), st.sampled_from([-180.0, 0.0, 13.4, 180.0]))
PAYLOADS = st.builds(
    Payload,
    st.sampled_from(["", "2512", "2166"]),
    st.sampled_from(["", "25", "21"]),
    st.sampled_from(["de", "fr"]),
    st.sampled_from(["", "DE", "FR"]),
    st.none() | PLACES,
    st.none() | st.integers(NEW_YEAR, NEW_YEAR + 3),
    st.none() | st.sampled_from([0.0, 300.0, 512.25]),
)
POINTS = st.lists(st.builds(Point, st.sampled_from("abcdefghijklmnop"), VECTORS, PAYLOADS), max_size=30)
FILTERS = st.builds(
    Filters,
    st.sampled_from([(), ("2512",), ("2166", "2512")]),
    st.sampled_from([(), ("21",)]),
    st.sampled_from([(), ("de",), ("pl",)]),
    st.sampled_from([(), ("DE", "FR")]),
    st.none() | st.builds(Within, PLACES, st.sampled_from([0.0, 500.0, 6000.0, 30_000.0])),
    st.sampled_from(["", "2026-01-02"]),
    st.none() | st.sampled_from([0.0, 300.0, 400.0]),
)


def distance_km(one: Place, other: Place) -> float:
    """Return the length of the arc, by the angle between two vectors from the earth's middle."""
    ends = [
        (math.cos(lat) * math.cos(lon), math.cos(lat) * math.sin(lon), math.sin(lat))
        for lat, lon in ((math.radians(p.latitude), math.radians(p.longitude)) for p in (one, other))
    ]
    return EARTH_RADIUS_KM * 2 * math.asin(min(1.0, math.dist(*ends) / 2))


def passes(payload: Payload, filters: Filters) -> bool:
    """Say it condition by condition."""
    wanted = ((filters.categories, payload.category), (filters.families, payload.family))
    wanted += ((filters.languages, payload.language), (filters.countries, payload.country))
    day, rate, circle = payload.available_day, payload.day_rate, filters.within
    return (
        all(value in values for values, value in wanted if values)
        and (
            circle is None
            or (payload.place is not None and distance_km(payload.place, circle.place) <= circle.km + 0.001)
        )
        and (
            not filters.available_by
            or (day is not None and day <= date.fromisoformat(filters.available_by).toordinal())
        )
        and (filters.max_day_rate is None or (rate is not None and rate <= filters.max_day_rate))
    )


def naive(points: Sequence[Point], query: Sequence[float], filters: Filters, limit: int) -> list[VectorHit]:
    """Look at one after another."""
    last = {point.id: point for point in points}
    hits = [
        VectorHit(id_, cosine(point.vector, query)) for id_, point in last.items() if passes(point.payload, filters)
    ]
    return sorted(hits, key=lambda hit: (-hit.score, hit.id))[:limit]


def cosine(one: Sequence[float], other: Sequence[float]) -> float:
    """Return the exact sum of products of numbers in single precision, in single precision."""
    pairs = zip(np.float32(one).tolist(), np.float32(other).tolist(), strict=True)
    return float(np.float32(math.fsum(a * b for a, b in pairs)))


@pytest.mark.parametrize("maker", STORES)
@settings(max_examples=40, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(points=POINTS, queries=st.lists(VECTORS, min_size=1, max_size=3), filters=FILTERS, limit=st.integers(1, 20))
def test_all_stores_give_the_naive_answer(
    maker: Maker, points: list[Point], queries: list[tuple[float, ...]], filters: Filters, limit: int
) -> None:
    """Same freelancers, scores and order as a loop, for any points, filters and limits."""
    store = maker(3)
    put(store, points)
    answers = store.search(np.array(queries, dtype=np.float32), filters, limit)
    assert answers == [naive(points, query, filters, limit) for query in queries]
    assert store.count(filters) == len(naive(points, queries[0], filters, len(points) + 1))
    drop(store)


CHANGES = st.lists(
    st.one_of(
        st.lists(st.builds(Point, st.sampled_from("abcdefgh"), VECTORS, PAYLOADS), max_size=6),
        st.sets(st.sampled_from("abcdefgh"), max_size=4),
    ),
    max_size=12,
)


@pytest.mark.parametrize("folder", [False, True], ids=["in memory", "in a folder"])
@settings(max_examples=20, deadline=None)
@given(changes=CHANGES, query=VECTORS, filters=FILTERS)
def test_an_exact_store_after_any_changes(
    folder: bool, changes: list[list[Point] | set[str]], query: tuple[float, ...], filters: Filters
) -> None:
    """After each change, also reopened, it equals a dictionary of points."""
    there: dict[str, Point] = {}
    with TemporaryDirectory() as home:
        path = Path(home, "store")
        store = ExactStore.create(path, 3) if folder else ExactStore(3)
        for change in changes:
            if isinstance(change, set):
                store.delete(change)
                there = {id_: point for id_, point in there.items() if id_ not in change}
            else:
                put(store, change)
                there |= {point.id: point for point in change}
            for each in (store, ExactStore.open(path)) if folder else (store,):
                assert each.ids() == sorted(there)
                [hits] = each.search(np.array([query], dtype=np.float32), filters, 5)
                assert hits == naive(list(there.values()), query, filters, 5)
