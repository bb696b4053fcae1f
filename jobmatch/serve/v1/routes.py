"""The routes of `/api/v1`."""

from collections.abc import Sequence

from starlette.routing import BaseRoute, Mount

from jobmatch.serve.operations import Operation
from jobmatch.serve.problems import problems_answered

PATH = "/api/v1"


def routes(operations: Sequence[Operation]) -> list[BaseRoute]:
    """Return the routes of the operations."""
    return [Mount(PATH, routes=[operation.route() for operation in operations], middleware=[problems_answered()])]
