"""A server under mixed load, with hostile requests among it: everybody else is answered, and memory stays flat.

`JOBMATCH_LOAD_MINUTES=10 pytest -m long tests/faults/test_hostile_load.py --log-cli-level=INFO` shows it.
"""

import logging
import os
import shutil
import socket
import time
from collections import Counter
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from datetime import UTC, datetime
from itertools import count, cycle
from pathlib import Path
from threading import Event
from urllib.parse import urlsplit

import httpx
import pytest

from db.label_store import LabelStore
from jobmatch.access.api_keys import new_key
from jobmatch.access.principal import Role
from tests.e2e.servers import ANSWER_SECONDS, running_server

pytestmark = pytest.mark.long
MINUTES = float(os.environ.get("JOBMATCH_LOAD_MINUTES", "1"))
WARM_UP = 0.25  # of the time: models are loaded, and caches fill
MOST_GROWTH = 1.05
UPLOAD = "/_stcore/upload_file/00000000-0000-0000-0000-000000000000/1"
_log = logging.getLogger(__name__)
Request = Callable[[httpx.Client, int], int]  # returns the status


def resident_mb(process: int) -> float:
    """Return the resident memory of a process."""
    [pages] = Path(f"/proc/{process}/statm").read_text("ascii").split()[1:2]
    return int(pages) * os.sysconf("SC_PAGE_SIZE") / 1e6


def friendly(client: httpx.Client, number: int) -> int:
    """Link titles, as most clients do."""
    titles = [f"nurse {number}", "Koch (m/w/d)", "développeur"]
    return client.post("/api/v1/link", json={"titles": titles}).status_code


def posting(client: httpx.Client, number: int) -> int:
    """Describe a posting."""
    text = f"Nurse {number}\n\nYou care for patients. You write reports. We offer a friendly team."
    return client.post("/api/v1/describe", json={"text": text}).status_code


HOSTILE: list[Request] = [
    lambda client, _: client.post("/api/v1/describe", json={"text": "a. b! " * 33_000}).status_code,
    lambda client, n: client.post("/api/v1/link", json={"titles": [f"{n} {'x / y ' * 1600}"] * 10}).status_code,
    lambda client, _: client.post("/api/v1/link", json={"titles": ["a" * 10_000] * 100}).status_code,
    lambda client, _: client.put(UPLOAD, content=b"x" * (4 << 20), headers={"X-Forwarded-For": "x"}).status_code,
    lambda client, n: client.get(f"/api/v1/nothing/{n}").status_code,
    lambda client, n: client.get("/api/v1/taxonomies", headers={"Authorization": f"Bearer jm_{n:043}"}).status_code,
    lambda client, n: client.get(f"/reconcile/{n}", headers={"Origin": "https://evil.example"}).status_code,
]


@pytest.fixture
def attacked(linker_home: Path, tmp_path: Path) -> Iterator[tuple[str, dict[str, str], int]]:
    """Run a server that asks for keys; yield its address, a key, and its process."""
    home = tmp_path / "home"
    shutil.copytree(linker_home, home, copy_function=os.link)
    key, stored = new_key("load", Role.VIEWER, [], "Ada", datetime.now(UTC))
    with LabelStore.open(home / "jobmatch.db") as store:
        store.access.add_key(stored)
    config = home / "serve.toml"
    config.write_text("[access]\nkeys = true\n[limits]\nrequests_a_minute = 1000000\n", "utf-8")
    with running_server(home, f"--config={config}") as (address, server):
        yield address, {"Authorization": f"Bearer {key}"}, server.pid


def test_memory_stays_flat(attacked: tuple[str, dict[str, str], int]) -> None:
    """After everything was called once; each friendly request is answered with 200."""
    address, headers, server = attacked
    stop, statuses = Event(), Counter[tuple[str, int]]()

    def send(name: str, requests: list[Request]) -> None:
        with httpx.Client(base_url=address, headers=headers, timeout=ANSWER_SECONDS) as client:
            for number, request in zip(count(), cycle(requests)):
                if stop.is_set():
                    return
                statuses[name, request(client, number)] += 1

    def stay_silent() -> None:
        parts = urlsplit(address)
        while not stop.is_set():
            with suppress(OSError), socket.create_connection((str(parts.hostname), int(parts.port or 0))) as silent:
                silent.sendall(b"GET / HTTP/1.1\r\n")
                stop.wait(0.05)

    memory = list[float]()
    with ThreadPoolExecutor(5) as threads:
        senders = [
            threads.submit(send, "friendly", [friendly, friendly, friendly, posting]),
            threads.submit(send, "friendly", [friendly]),
            *(threads.submit(send, "hostile", HOSTILE) for _ in range(2)),
            threads.submit(stay_silent),
        ]
        ends = time.monotonic() + 60 * MINUTES
        while time.monotonic() < ends:
            stop.wait(MINUTES)  # sixty times in all
            memory.append(resident_mb(server))
            _log.info("%d: %.0f MB %s", len(memory), memory[-1], dict(statuses))
        stop.set()
        for sender in senders:
            sender.result()
    settled = memory[int(len(memory) * WARM_UP) :]
    half = len(settled) // 2
    assert {status for (name, status), _ in statuses.items() if name == "friendly"} == {200}
    assert max(settled[half:]) <= MOST_GROWTH * max(settled[:half])
