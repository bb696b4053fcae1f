"""The draft of version 1.0, and the decisions that are sent back."""

import json
from pathlib import Path
from typing import Any
from urllib.parse import quote

import pytest
from starlette.testclient import TestClient

from jobmatch.serve.reconcile.recon_query import BATCH_SIZE, MOST_LETTERS, MOST_QUERIES
from jobmatch.serve.server import build_api
from jobmatch.services.linking import LinkingService
from jobmatch_core.entities import Verdict
from jobmatch_core.settings import Settings
from tests.jobmatch.serve.conftest import ADDRESS
from tests.jobmatch.serve.made_esco import DEVELOPER, ESCO, NURSE
from tests.jobmatch.serve.reconcile.valid import valid

ROOT = "/reconcile/1.0/esco-1.2.1"


def named(value: object) -> dict[str, object]:
    """Return a condition on the name."""
    return {"matchType": "name", "propertyValue": value}


def of_property(name: str, value: object) -> dict[str, object]:
    """Return a condition on a property."""
    return {"matchType": "property", "propertyId": name, "propertyValue": value, "required": True}


def matched(client: TestClient, *queries: dict[str, Any]) -> list[list[dict[str, Any]]]:
    """Return the candidates for each query."""
    answer = valid(client.post(f"{ROOT}/match", json={"queries": queries}), "results-1.0")
    return [each["candidates"] for each in answer["results"]]


def test_manifest(esco_client: TestClient) -> None:
    """The manifest has the version and the supported calls."""
    manifest = valid(esco_client.get(ROOT), "manifest-1.0")
    for what, offered in manifest["suggest"].items():
        assert offered
        valid(esco_client.get(f"{ROOT}/suggest/{what}?prefix=o"), "suggestions")
    # as the test bench of the protocol fills it in
    preview = manifest["preview"]["url"].replace("{{id}}", quote(NURSE, safe=""))
    assert preview == f"{ADDRESS}{ROOT}/preview?id={quote(NURSE, safe='')}"
    assert esco_client.get(preview).status_code == 200
    valid(esco_client.get(f"{ROOT}/extend/propose?type=occupation&limit=3"), "proposals")


def test_matches_as_before(esco_client: TestClient) -> None:
    """The same candidates as version 0.2, in the order of the queries."""
    new = matched(
        esco_client,
        {"conditions": [named("coder")], "limit": 2},
        {"conditions": [named(["clinical nurse", "nurse"]), of_property("isco", {"id": f"{ESCO}isco/C2221"})]},
        {"conditions": [named("Softwareentwickler")], "lang": "de", "type": "occupation"},
    )
    old = '{"q": {"query": "coder", "limit": 2}}'
    assert new[0] == esco_client.post("/reconcile/esco-1.2.1", data={"queries": old}).json()["q"]["result"]
    assert [each["id"] for each in new[1]] == [NURSE]
    assert new[2][0]["name"] == "Softwareentwickler/Softwareentwicklerin"


def test_the_words_of_earlier_drafts(esco_client: TestClient) -> None:
    """`pid` and `v` are accepted as names of property and value."""
    earlier = [{"matchType": "name", "v": "web nurse"}, {"matchType": "property", "pid": "isco", "v": ["2221"]}]
    new, old = matched(
        esco_client, {"conditions": [named("web nurse"), of_property("isco", "2221")]}, {"conditions": earlier}
    )
    assert [each["id"] for each in new] == [NURSE]
    assert new == old


@pytest.mark.parametrize(
    ("content", "status"),
    [
        ({"queries": [{"conditions": []}]}, 400),
        ({"queries": [{"conditions": [{"v": "a"}]}]}, 400),
        ({"queries": [{"conditions": [{"matchType": "colour", "propertyValue": "a"}]}]}, 400),
        ({"queries": [{"conditions": [{"matchType": "name"}]}]}, 400),
        ({}, 400),
        ({"queries": [{"conditions": [named("a")]}] * (MOST_QUERIES + 1)}, 413),
        ({"queries": [{"conditions": [of_property("description", "a")]}] * (BATCH_SIZE + 1)}, 413),
        ({"queries": [{"conditions": [named("a" * 1000)]}] * (MOST_LETTERS // 1000 + 1)}, 413),
    ],
)
def test_batches_that_are_refused(esco_client: TestClient, content: dict[str, Any], status: int) -> None:
    """Malformed and too large batches."""
    assert esco_client.post(f"{ROOT}/match", json=content).status_code == status


def test_no_name_at_all(esco_client: TestClient) -> None:
    """A query without a name has no candidates, and is not an error."""
    assert matched(esco_client, {"conditions": [of_property("isco", "2221")]}) == [[]]


def test_data_extension(esco_client: TestClient) -> None:
    """The rows are a list."""
    query = {"ids": [NURSE], "properties": [{"id": "name:de"}, {"id": "essential-skills"}]}
    answer = valid(esco_client.post(f"{ROOT}/extend", json=query), "extension-1.0")
    [row] = answer["rows"]
    assert row == {
        "id": NURSE,
        "properties": [
            {"id": "name:de", "values": [{"str": "Fachkrankenpfleger/Fachkrankenschwester"}]},
            {"id": "essential-skills", "values": [{"str": "provide nursing care"}]},
        ],
    }


def test_data_extension_by_get(esco_client: TestClient) -> None:
    """As the protocol's test bench calls it, with rows by id."""
    query = {"ids": [NURSE], "properties": [{"id": "name:de"}]}
    answer = valid(esco_client.get(ROOT, params={"extend": json.dumps(query)}), "extension-0.2")
    assert answer["rows"][NURSE]["name:de"] == [{"str": "Fachkrankenpfleger/Fachkrankenschwester"}]
    assert esco_client.get(ROOT, params={"extend": "{"}).status_code == 400


@pytest.mark.parametrize("root", [ROOT, "/reconcile/esco-1.2.1"])
def test_decisions(own_esco_home: Path, root: str) -> None:
    """Decisions are recorded as by `/api/v1` and affect the next query."""
    service = LinkingService(Settings(own_esco_home))
    decisions = [
        {"query": "xyzzyq", "id": NURSE, "note": "seen"},
        {"query": "coder", "id": DEVELOPER, "verdict": "negative"},
    ]
    with TestClient(build_api(service), base_url=ADDRESS) as client:
        answer = client.post(f"{root}/decisions", json={"decisions": decisions, "annotator": "Ann"})
        assert answer.status_code == 201, answer.text
        assert [len(each["judgments"]) for each in answer.json()["results"]] == [1, 1]
        recorded = {each.pair.left: each for each in service.labels().judgments()}
        assert (recorded["xyzzyq"].verdict, recorded["xyzzyq"].note) == (Verdict.POSITIVE, "seen")
        assert recorded["coder"].verdict is Verdict.NEGATIVE
        assert {each.annotator for each in recorded.values()} == {"Ann"}
        assert {each.provenance.policy for each in recorded.values()} == {"reconciliation"}
        [candidates] = matched(client, {"conditions": [named("xyzzyq")]})
        assert (candidates[0]["id"], candidates[0]["match"]) == (NURSE, True)
        assert "Ann" not in str(candidates)
        assert "Ann" not in client.get(f"{root}/preview", params={"id": NURSE, "query": "xyzzyq"}).text


def test_none_is_right(own_esco_home: Path) -> None:
    """Without an id, every candidate is judged negative, and that no occupation fits positive."""
    service = LinkingService(Settings(own_esco_home))
    with TestClient(build_api(service), base_url=ADDRESS) as client:
        answer = client.post(f"{ROOT}/decisions", json={"decisions": [{"query": "nurse"}], "annotator": "Ann"}).json()
        assert len(answer["results"][0]["judgments"]) == service.labels().count() > 1
        assert {each.verdict for each in service.labels().judgments()} == {Verdict.NEGATIVE, Verdict.POSITIVE}


@pytest.mark.parametrize(
    ("changed", "headers", "status"),
    [
        ({}, {"Origin": "http://evil.example"}, 403),
        ({}, {"Origin": "null"}, 403),
        ({}, {"Content-Type": "text/plain"}, 415),
        ({"annotator": " "}, {}, 400),
        ({"decisions": []}, {}, 400),
        ({"decisions": [{"query": "a" * 1000}] * (MOST_LETTERS // 1000 + 1)}, {}, 413),
        ({"decisions": [{"query": "a", "id": "http://nowhere"}]}, {}, 404),
        ({"decisions": [{"query": "a", "verdict": "perhaps"}]}, {}, 400),
    ],
)
def test_decisions_that_are_refused(
    own_esco_home: Path, changed: dict[str, Any], headers: dict[str, str], status: int
) -> None:
    """Nothing is stored; pages of other sites may not write as this machine's user."""
    service = LinkingService(Settings(own_esco_home))
    content = {"decisions": [{"query": "nurse", "id": NURSE}], "annotator": "Ann"} | changed
    with TestClient(build_api(service), base_url=ADDRESS) as client:
        assert client.post(f"{ROOT}/decisions", json=content, headers=headers).status_code == status
        assert not service.settings.may_have_labels or service.labels().count() == 0
