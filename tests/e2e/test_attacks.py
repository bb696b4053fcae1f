"""Attacks on a running server that must fail: uploads by strangers, dear requests, many jobs, silent connections."""

import os
import shutil
import socket
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack
from datetime import UTC, datetime
from pathlib import Path
from typing import NamedTuple
from urllib.parse import urlsplit

import httpx
import pytest
from websockets.sync.client import connect

from db.label_store import LabelStore
from jobmatch.access.api_keys import new_key
from jobmatch.access.principal import Role
from jobmatch.serve.http_protocol import MOST_WITHOUT_HEADERS
from tests.e2e.servers import ANSWER_SECONDS, running_server

pytestmark = pytest.mark.thorough  # `make test` attacks a server in test_foreign_hosts.py

UPLOAD = "/_stcore/upload_file/00000000-0000-0000-0000-000000000000/1"
PROXIED = {"X-Forwarded-For": "192.0.2.7"}
BAKER = "http://data.europa.eu/esco/isco/C7512"
UNFINISHED_JOBS = 3


class Attacked(NamedTuple):
    """A server that asks programs for keys, and a viewer's key for each face."""

    address: str
    headers: dict[str, str]


@pytest.fixture(scope="module")
def attacked(linker_home: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Attacked]:
    """Run a server for all of these tests."""
    home = tmp_path_factory.mktemp("attacked") / "home"
    shutil.copytree(linker_home, home, copy_function=os.link)
    key, stored = new_key("attacker", Role.VIEWER, [], "Ada", datetime.now(UTC))
    with LabelStore.open(home / "jobmatch.db") as store:
        store.access.add_key(stored)
    config = home / "serve.toml"
    config.write_text(f"[access]\nkeys = true\n[limits]\nunfinished_jobs = {UNFINISHED_JOBS}\n", "utf-8")
    with running_server(home, f"--config={config}") as (address, _):
        yield Attacked(address, {"Authorization": f"Bearer {key}"})


@pytest.mark.parametrize("method", ["PUT", "DELETE"])
def test_strangers_upload_nothing(attacked: Attacked, method: str) -> None:
    """A WebSocket without a session gives them no right to, nor does the cookie against forged requests."""
    health = httpx.get(f"{attacked.address}/_stcore/health", headers=PROXIED)
    token = health.cookies.get("_streamlit_xsrf", "")
    websocket = f"ws://{urlsplit(attacked.address).netloc}/_stcore/stream"
    with connect(websocket, additional_headers=PROXIED, subprotocols=["streamlit", token]):  # type: ignore[list-item]
        headers = {**PROXIED, "X-Xsrftoken": token, "Cookie": f"_streamlit_xsrf={token}"}
        answer = httpx.request(method, f"{attacked.address}{UPLOAD}", headers=headers, content=b"x" * (1 << 20))
    assert (answer.status_code, answer.headers["content-type"]) == (403, "application/problem+json")


@pytest.mark.parametrize(
    ("method", "path"),
    [
        ("GET", "/media/secret.csv"),
        ("GET", "/_stcore/metrics"),
        ("POST", "/_stcore/agent/interact"),
        ("GET", "/_stcore/agent/openapi.json"),
        ("POST", "/label_pairs"),
    ],
)
def test_routes_of_pages_are_closed(attacked: Attacked, method: str, path: str) -> None:
    """With a key, too, which is no session."""
    for headers in (PROXIED, {**PROXIED, **attacked.headers}):
        assert httpx.request(method, f"{attacked.address}{path}", headers=headers).status_code == 403


def test_requests_of_pages_are_counted(attacked: Attacked) -> None:
    """By their routes, as those of the API are."""
    httpx.put(f"{attacked.address}{UPLOAD}", headers=PROXIED)
    metrics = httpx.get(f"{attacked.address}/metrics", headers=attacked.headers).text
    route = "/_stcore/upload_file/{session_id}/{file_id}"
    assert f'jobmatch_requests_total{{method="PUT",route="{route}",status="403"}}' in metrics


@pytest.mark.long
def test_dear_requests_do_not_stop_the_others(attacked: Attacked) -> None:
    """While postings of 33,000 sentences are described, an occupation is read; all are answered."""

    def described(_: int) -> int:
        content = {"text": "a. b! " * 33_000}
        url = f"{attacked.address}/api/v1/describe"
        return httpx.post(url, json=content, headers=attacked.headers, timeout=ANSWER_SECONDS).status_code

    with ThreadPoolExecutor(4) as threads:
        dear = threads.map(described, range(4))
        url = f"{attacked.address}/api/v1/occupations/{BAKER}"
        assert httpx.get(url, headers=attacked.headers, timeout=ANSWER_SECONDS).status_code == 200
        assert list(dear) == [200] * 4


@pytest.mark.parametrize(
    "content", [{"titles": ["a" * 10_000] * 11}, {"titles": ["nurse"] * 1000, "top": 100}, {"titles": ["a"] * 1001}]
)
def test_requests_for_too_much_work(attacked: Attacked, content: dict[str, object]) -> None:
    """They are refused before it is begun."""
    answer = httpx.post(f"{attacked.address}/api/v1/link", json=content, headers=attacked.headers)
    assert answer.status_code == 400


def test_many_jobs(attacked: Attacked) -> None:
    """Of a caller only so many wait or run."""
    rows = "title\n" + "".join(f"nurse {number}\n" for number in range(30_000))
    url = f"{attacked.address}/api/v1/jobs"
    answers = [
        httpx.post(url, files={"file": ("t.csv", rows)}, headers=attacked.headers, timeout=ANSWER_SECONDS)
        for _ in range(UNFINISHED_JOBS + 1)
    ]
    assert [answer.status_code for answer in answers] == [202] * UNFINISHED_JOBS + [429]
    for answer in answers[:-1]:
        location = f"{attacked.address}{answer.headers['location']}"
        assert httpx.delete(location, headers=attacked.headers).status_code == 204


def test_silent_connections(attacked: Attacked) -> None:
    """More of them than the server lets wait do not keep it from answering."""
    parts = urlsplit(attacked.address)
    with ExitStack() as opened:
        for _ in range(2 * MOST_WITHOUT_HEADERS):
            silent = opened.enter_context(socket.create_connection((str(parts.hostname), int(parts.port or 0))))
            silent.sendall(b"GET /healthz HTTP/1.1\r\n")
        assert httpx.get(f"{attacked.address}/healthz", timeout=ANSWER_SECONDS).status_code == 200
