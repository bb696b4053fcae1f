"""The search log: results shown to people who opted in, and the results that they opened."""

from dataclasses import dataclass
from datetime import datetime

from sqlalchemy import Connection, delete, func, insert, select

from db.models import ID_LENGTH, SearchChoiceRow, SearchRow
from db.rows import check_text
from jobmatch_core.errors import LabelStoreError
from jobmatch_core.search_events import SearchChoice, SearchKind, SearchShown

LONGEST_QUERY = 1000  # characters that are stored


@dataclass(frozen=True, slots=True)
class SearchLogSize:
    """Size and age of the log.

    Attributes:
        searches, choices: number of searches, and of opened results.
        oldest, newest: UTC times of the first and the last search; None without any.
    """

    searches: int
    choices: int
    oldest: datetime | None
    newest: datetime | None


def check_shown(shown: SearchShown) -> SearchShown:
    """Return what was shown if it can be stored.

    Raises:
        LabelStoreError: it cannot be stored; the message gives the reason.
    """
    for what, text in (("query", shown.query), ("source", shown.source), ("model's name", shown.model)):
        check_text(what, text)
    for item in shown.items:
        check_text("id of what was found", item)
    if not 0 <= shown.pair < max(len(shown.items), 1) or max(len(shown.id), len(shown.session)) > ID_LENGTH:
        raise LabelStoreError(f"The search {shown.id!r} cannot be stored: its ids or its swapped ranks are not valid.")
    return shown


def add_shown(connection: Connection, shown: SearchShown) -> bool:
    """Add what was shown; return whether it is new."""
    if connection.scalar(select(SearchRow.id).where(SearchRow.id == shown.id)):
        return False
    row = {
        "id": shown.id, "sort": shown.kind, "source": shown.source, "query": shown.query[:LONGEST_QUERY],
        "model": shown.model, "items": list(shown.items), "pair": shown.pair, "swapped": shown.swapped,
        "session": shown.session, "at": shown.at,
    }  # fmt: skip
    connection.execute(insert(SearchRow), [row])
    return True


def add_choice(connection: Connection, choice: SearchChoice) -> bool:
    """Add a choice; return False if the search was deleted, did not show it there, or it is already recorded."""
    items = connection.scalar(select(SearchRow.items).where(SearchRow.id == choice.shown))
    same = (SearchChoiceRow.shown == choice.shown, SearchChoiceRow.rank == choice.rank)
    if items is None or [choice.item] != items[choice.rank - 1 : choice.rank]:
        return False
    if connection.scalar(select(SearchChoiceRow.id).where(*same)):
        return False
    row = {"id": choice.id, "shown": choice.shown, "item": choice.item, "rank": choice.rank, "at": choice.at}
    connection.execute(insert(SearchChoiceRow), [row])
    return True


def searches(connection: Connection) -> list[SearchShown]:
    """Return what was shown, in the order of recording."""
    rows = connection.execute(select(SearchRow.__table__).order_by(SearchRow.number))
    return [
        SearchShown(
            row.id, SearchKind(row.sort), row.source, row.query, row.model, tuple(row.items), row.pair, row.swapped,
            row.session, row.at,
        )
        for row in rows
    ]  # fmt: skip


def choices(connection: Connection) -> list[SearchChoice]:
    """Return what was opened, in the order of recording."""
    rows = connection.execute(select(SearchChoiceRow.__table__).order_by(SearchChoiceRow.number))
    return [SearchChoice(row.id, row.shown, row.item, row.rank, row.at) for row in rows]


def size(connection: Connection) -> SearchLogSize:
    """Return the size and age of the log."""
    count, oldest, newest = connection.execute(
        select(func.count(), func.min(SearchRow.at), func.max(SearchRow.at)).select_from(SearchRow)
    ).one()
    opened = connection.scalar(select(func.count()).select_from(SearchChoiceRow)) or 0
    return SearchLogSize(count, opened, oldest, newest)


def erase(connection: Connection, before: datetime | None) -> int:
    """Delete all searches, or those before a time, with what was opened of them; return how many searches."""
    gone = select(SearchRow.id) if before is None else select(SearchRow.id).where(SearchRow.at < before)
    connection.execute(delete(SearchChoiceRow).where(SearchChoiceRow.shown.in_(gone)))
    return connection.execute(delete(SearchRow).where(SearchRow.id.in_(gone))).rowcount
