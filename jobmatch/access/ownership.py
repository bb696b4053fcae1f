"""The table of stores below `JOBMATCH_HOME`, and the role that each act on an item needs.

Anything not listed is denied.
"""

from collections.abc import Mapping
from dataclasses import dataclass

from jobmatch.access.principal import Principal, PrincipalKind, Role
from jobmatch_core.io.ownership import Act, Ownership

_VIEWER, _ANNOTATOR, _REVIEWER, _ADMIN = Role


@dataclass(frozen=True, slots=True)
class Rule:
    """Roles that may do an act on the items of a store; None for nobody."""

    owner: bool = False  # true if the owner of an item may
    private: Role | None = None  # role that others need if the item is private
    shared: Role | None = None  # role that others need if the owner shares the item
    unowned: Role | None = None  # role needed if the item has no owner


_SEE = Rule(owner=True, private=_REVIEWER, shared=_VIEWER, unowned=_VIEWER)
_RENAME = Rule(owner=True, unowned=_REVIEWER)
_DELETE = Rule(owner=True, private=_ADMIN, shared=_ADMIN, unowned=_REVIEWER)
_OWN = Rule(owner=True)  # an item without an owner cannot be shared
_VIEWERS, _REVIEWERS, _ADMINS = Rule(unowned=_VIEWER), Rule(unowned=_REVIEWER), Rule(unowned=_ADMIN)

STORES: dict[str, Mapping[Act, Rule]] = {
    # each item belongs to a person
    "lists": {Act.LIST: _SEE, Act.OPEN: _SEE, Act.RENAME: _RENAME, Act.DELETE: _DELETE, Act.SHARE: _OWN},
    "texts": {Act.OPEN: _SEE, Act.DELETE: _DELETE, Act.SHARE: _OWN},  # opened only by their address
    "jobs": {Act.OPEN: _OWN, Act.DELETE: _OWN},  # of a caller of the API
    # common, by role; the pages that show them need the same role
    "crosswalks": {Act.LIST: _VIEWERS, Act.OPEN: _VIEWERS, Act.DELETE: _REVIEWERS},
    "taxonomies": {Act.LIST: _VIEWERS, Act.OPEN: _VIEWERS, Act.DELETE: _ADMINS},
    "marketplaces": {Act.LIST: _VIEWERS, Act.OPEN: _VIEWERS},
    "models": {Act.LIST: _VIEWERS, Act.OPEN: _VIEWERS, Act.DELETE: _ADMINS},
    "benchmarks": {Act.LIST: _VIEWERS, Act.OPEN: _VIEWERS},
    "evaluations": {Act.LIST: _VIEWERS, Act.OPEN: _VIEWERS},
    "snapshots": {Act.LIST: _REVIEWERS, Act.OPEN: _REVIEWERS},
    "training": {Act.LIST: _REVIEWERS, Act.OPEN: _REVIEWERS},
    "promoted": {Act.LIST: _REVIEWERS, Act.OPEN: _REVIEWERS},
    # internal: closed tours, the mark of a demo, and what is computed from the others
    "tours": {},
    "demo.json": {},
    "indexes": {},
    "vectors": {},
    "caches": {},
    # rows instead of items; see `permissions.ACTIONS`
    "jobmatch.db": {},
}  # name below JOBMATCH_HOME -> act -> rule


def may_act(principal: Principal, store: str, act: Act, ownership: Ownership) -> bool:
    """Return whether a principal may do an act on an item of a store; the local user may do all but share."""
    rule = STORES[store].get(act)
    if rule is None or principal.role is None:
        return False
    if principal.kind is PrincipalKind.LOCAL:
        return act is not Act.SHARE
    if ownership.owner == principal.id:
        return rule.owner
    role_of_others = rule.shared if ownership.shared else rule.private
    needed = role_of_others if ownership.owner else rule.unowned
    return needed is not None and principal.role.reaches(needed)


def owner_id(principal: Principal) -> str:
    """Return the owner of a principal's new items: its id; '' for the local user."""
    return "" if principal.kind is PrincipalKind.LOCAL else principal.id
