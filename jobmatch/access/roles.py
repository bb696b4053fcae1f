"""Roles: each has the permissions of the ones before it."""

from enum import StrEnum


class Role(StrEnum):
    """A role; roles are ordered as the members."""

    VIEWER = "viewer"
    ANNOTATOR = "annotator"
    REVIEWER = "reviewer"
    ADMIN = "admin"

    def reaches(self, needed: "Role") -> bool:
        """Return whether this role includes another one."""
        order = list(Role)
        return order.index(self) >= order.index(needed)
