"""Keys in the address of a service, for clients that can send no header, such as OpenRefine.

An address is seen by more people than a header: it stands in browsers' histories and in exported projects. Such a key
therefore opens nothing but reading the reconciliation service.
"""

from jobmatch.serve.access.denial import FORBIDDEN, Denial
from jobmatch.serve.access.principal import Principal, PrincipalKind
from jobmatch.serve.access.roles import Role

_BEGINNING = "/reconcile/key/"
KEYED_PATH = f"{_BEGINNING}{{key}}"
_SCOPE = "reconcile"


def key_in(path: str) -> str | None:
    """Return the key in a path; None if the path has no place for one."""
    if not path.startswith(_BEGINNING):
        return None
    return path.removeprefix(_BEGINNING).partition("/")[0]


def check_in_address(principal: Principal) -> None:
    """Check that a key may stand in an address.

    Raises:
        Denial: it opens more than reading the reconciliation service.
    """
    harmless = principal.role is Role.VIEWER and principal.scopes == (_SCOPE,)
    if principal.kind is PrincipalKind.KEY and not harmless:
        raise Denial(
            FORBIDDEN,
            f"The key {principal.name} may not stand in an address",
            f"Others may see it there: make one with the role {Role.VIEWER} and the scope {_SCOPE} alone.",
        )
