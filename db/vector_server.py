"""Connections to a PostgreSQL server with pgvector, and its errors."""

from collections.abc import Iterator
from contextlib import contextmanager

from sqlalchemy import DDL, URL, Connection, Engine, column, create_engine, make_url, select, table
from sqlalchemy.exc import ArgumentError, DBAPIError, TimeoutError  # noqa: A004 - SQLAlchemy's own

from jobmatch_core.errors import MatchingError

_DRIVER = "postgresql+psycopg"
_CONNECT_SECONDS, _WAIT_SECONDS = 10, 30
_OLDEST = (0, 8)  # the first version of pgvector with iterative scans
_SETTINGS = {
    "hnsw.iterative_scan": "relaxed_order",  # continue if filters left too few; hits are sorted afterwards
    "hnsw.ef_search": "200",
    "plan_cache_mode": "force_custom_plan",  # the best plan depends on how many rows pass the filters
    "jit": "off",  # compiling takes longer than it saves
    "lock_timeout": f"{_WAIT_SECONDS}s",
}
_EXTENSIONS = table("pg_extension", column("extname"), column("extversion"))


def connected(url: str, password: str = "") -> Engine:
    """Connect to a database and enable pgvector in it.

    Args:
        url: URL of the database, without a password.
        password: password of its user, '' for none.

    Raises MatchingError if the URL is invalid or has a password, the server cannot be reached, or pgvector is missing
    or too old.
    """
    parsed = _url(url, password)
    options = " ".join(f"-c {name}={value}" for name, value in _SETTINGS.items())
    engine = create_engine(
        parsed,
        pool_pre_ping=True,
        connect_args={"options": f"{parsed.query.get('options', '')} {options}", "connect_timeout": _CONNECT_SECONDS},
    )
    try:
        _enable_vectors(engine, parsed.database or "")
    except BaseException:
        engine.dispose()
        raise
    return engine


@contextmanager
def transaction(engine: Engine) -> Iterator[Connection]:
    """Yield a connection in a transaction; raises MatchingError if the server cannot be reached or refuses."""
    try:
        with engine.begin() as connection:
            yield connection
    except (DBAPIError, TimeoutError) as error:
        raise MatchingError(
            f"PostgreSQL reports an error ({_reply(error)}); check that the server of JOBMATCH_VECTOR_URL runs, can be "
            "reached, accepts the password in JOBMATCH_VECTOR_KEY, and has free disk space."
        ) from error


def _reply(error: DBAPIError | TimeoutError) -> str:
    return " ".join(str(error.orig if isinstance(error, DBAPIError) else error).split())[:300]


def _url(url: str, password: str) -> URL:
    try:
        parsed = make_url(url)
    except (ArgumentError, ValueError):
        parsed = URL.create("")
    if not parsed.drivername or parsed.password is not None or "password" in parsed.query:
        # the message does not repeat the URL, which may contain a password
        raise MatchingError(
            "JOBMATCH_VECTOR_URL must look like postgresql://user@host/database; set the password in "
            "JOBMATCH_VECTOR_KEY, since the URL is stored beside the marketplace."
        )
    return parsed.set(drivername=_DRIVER, password=password or None)


def _enable_vectors(engine: Engine, database: str) -> None:
    remedy = (
        f"install pgvector {'.'.join(map(str, _OLDEST))} or later on that server (as a container: the image "
        "pgvector/pgvector), let an administrator run CREATE EXTENSION vector or ALTER EXTENSION vector UPDATE in the "
        f"database '{database}', and try again; or unset JOBMATCH_VECTOR_URL to store vectors under JOBMATCH_HOME"
    )
    with transaction(engine) as connection:
        version = _vectors_version(connection)
    if version is None:
        try:
            with engine.begin() as connection:
                connection.execute(DDL("CREATE EXTENSION IF NOT EXISTS vector"))  # type: ignore[no-untyped-call]
                version = _vectors_version(connection)
        except DBAPIError as error:
            reply = _reply(error)
            raise MatchingError(f"PostgreSQL cannot store vectors without pgvector ({reply}): {remedy}.") from error
    if tuple(map(int, (version or "0").split(".")[:2])) < _OLDEST:
        raise MatchingError(f"The pgvector {version} on PostgreSQL is too old: {remedy}.")


def _vectors_version(connection: Connection) -> str | None:
    installed = select(_EXTENSIONS.c.extversion).where(_EXTENSIONS.c.extname == "vector")
    return connection.execute(installed).scalar()
