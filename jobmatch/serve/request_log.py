"""The log of requests and events, without titles, names, keys and addresses."""

import logging
import time
from http import HTTPStatus

from starlette.types import ASGIApp, Message, Receive, Scope, Send

from jobmatch.serve.json_log import FIELDS
from jobmatch.serve.monitoring import Metrics
from jobmatch.serve.route_table import ASSETS, FILES, MISSING, route_name

FACES = ("/api", "/docs", "/esco", "/reconcile", "/healthz", "/readyz", "/metrics")
PAGES, UNKNOWN = "pages", "unknown"  # in place of the route of static files, and of requests without a route
_log = logging.getLogger(__name__)


def log_event(logger: logging.Logger, message: str, **fields: object) -> None:
    """Log an event with further fields."""
    logger.info(message, extra={FIELDS: fields})


def is_face(path: str) -> bool:
    """Return whether a path belongs to the API, and not to the pages."""
    return any(path == face or path.startswith(f"{face}/") for face in FACES)


class RequestLogMiddleware:
    """Counts all requests and WebSockets, and logs those that are not for static files."""

    def __init__(self, app: ASGIApp, metrics: Metrics) -> None:
        self._app = app
        self._metrics = metrics

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass a request on; then count it, and log it unless it is for a static file."""
        if scope["type"] not in ("http", "websocket"):
            await self._app(scope, receive, send)
            return
        started, status = time.perf_counter(), int(HTTPStatus.INTERNAL_SERVER_ERROR)
        name = route_name(scope)
        method, _, path = name.partition(" ")

        async def noting(message: Message) -> None:
            nonlocal status
            if message["type"] == "http.response.start":
                status = message["status"]
            elif message["type"] == "websocket.accept":
                status = int(HTTPStatus.SWITCHING_PROTOCOLS)
            elif message["type"] == "websocket.close" and status != HTTPStatus.SWITCHING_PROTOCOLS:
                status = int(HTTPStatus.FORBIDDEN)  # the status of a WebSocket that is closed before it is accepted
            await send(message)

        try:
            await self._app(scope, receive, noting)
        finally:
            seconds = time.perf_counter() - started
            if name in ASSETS and not is_face(scope["path"]):
                self._metrics.answered(PAGES, method, status, seconds)
            else:
                route = UNKNOWN if path.endswith((MISSING, FILES)) or not path else path
                self._metrics.answered(route, method or UNKNOWN, status, seconds)
                log_event(_log, "request", route=route, method=method, status=status, seconds=round(seconds, 4))
