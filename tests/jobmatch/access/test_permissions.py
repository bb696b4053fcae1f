"""The table of permissions: it names every page, and each role gets what it says, no more."""

import re
from pathlib import Path

import pytest

from jobmatch.access.permissions import ACTIONS, PAGES, ROUTES, SCOPES, may_do, may_open
from jobmatch.access.principal import Principal, PrincipalKind, Role

ROOT = Path(__file__).parents[3]


def test_every_page_is_in_the_table() -> None:
    """And nothing else."""
    entries = re.findall(r'^    \("(\w+)", "', (ROOT / "app.py").read_text("utf-8"), flags=re.MULTILINE)
    assert set(entries) == set(PAGES)
    assert len(entries) > 5


@pytest.mark.parametrize("role", [None, *Role])
def test_pages_and_actions_by_role(role: Role | None) -> None:
    """Each role includes the ones before it; without a role nothing is allowed."""
    somebody = Principal("person-1", "Ada", role, PrincipalKind.PERSON)
    for page, needed in PAGES.items():
        assert may_open(somebody, page) == (role in list(Role)[list(Role).index(needed) :])
    for action, needed in ACTIONS.items():
        assert may_do(somebody, action) == (role in list(Role)[list(Role).index(needed) :])


def test_the_roles_of_pages() -> None:
    """Written by hand, to notice errors in the table."""
    assert {page for page, role in PAGES.items() if role is not Role.VIEWER} == {"label_pairs", "train_models"}
    assert (PAGES["label_pairs"], PAGES["train_models"]) == (Role.ANNOTATOR, Role.REVIEWER)
    assert ACTIONS["administer"] is Role.ADMIN


def test_every_guarded_route_has_one_scope() -> None:
    """So that a key can be limited to it, and a message can name it."""
    guarded = [line.split(" ")[1] for line, needed in ROUTES.items() if needed is not None]
    assert guarded
    assert [path for path in guarded if sum(path.startswith(prefix) for prefix in SCOPES.values()) != 1] == []
