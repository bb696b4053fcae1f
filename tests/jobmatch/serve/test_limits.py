"""Limits: how many requests, how large, how long; and pages of other sites."""

import asyncio
from collections.abc import Callable, Iterator
from pathlib import Path
from threading import Event
from typing import Any

import pytest
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from jobmatch.serve.limits import LimitsMiddleware
from jobmatch.serve.serve_config import Limits, ServeConfig, read_config
from jobmatch.serve.server import build_api
from jobmatch.serve.workers import LinkQueue
from jobmatch.services.linking import LinkingService
from jobmatch.services.searching import SearchingService
from jobmatch_core.entities import Progress
from jobmatch_core.errors import SettingsError
from tests.jobmatch.own_loop import finished
from tests.jobmatch.serve.conftest import Serving

ASKED = {"titles": ["nurse"]}


def test_too_many_requests(serving: Serving) -> None:
    """The answer says when to try again; health checks are not counted."""
    client = serving(ServeConfig(limits=Limits(requests_a_minute=2)))
    statuses = [client.get("/api/v1/taxonomies").status_code for _ in range(3)]
    assert statuses == [200, 200, 429]
    refused = client.get("/api/v1/taxonomies")
    assert 0 < int(refused.headers["retry-after"]) <= 30
    assert refused.headers["content-type"] == "application/problem+json"
    assert client.get("/healthz").status_code == 200


def test_many_requests_at_once() -> None:
    """A caller has a maximum of concurrent requests; others are not affected."""

    async def statuses() -> list[int]:
        free, sent = asyncio.Event(), list[int]()

        async def slow(scope: Scope, receive: Receive, send: Send) -> None:
            await free.wait()
            await echo(scope, receive, send)

        async def receive() -> Message:
            return {"type": "http.request", "body": b"", "more_body": False}

        async def send(message: Message) -> None:
            if message["type"] == "http.response.start":
                sent.append(message["status"])

        guarded = LimitsMiddleware(slow, Limits(running_calls=2))
        calls = [guarded(scope_of("/api/v1/link", address), receive, send) for address in ("a", "a", "a", "b")]
        tasks = [asyncio.create_task(call) for call in calls]
        await asyncio.wait(tasks, return_when=asyncio.FIRST_COMPLETED)
        free.set()
        await asyncio.gather(*tasks)
        await guarded(scope_of("/api/v1/link", "a"), receive, send)
        return sent

    assert finished(statuses()) == [429, 200, 200, 200, 200]


def test_too_large_requests(serving: Serving) -> None:
    """With and without a declared length; files have a limit of their own."""
    client = serving(ServeConfig(limits=Limits(body_mb=1, file_mb=2)))
    large = b'{"titles": ["' + b"a" * (1 << 20) + b'"]}'
    json = {"Content-Type": "application/json"}

    def in_pieces() -> Iterator[bytes]:
        yield from (large[start : start + 1000] for start in range(0, len(large), 1000))

    for content in (large, in_pieces()):
        response = client.post("/api/v1/link", content=content, headers=json)
        assert (response.status_code, response.json()["status"]) == (413, 413)
        assert "larger than 1 MB" in response.json()["detail"]
    rows = b"title\n" + b"nurse\n" * (1 << 18)
    assert client.post("/api/v1/jobs", files={"file": ("t.csv", rows)}).status_code == 202
    assert client.post("/api/v1/jobs", files={"file": ("t.csv", rows * 3)}).status_code == 413


def test_requests_that_take_too_long(serving: Serving, monkeypatch: pytest.MonkeyPatch) -> None:
    """Their work is cancelled."""
    cancelled = []

    async def endless(*_: object) -> None:
        try:
            await asyncio.Event().wait()
        except asyncio.CancelledError:
            cancelled.append(True)
            raise

    monkeypatch.setattr(LinkQueue, "link", endless)
    client = serving(ServeConfig(limits=Limits(seconds=0.05)))
    response = client.post("/api/v1/link", json=ASKED)
    assert response.status_code == 503
    assert response.headers["retry-after"] == "5"
    assert "took longer than 0.05 s" in response.json()["detail"]
    assert cancelled == [True]


LOADS = {
    "/api/v1/link": ASKED,
    "/api/v1/describe": {"text": "Nurse\n\nYou care for patients."},
    "/api/v1/search": {"query": "nurse"},
}


@pytest.mark.first_case
@pytest.mark.parametrize("path", LOADS)
def test_an_index_is_built_for_later_requests(serving: Serving, monkeypatch: pytest.MonkeyPatch, path: str) -> None:
    """Requests that cannot wait for it are told how far it is; it is built once, and the next request is answered."""
    goes_on, begun = Event(), list[Progress]()

    def slow(usual: Callable[..., Any]) -> Callable[..., Any]:
        def opened(*given: Any, **named: Any) -> Any:
            progress = given[-1]
            begun.append(progress)
            progress(0, 400)
            progress(100, 400)
            assert goes_on.wait(60)
            return usual(*given, **named)

        return opened

    monkeypatch.setattr(LinkingService, "_open", slow(LinkingService._open))
    monkeypatch.setattr(SearchingService, "open", slow(SearchingService.open))
    client = serving(ServeConfig(taxonomies=(), limits=Limits(seconds=0.5)))
    for _ in range(2):
        answer = client.post(path, json=LOADS[path])
        assert answer.status_code == 503
        assert 5 <= int(answer.headers["retry-after"]) <= 300
        assert "100 of 400 done in this step; that goes on in the background" in answer.json()["detail"]
    goes_on.set()
    statuses = (client.post(path, json=LOADS[path]).status_code for _ in range(120))
    assert 200 in statuses
    assert len(begun) == 1


def limited(app: ASGIApp, path: str, pieces: list[bytes], pause: float = 0.0) -> list[Message]:
    """Return the answer to a request whose body comes in pieces, each after a pause in seconds."""
    left, sent = list(pieces), list[Message]()

    async def receive() -> Message:
        await asyncio.sleep(pause)
        return {"type": "http.request", "body": left.pop(0), "more_body": bool(left)}

    async def send(message: Message) -> None:
        sent.append(message)

    finished(LimitsMiddleware(app, Limits(seconds=0.5))(scope_of(path), receive, send))
    return sent


def scope_of(path: str, address: str = "127.0.0.1") -> Scope:
    """Return the scope of a request to an existing path."""
    app = Starlette(routes=[Route(path, _nothing, methods=["POST"])])
    return {"type": "http", "method": "POST", "path": path, "headers": [], "client": (address, 1), "app": app}


async def _nothing(_request: Request) -> Response:
    raise AssertionError("it is not called")


async def echo(_scope: Scope, receive: Receive, send: Send) -> None:
    """Answer after the whole body."""
    while (await receive())["more_body"]:
        pass
    await send({"type": "http.response.start", "status": 200, "headers": []})
    await send({"type": "http.response.body", "body": b"", "more_body": False})


def test_a_file_may_be_long_on_its_way() -> None:
    """The time limit restarts with each piece of a file; other bodies must arrive in time."""
    pieces = [b"x"] * 40
    assert [limited(echo, path, pieces, 0.02)[0]["status"] for path in ("/api/v1/jobs", "/api/v1/link")] == [200, 503]


def test_an_answer_may_be_long_on_its_way() -> None:
    """A slow reader gets the whole answer."""

    async def slow(_scope: Scope, _receive: Receive, send: Send) -> None:
        await send({"type": "http.response.start", "status": 200, "headers": []})
        await asyncio.sleep(0.8)
        await send({"type": "http.response.body", "body": b"end", "more_body": False})

    assert limited(slow, "/api/v1/jobs/x/result", [])[-1]["body"] == b"end"


def test_a_client_that_goes_away(service: LinkingService) -> None:
    """In the middle of its body: not an error of the server."""
    messages: list[Message] = [{"type": "http.request", "body": b"{", "more_body": True}, {"type": "http.disconnect"}]
    sent = list[Message]()

    async def receive() -> Message:
        return messages.pop(0)

    async def send(message: Message) -> None:
        sent.append(message)

    headers = [(b"host", b"localhost"), (b"content-type", b"application/json")]
    scope = {"type": "http", "method": "POST", "path": "/api/v1/link", "headers": headers, "query_string": b""}
    finished(build_api(service)(scope, receive, send))
    assert sent[0]["status"] == 400


@pytest.mark.parametrize("path", ["/api/v2", "/api/v1", "/api/v1/link%0a", "/esco/api/nothing", "/metrics/x"])
def test_addresses_with_nothing(serving: Serving, path: str) -> None:
    """404 in the form of the face, instead of the app's first page."""
    response = serving().get(path)
    form = "application/json;charset=UTF-8" if path.startswith("/esco/") else "application/problem+json"
    assert (response.status_code, response.headers["content-type"]) == (404, form)


@pytest.mark.parametrize(
    ("headers", "status"),
    [
        ({}, 200),
        ({"Host": "LOCALHOST:8501"}, 200),
        ({"Host": "127.0.0.1:8501"}, 200),
        ({"Host": "[::1]:8501"}, 200),
        ({"Host": "evil.example"}, 403),
        ({"Host": "localhost.evil.example"}, 403),
        ({"Host": "localhost@evil.example"}, 403),
        ({"Host": "[::1"}, 403),
        ({"Origin": "http://localhost"}, 200),
        ({"Origin": "http://evil.example"}, 403),
        ({"Origin": "http://localhost.evil.example"}, 403),
        ({"Origin": "null"}, 403),
        ({"Origin": ""}, 403),
    ],
)
def test_other_sites(serving: Serving, headers: dict[str, str], status: int) -> None:
    """The browser's headers show the other site and the host name."""
    response = serving().get("/api/v1/taxonomies", headers=headers)
    assert response.status_code == status


def test_the_servers_own_names(serving: Serving) -> None:
    """They are configured; `*` allows any."""
    named, any_name = (serving(ServeConfig(hosts=hosts)) for hosts in (("jobs.example",), ("*",)))
    for client, host, status in (
        (named, "jobs.example", 200),
        (named, "localhost", 403),
        (any_name, "whatever.example", 200),
    ):
        assert client.get("/api/v1/taxonomies", headers={"Host": host}).status_code == status


def test_a_configuration(tmp_path: Path) -> None:
    """Missing fields have their defaults."""
    path = tmp_path / "serve.toml"
    path.write_text(
        'hosts = "jobs.example"\nopen_taxonomies = "mine-1"\nlog_texts = true\n[limits]\nseconds = 5\n', "utf-8"
    )
    expected = ServeConfig(
        hosts=("jobs.example",), open_taxonomies=("mine-1",), log_texts=True, limits=Limits(seconds=5)
    )
    assert read_config(path) == expected


@pytest.mark.parametrize(
    ("content", "message"),
    [
        ("host = 1", "'host' is unknown in serve.toml"),
        ("[limits]\nseconds = 0", "too low"),
        ("[limits]\nbody_mb = 0", "too low"),
        ("[limits]\nbody_mb = 'x'", "expected a whole number"),
        ("hosts = 3", "hosts"),
        ("open_taxonomies = true", "open_taxonomies"),
        ("open_taxonomies = {esco = true}", "open_taxonomies"),
        ('open_taxonomies = "*"', "no taxonomy's id"),
        ('open_taxonomies = ["mine-1", "../mine"]', "no taxonomy's id"),
        ("[", "is not a valid server configuration"),
        (None, "is not a valid server configuration"),
    ],
)
def test_configurations_that_cannot_be_used(tmp_path: Path, content: Any, message: str) -> None:
    """The message names the field."""
    path = tmp_path / "serve.toml"
    if content is not None:
        path.write_text(content, "utf-8")
    with pytest.raises(SettingsError, match=message):
        read_config(path)
