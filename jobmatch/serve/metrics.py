"""Metrics of the server, for Prometheus."""

from collections.abc import Callable, Sequence

from prometheus_client import CollectorRegistry, Counter, Gauge, Histogram, generate_latest
from prometheus_client.exposition import CONTENT_TYPE_LATEST
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from jobmatch_core.entities import LinkResult

_SECONDS = (0.005, 0.01, 0.02, 0.04, 0.08, 0.15, 0.3, 0.6, 1.2, 2.5, 5.0, 10.0, 30.0)


class Metrics:
    """Counters of one server; another server in the same process has its own."""

    def __init__(self) -> None:
        """Begin to count."""
        self._registry = CollectorRegistry()
        self._requests = Counter(
            "jobmatch_requests", "Requests answered.", ["route", "method", "status"], registry=self._registry
        )
        self._latency = Histogram(
            "jobmatch_request_seconds", "Time to the end of the answer.", ["route"], buckets=_SECONDS,
            registry=self._registry,
        )  # fmt: skip
        self._titles = Counter("jobmatch_titles", "Titles linked, by the level of the link.", ["level"],
                               registry=self._registry)  # fmt: skip
        for level in ("occupation", "unit group", "none"):  # which are shown from the start
            self._titles.labels(level)

    def watch(self, name: str, what: str, value: Callable[[], float]) -> None:
        """Show the present value of something, such as the length of a queue."""
        Gauge(f"jobmatch_{name}", what, registry=self._registry).set_function(value)

    def answered(self, route: str, method: str, status: int, seconds: float) -> None:
        """Count a request; *route* is its path with parameters by name, so that their number stays small."""
        self._requests.labels(route, method, status).inc()
        self._latency.labels(route).observe(seconds)

    def linked(self, results: Sequence[LinkResult]) -> None:
        """Count titles; the linker abstained from those of the level 'none'."""
        for result in results:
            self._titles.labels(result.level or "none").inc()

    def route(self) -> Route:
        """Return the route that Prometheus reads."""

        async def metrics(_request: Request) -> Response:
            return Response(generate_latest(self._registry), media_type=CONTENT_TYPE_LATEST)

        return Route("/metrics", metrics)
