"""What can be seen of a server: health, metrics, its log, its description."""

import asyncio
import errno
import json
import logging
import re
import time
from contextlib import AbstractContextManager
from pathlib import Path

import httpx
import pytest
from anyio.from_thread import start_blocking_portal
from starlette.applications import Starlette
from starlette.testclient import TestClient

from jobmatch.access import recent
from jobmatch.access.permissions import ROUTES
from jobmatch.serve import monitoring
from jobmatch.serve.json_log import JsonLines
from jobmatch.serve.request_log import log_event
from jobmatch.serve.serve_config import ServeConfig
from jobmatch.services.linking import LinkingService, LinkOptions
from tests.full_disk import no_room_in
from tests.jobmatch.serve.conftest import Serving

NURSE = "http://data.europa.eu/esco/isco/C2221"
DESCRIBED = ("/api/v1/", "/esco/", "/reconcile/")  # beginnings of the paths of calls


def test_ready(client: TestClient, service: LinkingService) -> None:
    """When the linkers are open, and the label store and the home are writable."""
    assert client.get("/healthz").json() == {"status": "alive"}
    service.opening(LinkOptions()).result()
    assert client.get("/readyz").json() == {
        "status": "ready",
        "parts": {"linker isco-08": "ready", "label store": "ready", "home": "ready"},
    }


def test_not_ready(serving: Serving, service: LinkingService, caplog: pytest.LogCaptureFixture) -> None:
    """The answer names the missing part but no folder; the server is alive."""
    service.settings.home.joinpath("jobmatch.db").write_bytes(b"no database")
    client = serving(ServeConfig(taxonomies=("isco-08",)))
    response = client.get("/readyz")
    assert (response.status_code, response.headers["retry-after"]) == (503, "5")
    assert response.json()["parts"]["label store"] == "cannot be used; the server's log says why"
    assert "jobmatch.db" in caplog.text
    assert client.get("/healthz").status_code == 200


def test_not_ready_on_a_full_disk(
    client: TestClient, service: LinkingService, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    """Reading still works; when there is space the server is ready, and the trial write is not stored."""
    monkeypatch.setattr(recent, "SECONDS", 0.0)
    service.opening(LinkOptions()).result()

    def full(**_: object) -> AbstractContextManager[object]:
        raise OSError(errno.ENOSPC, "No space left on device")

    def parts() -> list[str]:
        return [part for part, state in client.get("/readyz").json()["parts"].items() if state != "ready"]

    with no_room_in(service.labels()):
        assert parts() == ["label store"]
        assert client.post("/api/v1/link", json={"titles": ["nurse"]}).status_code == 200
    with monkeypatch.context() as patched:
        patched.setattr(monitoring, "TemporaryFile", full)
        assert parts() == ["home"]
    assert parts() == []
    assert service.labels().access.people() == []
    assert "No space left" in caplog.text


def test_readiness_is_tried_once_in_some_seconds(client: TestClient, monkeypatch: pytest.MonkeyPatch) -> None:
    """However often it is requested."""
    monkeypatch.setattr(recent, "SECONDS", 1e9)
    tried: list[None] = []
    original = monitoring._write_home

    def counted(service: LinkingService) -> None:
        tried.append(None)
        original(service)

    monkeypatch.setattr(monitoring, "_write_home", counted)
    assert len({client.get("/readyz").json()["parts"]["home"] for _ in range(5)}) == 1
    assert len(tried) == 1


def test_readiness_is_tried_by_one_at_a_time(service: LinkingService, monkeypatch: pytest.MonkeyPatch) -> None:
    """Concurrent requests share one attempt, so they occupy neither threads nor the store."""
    tried: list[None] = []

    def slow(_service: LinkingService) -> None:
        tried.append(None)
        time.sleep(0.05)

    monkeypatch.setattr(recent, "SECONDS", 1e9)
    monkeypatch.setattr(monitoring, "_write_home", slow)
    [_, readyz] = monitoring.routes(service, [])
    transport = httpx.ASGITransport(Starlette(routes=[readyz]))

    async def statuses() -> list[int]:
        async with httpx.AsyncClient(transport=transport, base_url="http://test") as client:
            return [answer.status_code for answer in await asyncio.gather(*[client.get("/readyz") for _ in range(9)])]

    with start_blocking_portal() as portal:  # in a thread: the browser's tests may leave a loop running in this one
        assert portal.call(statuses) == [200] * 9
    assert len(tried) == 1


def test_without_the_label_store(serving: Serving, service: LinkingService, caplog: pytest.LogCaptureFixture) -> None:
    """The answer is 503 without a folder, and the client may try again."""
    service.settings.home.joinpath("jobmatch.db").write_bytes(b"no database")
    client, asked = serving(), {"titles": ["nurse"]}
    ours = client.post("/api/v1/link", json=asked)
    recons = client.get("/reconcile/isco-08", params={"queries": '{"q": {"query": "nurse"}}'})
    for answer in (ours, recons):
        assert (answer.status_code, answer.headers["retry-after"]) == (503, "5")
        assert "jobmatch.db" not in answer.text
    assert "jobmatch.db" in caplog.text


def test_metrics(client: TestClient) -> None:
    """Requests by route and status, titles by the level of their link, queues."""
    client.post("/api/v1/link", json={"titles": ["nurse", "baker", "xyzzyq"]})
    client.post("/api/v1/link", json={})
    client.get(f"/api/v1/occupations/{NURSE}")
    client.get("/api/v1/nothing/secret")
    lines = client.get("/metrics").text.splitlines()
    for line in (
        'jobmatch_requests_total{method="POST",route="/api/v1/link",status="200"} 1.0',
        'jobmatch_requests_total{method="POST",route="/api/v1/link",status="400"} 1.0',
        'jobmatch_requests_total{method="GET",route="/api/v1/occupations/{uri:path}",status="200"} 1.0',
        'jobmatch_request_seconds_count{route="/api/v1/link"} 2.0',
        'jobmatch_requests_total{method="GET",route="unknown",status="404"} 1.0',
        'jobmatch_titles_total{level="occupation"} 2.0',
        'jobmatch_titles_total{level="none"} 1.0',
        "jobmatch_titles_waiting 0.0",
        "jobmatch_jobs_waiting 0.0",
    ):
        assert line in lines
    assert not any("secret" in line for line in lines)


def test_invented_methods(client: TestClient) -> None:
    """They are counted as one, so that they cannot fill the memory."""
    for number in range(20):
        client.request(f"A{number}", "/api/v1/link")
    lines = [line for line in client.get("/metrics").text.splitlines() if line.startswith("jobmatch_requests_total")]
    assert lines == ['jobmatch_requests_total{method="OTHER",route="unknown",status="405"} 20.0']


def test_the_log_has_no_titles(client: TestClient, caplog: pytest.LogCaptureFixture) -> None:
    """The log has no titles, names, URIs or ids."""
    caplog.set_level(logging.INFO)
    client.post("/api/v1/link", json={"titles": ["geheimer Beruf"]})
    client.post("/api/v1/decisions", json={"title": "geheimer Beruf", "uri": NURSE, "annotator": "Ann Geheim"})
    client.get(f"/api/v1/occupations/{NURSE}?taxonomy=geheim")
    ours = [json.loads(JsonLines().format(record)) for record in caplog.records if record.name.startswith("jobmatch")]
    requests = [(line["route"], line["status"]) for line in ours if line["message"] == "request"]
    assert requests == [("/api/v1/link", 200), ("/api/v1/decisions", 201), ("/api/v1/occupations/{uri:path}", 404)]
    assert not re.search("geheim|Ann|C2221", json.dumps(ours), re.IGNORECASE)


def test_titles_are_logged_if_asked_for(serving: Serving, caplog: pytest.LogCaptureFixture) -> None:
    """If the configuration says so."""
    caplog.set_level(logging.INFO)
    serving(ServeConfig(log_texts=True)).post("/api/v1/link", json={"titles": ["nurse"]})
    lines = [json.loads(JsonLines().format(record)) for record in caplog.records]
    assert [line["titles"] for line in lines if line["message"] == "linked"] == [["nurse"]]


def test_a_line_of_the_log(caplog: pytest.LogCaptureFixture) -> None:
    """One line for any text."""
    caplog.set_level(logging.INFO)
    log_event(logging.getLogger("test"), "two\nlines", further={"a": "b\n"})
    try:
        raise ValueError("bad")
    except ValueError:
        logging.getLogger("test").exception("failed")
    first, second = (JsonLines().format(record) for record in caplog.records)
    assert "\n" not in first + second
    assert json.loads(first)["further"] == {"a": "b\n"}
    assert json.loads(second)["level"] == "error"
    assert "ValueError: bad" in json.loads(second)["error"]


def test_the_description(client: TestClient) -> None:
    """OpenAPI 3.1 of all routes; all references resolve."""
    description = client.get("/api/openapi.json").json()
    assert description["openapi"] == "3.1.0"
    calls = {(method, path) for path, methods in description["paths"].items() for method in methods}
    assert ("post", "/api/v1/link") in calls
    assert ("get", "/api/v1/occupations/{uri}") in calls
    assert ("get", "/esco/api/search") in calls
    assert ("post", "/reconcile/1.0/{taxonomy}/match") in calls
    assert ("get", "/reconcile/key/{key}/{taxonomy}") in calls
    assert len(calls) == sum(route.split(" ")[1].startswith(DESCRIBED) for route in ROUTES)
    text = json.dumps(description)
    named = set(re.findall(r'"#/components/schemas/([^"]+)"', text))
    assert named == set(description["components"]["schemas"])
    schemas = description["components"]["schemas"]
    options = schemas["LinkRequest"]["properties"]
    assert options["titles"]["maxItems"] == 1000
    assert options["top"] == {"type": "integer", "minimum": 1, "maximum": 100, "default": 5}
    answers = {
        "Link": {
            "title",
            "abstained",
            "reason",
            "level",
            "seniority",
            "group",
            "set_aside",
            "jobs",
            "candidates",
            "coding",
        },
        "Sentence": {"start", "end", "text", "form", "role", "weight", "shift", "occupations_changed"},
        "Hit": {"rank", "id", "title", "likeness", "words"},
        "ComparedSkill": {"key", "wanted", "mandatory"},
    }
    assert {name: set(schemas[name]["required"]) for name in answers} == answers
    optional = {"isco", "language", "country", "generated", "nearest"}
    assert set(schemas["Hit"]["properties"]) - answers["Hit"] == optional
    for path, methods in description["paths"].items():
        for method, operation in methods.items():
            described = {each["name"] for each in operation["parameters"] if each["in"] == "path"}
            assert ("callback" in str(operation["parameters"])) == ("text/javascript" in str(operation["responses"]))
            assert described == set(re.findall(r"{(\w+)}", path)), f"{method} {path}"
    ids = [each["operationId"] for methods in description["paths"].values() for each in methods.values()]
    assert len(set(ids)) == len(ids)


def test_the_readable_page(client: TestClient) -> None:
    """All calls and types; no external resources."""
    page = client.get("/api")
    assert page.headers["content-type"].startswith("text/html")
    for path in client.get("/api/openapi.json").json()["paths"]:
        assert f"{path}</code>" in page.text
    assert not re.search(r'(src|href)="(?!#|/api/)', page.text)
    assert page.text.count("<code>Retry-After</code>") == 1  # what every call may answer stands there once
    targets = set(re.findall(r'href="#([^"]+)"', page.text))
    assert targets
    assert all(f'id="{target}"' in page.text for target in targets)


def test_what_the_documentation_lists(client: TestClient) -> None:
    """The documentation of each face names its calls."""
    docs = Path(__file__).parents[3] / "docs"
    pages = {"/api/v1": "serve.md", "/esco": "esco-api.md", "/reconcile": "reconciliation.md"}
    for path, methods in client.get("/api/openapi.json").json()["paths"].items():
        [page] = [page for face, page in pages.items() if path.startswith(face)]
        for method in methods:
            assert f"`{method.upper()} {path.removeprefix('/api/v1')}`" in (docs / page).read_text("utf-8")
