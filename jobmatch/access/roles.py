"""Roles: each may do all that the ones before it may."""

from enum import StrEnum


class Role(StrEnum):
    """A role; the order is that of the members."""

    VIEWER = "viewer"
    ANNOTATOR = "annotator"
    REVIEWER = "reviewer"
    ADMIN = "admin"

    def reaches(self, needed: "Role") -> bool:
        """Return whether this role includes the permissions of another one."""
        order = list(Role)
        return order.index(self) >= order.index(needed)


def highest(roles: list[Role]) -> Role | None:
    """Return the highest of some roles; None if there are none."""
    return max(roles, key=list(Role).index, default=None)
