"""`jobmatch serve` as a process: pages and API share what they know; the next server ends a killed one's job."""

import json
import os
import signal
import socket
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import httpx
import pytest
from playwright.sync_api import Browser, expect

from jobmatch_core.linking import open_linker
from jobmatch_core.linking.batch import PART_ROWS, link_file
from jobmatch_core.settings import Settings
from jobmatch_core.taxonomy import TaxonomyStore
from tests.e2e.conftest import ROOT, _wait_until_healthy, settle
from tests.e2e.test_in_a_browser import type_title

BAKER = "http://data.europa.eu/esco/isco/C7512"
_PATIENCE = 120.0  # seconds
_ROWS = 3 * PART_ROWS
# 0: the tests themselves were started with the signal ignored, as a shell starts what runs in the background
_INTERRUPTED = (0, 130)


@contextmanager
def running_server(home: Path, *options: str) -> Iterator[tuple[str, "subprocess.Popen[bytes]"]]:
    """Run a server on a free port; yield its address and its process."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    log, address = home / f"serve-{port}.log", f"http://127.0.0.1:{port}"
    with log.open("wb") as output:
        server = subprocess.Popen(
            [sys.executable, "-m", "jobmatch", "serve", f"--port={port}", *options],
            cwd=ROOT, env={**os.environ, "JOBMATCH_HOME": str(home), "JOBMATCH_VECTOR_URL": ""},
            stdout=output, stderr=output,
        )  # fmt: skip
        try:
            _wait_until_healthy(address, server, log, "/readyz")
            yield address, server
        finally:
            server.terminate()
            server.wait(timeout=30)


def asked(address: str, path: str, content: dict[str, Any]) -> Any:
    """Return an answer of the API."""
    return httpx.post(f"{address}/api/v1/{path}", json=content, timeout=_PATIENCE).raise_for_status().json()


def progress(address: str, job: str) -> Iterator[dict[str, Any]]:
    """Yield a job's progress until it ends, in as many streams as that takes."""
    state = ""
    while state not in ("done", "failed"):
        with httpx.stream("GET", f"{address}{job}/events", timeout=_PATIENCE) as events:
            for line in events.iter_lines():
                if line.startswith("data: "):
                    status = json.loads(line.removeprefix("data: "))
                    state = status["state"]
                    yield status


def test_pages_and_api_are_one(own_linker_home: Path, browser: Browser) -> None:
    """What the API records, the page answers with; Ctrl+C ends both, while a page is open."""
    with running_server(own_linker_home) as (address, server):
        decision = {"title": "xyzzyq", "uri": BAKER, "annotator": "Ann"}
        assert httpx.post(f"{address}/api/v1/decisions", json=decision).status_code == 201
        page = browser.new_page()
        page.goto(address)
        settle(page)
        type_title(page, "xyzzyq")
        card = page.locator(".st-key-card_1").first
        expect(card).to_contain_text("accepted by Ann")
        [link] = asked(address, "link", {"titles": ["xyzzyq"]})["results"]
        expect(card).to_contain_text(link["candidates"][0]["name"])
        server.send_signal(signal.SIGINT)
        assert server.wait(timeout=30) in _INTERRUPTED
        page.close()


@pytest.fixture
def many_titles(own_linker_home: Path, tmp_path: Path) -> Path:
    """A file of different titles, which takes some seconds."""
    names = list(dict.fromkeys(TaxonomyStore.open(Settings(own_linker_home)).load().name_texts))
    titles = [f"{name} {number}" if number else name for number in range(3) for name in names][:_ROWS]
    assert len(titles) == _ROWS
    path = tmp_path / "titles.jsonl"
    path.write_text("".join(json.dumps({"title": title}) + "\n" for title in titles), "utf-8")
    return path


@pytest.mark.thorough
def test_a_killed_servers_job_is_finished_by_the_next(own_linker_home: Path, many_titles: Path, tmp_path: Path) -> None:
    """Without what was done already; the result is what `jobmatch link --file` writes."""
    with running_server(own_linker_home) as (address, server):
        with many_titles.open("rb") as file:
            response = httpx.post(f"{address}/api/v1/jobs", files={"file": ("titles.jsonl", file)}, timeout=_PATIENCE)
        job = response.headers["location"]
        next(status for status in progress(address, job) if status["done"])
        server.kill()
        server.wait()
    folder = own_linker_home / "jobs" / job.rpartition("/")[2]
    parts = {part: part.stat().st_mtime_ns for part in (folder / "linked.jsonl.parts").glob("0*.jsonl")}
    assert 0 < len(parts) < _ROWS // PART_ROWS
    with running_server(own_linker_home) as (address, _):
        *_, last = progress(address, job)
        assert (last["state"], last["done"]) == ("done", _ROWS)
        result = httpx.get(f"{address}{job}/result", timeout=_PATIENCE).content
    linker = open_linker(settings=Settings(own_linker_home))
    link_file(linker, many_titles, tmp_path / "linked.jsonl", column="title")
    assert result == (tmp_path / "linked.jsonl").read_bytes()


@pytest.mark.thorough
def test_a_server_that_stops_does_not_wait_for_a_job(own_linker_home: Path, many_titles: Path) -> None:
    """Nor for its thread: the job goes on when a server runs again."""
    with running_server(own_linker_home) as (address, server):
        with many_titles.open("rb") as file:
            httpx.post(f"{address}/api/v1/jobs", files={"file": ("titles.jsonl", file)}, timeout=_PATIENCE)
        server.terminate()
        assert server.wait(timeout=30) == -signal.SIGTERM
