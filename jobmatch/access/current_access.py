"""The access in force in this process, which the server sets and pages read."""

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from jobmatch.access.access import Access

_current: "list[Access]" = []


def set_access(access: "Access | None") -> None:
    """Set the access in force; None allows everybody everything."""
    _current[:] = [access] if access is not None else []


def current_access() -> "Access | None":
    """Return the access in force; None allows everybody everything."""
    return _current[0] if _current else None
