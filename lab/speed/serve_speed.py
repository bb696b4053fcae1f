"""Speed of `jobmatch serve`, and of a reconciliation service beside it.

Titles are drawn from the taxonomy's names and garbled (`linking.examples`), as in `link_speed`.
"""

import json
import tempfile
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from http.client import HTTPConnection, HTTPException
from pathlib import Path
from urllib.parse import urlencode, urlsplit

import numpy as np

from jobmatch_core.entities import Progress, no_progress
from jobmatch_core.errors import LinkingError
from jobmatch_core.linking import open_linker
from jobmatch_core.linking.examples import held_out_titles
from jobmatch_core.metrics.gauges import timed
from jobmatch_core.settings import Settings
from lab.speed.running_server import PATIENCE, running_server

CLIENTS = 32
_RECONCILED = 10  # titles in a batch, as OpenRefine sends them
_JSON, _FORM = "application/json", "application/x-www-form-urlencoded"
_SEED = 7
# more requests than are sent, so that they are counted and none is refused
_COUNTED = 'taxonomies = ["{taxonomy}"]\n[limits]\nrequests_a_minute = 1000000\nseconds = 120.0\n'


@dataclass(frozen=True, slots=True)
class ServeSpeed:
    """Milliseconds, and titles a second, of requests with one title each."""

    taxonomy: str  # id of the taxonomy
    names: int
    # one_p50_ms, one_p95_ms: one client, median and 95th percentile
    one_p50_ms: float
    one_p95_ms: float
    many_titles_per_s: float  # 32 clients at once
    many_p95_ms: float  # the 95th percentile of their requests
    errors: int  # requests of ours that were not answered, or not with 200
    reconcile_p95_ms: float  # one client, batches of ten titles in the reconciliation protocol that OpenRefine speaks
    beside_p95_ms: float  # the same batches, by another reconciliation service; 0 where none is named


@dataclass(frozen=True, slots=True)
class _Measured:
    """Seconds of single requests of one client and of many, of these the seconds in all, and errors."""

    one: list[float]
    many: list[float]
    many_s: float
    errors: int


def measure_serve_speed(
    taxonomy: str,
    *,
    requests: int = 3200,
    beside: str = "",
    settings: Settings | None = None,
    progress: Progress = no_progress,
) -> ServeSpeed:
    """Start a server and measure it.

    Args:
        taxonomy: id of an installed taxonomy; its index is built if there is none.
        requests: requests of 32 clients; one client sends a tenth of them.
        beside: address of a reconciliation service that runs already, to be sent the same batches.

    Raises:
        TaxonomyError: there is no such taxonomy.
        LinkingError: the server did not start, or no reconciliation service answers; its message says why.
    """
    settings = settings or Settings.from_environment()
    linker = open_linker(taxonomy, settings=settings)
    names, titles = len(linker.taxonomy.name_texts), held_out_titles(linker.index, requests, _SEED).titles
    del linker  # whose memory the server needs
    progress(0, 2)
    with tempfile.TemporaryDirectory() as folder:
        config = Path(folder) / "serve.toml"
        config.write_text(_COUNTED.format(taxonomy=taxonomy), "utf-8")
        with running_server(["jobmatch", "serve", "--config", str(config), "--port"], "/readyz", settings) as server:
            ours = _measured(server.port, taxonomy, titles)
            batches = _reconciled(f"http://127.0.0.1:{server.port}/reconcile/{taxonomy}", titles[: requests // 10])
    others = _reconciled(beside, titles[: requests // 10]) if beside else [0.0]
    progress(1, 2)
    progress(2, 2)
    return ServeSpeed(
        taxonomy=taxonomy,
        names=names,
        one_p50_ms=float(np.percentile(ours.one, 50)) * 1000,
        one_p95_ms=float(np.percentile(ours.one, 95)) * 1000,
        many_titles_per_s=len(ours.many) / ours.many_s,
        many_p95_ms=float(np.percentile(ours.many, 95)) * 1000,
        errors=ours.errors,
        reconcile_p95_ms=float(np.percentile(batches, 95)) * 1000,
        beside_p95_ms=float(np.percentile(others, 95)) * 1000,
    )


def _measured(port: int, taxonomy: str, titles: Sequence[str]) -> _Measured:
    _client(port, taxonomy, titles[:CLIENTS])  # what only the first requests need is loaded
    one, errors = _client(port, taxonomy, titles[: max(len(titles) // 10, 1)])
    shares = [titles[number::CLIENTS] for number in range(CLIENTS)]
    with ThreadPoolExecutor(CLIENTS) as clients:
        seconds, done = timed(lambda: list(clients.map(lambda share: _client(port, taxonomy, share), shares)))
    many = [seconds for of_client, _ in done for seconds in of_client]
    return _Measured(one, many, seconds, errors + sum(failed for _, failed in done))


def _reconciled(service: str, titles: Sequence[str]) -> list[float]:
    """Return the seconds of each batch of ten titles; raises LinkingError where the service does not answer them."""
    address = urlsplit(service)
    connection, seconds = HTTPConnection(address.hostname or "", address.port, timeout=PATIENCE), []
    for start in range(0, len(titles), _RECONCILED):
        batch = titles[start : start + _RECONCILED]
        queries = {f"q{number}": {"query": title, "limit": 5} for number, title in enumerate(batch)}
        content = urlencode({"queries": json.dumps(queries)})
        took, status = timed(lambda content=content: _status(connection, content, address.path, _FORM))  # type: ignore[misc]
        if status != 200:
            raise LinkingError(
                f"{service} answers a batch of titles with {status or 'nothing'}; is it the service's address?"
            )
        seconds.append(took)
    connection.close()
    return seconds


def _client(port: int, taxonomy: str, titles: Sequence[str]) -> tuple[list[float], int]:
    """Return the seconds of each request over one connection, and the number of errors."""
    connection, seconds, errors = HTTPConnection("127.0.0.1", port, timeout=PATIENCE), [], 0
    for title in titles:
        content = json.dumps({"titles": [title], "taxonomy": taxonomy})
        took, status = timed(lambda content=content: _status(connection, content))  # type: ignore[misc]
        seconds.append(took)
        errors += status != 200
    connection.close()
    return seconds, errors


def _status(connection: HTTPConnection, content: str, path: str = "/api/v1/link", kind: str = _JSON) -> int:
    """Return the status of an answer; 0 where there is none."""
    try:
        connection.request("POST", path, content, {"Content-Type": kind})
        response = connection.getresponse()
        response.read()
    except (OSError, HTTPException):
        connection.close()
        return 0
    return response.status
