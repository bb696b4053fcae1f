"""The routes of ESCO's web service; pages of any site may read them, as they may ESCO's own."""

from collections.abc import Sequence

from starlette.middleware import Middleware
from starlette.middleware.cors import CORSMiddleware
from starlette.routing import BaseRoute, Mount

from jobmatch.serve.esco.esco_errors import ESCO_HANDLERS
from jobmatch.serve.esco.esco_links import PATH
from jobmatch.serve.operations import Operation
from jobmatch.serve.problems import problems_answered


def routes(operations: Sequence[Operation]) -> list[BaseRoute]:
    """Return the routes of the operations."""
    middleware = [Middleware(CORSMiddleware, allow_origins=["*"]), problems_answered(ESCO_HANDLERS)]
    return [Mount(PATH, routes=[operation.route() for operation in operations], middleware=middleware)]
