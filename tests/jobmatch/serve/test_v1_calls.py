"""`/api/v1`: the same answers as the command line's, the types that are described, and errors that help."""

import json
from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path
from typing import Any
from unittest.mock import Mock

import msgspec
import pytest
from starlette.testclient import TestClient
from typer.testing import CliRunner

from db.access_store import Person
from jobmatch.cli.main import app as command
from jobmatch.serve.server import build_api
from jobmatch.serve.v1.messages import LONGEST_TEXT, DecisionAnswer, MatchRequest, TaxonomiesAnswer
from jobmatch.services.describing import DescribeAnswer
from jobmatch.services.linking import LinkingService
from jobmatch_core.entities import ISCO_URI, Occupation, Verdict
from jobmatch_core.judged_title import NO_OCCUPATION_URI
from jobmatch_core.linking.link_answer import LinkAnswer
from jobmatch_core.marketplace.demo.generator import DemoSpec, demo_blocks
from jobmatch_core.marketplace.marketplace_store import MarketplaceStore
from jobmatch_core.retrieval.match_answer import MatchAnswer
from jobmatch_core.search.search_answer import SearchAnswer
from jobmatch_core.settings import Settings
from jobmatch_core.taxonomy import BUNDLED_ID, TaxonomyStore
from tests.full_disk import no_room_in
from tests.jobmatch.serve.conftest import ADDRESS

NURSE = "http://data.europa.eu/esco/isco/C2221"


def printed(*arguments: str) -> Any:
    """Return what a command prints as JSON."""
    done = CliRunner().invoke(command, [*arguments, "--json"], catch_exceptions=False)
    assert done.exit_code == 0, done.output
    return json.loads(done.stdout)


def described(content: Any, kind: Any) -> None:
    """Check that an answer can be read by its described type."""
    answer = msgspec.convert(content, kind)
    assert msgspec.json.decode(msgspec.json.encode(answer)) == content


def problem(response: Any, status: int) -> str:
    """Return the detail of an error, after a check of its form."""
    assert response.headers["content-type"] == "application/problem+json"
    content = response.json()
    assert response.status_code == content["status"] == status
    assert set(content) == {"type", "title", "status", "detail"}
    return str(content["detail"])


def test_link(client: TestClient) -> None:
    """With and without options, as `jobmatch link --json` prints it."""
    titles = ["Krankenschwester", "Koch/Köchin (m/w/d)", "xyzzyq"]
    answer = client.post("/api/v1/link", json={"titles": titles}).json()
    assert answer == printed("link", *titles)
    described(answer, LinkAnswer)
    options = {"languages": ["de"], "show": "fr", "top": 2, "precision": 0.95, "own_names": False}
    chosen = client.post("/api/v1/link", json={"titles": titles, **options}).json()
    assert chosen == printed(
        "link", *titles, "--languages", "de", "--show", "fr", "--top", "2", "--precision", "0.95", "--no-own-names"
    )
    assert chosen != answer


def test_titles_in_context(client: TestClient) -> None:
    """As the command links them; an empty context changes not a byte."""
    url, titles = "/api/v1/link", ["inspector", "driver"]
    answer = client.post(url, json={"titles": titles, "context": [{}, {"industry": "bus company"}]})
    described(answer.json(), LinkAnswer)
    [inspector, driver] = answer.json()["results"]
    [said] = driver["context"]
    assert (said["kind"], said["text"], len(said["isco"])) == ("industry", "bus company", 4)
    assert [driver] == printed("link", "driver", "--context", "industry=bus company")["results"]
    assert inspector == client.post(url, json={"titles": ["inspector"]}).json()["results"][0]
    empty = client.post(url, json={"titles": titles, "context": [{}, {"industry": " "}]})
    assert empty.content == client.post(url, json={"titles": titles}).content


@pytest.mark.parametrize(
    ("content", "detail"),
    [
        ({"titles": ["a", "b"], "context": [{}]}, "context has 1 objects for 2 titles; send one for each"),
        ({"titles": ["a"], "context": [{"": "x"}]}, "of length >= 1"),
        ({"titles": ["a"] * 5, "context": [{"x": "a" * 9_000}] * 5}, "45,005 characters in total"),
        ({}, "missing required field `titles`"),
        ({"titles": []}, "of length >= 1"),
        ({"titles": ["a"] * 1001}, "of length <= 1000"),
        ({"titles": ["a" * 10_000] * 6}, "60,000 characters in total; send at most 35,000"),
        ({"titles": ["a"] * 201, "top": 50}, "201 titles with 50 candidates each are more than 10,000"),
        ({"titles": [1]}, "Expected `str`, got `int`"),
        ({"titles": ["a"], "tittles": 1}, "unknown field `tittles`"),
        ({"titles": ["a"], "top": 0}, "`int` >= 1"),
        ({"titles": ["a"], "precision": 1}, "`float` < 1.0"),
        ({"titles": ["a"], "show": "xx"}, "'xx' is not a language known here"),
        ({"titles": ["a"], "languages": ["sv"]}, "has no names in"),
        ({"titles": ["a"], "taxonomy": "esco"}, "There is no taxonomy 'esco'; installed are: isco-08"),
        ({"titles": ["a"], "encoder": "hub:somebody/model"}, "matching regex"),
        ({"titles": ["a"], "encoder": "../models"}, "matching regex"),
        ({"titles": ["a"], "encoder": "nowhere"}, "There is no model 'nowhere'"),
    ],
    ids=lambda value: json.dumps(value)[:40] if isinstance(value, dict) else None,
)
def test_link_requests_that_cannot_be_answered(client: TestClient, content: dict[str, Any], detail: str) -> None:
    """The answer names the wrong part."""
    assert detail in problem(client.post("/api/v1/link", json=content), 400)


@pytest.mark.parametrize("body", [b"", b"{", b"[" * 100_000, b'{"titles": ["\xff"]}', b'{"titles": ["\\ud800"]}'])
def test_bodies_that_are_no_json(client: TestClient, body: bytes) -> None:
    """Invalid JSON, invalid text and endless nesting are refused."""
    response = client.post("/api/v1/link", content=body, headers={"Content-Type": "application/json"})
    assert "not as expected" in problem(response, 400)


@pytest.mark.parametrize("kind", ["text/plain", "application/x-www-form-urlencoded", ""])
def test_what_a_foreign_page_could_send(client: TestClient, kind: str) -> None:
    """Media types for which browsers send no preflight request are refused."""
    response = client.post("/api/v1/link", content=b'{"titles": ["a"]}', headers={"Content-Type": kind})
    assert "Send JSON" in problem(response, 415)


def test_describe(client: TestClient, tmp_path: Path) -> None:
    """As `jobmatch describe --json` prints it."""
    text = "Nurse\n\nYou care for patients on our ward.\nWe offer a canteen.\n"
    (tmp_path / "posting.txt").write_text(text, "utf-8")
    answer = client.post("/api/v1/describe", json={"text": text, "top": 3}).json()
    assert answer == printed("describe", str(tmp_path / "posting.txt"), "--top", "3")
    assert answer["title"] == "Nurse"
    described(answer, DescribeAnswer)
    assert "no text" in problem(client.post("/api/v1/describe", json={"text": " "}), 400)


def test_search(client: TestClient) -> None:
    """As `jobmatch search --json` prints it."""
    answer = client.post("/api/v1/search", json={"query": "someone who repairs lifts", "limit": 3}).json()
    assert answer == printed("search", "someone who repairs lifts", "--limit", "3")
    assert len(answer["hits"]) == 3
    described(answer, SearchAnswer)
    assert "no marketplace 'demo'" in problem(client.post("/api/v1/search", json={"query": "a", "in": "projects"}), 400)


def test_match(client: TestClient, service: LinkingService) -> None:
    """As `jobmatch match --json` prints it; a record gives the same as a text."""
    taxonomy, spec = TaxonomyStore.open(service.settings).load(BUNDLED_ID), DemoSpec(projects=5, freelancers=100)
    blocks = demo_blocks(taxonomy, spec)
    MarketplaceStore.open(service.settings).save("demo", blocks, origin=spec.origin(taxonomy), generated=True)
    text = "We are looking for a nurse who cares for patients"
    asked = {
        "project": text,
        "limit": 3,
        "max_day_rate": 700,
        "near": {"latitude": 50, "longitude": 10},
        "within_km": 2e4,
    }
    answer = client.post("/api/v1/match", json=asked).json()
    options = ("--limit", "3", "--max-day-rate", "700", "--near", "50,10", "--within-km", "20000")
    assert answer == printed("match", text, *options)
    assert answer["matches"]
    described(answer, MatchAnswer)
    record = client.post("/api/v1/match", json={"project": {"title": "Nurse", "description": text}, "limit": 1}).json()
    assert record["project"]["title"] == "Nurse"
    for wrong, detail in (
        ({"project": {}}, "neither a title nor a description"),
        ({"project": text, "near": {"latitude": 1, "longitude": 1}}, "must be sent together"),
        ({"project": text, "available_by": "soon"}, "soon"),
    ):
        assert detail in problem(client.post("/api/v1/match", json=wrong), 400)


def test_a_missing_model_of_descriptions(
    client: TestClient, service: LinkingService, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It is refused before a linker is opened."""
    monkeypatch.setattr(type(service), "opening", Mock(side_effect=AssertionError))
    refused = client.post("/api/v1/describe", json={"text": "You bake bread.", "model": "gone"})
    assert "There is no model 'gone'" in problem(refused, 400)


@pytest.mark.parametrize("letters", ["a", "漢", "👩"], ids=["1 byte", "3 bytes", "4 bytes"])
def test_the_limit_of_a_project_counts_characters(letters: str) -> None:
    """Of a text as of a record's JSON, in any alphabet."""
    for project in (letters * LONGEST_TEXT, {"title": letters * (LONGEST_TEXT - len('{"title":""}'))}):
        MatchRequest(project=project)
    with pytest.raises(ValueError, match="the project has 200,001 characters; send at most 200,000"):
        MatchRequest(project={"title": letters * (LONGEST_TEXT - len('{"title":""}') + 1)})


def test_taxonomies_and_occupations(client: TestClient) -> None:
    """As `jobmatch taxonomy` prints them; URIs may be encoded."""
    listed = client.get("/api/v1/taxonomies").json()
    assert listed == printed("taxonomy", "list")
    described(listed, TaxonomiesAnswer)
    answer = client.get("/api/v1/occupations/http%3A%2F%2Fdata.europa.eu%2Fesco%2Fisco%2FC2221?language=de").json()
    assert answer == printed("taxonomy", "show", BUNDLED_ID, "--occupation", NURSE, "--language", "de")
    assert answer == client.get(f"/api/v1/occupations/{NURSE}?language=de").json()
    described(answer, Occupation)
    assert "no occupation 'x'" in problem(client.get("/api/v1/occupations/x"), 404)
    assert "no taxonomy 'y'" in problem(client.get(f"/api/v1/occupations/{NURSE}?taxonomy=y"), 404)


def test_decisions(client: TestClient, service: LinkingService) -> None:
    """A verdict is recorded as by the page, and affects the next link."""
    decision = {"title": "xyzzyq", "uri": NURSE, "annotator": "Ann", "note": "seen"}
    answer = client.post("/api/v1/decisions", json=decision)
    assert answer.status_code == 201
    described(answer.json(), DecisionAnswer)
    [judgment] = service.labels().judgments()
    assert [judgment.id] == answer.json()["judgments"]
    assert (judgment.pair.left, judgment.pair.right, judgment.pair.source) == ("xyzzyq", NURSE, BUNDLED_ID)
    assert (judgment.verdict, judgment.annotator, judgment.note) == (Verdict.POSITIVE, "Ann", "seen")
    assert (judgment.provenance.policy, judgment.provenance.origin) == ("api", "looked-at")
    client.post("/api/v1/decisions", json=decision | {"title": "qyzzyx", "origin": "bulk"})
    assert service.labels().judgments(limit=1)[0].provenance.origin == "bulk"
    [link] = client.post("/api/v1/link", json={"titles": ["xyzzyq"]}).json()["results"]
    assert link["candidates"][0]["uri"] == NURSE
    assert link["candidates"][0]["evidence"]["accepted"]["by"] == ["Ann"]


def test_a_decision_on_a_unit_group(client: TestClient, service: LinkingService) -> None:
    """It is stored for the group, though an ISCO-08 occupation has its URI; the annotator is named."""
    officer, title = f"{ISCO_URI}5412", "Police Person"
    [link] = client.post("/api/v1/link", json={"titles": [title]}).json()["results"]
    assert (link["level"], link["group"]["code"]) == ("unit group", "5412")
    client.post("/api/v1/decisions", json={"title": title, "uri": officer, "annotator": "person-1"})
    at = datetime(2026, 11, 21, tzinfo=UTC)
    service.labels().access.signed_in(Person("person-1", "issuer", "subject", "Ann Lee", "annotator", at))
    [link] = client.post("/api/v1/link", json={"titles": [title]}).json()["results"]
    assert (link["level"], link["group"]["accepted"]["by"]) == ("unit group", ["Ann Lee"])


def test_the_label_store_is_closed_at_the_end(service: LinkingService) -> None:
    """SQLite's write-ahead log goes with the last connection, so the file alone is a whole copy."""
    with TestClient(build_api(service), base_url=ADDRESS) as client:
        client.post("/api/v1/decisions", json={"title": "nurse", "uri": NURSE, "annotator": "Ann"})
        log = service.settings.home / "jobmatch.db-wal"
        assert log.exists()
    assert not log.exists()


def test_none_of_these(client: TestClient, service: LinkingService) -> None:
    """Every candidate is judged negative, with its rank; the title is not linked any more, until it is accepted."""
    candidates = client.post("/api/v1/link", json={"titles": ["nurse"]}).json()["results"][0]["candidates"]
    client.post("/api/v1/decisions", json={"title": "nurse", "annotator": "Ann"})
    *judgments, last = service.labels().judgments()[::-1]
    assert (last.pair.right, last.verdict) == (NO_OCCUPATION_URI, Verdict.POSITIVE)
    assert [each.pair.right for each in judgments] == [each["uri"] for each in candidates]
    assert {each.verdict for each in judgments} == {Verdict.NEGATIVE}
    assert [each.provenance.rank for each in judgments] == list(range(1, len(candidates) + 1))
    link = client.post("/api/v1/link", json={"titles": ["Nurse"]}).json()["results"][0]
    assert (link["level"], link["reason"], link["coding"]["state"]) == ("", "decided earlier", "no occupation")
    assert link["no_occupation"]["by"] == ["Ann"]
    client.post("/api/v1/decisions", json={"title": "nurse", "uri": NURSE, "annotator": "Ann"})
    link = client.post("/api/v1/link", json={"titles": ["Nurse"]}).json()["results"][0]
    assert (link["level"], link["candidates"][0]["uri"]) == ("occupation", NURSE)


def test_a_decision_on_a_full_disk(client: TestClient, service: LinkingService) -> None:
    """It can be sent again."""
    decision = {"title": "nurse", "uri": NURSE, "annotator": "Ann"}
    with no_room_in(service.labels()):
        answer = client.post("/api/v1/decisions", json=decision)
    assert (answer.status_code, answer.headers["retry-after"]) == (507, "60")
    assert client.post("/api/v1/decisions", json=decision).status_code == 201


@pytest.mark.parametrize(
    ("changed", "status", "detail"),
    [
        ({"annotator": " "}, 400, "`annotator` is required."),
        ({"uri": "http://nowhere"}, 404, "no occupation 'http://nowhere'"),
        ({"verdict": "perhaps"}, 400, "Invalid enum value 'perhaps'"),
        ({"verdict": "unsure", "uri": None}, 400, "'unsure' needs the uri"),
        ({"title": "\0"}, 400, "nothing to judge"),
        ({"annotator": "a\0b"}, 400, "annotator"),
    ],
)
def test_decisions_that_cannot_be_recorded(
    client: TestClient, service: LinkingService, changed: dict[str, str | None], status: int, detail: str
) -> None:
    """Nothing is stored."""
    decision = {"title": "nurse", "uri": NURSE, "annotator": "Ann"} | changed
    assert detail in problem(client.post("/api/v1/decisions", json=decision), status)
    assert not service.settings.may_have_labels or service.labels().count() == 0


def test_bugs_stay_inside(client: TestClient, service: LinkingService, monkeypatch: pytest.MonkeyPatch) -> None:
    """The client learns nothing about an internal error."""

    def fail(*_: object) -> Callable[[], None]:
        raise ZeroDivisionError("secret")

    monkeypatch.setattr(LinkingService, "link", fail)
    answer = problem(client.post("/api/v1/link", json={"titles": ["a"]}), 500)
    assert answer == "The server failed; its log says why."


def test_unknown_paths_and_methods(client: TestClient) -> None:
    """They are problems, too."""
    assert problem(client.get("/api/v1/nothing"), 404)
    assert problem(client.get("/api/v1/link"), 405)


def test_the_home_of_the_tests(service: LinkingService) -> None:
    """The command line and the API above used the same home."""
    assert service.settings == Settings.from_environment()
