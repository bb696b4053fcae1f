"""The server of `jobmatch serve`: Streamlit's app for people, with the faces of the API beside it."""

import asyncio
import json
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass
from typing import Any

from starlette.middleware import Middleware
from starlette.requests import Request
from starlette.responses import HTMLResponse, Response
from starlette.routing import BaseRoute, Route
from streamlit.starlette import App

from jobmatch.serve import health
from jobmatch.serve.foreign_sites import ForeignSitesMiddleware
from jobmatch.serve.limits import LimitsMiddleware
from jobmatch.serve.link_queue import LinkQueue
from jobmatch.serve.metrics import Metrics
from jobmatch.serve.openapi import Faces, api_page, describe_api
from jobmatch.serve.operations import JSON
from jobmatch.serve.request_log import RequestLogMiddleware
from jobmatch.serve.serve_config import ServeConfig
from jobmatch.serve.v1 import routes as v1
from jobmatch.serve.v1.calls import Calls
from jobmatch.serve.v1.job_calls import JobCalls
from jobmatch.serve.workers import Workers
from jobmatch.services.describing import DescribingService
from jobmatch.services.link_job_runner import LinkJobRunner
from jobmatch.services.link_jobs import LinkJobStore
from jobmatch.services.linking import LinkingService, LinkOptions, linking_service
from jobmatch.services.matching import MatchingService
from jobmatch.services.searching import SearchingService
from jobmatch.services.shipped_files import app_folder


@dataclass(frozen=True, slots=True)
class _Parts:
    """What runs as long as the server does."""

    service: LinkingService
    config: ServeConfig
    metrics: Metrics
    queue: LinkQueue
    workers: Workers
    jobs: LinkJobStore
    runner: LinkJobRunner

    @classmethod
    def of(cls, service: LinkingService, config: ServeConfig) -> "_Parts":
        metrics, queue, workers = Metrics(), LinkQueue(service), Workers()
        jobs = LinkJobStore(service.settings)
        metrics.watch("titles_waiting", "Titles that wait to be linked.", lambda: queue.waiting)
        metrics.watch("calls_waiting", "Other calls that run, or wait for a thread.", lambda: workers.waiting)
        metrics.watch("jobs_waiting", "Jobs that are not done.", lambda: len(jobs.unfinished()))
        return cls(service, config, metrics, queue, workers, jobs, LinkJobRunner(jobs, service))


def build_app(service: LinkingService | None = None, config: ServeConfig | None = None) -> App:
    """Return the server's ASGI application: the pages, and beside them what programs call.

    Args:
        service: what links; the one that the pages of this process use by default.
        config: the server's configuration.
    """
    parts = _Parts.of(service or linking_service(), config or ServeConfig())
    return App(
        app_folder() / "app.py",
        routes=_routes(parts),
        middleware=_middleware(parts),
        lifespan=lambda _app: _lifespan(parts),
    )


def _routes(parts: _Parts) -> list[BaseRoute]:
    """Return the faces of the API; each room under `jobmatch.serve` adds its own here."""
    service = parts.service
    calls = Calls(
        service, parts.queue, parts.workers, DescribingService(service), MatchingService(service),
        SearchingService(service.settings), parts.metrics,
    )  # fmt: skip
    operations = [*calls.operations(), *JobCalls(parts.jobs, parts.runner).operations()]
    return [
        *health.routes(service, parts.config.taxonomies),
        parts.metrics.route(),
        *_description({v1.PATH: operations}),
        *v1.routes(operations),
    ]


def _description(faces: Faces) -> list[BaseRoute]:
    """Return the routes of the API's description."""
    description = describe_api(faces)
    content, page = json.dumps(description, indent=1), api_page(description)

    async def openapi(_request: Request) -> Response:
        return Response(content, media_type=JSON)

    async def readable(_request: Request) -> Response:
        return HTMLResponse(page)

    return [Route("/api/openapi.json", openapi), Route("/api", readable)]


def _middleware(parts: _Parts) -> Sequence[Middleware]:
    """Return what every request goes through, outermost first, pages included.

    `jobmatch.serve.access` adds `AccessMiddleware` before the limits, which count by `request.state.principal`.
    """
    return [
        Middleware(RequestLogMiddleware, metrics=parts.metrics),
        Middleware(ForeignSitesMiddleware, hosts=parts.config.hosts),
        Middleware(LimitsMiddleware, limits=parts.config.limits),
    ]


@asynccontextmanager
async def _lifespan(parts: _Parts) -> AsyncIterator[dict[str, Any]]:
    """Run what lives as long as the server."""
    for taxonomy in parts.config.taxonomies:
        parts.service.opening(LinkOptions(taxonomy))
    linking = asyncio.create_task(parts.queue.run())
    parts.runner.start()
    try:
        yield {}
    finally:
        parts.runner.stop()
        parts.workers.close()
        linking.cancel()
        with suppress(asyncio.CancelledError):
            await linking
