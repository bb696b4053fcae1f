"""The access that this process's server grants: pages and middleware ask the same one."""

from typing import TYPE_CHECKING

from jobmatch.serve.access.access import Access
from jobmatch.serve.access.access_config import AccessConfig

if TYPE_CHECKING:
    from db.access_store import AccessStore


def _no_store() -> "AccessStore":
    raise RuntimeError("nobody has to be recognised")


_OPEN = Access(AccessConfig(), _no_store)
_in_force = _OPEN


def put_in_force(access: Access) -> None:
    """Let the server grant this access from now on."""
    global _in_force  # Streamlit gives pages nothing else that they share with the server
    _in_force = access


def access_in_force() -> Access:
    """Return the access that is granted; everything to everybody where no server has put any in force."""
    return _in_force
