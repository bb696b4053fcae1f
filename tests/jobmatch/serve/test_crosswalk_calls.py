"""`/api/v1/crosswalks`, and the codes of a crosswalk beside links and in jobs."""

import json
from typing import Any

import pytest
from starlette.testclient import TestClient

from jobmatch.services.linking import LinkingService
from jobmatch_core.crosswalks.mapping import BROADER, EXACT, Mapping, MappingSet
from jobmatch_core.crosswalks.review import CodeDecision, Target
from jobmatch_core.crosswalks.sssom import sssom_text
from jobmatch_core.crosswalks.store import CrosswalkStore
from jobmatch_core.entities import ISCO_URI
from tests.jobmatch.serve.test_v1_job_calls import ended, uploaded

NURSE, BAKER = f"{ISCO_URI}2221", f"{ISCO_URI}7512"
MAPPINGS = MappingSet([Mapping("81", NURSE, BROADER, "Care"), Mapping("29", BAKER, EXACT, "=Bread")])
ELSEWHERE = MappingSet([Mapping("81", "http://example.org/nurse", EXACT, "Care")])
CROSSWALKS, LINK = "/api/v1/crosswalks", "/api/v1/link"


def sent(client: TestClient, sssom: str, **options: str) -> Any:
    """Send a crosswalk; return the response."""
    return client.post(CROSSWALKS, files={"file": ("x.tsv", sssom)}, data={"options": json.dumps(options)})


@pytest.fixture
def crosswalk(client: TestClient) -> str:
    """Send a crosswalk to the bundled taxonomy; return its id."""
    response = sent(client, sssom_text(MAPPINGS), name="KldB")
    assert response.status_code == 201, response.text
    [listed] = client.get(CROSSWALKS).json()["crosswalks"]
    assert listed == response.json()
    assert (listed["name"], listed["taxonomy"]) == ("KldB", "isco-08")
    return str(listed["id"])


def test_codes_beside_links(client: TestClient, service: LinkingService, crosswalk: str) -> None:
    """As the crosswalk is reviewed by now; other links stay as they are."""
    titles = ["Krankenschwester", "baker", "xyzzyq"]
    [nurse, baker, unknown] = client.post(LINK, json={"titles": titles, "also": crosswalk}).json()["results"]
    assert nurse.pop("also") == [{"code": "81", "name": "Care", "relation": "broader"}]
    assert [other["code"] for other in baker.pop("also")] == ["29"]
    assert [nurse, baker, unknown] == client.post(LINK, json={"titles": titles}).json()["results"]
    decision = CodeDecision("81", "Ada", "2026-11-28T08:00:00", {BAKER: Target("Bakers", "close")})
    CrosswalkStore.open(service.settings).load(crosswalk).decide(decision)
    [nurse, baker, _] = client.post(LINK, json={"titles": titles, "also": crosswalk}).json()["results"]
    assert ("also" in nurse, [other["code"] for other in baker["also"]]) == (False, ["29", "81"])


def test_codes_in_a_job(client: TestClient, crosswalk: str) -> None:
    """In the columns of `jobmatch link --also`; a crosswalk that is not there is refused before a job is stored."""
    path = uploaded(client, out="jsonl", also=crosswalk).headers["location"]
    assert ended(client, path)["state"] == "done"
    rows = [json.loads(line) for line in client.get(f"{path}/result").text.splitlines()]
    assert [row["link_also_code"] for row in rows] == ["81", "29", None]
    assert [row["link_also_relation"] for row in rows] == ["broader", "exact", None]
    refused = uploaded(client, also="nowhere")
    assert (refused.status_code, "no such crosswalk" in refused.json()["detail"]) == (400, True)


@pytest.mark.parametrize(
    ("sssom", "options", "detail"),
    [
        ("code\tname\n1\ta\n", {"name": "x"}, "subject_id"),
        ("\0\xff", {"name": "x"}, "this is not UTF-8 text"),
        (sssom_text(MappingSet([])), {"name": "x"}, "the file has no codes"),
        (sssom_text(MAPPINGS), {"name": "x", "taxonomy": "nowhere"}, "There is no taxonomy 'nowhere'"),
        (sssom_text(ELSEWHERE), {"name": "x"}, "another taxonomy than isco-08, which has none of its 1 targets"),
        ("", {"name": ""}, "of length >= 1"),
        ("", {}, "missing required field `name`"),
    ],
)
def test_what_is_no_crosswalk(client: TestClient, sssom: str, options: dict[str, str], detail: str) -> None:
    """The answer says why, and nothing is stored."""
    response = sent(client, sssom, **options)
    assert (response.status_code, detail in response.json()["detail"]) == (400, True), response.text
    assert client.get(CROSSWALKS).json() == {"crosswalks": []}


@pytest.mark.parametrize("also", ["nowhere", "../lists", "a" * 22])
def test_links_by_an_unknown_crosswalk(client: TestClient, also: str) -> None:
    """No path, and no id of another thing."""
    response = client.post(LINK, json={"titles": ["nurse"], "also": also})
    assert (response.status_code, "There is no such crosswalk" in response.json()["detail"]) == (400, True)
