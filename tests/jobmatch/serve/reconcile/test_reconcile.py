"""Version 0.2, which OpenRefine speaks; and what is the same in both versions."""

import json
import re
from base64 import b64encode
from hashlib import sha256
from typing import Any
from urllib.parse import quote

import pytest
from jsonschema import ValidationError
from starlette.testclient import TestClient

from jobmatch.serve.reconcile.recon_query import BATCH_SIZE, DESCRIPTION_LETTERS, MOST_LETTERS, MOST_QUERIES
from tests.jobmatch.serve.conftest import ADDRESS
from tests.jobmatch.serve.made_esco import DEVELOPER, ESCO, NURSE, PYTHON, UNIT_GROUP, WEB
from tests.jobmatch.serve.reconcile.valid import valid

ROOT = "/reconcile/esco-1.2.1"
OPENREFINE = {"Origin": "http://127.0.0.1:3333"}


def matched(client: TestClient, **query: Any) -> list[dict[str, Any]]:
    """Return the candidates for one query."""
    answer = valid(client.post(ROOT, data={"queries": json.dumps({"q0": query})}), "results-0.2")
    return list(answer["q0"]["result"])


def hints(**values: object) -> list[dict[str, object]]:
    """Return properties of a query."""
    return [{"pid": name, "v": value} for name, value in values.items()]


def test_schemas_refuse() -> None:
    """The schemas reject wrong answers."""

    class Answer:
        status_code, text = 200, ""

        def json(self) -> Any:
            return {"q0": {"result": [{"id": "", "name": "x", "score": "high"}]}}

    with pytest.raises(ValidationError):
        valid(Answer(), "results-0.2")


def test_manifest(esco_client: TestClient) -> None:
    """All its addresses work."""
    manifest = valid(esco_client.get(ROOT), "manifest-0.2")
    assert (manifest["identifierSpace"], manifest["batchSize"]) == (ESCO, BATCH_SIZE)
    for what, service in manifest["suggest"].items():
        entry = {"entity": DEVELOPER, "type": "occupation", "property": "isco-1"}[what]
        valid(esco_client.get(service["service_url"] + service["service_path"] + "?prefix=i"), "suggestions")
        flyout = service["flyout_service_url"] + service["flyout_service_path"].replace("${id}", quote(entry, safe=""))
        assert valid(esco_client.get(flyout), "flyout")["id"] == entry
    proposed = manifest["extend"]["propose_properties"]
    valid(esco_client.get(proposed["service_url"] + proposed["service_path"] + "?type=occupation"), "proposals")
    for view in (manifest["view"], manifest["preview"]):
        assert esco_client.get(view["url"].replace("{{id}}", quote(DEVELOPER, safe=""))).status_code == 200


def test_matches(esco_client: TestClient) -> None:
    """`score` is 100 times the probability of `/api/v1/link`; `match` is its link."""
    queries = {"a": {"query": "programmer"}, "b": {"query": "xyzzyq"}, "c": {"query": "clinical nurse", "limit": 1}}
    answer = valid(esco_client.post(ROOT, data={"queries": json.dumps(queries)}), "results-0.2")
    titles = [query["query"] for query in queries.values()]
    links = esco_client.post("/api/v1/link", json={"titles": titles, "taxonomy": "esco-1.2.1"}).json()["results"]
    assert list(answer) == list(queries)
    for found, link in zip(answer.values(), links, strict=True):
        assert [each["id"] for each in found["result"]] == [each["uri"] for each in link["candidates"]][
            : len(found["result"])
        ]
        for each, candidate in zip(found["result"], link["candidates"], strict=False):
            assert each["score"] == pytest.approx(100 * candidate["probability"], abs=0.01)
        assert [each["match"] for each in found["result"]] == [
            link["level"] == "occupation" and rank == 0 for rank in range(len(found["result"]))
        ]
    assert answer["a"]["result"][0]["id"] == DEVELOPER
    assert answer["a"]["result"][0]["match"]
    assert not any(each["match"] for each in answer["b"]["result"])
    assert len(answer["c"]["result"]) == 1


@pytest.mark.parametrize(
    ("text", "uri"), [(WEB, WEB), ("2512.4", DEVELOPER), ("2512", UNIT_GROUP)], ids=["URI", "code", "code of a group"]
)
def test_uris_and_codes_come_first(esco_client: TestClient, text: str, uri: str) -> None:
    """They are the only match."""
    first, *others = matched(esco_client, query=text)
    assert (first["id"], first["score"], first["match"]) == (uri, 100, True)
    assert not any(each["match"] for each in others)


def test_groups(esco_client: TestClient) -> None:
    """A unit group has the sum of its occupations' probabilities."""
    occupations = matched(esco_client, query="software developer", type="occupation", limit=50)
    groups = matched(esco_client, query="software developer", type="isco-group")
    inside = sum(each["score"] for each in occupations if each["id"] in (DEVELOPER, WEB))
    assert groups[0]["id"] == UNIT_GROUP
    assert groups[0]["score"] == pytest.approx(min(100, inside), abs=0.1)
    assert groups[0]["match"]
    assert groups[0]["type"] == [{"id": "isco-group", "name": "ISCO-08 group"}]
    assert {each["type"][0]["id"] for each in occupations} == {"occupation"}


def test_hints(esco_client: TestClient) -> None:
    """Group and language narrow the candidates; unknown languages and properties are ignored."""
    every = matched(esco_client, query="web nurse", limit=10)
    narrowed = matched(esco_client, query="web nurse", limit=10, properties=hints(isco=2221))
    assert {NURSE, WEB} <= {each["id"] for each in every}
    assert [each["id"] for each in narrowed] == [NURSE]
    assert narrowed[0]["score"] >= next(each["score"] for each in every if each["id"] == NURSE)
    in_german = matched(esco_client, query="Softwareentwickler", properties=hints(language="de"))
    assert in_german[0]["name"] == "Softwareentwickler/Softwareentwicklerin"
    assert not any(each["match"] for each in matched(esco_client, query="coder", properties=hints(language="de")))
    unread = matched(esco_client, query="programmer", properties=hints(language="sv", colour="red", isco=[None]))
    assert unread[0]["id"] == DEVELOPER


def test_what_is_known_beside_a_title(esco_client: TestClient) -> None:
    """It moves the scores, by the ids and the names of the properties; unknown words change nothing."""
    alone = matched(esco_client, query="driver", limit=10)
    beside = matched(esco_client, query="driver", limit=10, properties=hints(industry="software development"))
    assert [each["score"] for each in beside] != [each["score"] for each in alone]
    assert beside == matched(esco_client, query="driver", limit=10, properties=hints(Industry="software development"))
    assert alone == matched(esco_client, query="driver", limit=10, properties=hints(industry="Zyxqo", duties=""))


def test_descriptions(esco_client: TestClient) -> None:
    """The description of a posting or a few words decide about a vague title."""
    sentence = "You care for patients on our ward and give nursing care. "
    for text in (sentence * 8, sentence):
        found = matched(esco_client, query="specialist", properties=hints(description=text))
        assert found[0]["id"] == NURSE
        marked = f"<p style='{'x' * 3000}'>{text.replace('care', '<b>care</b>')}</p><script>{'python ' * 500}"
        assert matched(esco_client, query="specialist", properties=hints(description=marked)) == found
    for title, match in (("specialist", False), ("nurse", True)):  # a long one links what the title is linked to
        found = matched(esco_client, query=title, properties=hints(description=sentence * 8))
        assert (found[0]["id"], found[0]["match"]) == (NURSE, match)


def test_the_first_letters_of_a_description_count(esco_client: TestClient) -> None:
    """As many as the flyout says; a form can hold a batch of long ones."""
    nurse = "You care for patients on our ward and give nursing care. "
    first, rest = (nurse * 40)[:DESCRIPTION_LETTERS], " You write programs in Python and test them." * 2000
    queries = {
        str(place): {"query": "specialist", "properties": hints(description=first + rest)} for place in range(20)
    }
    [alone] = valid(
        esco_client.post(
            ROOT, data={"queries": json.dumps({"q": queries["0"] | {"properties": hints(description=first)}})}
        ),
        "results-0.2",
    ).values()
    answer = valid(esco_client.post(ROOT, data={"queries": json.dumps(queries)}), "results-0.2")
    for found in answer.values():
        assert [each["id"] for each in found["result"]] == [each["id"] for each in alone["result"]]
        assert [each["score"] for each in found["result"]] == pytest.approx(
            [each["score"] for each in alone["result"]], abs=0.02
        )
    about = esco_client.get(f"{ROOT}/flyout/property", params={"id": "description"}).json()["html"]
    assert f"the first {DESCRIPTION_LETTERS:,} characters" in about


def test_a_batch_of_all_sorts(esco_client: TestClient) -> None:
    """Each query has the answer that it has alone, in order."""
    sentence = "You care for patients on our ward and give nursing care. "
    sorts = [
        {"query": "coder"},
        {"query": "specialist", "properties": hints(description=sentence * 8)},
        {"query": "Softwareentwickler", "properties": hints(language="de"), "limit": 50},
        {"query": "specialist", "properties": hints(description=sentence, language="de")},
        {"query": "software developer", "type": "isco-group"},
        {"query": "nurse", "properties": hints(description=sentence * 8)},
    ]
    answer = valid(
        esco_client.post(ROOT, data={"queries": json.dumps({str(n): query for n, query in enumerate(sorts)})}),
        "results-0.2",
    )
    assert list(answer) == [str(place) for place in range(len(sorts))]
    for found, query in zip(answer.values(), sorts, strict=True):
        alone = matched(esco_client, **query)
        assert [(each["id"], each["name"], each["match"]) for each in found["result"]] == [
            (each["id"], each["name"], each["match"]) for each in alone
        ]


DESCRIBED = {"query": "a", "properties": hints(description="b")}
IN_TWO_LANGUAGES = [{"id": "name:de", "settings": {"language": code}} for code in ("de", "en")]


@pytest.mark.parametrize(
    ("form", "status", "detail"),
    [
        ({"queries": "{"}, 400, "not as expected"),
        ({"queries": "[]"}, 400, "not as expected"),
        ({"queries": '{"q": {"query": "a", "limit": 0}}'}, 400, "not as expected"),
        ({"queries": "[" * 100_000}, 400, "not as expected"),
        ({"queries": json.dumps({"q": {"query": "a" * 10_001}})}, 400, "longer than"),
        ({"queries": json.dumps({str(n): {"query": "a"} for n in range(MOST_QUERIES + 1)})}, 413, "send at most 40"),
        (
            {"queries": json.dumps({str(n): DESCRIBED for n in range(BATCH_SIZE + 1)})},
            413,
            "41 queries with a descript",
        ),
        ({"queries": json.dumps({str(n): {"query": "a" * 1001} for n in range(MOST_LETTERS // 1000)})}, 413, "15,015"),
        ({"extend": "{}"}, 400, "missing required field"),
        ({"extend": '{"ids": [], "properties": [{"id": "colour"}]}'}, 400, "no property 'colour'"),
        ({"extend": json.dumps({"ids": ["u"] * 501, "properties": []})}, 413, "at most"),
        ({"extend": json.dumps({"ids": ["u"] * 251, "properties": IN_TWO_LANGUAGES})}, 413, "per requested language"),
        ({}, 400, "Send 'queries' or 'extend'"),
    ],
)
def test_requests_that_cannot_be_answered(
    esco_client: TestClient, form: dict[str, str], status: int, detail: str
) -> None:
    """The answer says why."""
    answer = esco_client.post(ROOT, data=form)
    assert (answer.status_code, answer.headers["content-type"]) == (status, "application/problem+json")
    assert detail in answer.json()["detail"]


@pytest.mark.parametrize(
    "path",
    [
        "/reconcile/nowhere",
        "/reconcile/1.0/nowhere",
        f"{ROOT}/preview?id=http://nowhere",
        f"{ROOT}/flyout/type?id=colour",
        f"{ROOT}/suggest/colour",
    ],
)
def test_what_there_is_not(esco_client: TestClient, path: str) -> None:
    """404, as a problem."""
    answer = esco_client.get(path)
    assert (answer.status_code, answer.headers["content-type"]) == (404, "application/problem+json")


def test_suggestions(esco_client: TestClient) -> None:
    """By name, URI or code; the cursor skips the first ones."""

    def suggested(what: str, prefix: str, **more: object) -> list[str]:
        answer = esco_client.get(f"{ROOT}/suggest/{what}", params={"prefix": prefix, **more})
        return [each["id"] for each in valid(answer, "suggestions")["result"]]

    assert suggested("entity", "spec")[0] == NURSE
    assert suggested("entity", "2512.4")[0] == suggested("entity", DEVELOPER)[0] == DEVELOPER
    assert UNIT_GROUP in suggested("entity", "Software dev")
    everything = suggested("entity", "e")
    assert len(everything) == 20
    assert not set(everything) & set(suggested("entity", "e", cursor=20))
    assert suggested("entity", "") == []
    assert suggested("type", "") == ["occupation", "isco-group"]
    assert suggested("type", "isco") == ["isco-group"]
    assert suggested("property", "isco")[:2] == ["isco", "isco-1"]
    assert esco_client.get(f"{ROOT}/suggest/entity?prefix=a&cursor=x").status_code == 400


def test_data_extension(esco_client: TestClient) -> None:
    """The values of the tiny ESCO, worked out by hand; an unknown entity has none."""
    properties = [
        *({"id": f"isco-{digits}", "settings": {"language": "de"}} for digits in (1, 4)),
        *(
            {"id": name}
            for name in ("isco", "language", "code", "name:de", "names:en", "essential-skills", "optional-skills")
        ),
        {"id": "description", "settings": {"limit": "1"}},
    ]
    query = json.dumps({"ids": [DEVELOPER, "http://nowhere"], "properties": properties})
    answer = valid(esco_client.get(ROOT, params={"extend": query}), "extension-0.2")
    row = answer["rows"][DEVELOPER]
    assert row["isco-1"][0]["id"] == f"{ESCO}isco/C2"
    assert row["isco-4"][0]["id"] == UNIT_GROUP
    assert row["isco-4"][0]["name"].startswith("2512 ")
    assert (row["isco"], row["code"]) == ([{"str": "2512"}], [{"str": "2512.4"}])
    assert row["language"] == [{"str": "de"}, {"str": "en"}]
    assert row["name:de"] == [{"str": "Softwareentwickler/Softwareentwicklerin"}]
    assert row["names:en"] == [{"str": "coder"}, {"str": "programmer"}]
    assert row["essential-skills"] == [{"str": "Python (computer programming)"}]
    assert row["optional-skills"] == [{"str": "Java (computer programming)"}]
    assert row["description"] == [{"str": "Writes <b>programs</b> & tests them."}]
    assert set(answer["rows"]["http://nowhere"]) == {each["id"] for each in answer["meta"]}
    assert not any(answer["rows"]["http://nowhere"].values())


def test_every_suggested_property_has_values(esco_client: TestClient) -> None:
    """Also hints, which OpenRefine suggests for new columns."""
    found = esco_client.get(f"{ROOT}/suggest/property", params={"prefix": ""}).json()["result"]
    query = json.dumps({"ids": [DEVELOPER], "properties": [{"id": each["id"]} for each in found]})
    answer = valid(esco_client.get(ROOT, params={"extend": query}), "extension-0.2")
    assert set(answer["rows"][DEVELOPER]) == {each["id"] for each in found}
    assert {"description", "language", "isco"} <= {each["id"] for each in found}


@pytest.mark.parametrize("limit", [2, "2", 2.0, None, "", -1, "x", True, 10**20, "²", {}])
def test_limits_of_values(esco_client: TestClient, limit: object) -> None:
    """A limit that is not a number is ignored."""
    query = {"ids": [DEVELOPER], "properties": [{"id": "names:en", "settings": {"limit": limit}}]}
    answer = valid(esco_client.post(ROOT, data={"extend": json.dumps(query)}), "extension-0.2")
    assert len(answer["rows"][DEVELOPER]["names:en"]) == 2


def test_proposals(esco_client: TestClient) -> None:
    """Each proposed property has values."""
    proposed = valid(esco_client.get(f"{ROOT}/properties?type=occupation"), "proposals")["properties"]
    query = {"ids": [NURSE], "properties": [{"id": each["id"]} for each in proposed]}
    valid(esco_client.post(ROOT, data={"extend": json.dumps(query)}), "extension-0.2")
    limited = valid(esco_client.get(f"{ROOT}/properties?type=occupation&limit=2"), "proposals")
    assert limited["properties"] == proposed[:2]


def test_previews_are_escaped(esco_client: TestClient) -> None:
    """Texts of the taxonomy and of the query; no script may run."""
    page = esco_client.get(f"{ROOT}/preview", params={"id": DEVELOPER, "query": "<script>alert(1)</script>"})
    assert page.headers["content-security-policy"].startswith("default-src 'none'")
    assert "<script" not in page.text
    assert "&lt;script&gt;" in page.text
    assert "Writes &lt;b&gt;programs&lt;/b&gt; &amp; tests them." in page.text
    assert '<td lang="de" dir="auto">Softwareentwickler/Softwareentwicklerin</td>' in page.text
    assert page.text.index('<td lang="en"') < page.text.index('<td lang="de"')  # the shown language comes first
    evidence = esco_client.get(f"{ROOT}/preview", params={"id": DEVELOPER, "query": "coder"}).text
    assert "by “coder” (English)" in evidence
    flyout = esco_client.get(f"{ROOT}/flyout/entity", params={"id": DEVELOPER}).json()["html"]
    assert "<b>" not in flyout
    german = esco_client.get(f"{ROOT}/preview", params={"id": DEVELOPER}, headers={"Accept-Language": "de-AT,en;q=0.5"})
    assert "<h1>Softwareentwickler/" in german.text


def test_a_browser_is_told_what_there_is_not(esco_client: TestClient) -> None:
    """By a page whose only script asks again with the fragment after '#'."""
    asked = {"id": "<script>alert(1)</script>"}
    page = esco_client.get(f"{ROOT}/preview", params=asked, headers={"Accept": "text/html,*/*;q=0.8"})
    assert page.status_code == 404
    assert "There is no entity &lt;script&gt;" in page.text
    [script] = re.findall(r"<script>(.*?)</script>", page.text)
    digest = b64encode(sha256(script.encode()).digest()).decode()
    assert page.headers["content-security-policy"] == f"default-src 'none'; script-src 'sha256-{digest}'"


@pytest.mark.parametrize("callback", ["cb", "jQuery191_42", "a.b.c", "$", "_"])
def test_jsonp(esco_client: TestClient, callback: str) -> None:
    """The same answer as a function call."""
    queries = json.dumps({"q0": {"query": "coder"}})
    plain = esco_client.get(ROOT, params={"queries": queries})
    padded = esco_client.get(ROOT, params={"queries": queries, "callback": callback})
    assert padded.headers["content-type"].startswith("text/javascript")
    assert padded.headers["x-content-type-options"] == "nosniff"
    assert padded.text == f"/**/{callback}({plain.text});"


@pytest.mark.parametrize("callback", ["", "alert(1)", "a;b", "a-b", "a b", "1a", "a.", ".a", "a\n", "é", "a" * 70, "<"])
def test_jsonp_runs_nothing_else(esco_client: TestClient, callback: str) -> None:
    """A callback that is not a name is refused and not repeated."""
    answer = esco_client.get(f"{ROOT}/suggest/type", params={"callback": callback})
    assert answer.status_code == 400
    assert answer.json()["detail"] == "callback is not the name of a function."


def test_other_pages_may_read(esco_client: TestClient) -> None:
    """Like OpenRefine's page at another port; the preflight request is answered."""
    assert esco_client.get(ROOT, headers=OPENREFINE).headers["access-control-allow-origin"] == "*"
    preflight = {"Access-Control-Request-Method": "POST", "Access-Control-Request-Headers": "content-type"}
    answer = esco_client.options(f"{ROOT}", headers=OPENREFINE | preflight)
    assert answer.status_code == 200
    assert answer.headers["access-control-allow-origin"] == "*"


def test_the_client_reconciler(esco_client: TestClient) -> None:
    """What reconciler 0.2.2 (PyPI) sends and reads: queries by number, the first type's id and name, no features."""
    queries = {"0": {"query": "coder", "type": "occupation", "properties": hints(isco="2512")}, "1": {"query": "nurse"}}
    answer = esco_client.post(ROOT, data={"queries": json.dumps(queries)}).json()
    assert "status" not in answer
    assert sorted(answer, key=int) == ["0", "1"]
    for each in answer.values():
        for candidate in each["result"]:
            assert {"id", "match", "name", "score", "features"} <= set(candidate)
            assert (candidate["type"][0]["id"], candidate["type"][0]["name"]) == ("occupation", "Occupation")


def test_the_client_cocoda(esco_client: TestClient) -> None:
    """What cocoda-sdk 3.6.1 (npm) sends and reads: a mapping for each candidate, exact where it matches."""
    body = "queries=" + quote(json.dumps({"q0": {"query": "Softwareentwickler"}}), safe="")
    form = {"Content-Type": "application/x-www-form-urlencoded"}
    answer = esco_client.post(ROOT, content=body, headers=form | OPENREFINE).json()
    results = [each for value in answer.values() for each in value["result"]]
    best = max(results, key=lambda each: (each["score"], each["match"], -len(each["id"])))
    assert (best["id"], best["match"]) == (DEVELOPER, True)
    assert PYTHON not in {each["id"] for each in results}


def test_addresses_are_the_servers(esco_client: TestClient) -> None:
    """With the host name of the request."""
    assert esco_client.get(ROOT).json()["suggest"]["entity"]["service_url"] == ADDRESS + ROOT
    assert esco_client.get(ROOT, headers={"Host": "evil.example"}).status_code == 403
