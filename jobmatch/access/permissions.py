"""The table of permissions: the role that each action and route needs; anything not listed is denied.

The roles of the pages are in `pages/shared/page_list.py`.
"""

from enum import StrEnum

from jobmatch.access.principal import Principal, Role

_VIEWER, _ANNOTATOR, _REVIEWER, _ADMIN = Role

ACTIONS: dict[str, Role] = {
    "judge": _ANNOTATOR,  # record a verdict on any page
    "settle": _REVIEWER,  # adjudicate, write guidelines, set quotas
    "measure": _REVIEWER,  # measure systems, which loads the server
    "administer": _ADMIN,  # manage people, keys, taxonomies, encoders and the search log
}

ROUTES: dict[str, Role | None] = {
    "GET /healthz": None,
    "GET /readyz": None,
    "GET /metrics": _VIEWER,
    "GET /api": None,
    "GET /api/openapi.json": None,
    "GET /docs": None,  # the documentation, which is public
    "GET /docs/{path:path}": None,
    "POST /api/v1/link": _VIEWER,
    "POST /api/v1/describe": _VIEWER,
    "POST /api/v1/match": _VIEWER,
    "POST /api/v1/search": _VIEWER,
    "GET /api/v1/taxonomies": _VIEWER,
    "GET /api/v1/occupations/{uri:path}": _VIEWER,
    "GET /api/v1/crosswalks": _VIEWER,
    "POST /api/v1/crosswalks": _ANNOTATOR,
    "POST /api/v1/decisions": _ANNOTATOR,
    "POST /api/v1/question": _VIEWER,
    "POST /api/v1/answer": _VIEWER,  # recording an answer needs the action "judge"
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
}  # method and path -> role; None for no authentication
SCOPES = {
    "api": "/api/",
    "esco": "/esco/",
    "reconcile": "/reconcile/",
    "metrics": "/metrics",
}  # name -> prefix of its paths


class PageGuard(StrEnum):
    """Condition of a route of the pages, which Streamlit answers."""

    OPEN = "open"  # to everybody; needed before sign-in
    SESSION = "session"  # to a session with a role or, without sign-in, a browser on this machine
    CLOSED = "closed"


_OPEN, _SESSION, _CLOSED = PageGuard

PAGE_ROUTES: dict[str, PageGuard] = {
    "GET /{path:path}": _OPEN,  # Streamlit's own files
    "GET /component/{path:path}": _OPEN,  # files of installed components
    "GET /_stcore/bidi-components/{path:path}": _OPEN,
    "GET /_stcore/health": _OPEN,
    "GET /_stcore/host-config": _OPEN,
    "GET /auth/login": _OPEN,
    "GET /auth/logout": _OPEN,
    "GET /oauth2callback": _OPEN,
    "WEBSOCKET /_stcore/stream": _OPEN,  # `AccessMiddleware` checks each message
    "GET /media/{file_id:path}": _SESSION,
    "PUT /_stcore/upload_file/{session_id}/{file_id}": _SESSION,
    "DELETE /_stcore/upload_file/{session_id}/{file_id}": _SESSION,
    "GET /_stcore/metrics": _CLOSED,
    # Streamlit's agent API would run pages without the WebSocket whose messages are checked
    **{
        f"{method} /_stcore/agent/{name}": _CLOSED
        for method in ("DELETE", "GET", "PATCH", "POST", "PUT")
        for name in ("interact", "openapi.json", "mcp")
    },
}  # method and path -> guard

_PATHS = {
    name.partition(" ")[2]
    for name in (*ROUTES, *(route for route, guard in PAGE_ROUTES.items() if guard is not PageGuard.CLOSED))
}


def may_do(principal: Principal, action: str) -> bool:
    """Return whether a principal may take an action of `ACTIONS`."""
    return has_role(principal, ACTIONS[action])


def may_call(principal: Principal, needed: Role, path: str) -> bool:
    """Return whether a principal may call a route of the API that needs a role."""
    in_scope = not principal.scopes or any(path.startswith(SCOPES[scope]) for scope in principal.scopes)
    return in_scope and has_role(principal, needed)


def has_role(principal: Principal, needed: Role) -> bool:
    """Return whether a principal has a role, or one above it."""
    return principal.role is not None and principal.role.reaches(needed)


def is_open_path(path: str) -> bool:
    """Return whether the table has a route with a path, of any method, that is not closed."""
    return path in _PATHS
