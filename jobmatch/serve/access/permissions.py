"""The table of permissions: the role that each page, each action on a page and each route of the API needs.

What is not in it may be done by nobody: a test compares it with the pages and the routes that there are.
"""

from jobmatch.serve.access.principal import Principal, Role

_VIEWER, _ANNOTATOR, _REVIEWER, _ADMIN = Role

PAGES: dict[str, Role] = {
    "link_titles": _VIEWER,
    "search": _VIEWER,
    "job_descriptions": _VIEWER,
    "find_freelancers": _VIEWER,
    "label_pairs": _ANNOTATOR,
    "train_models": _REVIEWER,
    "latent_map": _VIEWER,
    "taxonomies": _VIEWER,
    "scoreboard": _VIEWER,
    "account": _VIEWER,
    "about": _VIEWER,
}  # folder in pages/ -> role

ACTIONS: dict[str, Role] = {
    "judge": _ANNOTATOR,  # record a verdict, on whatever page
    "settle": _REVIEWER,  # adjudicate, write the guidelines, and set quotas
    "measure": _REVIEWER,  # occupy the server with measuring systems
    "administer": _ADMIN,  # people and keys, taxonomies, what is kept of everybody's searches
}

ROUTES: dict[str, Role | None] = {
    "GET /healthz": None,
    "GET /readyz": None,
    "GET /metrics": _VIEWER,
    "GET /api": None,
    "GET /api/openapi.json": None,
    "POST /api/v1/link": _VIEWER,
    "POST /api/v1/describe": _VIEWER,
    "POST /api/v1/match": _VIEWER,
    "POST /api/v1/search": _VIEWER,
    "GET /api/v1/taxonomies": _VIEWER,
    "GET /api/v1/occupations/{uri:path}": _VIEWER,
    "POST /api/v1/decisions": _ANNOTATOR,
    "POST /api/v1/jobs": _VIEWER,
    "GET /api/v1/jobs/{id}": _VIEWER,
    "GET /api/v1/jobs/{id}/events": _VIEWER,
    "GET /api/v1/jobs/{id}/result": _VIEWER,
    "DELETE /api/v1/jobs/{id}": _VIEWER,
    "GET /esco/api/search": _VIEWER,
    "GET /esco/api/suggest2": _VIEWER,
    "GET /esco/api/resource/related": _VIEWER,
    "GET /esco/api/resource/{kind}": _VIEWER,
    "GET /reconcile/1.0/{taxonomy}": _VIEWER,
    "GET /reconcile/1.0/{taxonomy}/suggest/{what}": _VIEWER,
    "GET /reconcile/1.0/{taxonomy}/preview": _VIEWER,
    "POST /reconcile/1.0/{taxonomy}/match": _VIEWER,
    "POST /reconcile/1.0/{taxonomy}/extend": _VIEWER,
    "GET /reconcile/1.0/{taxonomy}/extend/propose": _VIEWER,
    "POST /reconcile/1.0/{taxonomy}/decisions": _ANNOTATOR,
    "GET /reconcile/key/{key}/{taxonomy}": _VIEWER,
    "GET /reconcile/key/{key}/{taxonomy}/suggest/{what}": _VIEWER,
    "GET /reconcile/key/{key}/{taxonomy}/preview": _VIEWER,
    "POST /reconcile/key/{key}/{taxonomy}": _VIEWER,
    "GET /reconcile/key/{key}/{taxonomy}/flyout/{what}": _VIEWER,
    "GET /reconcile/key/{key}/{taxonomy}/properties": _VIEWER,
    "GET /reconcile/{taxonomy}": _VIEWER,
    "GET /reconcile/{taxonomy}/suggest/{what}": _VIEWER,
    "GET /reconcile/{taxonomy}/preview": _VIEWER,
    "POST /reconcile/{taxonomy}": _VIEWER,
    "GET /reconcile/{taxonomy}/flyout/{what}": _VIEWER,
    "GET /reconcile/{taxonomy}/properties": _VIEWER,
    "POST /reconcile/{taxonomy}/decisions": _ANNOTATOR,
}  # method and path -> role; None for everybody, known or not

SCOPES = {
    "api": "/api/",
    "esco": "/esco/",
    "reconcile": "/reconcile/",
    "metrics": "/metrics",
}  # name -> paths' beginning


def may_open(principal: Principal, page: str) -> bool:
    """Return whether somebody may open a page, given by its folder."""
    return _reaches(principal, PAGES[page])


def may_do(principal: Principal, action: str) -> bool:
    """Return whether somebody may take an action of `ACTIONS`."""
    return _reaches(principal, ACTIONS[action])


def may_call(principal: Principal, needed: Role, path: str) -> bool:
    """Return whether somebody may call a route of the API that needs a role."""
    in_scope = not principal.scopes or any(path.startswith(SCOPES[scope]) for scope in principal.scopes)
    return in_scope and _reaches(principal, needed)


def _reaches(principal: Principal, needed: Role) -> bool:
    return principal.role is not None and principal.role.reaches(needed)
