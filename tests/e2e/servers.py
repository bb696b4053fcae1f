"""`jobmatch serve` as a process, and what the tests ask of it."""

import json
import os
import socket
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import httpx

from tests.e2e.conftest import ROOT, _wait_until_healthy

ANSWER_SECONDS = 120.0


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
            cwd=ROOT,
            env={**os.environ, "JOBMATCH_HOME": str(home), "JOBMATCH_VECTOR_URL": ""},
            stdout=output,
            stderr=output,
        )
        try:
            _wait_until_healthy(address, server, log, "/readyz")
            yield address, server
        finally:
            server.terminate()
            server.wait(timeout=30)


def asked(address: str, path: str, content: dict[str, Any], **headers: str) -> Any:
    """Return an answer of the API."""
    url = f"{address}/api/v1/{path}"
    return httpx.post(url, json=content, headers=headers, timeout=ANSWER_SECONDS).raise_for_status().json()


def progress(address: str, job: str, **headers: str) -> Iterator[dict[str, Any]]:
    """Yield a job's progress until it ends, in as many streams as that takes."""
    state = ""
    while state not in ("done", "failed"):
        with httpx.stream("GET", f"{address}{job}/events", headers=headers, timeout=ANSWER_SECONDS) as events:
            for line in events.iter_lines():
                if line.startswith("data: "):
                    status = json.loads(line.removeprefix("data: "))
                    state = status["state"]
                    yield status


def post_job(address: str, titles: Path, **headers: str) -> str:
    """Upload a file of titles; return the job's path."""
    with titles.open("rb") as file:
        response = httpx.post(
            f"{address}/api/v1/jobs", files={"file": (titles.name, file)}, headers=headers, timeout=ANSWER_SECONDS
        )
    return str(response.raise_for_status().headers["location"])
