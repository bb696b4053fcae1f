"""The access that this process grants at present."""

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from jobmatch.access.access import Access

_in_force: "list[Access]" = []


def put_in_force(access: "Access | None") -> None:
    """Let the server grant this access from now on; None for everything to everybody."""
    _in_force[:] = [access] if access is not None else []


def access_in_force() -> "Access | None":
    """Return the access that is granted; None where no server has put any in force, so that everybody may do all."""
    return _in_force[0] if _in_force else None
