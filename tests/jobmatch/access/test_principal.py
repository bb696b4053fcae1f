"""Principals: the order of roles."""

from itertools import product

from jobmatch.access.principal import Role


def test_the_order() -> None:
    """Viewer, annotator, reviewer, admin."""
    order = [Role.VIEWER, Role.ANNOTATOR, Role.REVIEWER, Role.ADMIN]
    for (place, role), (other, needed) in product(enumerate(order), repeat=2):
        assert role.reaches(needed) == (place >= other)
