"""The dearest requests of the routes that compute something, and the processor time that each takes.

Each is as large as the limits allow, of the shape that was found to cost most.
"""

import json
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, Any
from urllib.parse import quote, urlencode

import numpy as np

from jobmatch.serve.esco.esco_query import MOST_VALUES
from jobmatch.serve.operations import JSON
from jobmatch.serve.reconcile.recon_properties import MOST_ENTITIES, MOST_PROPERTIES
from jobmatch.serve.reconcile.recon_query import BATCH_SIZE, DESCRIPTION_LETTERS, MOST_QUERIES
from jobmatch.serve.reconcile.recon_query import MOST_LETTERS as MOST_QUERY_LETTERS
from jobmatch.serve.serve_config import Limits, ServeConfig
from jobmatch.serve.v1.messages import LONGEST_TEXT, MOST_CANDIDATES, MOST_LETTERS, MOST_TITLES
from jobmatch_core.entities import Progress, no_progress
from jobmatch_core.errors import LinkingError
from jobmatch_core.taxonomy import Taxonomy
from jobmatch_core.taxonomy.esco import is_release
from jobmatch_core.text.locales import ENGLISH

if TYPE_CHECKING:
    from starlette.testclient import TestClient

    from jobmatch.services.linking import LinkingService

_SEED = 7
_FORM = "application/x-www-form-urlencoded"
_PATIENT = Limits(seconds=600.0, requests_a_minute=0)  # what is measured is the work, not its limits of time


@dataclass(frozen=True, slots=True)
class DearRequest:
    """A request."""

    route: str  # name of the route that it goes to, as in the table of permissions
    what: str  # what makes it dear
    path: str  # path with its parameters
    body: str = ""  # body; empty for GET
    media: str = JSON  # media type of the body


@dataclass(frozen=True, slots=True)
class RequestCost:
    """Processor time of a request."""

    # route, what: as of the request
    route: str
    what: str
    status: int  # status of the answer
    cpu_s: float  # seconds of processor time, on all cores together, when models and indexes are loaded
    answer_kb: float  # size of the answer in kB


def measure_requests(
    service: "LinkingService", taxonomy_id: str, marketplace: str, *, progress: Progress = no_progress
) -> list[RequestCost]:
    """Measure the dearest requests, the dearest first.

    Args:
        taxonomy_id: id of the taxonomy that is linked to.
        marketplace: name of the marketplace to find freelancers in.

    Raises LinkingError if a request is not accepted, so that it is no longer the dearest.
    """
    from starlette.testclient import TestClient

    from jobmatch.serve.server import build_api

    taxonomy = service.taxonomy(taxonomy_id)
    requests = list(dearest_requests(taxonomy, marketplace))
    costs = []
    with TestClient(build_api(service, ServeConfig(limits=_PATIENT)), base_url="http://localhost") as client:
        for number, request in enumerate(requests):
            _send(client, request)  # which loads what it needs
            costs.append(_cost(client, request))
            progress(number + 1, len(requests))
    return sorted(costs, key=lambda cost: -cost.cpu_s)


def dearest_requests(taxonomy: Taxonomy, marketplace: str) -> Iterator[DearRequest]:
    """Yield the dearest requests of the routes that compute something; those of files are jobs, and take turns."""
    words = _words(taxonomy)
    prose, lines = words.sentences(LONGEST_TEXT // 60)[:LONGEST_TEXT], "a. b! " * (LONGEST_TEXT // 6)
    top, letters = MOST_CANDIDATES // MOST_TITLES, MOST_LETTERS // MOST_TITLES
    long_titles = [words.title(letters) for _ in range(MOST_TITLES)]
    most_candidates = words.several(MOST_CANDIDATES // 100, MOST_LETTERS)
    post = partial(_post, "/api/v1", taxonomy.id)
    yield post("link", "1,000 long titles", {"titles": long_titles, "top": top})
    yield post("link", "1,000 titles of several jobs", {"titles": words.several(MOST_TITLES, MOST_LETTERS), "top": top})
    yield post("link", "100 titles of several jobs, 100 candidates", {"titles": most_candidates, "top": 100})
    yield post("describe", "33,000 sentences", {"text": lines, "top": 100})
    yield post("describe", "200,000 letters of prose", {"text": prose, "top": 100})
    yield post("describe", "150 sentences with effects", {"text": words.sentences(150), "top": 100})
    yield post("search", "a long query", {"query": prose[:10_000], "limit": 200})
    yield _post(
        "/api/v1", "", "match", "200,000 letters", {"project": prose, "marketplace": marketplace, "limit": 1000}
    )
    yield post("decisions", "a long title", {"title": prose[:1000], "annotator": "bench"})
    group = taxonomy.uris[int(taxonomy.occupation_numbers[0])]
    yield DearRequest(
        "GET /api/v1/occupations/{uri:path}", "an occupation", f"/api/v1/occupations/{group}?taxonomy={taxonomy.id}"
    )
    record = {"title": "nurse", "description": prose[: LONGEST_TEXT - 100]}
    yield _post(
        "/api/v1",
        "",
        "match",
        "a record of 200,000 letters",
        {"project": record, "marketplace": marketplace, "limit": 1000},
    )
    yield from _reconciliation(taxonomy, words)
    if is_release(taxonomy.manifest):
        yield from _esco(taxonomy)


def _reconciliation(taxonomy: Taxonomy, words: "_Words") -> Iterator[DearRequest]:
    path, form = f"/reconcile/{taxonomy.id}", "POST /reconcile/{taxonomy}"
    lines = "\n".join("abcdefgh"[place % 8] for place in range(DESCRIPTION_LETTERS // 2))
    named = [{"query": title, "limit": 25} for title in words.several(MOST_QUERIES, MOST_QUERY_LETTERS)]
    described = [
        {"query": words.title(60), "properties": [{"pid": "description", "v": lines}]} for _ in range(BATCH_SIZE)
    ]
    for what, queries in ((f"{MOST_QUERIES} queries", named), (f"{BATCH_SIZE} queries with descriptions", described)):
        batch = json.dumps({str(place): query for place, query in enumerate(queries)})
        yield DearRequest(form, what, path, urlencode({"queries": batch}), _FORM)
    properties = [{"id": f"names:{ENGLISH}"}] * MOST_PROPERTIES
    extension = json.dumps({"ids": list(taxonomy.uris[:MOST_ENTITIES]), "properties": properties})
    yield DearRequest(form, "data extension", path, urlencode({"extend": extension}), _FORM)
    yield DearRequest("GET /reconcile/{taxonomy}/suggest/{what}", "a letter", f"{path}/suggest/entity?prefix=e")


def _esco(taxonomy: Taxonomy) -> Iterator[DearRequest]:
    version, search = f"selectedVersion=v{taxonomy.manifest.version}", "/esco/api/search"
    uris = quote(",".join(taxonomy.uris[number] for number in taxonomy.occupation_numbers[:MOST_VALUES].tolist()))
    for what, path in (
        ("1,000 occupations", f"{search}?type=occupation&limit=1000"),
        ("100 whole occupations", f"{search}?type=occupation&limit=100&full=true"),
        ("1,000 groups by a letter", f"{search}?type=concept&text=e&limit=1000"),
    ):
        yield DearRequest(f"GET {search}", what, f"{path}&{version}")
    suggestions = f"/esco/api/suggest2?text=e&alt=true&limit=1000&{version}"
    yield DearRequest("GET /esco/api/suggest2", "1,000 names by a letter", suggestions)
    resources = f"/esco/api/resource/occupation?uris={uris}&{version}"
    yield DearRequest("GET /esco/api/resource/{kind}", f"{MOST_VALUES} occupations", resources)


def _post(face: str, taxonomy: str, call: str, what: str, content: dict[str, Any]) -> DearRequest:
    body = json.dumps(content | ({"taxonomy": taxonomy} if taxonomy else {}))
    return DearRequest(f"POST {face}/{call}", what, f"{face}/{call}", body)


def _cost(client: "TestClient", request: DearRequest) -> RequestCost:
    started = time.process_time()
    status, size = _send(client, request)
    return RequestCost(request.route, request.what, status, round(time.process_time() - started, 3), round(size / 1e3))


def _send(client: "TestClient", request: DearRequest) -> tuple[int, int]:
    """Return the status and the size of an answer in bytes; raises LinkingError if it is an error."""
    method = request.route.partition(" ")[0]
    headers = {"Content-Type": request.media} if request.body else {}
    answer = client.request(method, request.path, content=request.body.encode(), headers=headers)
    if answer.is_error:
        raise LinkingError(f"{request.route} ({request.what}) was answered with {answer.status_code}: {answer.text}")
    return answer.status_code, len(answer.content)


@dataclass(frozen=True, slots=True)
class _Words:
    """Words of a taxonomy's names, drawn at random."""

    words: Sequence[str]
    rng: np.random.Generator

    def title(self, letters: int) -> str:
        """Return words as one title."""
        return " ".join(self._drawn(letters))[:letters]

    def several(self, titles: int, letters: int) -> list[str]:
        """Return titles of several jobs, with so many letters together."""
        return [" / ".join(self._drawn(letters // titles))[: letters // titles] for _ in range(titles)]

    def sentences(self, number: int) -> str:
        """Return so many sentences of 15 words."""
        return "".join(f"{' '.join(self.rng.choice(self.words, 15)).capitalize()}. " for _ in range(number))

    def _drawn(self, letters: int) -> list[str]:
        return [str(word) for word in self.rng.choice(self.words, letters // 6 + 1)]


def _words(taxonomy: Taxonomy) -> _Words:
    numbers = taxonomy.occupation_numbers.tolist()
    words = sorted({word for number in numbers for word in taxonomy.name(number, ENGLISH).split() if word.isalpha()})
    return _Words(words, np.random.default_rng(_SEED))
