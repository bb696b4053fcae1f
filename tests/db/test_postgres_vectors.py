"""What is PostgreSQL's own: tables that take over a name, a scan that gives up, and what is said without pgvector."""

import re
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any
from uuid import uuid4

import numpy as np
import pytest
from psycopg import Cursor
from sqlalchemy import DDL, Connection, create_engine, event, inspect, make_url, text

from db.label_store import LabelStore
from db.pgvector_store import PgvectorStore
from db.postgres_vectors import PostgresVectors
from db.vector_server import connected
from jobmatch_core.entities import FloatArray
from jobmatch_core.errors import MatchingError
from jobmatch_core.vector_stores.vector_store import Filters, Payload
from jobmatch_core.vectors import normalised
from tests.db.made_judgments import make_judgment
from tests.vector_server import vector_server_url

VECTOR = np.array([[1.0, 0.0]], dtype=np.float32)


@pytest.fixture
def url() -> Iterator[str]:
    """The URL of a database of its own, without the extension."""
    server, name = make_url(vector_server_url()), f"test_{uuid4().hex}"
    engine = create_engine(server.set(drivername="postgresql+psycopg"), isolation_level="AUTOCOMMIT")
    with engine.connect() as connection:
        connection.execute(DDL(f"CREATE DATABASE {name}"))
    yield server.set(database=name).render_as_string()
    with engine.connect() as connection:
        connection.execute(DDL(f"DROP DATABASE {name} WITH (FORCE)"))
    engine.dispose()


@pytest.fixture
def vectors(url: str) -> Iterator[PostgresVectors]:
    """That database's stores; there is none yet."""
    opened = PostgresVectors(url)
    yield opened
    opened.close()


def put(store: PgvectorStore, name: str) -> None:
    """Store somebody."""
    store.upsert([name], VECTOR, [Payload()])


def tables(vectors: PostgresVectors) -> list[str]:
    """Return the names of all tables."""
    return inspect(vectors._engine).get_table_names()


def found(vectors: PostgresVectors, name: str, stamp: str) -> list[str]:
    """Return all ids of a store."""
    store = vectors.open(name, stamp)
    assert store is not None
    return store.ids()


def test_a_new_filling_takes_over_the_name(vectors: PostgresVectors) -> None:
    """The old table serves until the new one is full; who has the store open reads the new one from then on."""
    reading = vectors.refill("market", "abc", 2, lambda store: put(store, "anna"))

    def fill(store: PgvectorStore) -> None:
        assert found(vectors, "market", "abc") == reading.ids() == ["anna"]
        put(store, "bea")

    vectors.refill("market", "def", 2, fill)
    assert found(vectors, "market", "def") == reading.ids() == ["bea"]
    assert vectors.open("market", "abc") is None
    assert len(tables(vectors)) == 1


def test_a_filling_that_fails_changes_nothing(vectors: PostgresVectors) -> None:
    """Half a table is not left behind."""
    vectors.refill("market", "abc", 2, lambda store: put(store, "anna"))

    def fail(store: PgvectorStore) -> None:
        put(store, "bea")
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        vectors.refill("market", "def", 2, fail)
    assert len(tables(vectors)) == 1
    assert found(vectors, "market", "abc") == ["anna"]


def test_what_a_killed_process_left_is_removed(vectors: PostgresVectors, monkeypatch: pytest.MonkeyPatch) -> None:
    """By the next filling, as nobody could tidy up after the kill."""

    def killed(store: PgvectorStore) -> None:
        put(store, "bea")
        raise KeyboardInterrupt

    with monkeypatch.context() as patched:
        patched.setattr(PostgresVectors, "remove", lambda *_: None)
        with pytest.raises(KeyboardInterrupt):
            vectors.refill("market", "abc", 2, killed)
    assert len(tables(vectors)) == 1
    vectors.refill("market", "def", 2, lambda store: put(store, "anna"))
    assert found(vectors, "market", "def") == ["anna"]
    assert len(tables(vectors)) == 1


def test_removing(vectors: PostgresVectors) -> None:
    """A store, or none of that name; others stay, whatever their names begin with."""
    for name in ("market", "market-2", "m" * 200):
        vectors.refill(name, "abc", 2, lambda store: put(store, "anna"))
    vectors.remove("market")
    vectors.remove("market")
    assert vectors.open("market", "abc") is None
    assert found(vectors, "market-2", "abc") == found(vectors, "m" * 200, "abc") == ["anna"]


def filled(url: str, **server: object) -> tuple[PgvectorStore, FloatArray]:
    """Store 3,000 freelancers, every fifth with the language "fr", on a server that prefers the graph to sorting."""
    options = " ".join(f"-c {name}={value}" for name, value in server.items())
    preferring = f"-c enable_sort=off {options}"
    vectors = PostgresVectors(make_url(url).update_query_dict({"options": preferring}).render_as_string())
    rows = normalised(np.random.default_rng(7).standard_normal((3000, 16), dtype=np.float32))
    payloads = [Payload(language="de" if number % 5 else "fr") for number in range(len(rows))]
    ids = [f"{number:04}" for number in range(len(rows))]
    return vectors.refill("market", "abc", 16, lambda store: store.upsert(ids, rows, payloads)), rows


def french(rows: FloatArray, limit: int) -> set[str]:
    """Return the ids of the nearest of every fifth row to the first one."""
    return {f"{5 * row:04}" for row in np.argsort(-(rows[::5] @ rows[0]))[:limit]}


@contextmanager
def plans(store: PgvectorStore) -> Iterator[list[str]]:
    """Collect how the server answers each query that is asked meanwhile."""
    seen: list[str] = []

    def explain(connection: Connection, cursor: Cursor[Any], statement: str, parameters: Any, *_: object) -> None:
        if "vector_send" in statement:
            with cursor.connection.cursor() as another:
                rows = another.execute(f"EXPLAIN {statement}".encode(), parameters).fetchall()
            seen.append(" ".join(row[0] for row in rows))

    event.listen(store._engine, "before_cursor_execute", explain)
    yield seen
    event.remove(store._engine, "before_cursor_execute", explain)


def test_the_scan_of_the_graph_goes_on(url: str) -> None:
    """One query finds 400 of the 600 that pass: without iterative scans some 40 of the 200 that it looks at would."""
    store, rows = filled(url)
    with plans(store) as seen:
        [hits] = store.search(rows[:1], Filters(languages=("fr",)), limit=400)
    [plan] = seen
    assert re.search(r"Index Scan using jobmatch_\w+_vector", plan)
    assert len(hits) == 400
    assert len(french(rows, 400) & {hit.id for hit in hits}) > 380
    store.close()


def test_where_the_scan_gives_up_all_are_compared(url: str) -> None:
    """Its limit may be far below what a filter leaves over."""
    store, rows = filled(url, **{"hnsw.max_scan_tuples": 1})
    with plans(store) as seen:
        [hits] = store.search(rows[:1], Filters(languages=("fr",)), limit=400)
    assert ["_vector on" in plan for plan in seen] == [True, False]
    assert {hit.id for hit in hits} == french(rows, 400)
    store.close()


def test_vectors_too_long_for_a_graph(vectors: PostgresVectors) -> None:
    """Are compared one by one."""
    store = vectors.refill("market", "abc", 2100, lambda store: None)
    rows = np.eye(2, 2100, dtype=np.float32)
    store.upsert(["anna", "bea"], rows, [Payload()] * 2)
    assert [hit.id for [hit] in store.search(rows, limit=1)] == ["anna", "bea"]


def test_labels_and_vectors_in_one_database(url: str) -> None:
    """Whichever comes first; the label store's upgrade takes no notice of the tables of vectors."""
    with LabelStore.open(url) as labels:
        labels.record(make_judgment())
        vectors = PostgresVectors(url)
        vectors.refill("market", "abc", 2, lambda store: put(store, "anna"))
        vectors.close()
    with LabelStore.open(url) as labels:
        assert len(list(labels.judgments())) == 1


def unprivileged(url: str) -> str:
    """Return the URL of a database for a user that may not add extensions."""
    engine = create_engine(make_url(url).set(drivername="postgresql+psycopg"))
    with engine.begin() as connection:
        connection.execute(DDL("DROP ROLE IF EXISTS ann"))
        connection.execute(DDL("CREATE ROLE ann LOGIN"))
    engine.dispose()
    return make_url(url).set(username="ann").render_as_string()


WHAT_TO_DO = r"install pgvector 0\.8 or later.*CREATE EXTENSION vector.*or unset JOBMATCH_VECTOR_URL"


def test_a_user_without_the_right_to_add_the_extension(url: str) -> None:
    """Is told what an administrator does; labels need no extension."""
    with pytest.raises(MatchingError, match=f"without pgvector .permission denied.*{WHAT_TO_DO}"):
        connected(unprivileged(url))
    with LabelStore.open(url) as labels:
        labels.record(make_judgment())


def test_a_server_without_the_extension(postgres_url: str) -> None:
    """Debian's own PostgreSQL, for one."""
    without_schema = make_url(postgres_url).difference_update_query(["options"])
    with pytest.raises(MatchingError, match=f"without pgvector .*{WHAT_TO_DO}"):
        connected(without_schema.render_as_string(hide_password=False))


def test_an_old_extension(url: str) -> None:
    """Without iterative scans, filters would lose freelancers."""
    engine = create_engine(make_url(url).set(drivername="postgresql+psycopg"))
    with engine.begin() as connection:
        connection.execute(DDL("CREATE EXTENSION vector"))
        connection.execute(text("UPDATE pg_extension SET extversion = '0.7.4' WHERE extname = 'vector'"))
    engine.dispose()
    with pytest.raises(MatchingError, match=rf"The pgvector 0\.7\.4 .* too old: {WHAT_TO_DO}"):
        connected(url)


@pytest.mark.parametrize(
    "url",
    [
        "postgresql://ann:s3cret@host/labels",
        "postgresql+psycopg://ann@host/labels?password=s3cret",
        "postgresql://ann:@s3cret:x@127.0.0.1:s3cret/labels",
    ],
)
def test_a_password_in_the_url(url: str) -> None:
    """Would be stored beside the marketplace; no message repeats it."""
    with pytest.raises(MatchingError, match="set the password in JOBMATCH_VECTOR_KEY") as caught:
        connected(url)
    assert "s3cret" not in str(caught.value)


def test_a_server_that_is_not_there() -> None:
    """One line, with what to look at and without the password."""
    with pytest.raises(MatchingError, match="check that the server of JOBMATCH_VECTOR_URL runs") as caught:
        connected("postgresql://ann@127.0.0.1:1/labels", "s3cret")
    assert "\n" not in str(caught.value)
    assert "s3cret" not in str(caught.value)
