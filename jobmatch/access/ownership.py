"""The table of stores: what belongs to whom, and the role that each act on an item needs.

It names every file and folder below `JOBMATCH_HOME`. What is not in it may be done by nobody: a test compares it with
`Settings`, and tries every act as each kind of person.
"""

from collections.abc import Mapping
from dataclasses import dataclass

from jobmatch.access.principal import Principal, PrincipalKind
from jobmatch.access.roles import Role
from jobmatch_core.io.ownership import Act, Ownership

_VIEWER, _ANNOTATOR, _REVIEWER, _ADMIN = Role


@dataclass(frozen=True, slots=True)
class Rule:
    """Who may do one thing with the items of a store; None is nobody.

    Attributes:
        owner: true for the owner of an item.
        private: role that somebody else needs, if the item is private.
        shared: role that somebody else needs, if the owner shares the item.
        unowned: role that everybody needs, if the item has no owner.
    """

    owner: bool = False
    private: Role | None = None
    shared: Role | None = None
    unowned: Role | None = None


_SEE = Rule(owner=True, private=_REVIEWER, shared=_VIEWER, unowned=_VIEWER)
_RENAME = Rule(owner=True, unowned=_REVIEWER)
_DELETE = Rule(owner=True, private=_ADMIN, shared=_ADMIN, unowned=_REVIEWER)
_OWN = Rule(owner=True)  # items without an owner have nobody to share them
_VIEWERS, _REVIEWERS, _ADMINS = Rule(unowned=_VIEWER), Rule(unowned=_REVIEWER), Rule(unowned=_ADMIN)

STORES: dict[str, Mapping[Act, Rule]] = {
    # of a person each
    "lists": {Act.LIST: _SEE, Act.OPEN: _SEE, Act.RENAME: _RENAME, Act.DELETE: _DELETE, Act.SHARE: _OWN},
    "texts": {Act.OPEN: _SEE, Act.DELETE: _DELETE, Act.SHARE: _OWN},  # found by their address alone
    "jobs": {Act.OPEN: _OWN, Act.DELETE: _OWN},  # of the caller of the API
    # of everybody, by role: the pages that show them need the same one
    "taxonomies": {Act.LIST: _VIEWERS, Act.OPEN: _VIEWERS, Act.DELETE: _ADMINS},
    "marketplaces": {Act.LIST: _VIEWERS, Act.OPEN: _VIEWERS},
    "models": {Act.LIST: _VIEWERS, Act.OPEN: _VIEWERS},
    "benchmarks": {Act.LIST: _VIEWERS, Act.OPEN: _VIEWERS},
    "evaluations": {Act.LIST: _VIEWERS, Act.OPEN: _VIEWERS},
    "snapshots": {Act.LIST: _REVIEWERS, Act.OPEN: _REVIEWERS},
    "training": {Act.LIST: _REVIEWERS, Act.OPEN: _REVIEWERS},
    "promoted": {Act.LIST: _REVIEWERS, Act.OPEN: _REVIEWERS},
    # of the program: computed from the others, and found by their content alone
    "indexes": {},
    "vectors": {},
    "caches": {},
    # rows instead of items: `permissions` says who judges, settles and administers
    "jobmatch.db": {},
}  # name below JOBMATCH_HOME -> act -> who may do it


def may_act(principal: Principal, store: str, act: Act, ownership: Ownership) -> bool:
    """Return whether somebody may do something with an item of a store.

    The user of this machine may do everything except sharing: there is nobody to share with.
    """
    rule = STORES[store].get(act)
    if rule is None or principal.role is None:
        return False
    if principal.kind is PrincipalKind.LOCAL:
        return act is not Act.SHARE
    if ownership.owner == principal.id:
        return rule.owner
    of_others = rule.shared if ownership.shared else rule.private
    needed = of_others if ownership.owner else rule.unowned
    return needed is not None and principal.role.reaches(needed)


def owner_id(principal: Principal) -> str:
    """Return the owner of what somebody makes: their id; '' for the user of this machine, where nobody signs in."""
    return "" if principal.kind is PrincipalKind.LOCAL else principal.id
