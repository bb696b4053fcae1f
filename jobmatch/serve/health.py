"""Health checks for supervisors and load balancers: the server lives, the server is ready."""

import logging
from collections.abc import Sequence

from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import BaseRoute, Route

from jobmatch.services.linking import LinkingService, LinkOptions
from jobmatch_core.errors import JobMatchError

READY, UNUSABLE = "ready", "cannot be used; the server's log says why"
_log = logging.getLogger(__name__)


def routes(service: LinkingService, taxonomies: Sequence[str]) -> list[BaseRoute]:
    """Return `/healthz`, and `/readyz`, which waits for the linkers of *taxonomies* and asks the label store."""

    async def healthz(_request: Request) -> Response:
        return JSONResponse({"status": "alive"})

    async def readyz(_request: Request) -> Response:
        states = await run_in_threadpool(readiness, service, taxonomies)
        is_ready = set(states.values()) == {READY}
        return JSONResponse({"status": READY if is_ready else "not ready", "parts": states}, 200 if is_ready else 503)

    return [Route("/healthz", healthz), Route("/readyz", readyz)]


def readiness(service: LinkingService, taxonomies: Sequence[str]) -> dict[str, str]:
    """Return the state of each part: ready, loading, or why it is not; loads that are needed are started."""
    states = {f"linker {taxonomy}": _linker(service, taxonomy) for taxonomy in taxonomies}
    return states | {"label store": _labels(service)}


def _linker(service: LinkingService, taxonomy: str) -> str:
    try:
        opening = service.opening(LinkOptions(taxonomy))
        if not opening.wait(0):
            return f"loading, {opening.done} of {opening.total}"
        opening.result()
    except JobMatchError:  # which may name folders of the server
        _log.exception("The server is not ready.")
        return UNUSABLE
    return READY


def _labels(service: LinkingService) -> str:
    if not service.settings.may_have_labels:
        return READY  # the first judgment makes it
    try:
        service.labels().count()
    except JobMatchError:  # which may name folders of the server
        _log.exception("The server is not ready.")
        return UNUSABLE
    return READY
