"""Roles: each has the permissions of the ones before it."""

from itertools import product

from jobmatch.access.roles import Role


def test_the_order() -> None:
    """Viewer, annotator, reviewer, admin."""
    order = [Role.VIEWER, Role.ANNOTATOR, Role.REVIEWER, Role.ADMIN]
    for (place, role), (other, needed) in product(enumerate(order), repeat=2):
        assert role.reaches(needed) == (place >= other)
