"""A line of JSON for each request and each event; titles, names, keys and addresses are not in it."""

import json
import logging
import sys
import time
from collections.abc import Sequence
from datetime import UTC, datetime
from http import HTTPStatus

from starlette.routing import BaseRoute
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from jobmatch.serve.access.middleware import template_of
from jobmatch.serve.monitoring import Metrics

FACES = ("/api", "/esco", "/reconcile", "/healthz", "/readyz", "/metrics")
PAGES, UNKNOWN = "pages", "unknown"  # in place of the route of what Streamlit answers, and of what there is not
_OTHERS = ("uvicorn", "uvicorn.error", "streamlit")  # loggers with handlers of their own
_EXTRA = "fields"
_log = logging.getLogger(__name__)


class JsonLines(logging.Formatter):
    """Records as lines of JSON: time, level, logger, message, and what else was given."""

    def format(self, record: logging.LogRecord) -> str:
        """Return a record as one line."""
        line = {
            "time": datetime.fromtimestamp(record.created, UTC).isoformat(timespec="milliseconds"),
            "level": record.levelname.lower(),
            "logger": record.name,
            "message": record.getMessage(),
            **getattr(record, _EXTRA, {}),
        }
        if record.exc_info:
            line["error"] = self.formatException(record.exc_info)
        return json.dumps(line, ensure_ascii=False)


def log_json() -> None:
    """Write the log of this process to standard error as lines of JSON."""
    handler = logging.StreamHandler(sys.stderr)
    handler.setFormatter(JsonLines())
    logging.basicConfig(level=logging.INFO, handlers=[handler], force=True)
    for name in _OTHERS:
        logger = logging.getLogger(name)
        logger.handlers.clear()
        logger.propagate = True
    logging.getLogger("httpx").setLevel(logging.WARNING)  # it logs addresses with what is asked for


def log_event(logger: logging.Logger, message: str, **fields: object) -> None:
    """Log an event with fields of its own."""
    logger.info(message, extra={_EXTRA: fields})


def is_face(path: str) -> bool:
    """Return whether a path belongs to the API, and not to the pages."""
    return any(path == face or path.startswith(f"{face}/") for face in FACES)


class RequestLogMiddleware:
    """Counts and logs every request of the API; those of pages are only counted."""

    def __init__(self, app: ASGIApp, metrics: Metrics, routes: Sequence[BaseRoute]) -> None:
        """Wrap an application.

        Args:
            app: what is called.
            metrics: counts the requests.
            routes: our own routes, by whose paths requests are named, so that nothing of a request itself is logged.
        """
        self._app = app
        self._metrics = metrics
        self._routes = routes

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass a request on, and log how it was answered."""
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        started, status = time.perf_counter(), int(HTTPStatus.INTERNAL_SERVER_ERROR)
        route = (template_of(self._routes, scope) or UNKNOWN) if is_face(scope["path"]) else PAGES

        async def noting(message: Message) -> None:
            nonlocal status
            if message["type"] == "http.response.start":
                status = message["status"]
            await send(message)

        try:
            await self._app(scope, receive, noting)
        finally:
            seconds = time.perf_counter() - started
            self._metrics.answered(route, scope["method"], status, seconds)
            if route != PAGES:
                log_event(
                    _log, "request", route=route, method=scope["method"], status=status, seconds=round(seconds, 4)
                )
