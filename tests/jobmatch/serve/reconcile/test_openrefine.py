"""What OpenRefine 3.6.2 sent in the order in which it did, with texts of the tiny ESCO; and the same with a key."""

import json
import logging
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import httpx
import pytest
from starlette.testclient import TestClient

from jobmatch.access.access_config import AccessConfig
from jobmatch.access.api_keys import new_key
from jobmatch.access.principal import Role
from jobmatch.serve.json_log import JsonLines
from jobmatch.serve.serve_config import Limits, ServeConfig
from jobmatch.serve.server import build_api
from jobmatch.services.linking import LinkingService
from jobmatch_core.settings import Settings
from tests.jobmatch.serve.conftest import ADDRESS
from tests.jobmatch.serve.made_esco import DEVELOPER, ESCO, NURSE
from tests.jobmatch.serve.reconcile.valid import SCHEMAS, valid

ID = "esco-1.2.1"
RECORDED = [json.loads(line) for line in (SCHEMAS / "openrefine-3.6.2.jsonl").read_text("utf-8").splitlines()]
PAGE = {"Origin": "http://127.0.0.1:3333", "Referer": "http://127.0.0.1:3333/"}  # the browser's
PROGRAM = {"User-Agent": "OpenRefine/3.6.2 [62de008]", "Accept-Encoding": "gzip, x-gzip, deflate"}  # OpenRefine's own
NOW = datetime(2026, 11, 23, tzinfo=UTC)


def sent(client: TestClient, root: str, request: dict[str, Any]) -> httpx.Response:
    """Send a recorded request to a service."""
    target = f"{root}{request['path']}" + (f"?{request['query']}" if "query" in request else "")
    form = {name: json.dumps(each, separators=(",", ":")) for name, each in request.get("form", {}).items()}
    headers = PROGRAM if form else PAGE
    return client.request(request["method"], target, data=form or None, headers=headers)


def replayed(client: TestClient, root: str) -> dict[str, Any]:
    """Send all requests; return the answers by their labels, checked against the schemas."""
    answers: dict[str, Any] = {}
    for request in RECORDED:
        answer = sent(client, root, request)
        if request["answer"]:
            answers[request["when"]] = valid(answer, request["answer"])
        else:
            assert answer.status_code == 200, request["when"]
            answers[request["when"]] = answer.text
        if "form" not in request:
            assert answer.headers["access-control-allow-origin"] == "*", request["when"]
        assert "x-frame-options" not in answer.headers
    return answers


def test_openrefine(esco_client: TestClient) -> None:
    """OpenRefine can use each answer."""
    answers = replayed(esco_client, f"/reconcile/{ID}")
    guessed = answers["types are guessed"]
    types = {kind["id"] for each in guessed.values() for found in each["result"] for kind in found["type"]}
    assert types == {"occupation", "isco-group"}  # a developer person is linked to its unit group
    assert all(len(each["result"]) <= 3 for each in guessed.values())
    assert [each["id"] for each in answers["a hint is typed"]["result"]] == ["language"]
    assert [each["id"] for each in answers["a type is typed"]["result"]] == ["isco-group"]
    by_id = answers["titles are reconciled with a type and hints"]
    assert (by_id["q0"]["result"][0]["id"], by_id["q0"]["result"][0]["match"]) == (DEVELOPER, True)
    assert by_id["q1"]["result"][0]["id"] == NURSE
    assert not any(each["match"] for each in by_id["q2"]["result"])
    assert "<h1>specialist nurse</h1>" in answers["the mouse is over a candidate, or its link is opened"]
    assert answers["letters are typed"]["result"][0]["id"] == NURSE
    assert "specialist nurse" in answers["the mouse is over what was found"]["html"]
    row = answers["they are previewed, and added"]["rows"][NURSE]
    assert row["isco-1"][0]["id"] == f"{ESCO}isco/C2"
    assert row["essential-skills"] == [{"str": "Kranke pflegen"}]


def test_hints_and_types_by_their_names(esco_client: TestClient) -> None:
    """OpenRefine sends the name of a property or type chosen by Enter as its id."""

    def asked(**query: Any) -> Any:
        queries = json.dumps({"q0": {"query": "Softwareentwickler", **query}})
        return esco_client.post(f"/reconcile/{ID}", data={"queries": queries}).json()["q0"]["result"]

    by_name = asked(properties=[{"pid": "Language", "v": "de"}, {"pid": "ISCO-08 code", "v": "25"}])
    assert by_name == asked(properties=[{"pid": "language", "v": "de"}, {"pid": "isco", "v": "25"}])
    assert by_name[0]["name"].startswith("Softwareentwickler/")
    assert asked(type="ISCO-08 group") == asked(type="isco-group") != asked(type="occupation")


@contextmanager
def served(home: Path, a_minute: int = 6000) -> Iterator[tuple[LinkingService, TestClient]]:
    """Serve a home that requires a key."""
    service = LinkingService(Settings(home))
    config = ServeConfig(access=AccessConfig(keys=True), limits=Limits(requests_a_minute=a_minute))
    with TestClient(build_api(service, config), base_url=ADDRESS) as client:
        yield service, client


def made(service: LinkingService, role: Role = Role.VIEWER, *scopes: str) -> tuple[str, str]:
    """Create a key; return it and its id."""
    key, stored = new_key("OpenRefine", role, scopes, "Ada", NOW)
    service.labels().access.add_key(stored)
    return key, stored.id


def test_openrefine_with_a_key_in_the_address(own_esco_home: Path, caplog: pytest.LogCaptureFixture) -> None:
    """The answers are the same; later calls have the key, stored identifiers and the log do not."""
    caplog.set_level(logging.DEBUG)
    with served(own_esco_home) as (service, client):
        key, key_id = made(service, Role.VIEWER, "reconcile")
        root = f"/reconcile/key/{key}/{ID}"
        answers = replayed(client, root)
        plain = {"Authorization": f"Bearer {key}"}
        manifest = answers["the service is added"]
        without = client.get(f"/reconcile/{ID}", headers=plain).json()
        preview = client.get(f"{root}/preview?id={NURSE}")
        assert client.post(f"{root}/decisions", json={"decisions": [{"query": "a"}]}).status_code == 404
        service.labels().access.revoke_key(key_id, "Ada")
    calls = [each["service_url"] for each in manifest["suggest"].values()]
    calls += [each["flyout_service_url"] for each in manifest["suggest"].values()]
    calls += [manifest["extend"]["propose_properties"]["service_url"]]
    assert set(calls) == {f"{ADDRESS}{root}"}
    assert manifest["view"]["url"] == f"{ADDRESS}{root}/preview?id={{{{id}}}}" == manifest["preview"]["url"]
    for name in ("identifierSpace", "schemaSpace", "decisions"):
        assert manifest[name] == without[name]
    assert preview.headers["referrer-policy"] == "no-referrer"
    assert key not in preview.text
    lines = [JsonLines().format(record) for record in caplog.records if record.name.startswith("jobmatch")]
    assert any('"/reconcile/key/{key}/{taxonomy}/suggest/{what}"' in line for line in lines)
    assert not any(key in line for line in lines)


def test_keys_that_may_not_stand_in_an_address(own_esco_home: Path) -> None:
    """Keys that open more than reading this service; an additional key in the header does not help."""
    with served(own_esco_home) as (service, client):
        good, _ = made(service, Role.VIEWER, "reconcile")
        for role, scopes in (
            (Role.VIEWER, ()),
            (Role.VIEWER, ("reconcile", "esco")),
            (Role.VIEWER, ("api",)),
            (Role.ANNOTATOR, ("reconcile",)),
            (Role.ADMIN, ()),
        ):
            key, _ = made(service, role, *scopes)
            answer = client.get(f"/reconcile/key/{key}/{ID}")
            assert (answer.status_code, "and the scope reconcile." in answer.json()["detail"]) == (403, True)
            assert key not in answer.text
        assert client.get(f"/reconcile/key/x/{ID}", headers={"Authorization": f"Bearer {good}"}).status_code == 401
        assert client.get(f"/reconcile/key/{good}/{ID}").status_code == 200
        assert client.get(f"/reconcile/{ID}").status_code == 401


def test_guessed_keys_in_addresses_are_limited(own_esco_home: Path) -> None:
    """By the rate limit, like those in headers."""
    with served(own_esco_home, a_minute=3) as (service, client):
        key, _ = made(service, Role.VIEWER, "reconcile")
        guesses = [client.get(f"/reconcile/key/jm_{each * 43}/{ID}").status_code for each in "abcd"]
        assert guesses == [401, 401, 401, 429]
        assert client.get(f"/reconcile/key/{key}/{ID}").status_code == 429


def test_a_key_where_none_is_needed(esco_client: TestClient) -> None:
    """A saved address with a key still works; the key is encoded in the manifest."""
    manifest = esco_client.get(f"/reconcile/key/a%22%3Cb/{ID}").json()
    assert manifest["suggest"]["entity"]["service_url"] == f"{ADDRESS}/reconcile/key/a%22%3Cb/{ID}"
