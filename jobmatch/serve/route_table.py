"""Names of routes, such as 'GET /api/v1/jobs/{id}', by which requests are checked, limited, counted and logged."""

from collections.abc import Iterator, Sequence

from starlette.routing import BaseRoute, Match, Mount, Route, WebSocketRoute
from starlette.types import Scope

WEBSOCKET, OTHER = "WEBSOCKET", "OTHER"  # in place of a WebSocket's method, and of an unknown method
FILES = "/{path:path}"  # end of the path if a mount serves files
MISSING = "/?"  # end of the path if no route of a mount matches; the mount itself answers 404
ASSETS = (
    "GET /{path:path}",
    "GET /component/{path:path}",
    "GET /_stcore/bidi-components/{path:path}",
)  # static files of Streamlit
NOTHING = ""  # no route and no mount matches
_METHODS = ("GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS")
_NAME = "jobmatch.route"  # key in a scope


def route_name(scope: Scope) -> str:
    """Return the name of a request's route, or `NOTHING`; it is looked up once for all middleware."""
    if _NAME not in scope:
        path = _path(scope["app"].routes, scope)
        scope[_NAME] = f"{_method(scope)} {path}" if path is not None else NOTHING
    return str(scope[_NAME])


def route_names(routes: Sequence[BaseRoute], beginning: str = "") -> Iterator[str]:
    """Yield the names of routes, without `HEAD` and `OPTIONS`."""
    for route in routes:
        if isinstance(route, Mount):
            yield from route_names(route.routes, beginning + route.path)
            if not route.routes:
                yield f"GET {beginning}{route.path}{FILES}"
        elif isinstance(route, Route):
            for method in sorted((route.methods or set()) - {"HEAD", "OPTIONS"}):
                yield f"{method} {beginning}{route.path}"
        elif isinstance(route, WebSocketRoute):
            yield f"{WEBSOCKET} {beginning}{route.path}"


def _method(scope: Scope) -> str:
    if scope["type"] == "websocket":
        return WEBSOCKET
    method = str(scope["method"])
    if method not in _METHODS:
        return OTHER  # clients may send any name, and each would be a label of the metrics
    return "GET" if method == "HEAD" else method


def _path(routes: Sequence[BaseRoute], scope: Scope) -> str | None:
    """Return the path of the first route that matches, with the names of its parameters; None if none does."""
    for route in routes:
        match, child_scope = route.matches(scope)
        if match is not Match.FULL:
            continue
        if not isinstance(route, Mount):
            return str(getattr(route, "path", ""))
        below = _path(route.routes, {**scope, **child_scope}) if route.routes else FILES
        return route.path + (MISSING if below is None else below)
    return None
