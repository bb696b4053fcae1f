"""Content of a search log: frozen records of results shown and results opened; beside `entities`."""

from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum


class SearchKind(StrEnum):
    """The sorts of items that are searched."""

    OCCUPATIONS = "occupations"
    FREELANCERS = "freelancers"
    PROJECTS = "projects"


@dataclass(frozen=True, slots=True)
class SearchShown:
    """Results that a search showed to somebody who opted in to the log.

    Attributes:
        id: UUID.
        kind: sort of the items.
        source: the taxonomy or marketplace that was searched.
        query: as it was typed.
        model: name of the model that ranked the items.
        items: ids of the items in the order shown.
        pair: rank, from 1, of the first of two neighbours that chance could swap; 0 where chance left the order alone.
        swapped: true if it swapped them.
        session: random id of the browser's tab; it says nothing of who searched.
        at: UTC time with microseconds.
    """

    id: str
    kind: SearchKind
    source: str
    query: str
    model: str
    items: tuple[str, ...]
    pair: int
    swapped: bool
    session: str
    at: datetime


@dataclass(frozen=True, slots=True)
class SearchChoice:
    """One of the shown items that somebody opened.

    Attributes:
        id: UUID.
        shown: id of the `SearchShown`.
        item: id of the item.
        rank: its rank as shown, from 1.
        at: UTC time with microseconds.
    """

    id: str
    shown: str
    item: str
    rank: int
    at: datetime
