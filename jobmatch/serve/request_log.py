"""A line of the log for each request and each event; titles, names, keys and addresses are not in it."""

import logging
import time
from http import HTTPStatus

from starlette.types import ASGIApp, Message, Receive, Scope, Send

from jobmatch.serve.json_log import FIELDS
from jobmatch.serve.monitoring import Metrics
from jobmatch.serve.route_table import ASSETS, FILES, MISSING, route_of

FACES = ("/api", "/esco", "/reconcile", "/healthz", "/readyz", "/metrics")
PAGES, UNKNOWN = "pages", "unknown"  # in place of the route of static files, and of what there is not
_log = logging.getLogger(__name__)


def log_event(logger: logging.Logger, message: str, **fields: object) -> None:
    """Log an event with fields of its own."""
    logger.info(message, extra={FIELDS: fields})


def is_face(path: str) -> bool:
    """Return whether a path belongs to the API, and not to the pages."""
    return any(path == face or path.startswith(f"{face}/") for face in FACES)


class RequestLogMiddleware:
    """Counts every request and every WebSocket, and logs them, except for those of static files."""

    def __init__(self, app: ASGIApp, metrics: Metrics) -> None:
        """Wrap an application.

        Args:
            app: what is called; requests are named by its routes, so that nothing of a request itself is logged.
            metrics: counts the requests.
        """
        self._app = app
        self._metrics = metrics

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass a request on, and log how it was answered."""
        if scope["type"] not in ("http", "websocket"):
            await self._app(scope, receive, send)
            return
        started, status = time.perf_counter(), int(HTTPStatus.INTERNAL_SERVER_ERROR)
        name = route_of(scope)
        method, _, path = name.partition(" ")

        async def noting(message: Message) -> None:
            nonlocal status
            if message["type"] == "http.response.start":
                status = message["status"]
            elif message["type"] == "websocket.accept":
                status = int(HTTPStatus.SWITCHING_PROTOCOLS)
            elif message["type"] == "websocket.close" and status != HTTPStatus.SWITCHING_PROTOCOLS:
                status = int(HTTPStatus.FORBIDDEN)  # which a WebSocket that is closed before it is accepted gets
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
