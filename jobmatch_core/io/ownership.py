"""Ownership of stored items: an owner, whether the item is shared, and the acts that a store asks permission for.

A store does not know people. It is opened with a function that says what the person who uses it may do; the owner is a
text that only this function understands.
"""

from collections.abc import Callable
from dataclasses import dataclass
from enum import StrEnum


class Act(StrEnum):
    """Something that is done with a stored item."""

    LIST = "list"
    OPEN = "open"
    RENAME = "rename"
    DELETE = "delete"
    SHARE = "share"  # or stop sharing


@dataclass(frozen=True, slots=True)
class Ownership:
    """Owner of an item.

    Attributes:
        owner: opaque id; '' for nobody in particular, as for items made where nobody signs in.
        shared: true if the owner shares the item with everybody.
    """

    owner: str = ""
    shared: bool = False


UNOWNED = Ownership()
Allowed = Callable[[Act, Ownership], bool]


def allow_all(act: Act, ownership: Ownership) -> bool:
    """Allow every act on every item."""
    return True
