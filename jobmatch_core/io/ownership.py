"""Ownership of stored items, and the acts that need permission.

A store knows no people: it is opened with a function that says what its user may do, and that interprets the owners.
"""

from collections.abc import Callable
from dataclasses import dataclass
from enum import StrEnum

Allowed = Callable[["Act", "Ownership"], bool]


class Act(StrEnum):
    """An act on a stored item."""

    LIST = "list"
    OPEN = "open"
    RENAME = "rename"
    DELETE = "delete"
    SHARE = "share"  # or stop sharing


@dataclass(frozen=True, slots=True)
class Ownership:
    """Owner of an item, '' without signing in, and whether the item is shared with everybody."""

    owner: str = ""
    shared: bool = False


UNOWNED = Ownership()


def allow_all(act: Act, ownership: Ownership) -> bool:
    """Allow every act on every item."""
    return True
