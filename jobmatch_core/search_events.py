"""Records of a search log: results shown, and results opened."""

from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum


class SearchKind(StrEnum):
    """Kinds of searched items."""

    OCCUPATIONS = "occupations"
    FREELANCERS = "freelancers"
    PROJECTS = "projects"


class Team(StrEnum):
    """The ranking that is credited with an item of an interleaved list."""

    IN_USE = "in use"
    CANDIDATE = "candidate"
    NEITHER = ""


@dataclass(frozen=True, slots=True)
class SearchShown:
    """Results shown to a user who opted in to the log.

    Attributes:
        id: UUID.
        kind: kind of the items.
        source: the taxonomy or marketplace that was searched.
        query: the query as typed.
        model: name of the model that ranked the items.
        items: ids of the items in the order shown.
        pair: rank, from 1, of the first of two neighbours that were swapped at random or not; 0 without such a pair.
        swapped: true if they were swapped.
        session: random id of the browser's tab, which does not identify the user.
        at: UTC time with microseconds.
        candidate: name of the model that the one in use was compared with in this search; '' for none.
        teams: the ranking that is credited with each item; empty without a candidate.
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
    candidate: str = ""
    teams: tuple[Team, ...] = ()


@dataclass(frozen=True, slots=True)
class SearchChoice:
    """A shown item that the user opened.

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
