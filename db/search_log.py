"""The search log: results shown to people who opted in, and the results that they opened."""

from dataclasses import asdict, dataclass
from datetime import datetime

from sqlalchemy import Connection, delete, func, insert, select

from db.models import ID_LENGTH, SearchChoiceRow, SearchRow
from db.rows import check_text
from jobmatch_core.errors import LabelStoreError
from jobmatch_core.search_events import SearchChoice, SearchKind, SearchShown, Team

LONGEST_QUERY = 1000  # characters that are stored
_TABLES = (SearchRow.__tablename__, SearchChoiceRow.__tablename__)  # the second refers to the first


@dataclass(frozen=True, slots=True)
class SearchLogSize:
    """Size and age of the log."""

    # searches, choices: numbers of searches and of opened results
    searches: int
    choices: int
    # oldest, newest: UTC times of the first and the last search, or None
    oldest: datetime | None
    newest: datetime | None


@dataclass(frozen=True, slots=True)
class ErasedSearches:
    """Number of erased searches, and where their texts may stay readable ('' for nowhere)."""

    count: int
    remains: str


def check_shown(shown: SearchShown, searcher: str) -> SearchShown:
    """Return *shown* if it can be stored together with the random id of the browser.

    Raises LabelStoreError if it cannot be stored.
    """
    texts = {
        "query": shown.query,
        "source": shown.source,
        "model's name": shown.model,
        "candidate's name": shown.candidate,
        "browser's id": searcher,
    }
    for what, text in texts.items():
        check_text(what, text)
    for item in shown.items:
        check_text("id of a result", item)
    longest = max(len(shown.id), len(shown.session), len(searcher))
    misplaced = not 0 <= shown.pair < max(len(shown.items), 1) or len(shown.teams) not in (0, len(shown.items))
    if misplaced or longest > ID_LENGTH:
        raise LabelStoreError(
            f"The search {shown.id!r} cannot be stored: its ids, its swapped ranks or its teams are invalid."
        )
    return shown


def add_shown(connection: Connection, shown: SearchShown, searcher: str) -> bool:
    """Add the results that a search showed, with the random id of the browser; return whether they are new."""
    if connection.scalar(select(SearchRow.id).where(SearchRow.id == shown.id)):
        return False
    row = asdict(shown) | {"query": shown.query[:LONGEST_QUERY], "searcher": searcher}
    row |= {"sort": row.pop("kind"), "items": list(shown.items), "teams": list(shown.teams)}
    connection.execute(insert(SearchRow), [row])
    return True


def add_choice(connection: Connection, choice: SearchChoice) -> bool:
    """Add an opened result; return False if it is already stored, or no stored search shows it at its rank."""
    items = connection.scalar(select(SearchRow.items).where(SearchRow.id == choice.shown))
    same = (SearchChoiceRow.shown == choice.shown, SearchChoiceRow.rank == choice.rank)
    if items is None or [choice.item] != items[choice.rank - 1 : choice.rank]:
        return False
    if connection.scalar(select(SearchChoiceRow.id).where(*same)):
        return False
    connection.execute(insert(SearchChoiceRow), [asdict(choice)])
    return True


def searches(connection: Connection) -> list[SearchShown]:
    """Return the stored searches with the results that they showed, in recording order, without browsers' ids."""
    rows = connection.execute(select(SearchRow.__table__).order_by(SearchRow.number))
    return [
        SearchShown(
            id=row.id,
            kind=SearchKind(row.sort),
            source=row.source,
            query=row.query,
            model=row.model,
            items=tuple(row.items),
            pair=row.pair,
            swapped=row.swapped,
            session=row.session,
            at=row.at,
            candidate=row.candidate,
            teams=tuple(Team(team) for team in row.teams or ()),
        )
        for row in rows
    ]


def choices(connection: Connection) -> list[SearchChoice]:
    """Return the opened results, in recording order."""
    rows = connection.execute(select(SearchChoiceRow.__table__).order_by(SearchChoiceRow.number))
    return [SearchChoice(row.id, row.shown, row.item, row.rank, row.at) for row in rows]


def size(connection: Connection) -> SearchLogSize:
    """Return the size and age of the search log."""
    count, oldest, newest = connection.execute(
        select(func.count(), func.min(SearchRow.at), func.max(SearchRow.at)).select_from(SearchRow)
    ).one()
    opened = connection.scalar(select(func.count()).select_from(SearchChoiceRow)) or 0
    return SearchLogSize(count, opened, oldest, newest)


def count_of(connection: Connection, searcher: str) -> int:
    """Return the number of stored searches of a browser by its random id."""
    return connection.scalar(select(func.count()).where(SearchRow.searcher == searcher)) or 0


def erase(connection: Connection, before: datetime | None, searcher: str | None) -> int:
    """Delete searches with their opened results: all, those before a time, or a browser's; return how many."""
    gone = select(SearchRow.id)
    if before is not None:
        gone = gone.where(SearchRow.at < before)
    if searcher is not None:
        gone = gone.where(SearchRow.searcher == searcher)
    connection.execute(delete(SearchChoiceRow).where(SearchChoiceRow.shown.in_(gone)))
    count = connection.execute(delete(SearchRow).where(SearchRow.id.in_(gone))).rowcount
    if count and connection.dialect.name == "sqlite":
        _write_anew(connection)
    return count


def _write_anew(connection: Connection) -> None:
    # With `secure_delete`, SQLite overwrites a deleted row, but not the copies left behind when it moved to another
    # page; it does overwrite all pages of a dropped table. So the remaining rows move to new tables.
    definitions = "SELECT sql FROM sqlite_schema WHERE tbl_name = ? AND sql IS NOT NULL ORDER BY type = 'table' DESC"
    statements = {table: connection.exec_driver_sql(definitions, (table,)).scalars().all() for table in _TABLES}
    for table in _TABLES:
        connection.exec_driver_sql(f"CREATE TEMP TABLE remaining_{table} AS SELECT * FROM {table}")  # noqa: S608
    for table in reversed(_TABLES):
        connection.exec_driver_sql(f"DROP TABLE {table}")
    for table in _TABLES:
        for statement in statements[table]:
            connection.exec_driver_sql(statement)
        connection.exec_driver_sql(f"INSERT INTO {table} SELECT * FROM remaining_{table}")  # noqa: S608
        connection.exec_driver_sql(f"DROP TABLE remaining_{table}")
