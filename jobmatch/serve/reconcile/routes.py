"""The routes of the reconciliation service, which pages of any site may call: OpenRefine's is one."""

from collections.abc import Mapping, Sequence

from starlette.middleware import Middleware
from starlette.middleware.cors import CORSMiddleware
from starlette.routing import BaseRoute, Mount

from jobmatch.serve.operations import Operation
from jobmatch.serve.problems import problems_answered


def routes(operations: Mapping[str, Sequence[Operation]]) -> list[BaseRoute]:
    """Return the routes of the operations, in the order of their paths."""
    cors = Middleware(CORSMiddleware, allow_origins=["*"], allow_methods=["GET", "POST"], allow_headers=["*"])
    return [
        Mount(path, routes=[operation.route() for operation in below], middleware=[cors, problems_answered()])
        for path, below in operations.items()
    ]
