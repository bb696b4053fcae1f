"""Monitoring: health checks for supervisors and load balancers, metrics for Prometheus."""

import asyncio
import logging
import os
from collections.abc import Callable, Sequence
from functools import partial
from http import HTTPStatus
from tempfile import TemporaryFile

from prometheus_client import CollectorRegistry, Counter, Gauge, Histogram, generate_latest
from prometheus_client.exposition import CONTENT_TYPE_LATEST
from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import BaseRoute, Route

from jobmatch.access.recent import Recent
from jobmatch.serve.problems import RETRY_LATER
from jobmatch.services.linking import LinkingService, LinkOptions
from jobmatch_core.entities import LinkResult
from jobmatch_core.errors import JobMatchError
from jobmatch_core.io.folders import make_folder

_SECONDS = (0.005, 0.01, 0.02, 0.04, 0.08, 0.15, 0.3, 0.6, 1.2, 2.5, 5.0, 10.0, 30.0)
READY, UNUSABLE = "ready", "cannot be used; the server's log says why"
_log = logging.getLogger(__name__)


class Metrics:
    """Metrics of one server; another server in the same process has its own."""

    def __init__(self) -> None:
        self._registry = CollectorRegistry()
        self._requests = Counter(
            "jobmatch_requests", "Requests answered.", ["route", "method", "status"], registry=self._registry
        )
        self._latency = Histogram(
            "jobmatch_request_seconds",
            "Time to the end of the answer.",
            ["route"],
            buckets=_SECONDS,
            registry=self._registry,
        )
        self._titles = Counter(
            "jobmatch_titles", "Titles linked, by the level of the link.", ["level"], registry=self._registry
        )
        for level in ("occupation", "unit group", "none"):  # shown from the start
            self._titles.labels(level)

    def watch(self, name: str, what: str, value: Callable[[], float]) -> None:
        """Add a gauge of a current value, such as the length of a queue."""
        Gauge(f"jobmatch_{name}", what, registry=self._registry).set_function(value)

    def answered(self, route: str, method: str, status: int, seconds: float) -> None:
        """Count a request; *route* is the path of its route, so that the number of labels stays small."""
        self._requests.labels(route, method, status).inc()
        self._latency.labels(route).observe(seconds)

    def linked(self, results: Sequence[LinkResult]) -> None:
        """Count titles by level; 'none' if the linker abstained."""
        for result in results:
            self._titles.labels(result.level or "none").inc()

    def route(self) -> Route:
        """Return the route that Prometheus reads."""

        async def metrics(_request: Request) -> Response:
            content = await run_in_threadpool(generate_latest, self._registry)  # reads the jobs on the disk
            return Response(content, media_type=CONTENT_TYPE_LATEST)

        return Route("/metrics", metrics)


def routes(service: LinkingService, taxonomies: Sequence[str]) -> list[BaseRoute]:
    """Return `/healthz` and `/readyz`, which is ready when the linkers of *taxonomies* are loaded and writing works."""
    written: Recent[dict[str, str]] = Recent()
    trying = asyncio.Lock()

    async def healthz(_request: Request) -> Response:
        return JSONResponse({"status": "alive"})

    async def readyz(_request: Request) -> Response:
        async with trying:  # else requests that arrive while one waits for the store would each write in a thread
            states = await run_in_threadpool(readiness, service, taxonomies, written)
        if set(states.values()) == {READY}:
            return JSONResponse({"status": READY, "parts": states})
        return JSONResponse({"status": "not ready", "parts": states}, HTTPStatus.SERVICE_UNAVAILABLE, RETRY_LATER)

    return [Route("/healthz", healthz), Route("/readyz", readyz)]


def readiness(service: LinkingService, taxonomies: Sequence[str], written: Recent[dict[str, str]]) -> dict[str, str]:
    """Return the state of each part, using the cache *written* for writes; linkers that are not open start to load."""
    states = {f"linker {taxonomy}": _state(partial(_linker, service, taxonomy)) for taxonomy in taxonomies}
    parts = {"label store": partial(_write_labels, service), "home": partial(_write_home, service)}
    return states | written.get("", lambda: {name: _state(write) for name, write in parts.items()})


def _state(check: Callable[[], str | None]) -> str:
    try:
        return check() or READY
    except (JobMatchError, OSError):  # only the log has it, since it may name folders of the server
        _log.exception("The server is not ready.")
        return UNUSABLE


def _linker(service: LinkingService, taxonomy: str) -> str | None:
    opening = service.opening(LinkOptions(taxonomy))
    if not opening.wait(0):
        return f"loading, {opening.done} of {opening.total}"
    opening.result()
    return None


def _write_labels(service: LinkingService) -> None:
    if service.settings.may_have_labels:  # otherwise the first judgment creates it
        service.labels().count()
        service.labels().access.try_writing()


def _write_home(service: LinkingService) -> None:
    make_folder(service.settings.home)
    with TemporaryFile(dir=service.settings.home) as file:
        file.write(bytes(65536))
        file.flush()
        os.fsync(file.fileno())
