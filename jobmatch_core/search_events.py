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
    """Results shown to a user who opted in to the log."""

    id: str  # UUID
    kind: SearchKind  # kind of the items
    source: str  # the taxonomy or marketplace that was searched
    query: str  # the query as typed
    model: str  # name of the model that ranked the items
    items: tuple[str, ...]  # ids of the items in the order shown
    pair: int  # rank, from 1, of the first of two neighbours that were swapped at random or not; 0 without such a pair
    swapped: bool  # true if they were swapped
    session: str  # random id of the browser's tab, which does not identify the user
    at: datetime  # UTC time with microseconds
    candidate: str = ""  # name of the model that the one in use was compared with in this search; '' for none
    teams: tuple[Team, ...] = ()  # the ranking that is credited with each item; empty without a candidate


@dataclass(frozen=True, slots=True)
class SearchChoice:
    """A shown item that the user opened."""

    id: str  # UUID
    shown: str  # id of the `SearchShown`
    item: str  # id of the item
    rank: int  # its rank as shown, from 1
    at: datetime  # UTC time with microseconds
