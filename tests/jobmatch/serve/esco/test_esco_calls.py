"""What is beyond the calls of clients: pages, errors, versions, and what only we answer."""

import json
from pathlib import Path
from typing import Any
from urllib.parse import quote

import pytest
from starlette.testclient import TestClient

from db.label_store import LabelStore
from jobmatch.access.access_config import AccessConfig
from jobmatch.serve.esco import esco_resources
from jobmatch.serve.esco.esco_query import PARAMETERS
from jobmatch.serve.serve_config import ServeConfig
from jobmatch.serve.server import build_api
from jobmatch.services.linking import LinkingService
from jobmatch_core.settings import Settings
from jobmatch_core.taxonomy import BUNDLED_ID
from tests.jobmatch.serve.conftest import ADDRESS, Serving
from tests.jobmatch.serve.made_esco import CARING, DEVELOPER, ESCO, NURSE, PYTHON, UNIT_GROUP, import_esco

ROOT = f"{ADDRESS}/esco/api"
SCHEMES = ("isco", "skills", "member-skills", "skills-hierarchy", "skill-reuse-level")


def error(response: Any, status: int) -> str:
    """Return the message of an error, after a check of its form."""
    content = response.json()
    assert response.headers["content-type"] == "application/json;charset=UTF-8"
    assert response.status_code == content["status"] == status
    assert set(content) == {"logref", "status", "message", "_links"}
    assert content["_links"] is None
    return str(content["message"])


def titles(response: Any) -> list[str]:
    """Return the titles of results."""
    return [each["title"] for each in response.json()["_embedded"]["results"]]


def test_occupations_have_a_probability_and_evidence(esco_client: TestClient) -> None:
    """Only occupations: other hits are found by their names."""
    answer = esco_client.get("/esco/api/search?text=coder").json()
    first, *others = answer["_embedded"]["results"]
    assert (first["uri"], first["searchHit"]) == (DEVELOPER, "coder")
    assert 0.5 < first["probability"] <= 1
    assert first["evidence"]["name"] == "coder"
    assert first["evidence"]["language"] == "en"
    assert first["evidence"]["scores"]
    assert all("probability" not in each for each in others if each["className"] != "Occupation")


def test_a_skill_that_is_meant_comes_first(esco_client: TestClient) -> None:
    """Before the occupations of the linker."""
    assert titles(esco_client.get("/esco/api/search?text=Python"))[0] == "Python (computer programming)"


def test_pages_follow_their_links(esco_client: TestClient) -> None:
    """Each skill occurs once, and each page has the same total."""
    address, seen = "/esco/api/search?type=skill&limit=2", []
    while address:
        answer = esco_client.get(address).json()
        assert answer["total"] == 3
        seen += [each["uri"] for each in answer["_embedded"]["results"]]
        address = answer["_links"].get("next", {}).get("href", "")
    assert len(seen) == len(set(seen)) == 3
    beyond = esco_client.get("/esco/api/search?type=skill&limit=2&offset=7").json()
    assert beyond["_embedded"]["results"] == []
    assert beyond["_links"]["prev"]["href"].endswith("offset=1&limit=2")
    assert "next" not in beyond["_links"]


@pytest.mark.parametrize(
    "uri", [DEVELOPER, NURSE, PYTHON, CARING, UNIT_GROUP, *(f"{ESCO}concept-scheme/{name}" for name in SCHEMES)]
)
def test_every_link_leads_somewhere(esco_client: TestClient, uri: str) -> None:
    """To the resource with the URI and the title of the link."""
    kind = "taxonomy" if "scheme" in uri else "concept"
    resource = esco_client.get(f"/esco/api/resource/{kind}?uri={uri}&language=de&selectedVersion=v1.2.1").json()
    links = [link for found in resource["_links"].values() for link in (found if isinstance(found, list) else [found])]
    assert len(links) > 1
    for link in links:
        assert link["href"].startswith(f"{ROOT}/resource/")
        assert "language=de&selectedVersion=v1.2.1" in link["href"]
        answer = esco_client.get(link["href"]).json()
        assert (answer["uri"], answer["title"]) == (link["uri"], link["title"])


def test_schemes(esco_client: TestClient) -> None:
    """Concept schemes are listed and narrow a search; those that are not imported are empty."""
    listed = esco_client.get("/esco/api/resource/taxonomy").json()
    names = {"Occupations", "Skills", "Skills hierarchy", "ISCO-08"}
    assert {each["title"] for each in listed["_embedded"].values()} == names
    narrowed = esco_client.get(f"/esco/api/search?text=developer&isInScheme={ESCO}concept-scheme/member-occupations")
    assert {each["className"] for each in narrowed.json()["_embedded"]["results"]} == {"Occupation"}
    assert titles(esco_client.get(f"/esco/api/search?text=a&isInScheme={ESCO}concept-scheme/green")) == []
    levels = esco_client.get(f"/esco/api/resource/concept?isInScheme={ESCO}concept-scheme/skill-reuse-level").json()
    assert [each["title"] for each in levels["_embedded"].values()][:2] == ["transversal", "cross-sector"]


@pytest.mark.parametrize(
    ("path", "status", "message"),
    [
        ("search?q=nurse", 400, "no parameter 'q'; use 'text'"),
        ("search?text=nurse&lang=de", 400, "'lang'; use 'language'"),
        ("search?text=nurse&version=v1.2.1", 400, "use 'selectedVersion'"),
        ("search?text=nurse&Limit=2", 400, "use 'limit'"),
        ("search?text=nurse&isInSchema=x", 400, "use 'isInScheme'"),
        ("search?text=nurse&zzz=1", 400, "no parameter 'zzz'. Known are text, language"),
        ("search?text=nurse&language=xx", 400, "'xx' is not a language"),
        ("search?text=nurse&type=job", 400, "Illegal/Unknown type parameter values: ('job')"),
        ("search?text=nurse&limit=0", 400, "limit is '0'"),
        ("search?text=nurse&limit=101&full=true", 400, "from 1 to 100"),
        ("search?text=nurse&limit=1001", 400, "from 1 to 1,000"),
        ("search?text=nurse&offset=-1", 400, "offset is '-1'"),
        ("search?text=nurse&offset=%C2%B2", 400, "offset is"),
        ("search?text=nurse&full=yes", 400, "full is 'yes'"),
        (f"search?text={'a' * 1001}", 400, "longer than 1,000"),
        ("suggest2?type=skill", 400, "'text' is not present"),
        ("resource/taxonom?uri=x", 400, "Illegal/Unknown type parameter values: ('taxonom')"),
        ("resource/occupation", 400, "'uri', 'uris' and 'isInScheme'"),
        ("resource/occupation?uri=http://nowhere", 404, "no resource 'http://nowhere'"),
        (f"resource/skill?uris={','.join(f'u{number}' for number in range(101))}", 400, "at most 100"),
        (f"resource/skill?uri=x&uris={','.join(f'u{number}' for number in range(100))}", 400, "101 URIs"),
        (f"search?isInScheme={','.join(f'u{number}' for number in range(101))}", 400, "isInScheme has 101 values"),
        ("search?facet=colour", 400, "Illegal/Unknown facet parameter values: ('colour'); known are type, isInScheme"),
        ("resource", 400, "'uri', 'uris' and 'isInScheme'"),
        (f"resource/related?uri={ESCO}skill-type/skill&relation=broaderConcept", 400, "known are none"),
        ("suggest2?text=&type=skill", 400, "'text' is not present"),
        (f"resource/related?uri={DEVELOPER}", 400, "'relation'"),
        (f"resource/related?uri={DEVELOPER}&relation=hasFriend", 400, "known are broaderIscoGroup"),
        ("search?text=nurse&selectedVersion=v1.0.9", 404, "ESCO v1.0.9 is not imported; imported are v1.2.1"),
        ("nothing", 404, "Not Found"),
    ],
)
def test_errors(esco_client: TestClient, path: str, status: int, message: str) -> None:
    """Errors have ESCO's form and say what to do."""
    assert message in error(esco_client.get(f"/esco/api/{path}"), status)


def test_without_the_label_store(own_esco_home: Path) -> None:
    """The answer is 503, and the client may try again."""
    settings = Settings(own_esco_home)
    settings.home.joinpath("jobmatch.db").write_bytes(b"no database")
    with TestClient(build_api(LinkingService(settings)), base_url=ADDRESS) as client:
        answer = client.get("/esco/api/search?text=nurse")
    assert "at present" in error(answer, 503)
    assert answer.headers["retry-after"] == "5"


def test_other_methods(esco_client: TestClient) -> None:
    """Other methods than GET are refused."""
    assert error(esco_client.post("/esco/api/search"), 405)


def test_bugs_stay_inside(esco_client: TestClient, monkeypatch: pytest.MonkeyPatch) -> None:
    """The client learns nothing about an internal error."""

    def fail(*_: object) -> None:
        raise ZeroDivisionError("secret")

    monkeypatch.setattr(LinkingService, "link", fail)
    assert "secret" not in error(esco_client.get("/esco/api/search?text=a"), 500)


def test_without_esco(serving: Serving) -> None:
    """The error says how to import it."""
    message = error(serving().get("/esco/api/search?text=nurse"), 404)
    assert "No ESCO is imported" in message
    assert "jobmatch taxonomy import" in message


def test_versions(own_esco_home: Path, tmp_path: Path) -> None:
    """By default the newest version answers, in numerical order."""
    service = LinkingService(Settings(own_esco_home))
    import_esco(service.settings, tmp_path, "1.10.0")
    with TestClient(build_api(service), base_url=ADDRESS) as client:
        for version, known in (("", True), ("latest", True), ("v1.2.1", True), ("v1.2", True), ("v1.3", False)):
            answer = client.get(f"/esco/api/resource/occupation?uri={NURSE}&selectedVersion={version}")
            assert (answer.status_code == 200) == known, version
        assert "in esco-1.10.0" in error(client.get("/esco/api/resource/skill?uri=x"), 404)
        assert "in esco-1.2.1" in error(client.get("/esco/api/resource/skill?uri=x&selectedVersion=v1.2"), 404)
    assert BUNDLED_ID in [manifest.id for manifest in service.installed()]


def test_the_release_that_answers(own_esco_home: Path, tmp_path: Path) -> None:
    """Headers name the release and the version that it replaces; links keep the requested version."""
    service = LinkingService(Settings(own_esco_home))
    lacking = import_esco(service.settings, tmp_path, "1.3.0", without=("skill", "broaderRelationsSkill"))
    with TestClient(build_api(service), base_url=ADDRESS) as client:

        def versions(path: str) -> tuple[str, str | None]:
            answer = client.get(f"/esco/api/{path}")
            assert answer.status_code == 200, answer.text
            assert answer.headers["access-control-expose-headers"] == "X-Esco-Version, X-Esco-Version-Missing"
            return answer.headers["x-esco-version"], answer.headers.get("x-esco-version-missing")

        assert versions(f"resource/occupation?uri={NURSE}") == ("v1.3.0", None)
        assert versions(f"resource/occupation?uri={NURSE}&selectedVersion=v1.2.0") == ("v1.2.1", "v1.2.0")
        for asks_for_skills in (
            "search?type=skill&limit=1",
            f"resource/skill?uri={PYTHON}",
            f"resource?uri={CARING}",
            f"resource/taxonomy?uri={ESCO}concept-scheme/skills-hierarchy",
            f"search?isInScheme={ESCO}concept-scheme/member-skills&limit=1",
        ):
            assert versions(asks_for_skills) == ("v1.2.1", None), asks_for_skills
        pinned = client.get(f"/esco/api/resource/skill?uri={PYTHON}&selectedVersion=v1.2.0").json()
        assert "selectedVersion=v1.2.0" in pinned["_links"]["self"]["href"]
        assert f"in {lacking}" in error(
            client.get(f"/esco/api/resource/skill?uri={PYTHON}&selectedVersion=v1.3.0"), 404
        )


def test_skills_without_groups_come_in_pages_only(own_esco_home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A scheme of 13,000 skills without groups, as of an older import, does not link to all of them."""
    manifest = own_esco_home / "taxonomies" / "esco-1.2.1" / "manifest.json"
    content = json.loads(manifest.read_text("utf-8"))
    manifest.unlink()  # its bytes are shared
    manifest.write_text(json.dumps({**content, "format": 1}), "utf-8")
    monkeypatch.setattr(esco_resources, "MOST_RESULTS", 2)
    skills = f"{ESCO}concept-scheme/skills"
    with TestClient(build_api(LinkingService(Settings(own_esco_home))), base_url=ADDRESS) as client:
        assert "hasTopConcept" not in client.get(f"/esco/api/resource/taxonomy?uri={skills}").json()["_links"]
        related = client.get(f"/esco/api/resource/related?uri={skills}&relation=hasTopConcept&limit=2").json()
        assert (related["total"], len(related["_embedded"]["hasTopConcept"])) == (3, 2)
        python = client.get(f"/esco/api/resource/skill?uri={PYTHON}").json()
    assert python["description"] == {}
    assert not {"hasReuseLevel", "broaderHierarchyConcept"} & {*python, *python["_links"]}


@pytest.mark.parametrize("path", ["resource/skill", "resource", "resource//skill/", "/resource/skill", "resource/"])
def test_lenient_addresses(esco_client: TestClient, path: str) -> None:
    """Repeated slashes, one at the end, and a missing kind are accepted without a redirect."""
    answer = esco_client.get(f"/esco/api/{path}?uri={PYTHON}", follow_redirects=False)
    assert answer.status_code == 200
    assert answer.json()["uri"] == PYTHON


@pytest.mark.parametrize("path", ["/search", "search/", "resource", "resource//skill", "resource/any"])
def test_lenient_addresses_need_a_key_as_others_do(serving: Serving, path: str) -> None:
    """The access check reads such addresses like the routes do."""
    client = serving(ServeConfig(access=AccessConfig(keys=True)))
    assert client.get(f"/esco/api/{path}?uri={PYTHON}", follow_redirects=False).status_code == 401


@pytest.mark.parametrize(
    "path", ["search?text=java", f"resource/skill?uri={PYTHON}", f"resource/related?uri={PYTHON}&relation=broaderSkill"]
)
def test_an_empty_parameter_counts_as_not_given(esco_client: TestClient, path: str) -> None:
    """Any parameter, also a repeated or an unknown one."""
    plain = esco_client.get(f"/esco/api/{path}").json()
    empty = "&".join(
        f"{name}={blank}" for name in (*(each.name for each in PARAMETERS), "foo") for blank in ("", "%20")
    )
    answer = esco_client.get(f"/esco/api/{path}&{empty}").json()
    assert {**answer, "_links": ""} == {**plain, "_links": ""}


def test_media_types(esco_client: TestClient) -> None:
    """HAL if the client accepts it; pages of any site may read."""
    hal = esco_client.get("/esco/api/search?text=a", headers={"Accept": "application/hal+json"})
    assert hal.headers["content-type"] == "application/hal+json;charset=UTF-8"
    asked = esco_client.get("/esco/api/search?text=a", headers={"Origin": "https://career.example"})
    assert asked.headers["access-control-allow-origin"] == "*"
    preflight = {"Origin": "https://career.example", "Access-Control-Request-Method": "DELETE"}
    assert esco_client.options("/esco/api/search", headers=preflight).status_code == 400


def test_texts_stay_texts(esco_client: TestClient) -> None:
    """Markup is returned unchanged, and a parameter cannot add another one."""
    text = '<script>alert("1")</script>&limit=1'
    answer = esco_client.get(f"/esco/api/search?text={quote(text, safe='')}").json()
    assert answer["text"] == text
    assert quote("&limit=1", safe="") in answer["_links"]["first"]["href"]


def test_annotators_are_not_named(own_esco_home: Path) -> None:
    """An accepted title is found, but its annotator is not named, since any site may read the answer."""
    service = LinkingService(Settings(own_esco_home))
    with TestClient(build_api(service), base_url=ADDRESS) as client:
        decision = {"title": "xyzzyq", "uri": NURSE, "annotator": "Ann Secret", "taxonomy": "esco-1.2.1"}
        assert client.post("/api/v1/decisions", json=decision).status_code == 201
        answer = client.get("/esco/api/search?text=xyzzyq")
    assert answer.json()["_embedded"]["results"][0]["uri"] == NURSE
    assert answer.json()["_embedded"]["results"][0]["evidence"]["source"] == "own"
    assert "Ann" not in answer.text
    with LabelStore.open(service.settings.label_store) as store:
        assert store.count() == 1
