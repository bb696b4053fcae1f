"""The dearest requests: each is accepted, and goes to the route that it names."""

import pytest

from jobmatch.access.permissions import ROUTES
from jobmatch.services.linking import LinkingService
from jobmatch_core.errors import LinkingError
from jobmatch_core.taxonomy import BUNDLED_ID
from lab.speed import dearest_requests
from lab.speed.dearest_requests import DearRequest, measure_requests

COMPUTING = {
    "POST /api/v1/link",
    "POST /api/v1/describe",
    "POST /api/v1/match",
    "POST /api/v1/search",
    "POST /api/v1/decisions",
    "GET /api/v1/occupations/{uri:path}",
    "POST /reconcile/{taxonomy}",
    "GET /reconcile/{taxonomy}/suggest/{what}",
}


def test_every_route_that_computes_is_asked(service: LinkingService) -> None:
    """By its name in the table of permissions."""
    requests = list(dearest_requests.dearest_requests(service.taxonomy(BUNDLED_ID), "demo"))
    assert {request.route for request in requests} == COMPUTING
    assert set(ROUTES) >= COMPUTING


@pytest.mark.long
def test_requests_are_as_large_as_the_limits_allow(service: LinkingService, monkeypatch: pytest.MonkeyPatch) -> None:
    """Those for titles are accepted and measured, the dearest first."""
    every = list(dearest_requests.dearest_requests(service.taxonomy(BUNDLED_ID), "demo"))
    some = [request for request in every if request.route == "POST /api/v1/link" or "queries" in request.what]
    monkeypatch.setattr(dearest_requests, "dearest_requests", lambda *_: iter(some[:2]))
    costs = measure_requests(service, BUNDLED_ID, "demo")
    assert [cost.status for cost in costs] == [200] * 2
    assert [cost.cpu_s for cost in costs] == sorted((cost.cpu_s for cost in costs), reverse=True)
    assert all(cost.answer_kb > 100 for cost in costs)


def test_a_request_that_is_not_accepted(service: LinkingService, monkeypatch: pytest.MonkeyPatch) -> None:
    """It is an error, not the cheapest one."""
    refused = DearRequest("POST /api/v1/link", "no titles", "/api/v1/link", "{}")
    monkeypatch.setattr(dearest_requests, "dearest_requests", lambda *_: iter([refused]))
    with pytest.raises(LinkingError, match="was answered with 400"):
        measure_requests(service, BUNDLED_ID, "demo")
