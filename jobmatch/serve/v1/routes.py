"""The routes of `/api/v1`."""

from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import BaseRoute, Mount, Route

from jobmatch.serve.problems import problems_answered
from jobmatch.services.linking import LinkingService


def routes(service: LinkingService) -> list[BaseRoute]:
    """Return the routes, all of which answer from *service*."""

    async def taxonomies(_request: Request) -> Response:
        return JSONResponse({"taxonomies": await run_in_threadpool(service.taxonomy_ids)})

    return [Mount("/api/v1", routes=[Route("/taxonomies", taxonomies)], middleware=[problems_answered()])]
