"""Any request that the description allows, or nearly allows, is answered: never with 500, and always as described.

`FUZZED=5000 pytest tests/jobmatch/serve/test_v1_fuzz.py` sends more.
"""

import json
import os
from http import HTTPStatus
from typing import Any
from urllib.parse import quote

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from starlette.testclient import TestClient

from jobmatch.serve.serve_config import Limits, ServeConfig
from tests.jobmatch.serve.conftest import Serving

REQUESTS = int(os.environ.get("FUZZED", "200"))
_WORDS = ("isco-08", "demo", "en", "de", "nurse", "positive", "skip", "occupations", "freelancers", "shipped", "none")

texts = st.one_of(st.text(max_size=40), st.sampled_from(_WORDS), st.text("\0\r\n\u202e\ufeff'\"<>=/%", max_size=8))
anything = st.recursive(
    st.one_of(st.none(), st.booleans(), st.integers(), st.floats(allow_nan=False, allow_infinity=False), texts),
    lambda inner: st.one_of(st.lists(inner, max_size=3), st.dictionaries(texts, inner, max_size=3)),
    max_leaves=6,
)

_PLAIN: dict[str, st.SearchStrategy[Any]] = {
    "object": st.dictionaries(texts, anything, max_size=3),
    "string": texts,
    "number": st.floats(0, 1e6),
    "boolean": st.booleans(),
    "null": st.none(),
}


def fitting(schema: dict[str, Any], named: dict[str, Any]) -> st.SearchStrategy[Any]:
    """Return values that a schema allows by its type and limits."""
    if "$ref" in schema:
        return fitting(named[schema["$ref"].rpartition("/")[2]], named)
    if "anyOf" in schema:
        return st.one_of([fitting(each, named) for each in schema["anyOf"]])
    if "enum" in schema:
        return st.sampled_from(schema["enum"])
    if "properties" in schema:
        fields = {name: fitting(each, named) for name, each in schema["properties"].items()}
        needed = {name: fields.pop(name) for name in schema.get("required", ())}
        return st.fixed_dictionaries(needed, optional=fields)
    if schema.get("type") == "array":
        return st.lists(fitting(schema.get("items", {}), named), min_size=schema.get("minItems", 0), max_size=3)
    if schema.get("type") == "integer":
        return st.integers(schema.get("minimum"), schema.get("maximum"))
    return _PLAIN.get(schema.get("type", ""), anything)


def bodies(schema: dict[str, Any], named: dict[str, Any]) -> st.SearchStrategy[Any]:
    """Return valid bodies, bodies with one wrong field, and arbitrary ones."""
    fits = fitting(schema, named)
    spoiled = st.builds(lambda body, name, value: {**body, name: value}, fits, texts, anything)
    if "properties" in (known := named.get(schema.get("$ref", "").rpartition("/")[2], {})):
        other = st.sampled_from(sorted(known["properties"]))
        spoiled = spoiled | st.builds(lambda body, name, value: {**body, name: value}, fits, other, anything)
    return st.one_of(fits, fits, spoiled, anything)


def requests_of(description: dict[str, Any], face: str) -> list[st.SearchStrategy[dict[str, Any]]]:
    """Return the requests of each described call of a face."""
    named = description["components"]["schemas"]
    calls = []
    for path, methods in description["paths"].items():
        if not path.startswith(f"{face}/"):
            continue
        for method, operation in methods.items():
            places: dict[str, dict[str, st.SearchStrategy[str]]] = {"path": {}, "query": {}}
            for parameter in operation["parameters"]:
                places[parameter["in"]][parameter["name"]] = texts
            body: st.SearchStrategy[Any] = st.none()
            form = False
            for media, content in operation.get("requestBody", {}).get("content", {}).items():
                form = media != "application/json"
                schema = content["schema"]["properties"]["options"] if form else content["schema"]
                body = bodies(schema, named)
            calls.append(
                st.fixed_dictionaries(
                    {
                        "method": st.just(method),
                        "path": st.just(path),
                        "body": body,
                        "form": st.just(form),
                        "path_parameters": st.fixed_dictionaries(places["path"]),
                        "query": st.fixed_dictionaries({}, optional=places["query"]),
                        "described": st.just(operation["responses"]),
                    }
                )
            )
    return calls


def sent(client: TestClient, request: dict[str, Any]) -> Any:
    """Send a request; return the response."""
    path = request["path"]
    for name, value in request["path_parameters"].items():
        path = path.replace(f"{{{name}}}", quote(value, safe=""))
    options: dict[str, Any] = {"params": request["query"]}
    if request["form"]:
        options |= {"files": {"file": ("t.csv", "title\nnurse\n")}, "data": {"options": json.dumps(request["body"])}}
    elif request["method"] == "post":
        options |= {"content": json.dumps(request["body"]), "headers": {"Content-Type": "application/json"}}
    return client.request(request["method"].upper(), path, **options)


def test_every_request_is_answered(serving: Serving) -> None:
    """With a described status and media type."""
    client = serving(ServeConfig(limits=Limits(requests_a_minute=0)))
    description = client.get("/api/openapi.json").json()
    seen: set[tuple[str, int]] = set()

    def answered(request: dict[str, Any]) -> None:
        response = sent(client, request)
        seen.add((f"{request['method']} {request['path']}", response.status_code))
        assert response.status_code != HTTPStatus.INTERNAL_SERVER_ERROR
        places = request["path_parameters"].values()
        # a client drops empty and dotted places from a path, and one with a slash is another path
        if all(place not in ("", ".", "..") and "/" not in place for place in places):
            assert str(response.status_code) in request["described"]
        if response.status_code >= HTTPStatus.BAD_REQUEST:
            assert response.headers["content-type"] == "application/problem+json"

    calls_requests = requests_of(description, "/api/v1")
    for requests in calls_requests:
        some = settings(
            max_examples=REQUESTS // len(calls_requests) + 1, deadline=None, suppress_health_check=list(HealthCheck)
        )
        some(given(requests)(answered))()
    calls = {f"{method} {path}" for path, methods in description["paths"].items() for method in methods}
    assert {call for call, _ in seen} == {call for call in calls if "/api/v1/" in call}
    assert {call for call, status in seen if status < HTTPStatus.BAD_REQUEST} >= {
        "post /api/v1/link",
        "post /api/v1/jobs",
    }
