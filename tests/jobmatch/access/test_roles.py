"""Roles: each may do all that the ones before it may."""

from itertools import product

from jobmatch.access.roles import Role, highest


def test_the_order() -> None:
    """Viewer, annotator, reviewer, admin."""
    order = [Role.VIEWER, Role.ANNOTATOR, Role.REVIEWER, Role.ADMIN]
    for (place, role), (other, needed) in product(enumerate(order), repeat=2):
        assert role.reaches(needed) == (place >= other)


def test_the_highest() -> None:
    """Whatever their order; of none, none."""
    assert highest([Role.REVIEWER, Role.ADMIN, Role.VIEWER]) is Role.ADMIN
    assert highest([Role.ANNOTATOR, Role.VIEWER]) is Role.ANNOTATOR
    assert highest([]) is None
