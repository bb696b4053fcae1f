"""Speed of the server: every figure is measured and adds up; how fast is not asserted, machines differ."""

import json
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import asdict
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Thread
from typing import ClassVar
from urllib.parse import parse_qs

import pytest

from jobmatch_core.errors import LinkingError, TaxonomyError
from jobmatch_core.settings import Settings
from lab.speed import serve_speed
from lab.speed.running_server import running_server
from lab.speed.serve_speed import CLIENTS, measure_serve_speed


@pytest.mark.long
def test_the_server_is_measured(use_linker_home: Path) -> None:
    """It really runs; every request is answered."""
    speed = measure_serve_speed("isco-08", requests=2 * CLIENTS, settings=Settings(use_linker_home))
    assert speed.errors == 0
    assert speed.names > 1000
    figures = {name: value for name, value in asdict(speed).items() if isinstance(value, float)}
    assert figures.pop("beside_p95_ms") == 0
    assert min(figures.values()) > 0
    assert speed.one_p50_ms <= speed.one_p95_ms


class Answering(BaseHTTPRequestHandler):
    """Answers every request with 200 and notes how many titles a batch has."""

    protocol_version = "HTTP/1.1"
    sizes: ClassVar[list[int]] = []

    def do_POST(self) -> None:
        """Read the request."""
        content = self.rfile.read(int(self.headers["Content-Length"])).decode()
        if queries := parse_qs(content).get("queries"):
            self.sizes.append(len(json.loads(queries[0])))
        self.send_response(200)
        self.send_header("Content-Length", "0")
        self.end_headers()

    def log_message(self, *_: object) -> None:
        """Print nothing."""


class Service(ThreadingHTTPServer):
    """Accepts all clients at once."""

    request_queue_size = CLIENTS


@contextmanager
def plain_service() -> Iterator[int]:
    """Run a service that answers at once; yield its port."""
    server = Service(("127.0.0.1", 0), Answering)
    thread = Thread(target=server.serve_forever, daemon=True)
    thread.start()
    try:
        yield server.server_port
    finally:
        server.shutdown()
        server.server_close()
        thread.join()


@pytest.mark.thorough
def test_requests_are_counted_by_client() -> None:
    """One client sends a tenth, 32 all of them; what is not answered with 200 is an error."""
    with plain_service() as port:
        measured = serve_speed._measured(port, "any", ["nurse"] * 64)
        seconds, errors = serve_speed._client(port, "any", ["nurse"] * 3)
    assert (len(measured.one), len(measured.many), measured.errors) == (6, 64, 0)
    assert (len(seconds), errors) == (3, 0)
    assert serve_speed._client(port, "any", ["nurse"] * 3)[1] == 3  # nobody listens there any more


def test_batches_of_ten_titles() -> None:
    """The last batch has what is left; a service that does not answer is an error, not a fast one."""
    Answering.sizes.clear()
    with plain_service() as port:
        assert len(serve_speed._reconciled(f"http://127.0.0.1:{port}/reconcile", ["nurse"] * 25)) == 3
    assert Answering.sizes == [10, 10, 5]
    with pytest.raises(LinkingError, match="with nothing; is it the service's address"):
        serve_speed._reconciled(f"http://127.0.0.1:{port}/reconcile", ["nurse"])


def test_a_server_that_does_not_start(tmp_path: Path) -> None:
    """The error says what it printed."""
    running = running_server(["http.server", "no-such"], "/", Settings(tmp_path))
    with pytest.raises(LinkingError, match="no-such"), running:
        pytest.fail("it started")


def test_an_unknown_taxonomy(tmp_path: Path) -> None:
    """Nothing is started."""
    with pytest.raises(TaxonomyError, match="There is no taxonomy"):
        measure_serve_speed("no-such", settings=Settings(tmp_path))
