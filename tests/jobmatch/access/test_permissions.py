"""The table of permissions: each role gets what it says, no more."""

import pytest

from jobmatch.access.permissions import ACTIONS, ROUTES, SCOPES, has_role, may_do
from jobmatch.access.principal import Principal, PrincipalKind, Role


@pytest.mark.parametrize("role", [None, *Role])
def test_actions_by_role(role: Role | None) -> None:
    """Each role includes the ones before it; without a role nothing is allowed."""
    somebody = Principal("person-1", "Ada", role, PrincipalKind.PERSON)
    for needed in Role:
        assert has_role(somebody, needed) == (role in list(Role)[list(Role).index(needed) :])
    for action, needed in ACTIONS.items():
        assert may_do(somebody, action) == (role in list(Role)[list(Role).index(needed) :])


def test_who_administers() -> None:
    """Written by hand, to notice an error in the table."""
    assert ACTIONS["administer"] is Role.ADMIN


def test_every_guarded_route_has_one_scope() -> None:
    """The scope limits keys, and messages name it."""
    guarded = [line.split(" ")[1] for line, needed in ROUTES.items() if needed is not None]
    assert guarded
    assert [path for path in guarded if sum(path.startswith(prefix) for prefix in SCOPES.values()) != 1] == []
