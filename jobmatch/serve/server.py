"""The server of `jobmatch serve`: Streamlit's app and the faces of the API."""

import asyncio
import json
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass
from functools import cache
from typing import Any

from starlette.applications import Starlette
from starlette.middleware import Middleware
from starlette.middleware.cors import CORSMiddleware
from starlette.requests import Request
from starlette.responses import HTMLResponse, Response
from starlette.routing import BaseRoute, Mount, Route
from streamlit.starlette import App

from jobmatch.access.access import Access
from jobmatch.access.current_access import set_access
from jobmatch.serve import monitoring
from jobmatch.serve.access_middleware import AccessMiddleware
from jobmatch.serve.document_pages import document_routes
from jobmatch.serve.esco.esco_calls import ESCO_HANDLERS, EscoCalls
from jobmatch.serve.esco.esco_query import PATH as ESCO_PATH
from jobmatch.serve.limits import ForeignSitesMiddleware, LimitsMiddleware
from jobmatch.serve.monitoring import Metrics
from jobmatch.serve.openapi import Faces, api_page, describe_api
from jobmatch.serve.operations import JSON, Operation
from jobmatch.serve.problems import problems_answered
from jobmatch.serve.rate_limit import RateLimit
from jobmatch.serve.reconcile.recon_calls import ReconCalls
from jobmatch.serve.reconcile.recon_calls import operations as operations_of_reconciliation
from jobmatch.serve.reconcile.recon_candidates import QueryMatcher
from jobmatch.serve.reconcile.recon_origins import OpenTaxonomiesMiddleware
from jobmatch.serve.request_log import RequestLogMiddleware
from jobmatch.serve.serve_config import ServeConfig
from jobmatch.serve.v1.crosswalk_calls import CrosswalkCalls
from jobmatch.serve.v1.job_calls import JobCalls
from jobmatch.serve.v1.link_calls import LinkCalls
from jobmatch.serve.v1.model_calls import ModelCalls
from jobmatch.serve.v1.question_calls import QuestionCalls
from jobmatch.serve.v1.taxonomy_calls import TaxonomyCalls
from jobmatch.serve.workers import LinkQueue, Workers
from jobmatch.services.home_services import HomeServices, home_services
from jobmatch.services.link_jobs import LinkJobRunner, LinkJobStore
from jobmatch.services.linking import LinkingService, LinkOptions
from jobmatch.services.retention import Retention
from jobmatch.services.shipped_files import app_folder
from jobmatch_core.taxonomy import BUNDLED_ID
from jobmatch_core.taxonomy.esco import is_release

_V1_PATH = "/api/v1"


@dataclass(frozen=True, slots=True)
class _Parts:
    # services that live as long as the server

    services: HomeServices
    config: ServeConfig
    access: Access
    metrics: Metrics
    queue: LinkQueue
    workers: Workers
    jobs: LinkJobStore
    runner: LinkJobRunner

    @classmethod
    def of(cls, services: HomeServices, config: ServeConfig) -> "_Parts":
        linking = services.linking
        metrics, queue, workers = Metrics(), LinkQueue(linking), Workers()
        jobs = LinkJobStore(linking.settings)
        metrics.watch("titles_waiting", "Titles that wait to be linked.", lambda: queue.waiting)
        metrics.watch("calls_waiting", "Other calls that run, or wait for a thread.", lambda: workers.waiting)
        metrics.watch("jobs_waiting", "Jobs that are not done.", lambda: len(jobs.unfinished()))
        access = Access(config.access, lambda: linking.labels().access)
        return cls(services, config, access, metrics, queue, workers, jobs, LinkJobRunner(jobs, linking))


def build_app(config: ServeConfig | None = None) -> App:
    """Return the ASGI application of pages and API, which share the process's services; open access by default."""
    parts = _Parts.of(home_services(), config or ServeConfig())
    set_access(parts.access)
    sign_in = parts.config.access.sign_in
    return App(
        app_folder() / "app.py",
        secrets=None if sign_in is None else {"auth": sign_in.streamlit_secrets()},
        routes=_routes(parts),
        middleware=_middleware(parts),
        lifespan=lambda _app: _lifespan(parts),
    )


def build_api(service: LinkingService, config: ServeConfig | None = None) -> Starlette:
    """Return the API without the pages, of which a process can have only one."""
    parts = _Parts.of(HomeServices(service), config or ServeConfig())
    return Starlette(routes=_routes(parts), middleware=_middleware(parts), lifespan=lambda _app: _lifespan(parts))


def api_routes(service: LinkingService) -> list[BaseRoute]:
    """Return the routes of the API, which `access.permissions` must list."""
    return _routes(_Parts.of(HomeServices(service), ServeConfig()))


def _routes(parts: _Parts) -> list[BaseRoute]:
    """Return the faces of the API; a new one is added here and to `access.permissions`."""
    services, service, config = parts.services, parts.services.linking, parts.config
    operations = [
        *LinkCalls(services, parts.queue, parts.workers, parts.metrics, config.log_texts).operations(),
        *ModelCalls(services, parts.workers).operations(),
        *TaxonomyCalls(service, parts.workers).operations(),
        *CrosswalkCalls(service, parts.workers).operations(),
        *QuestionCalls(services, parts.workers).operations(),
        *JobCalls(parts.jobs, parts.runner, config.limits.unfinished_jobs, service.other_codes).operations(),
    ]
    esco_operations = EscoCalls(service, parts.queue, parts.workers, parts.metrics).operations()
    matcher = QueryMatcher(service, parts.queue, parts.workers, services.describing, parts.metrics)
    recon_operations = operations_of_reconciliation(ReconCalls(matcher))
    any_site = Middleware(CORSMiddleware, allow_origins=["*"])  # as ESCO's own web service has it

    def is_open(taxonomy: str) -> bool:
        manifest = next((manifest for manifest in service.installed() if manifest.id == taxonomy), None)
        return manifest is not None and (taxonomy in (BUNDLED_ID, *config.open_taxonomies) or is_release(manifest))

    open_taxonomies = Middleware(OpenTaxonomiesMiddleware, is_open=is_open, access_required=config.access.required)
    return [
        *monitoring.routes(service, config.taxonomies),
        parts.metrics.route(),
        *document_routes(),
        *_description({_V1_PATH: operations, ESCO_PATH: esco_operations, **recon_operations}),
        _face(_V1_PATH, operations, problems_answered()),
        _face(ESCO_PATH, esco_operations, any_site, problems_answered(ESCO_HANDLERS)),
        *(_face(path, below, open_taxonomies, problems_answered()) for path, below in recon_operations.items()),
    ]


def _face(path: str, operations: Sequence[Operation], *middleware: Middleware) -> Mount:
    return Mount(path, routes=[operation.route() for operation in operations], middleware=middleware)


def _description(faces: Faces) -> list[BaseRoute]:
    # the description takes time and is made at the first request
    description = cache(lambda: describe_api(faces))
    content, page = cache(lambda: json.dumps(description(), indent=1)), cache(lambda: api_page(description()))

    async def openapi(_request: Request) -> Response:
        return Response(content(), media_type=JSON)

    async def readable(_request: Request) -> Response:
        return HTMLResponse(page())

    return [Route("/api/openapi.json", openapi), Route("/api", readable)]


def _middleware(parts: _Parts) -> Sequence[Middleware]:
    """Return the middleware, outermost first; the limits need the caller that the access check has identified."""
    limits = parts.config.limits
    return [
        Middleware(RequestLogMiddleware, metrics=parts.metrics),
        Middleware(ForeignSitesMiddleware, hosts=parts.config.hosts),
        Middleware(AccessMiddleware, access=parts.access, refusals=RateLimit(limits.requests_a_minute)),
        Middleware(LimitsMiddleware, limits=limits),
    ]


@asynccontextmanager
async def _lifespan(parts: _Parts) -> AsyncIterator[dict[str, Any]]:
    for taxonomy in parts.config.taxonomies:
        parts.services.linking.opening(LinkOptions(taxonomy))
    linking = asyncio.create_task(parts.queue.run())
    parts.runner.start()
    retention = Retention(parts.services.linking.settings)
    retention.start()
    try:
        yield {}
    finally:
        retention.stop()
        parts.runner.stop()
        parts.workers.close()
        linking.cancel()
        with suppress(asyncio.CancelledError):
            await linking
        parts.services.linking.close()
