"""Pages of other sites: open taxonomies, private ones, and what people judged."""

import base64
import json
from collections.abc import Callable, Iterator
from contextlib import ExitStack, closing
from datetime import UTC, datetime
from pathlib import Path

import httpx
import pytest
from starlette.testclient import TestClient

from jobmatch.access.access_config import AccessConfig
from jobmatch.access.api_keys import new_key
from jobmatch.access.principal import Role
from jobmatch.serve.route_table import route_names
from jobmatch.serve.serve_config import ServeConfig
from jobmatch.serve.server import api_routes, build_api
from jobmatch.services.linking import LinkingService
from jobmatch_core.settings import Settings
from jobmatch_core.taxonomy import TaxonomyStore
from tests.jobmatch.serve.conftest import ADDRESS
from tests.jobmatch.serve.made_esco import NURSE

ESCO_ID, PRIVATE, LOOKALIKE, ABSENT, ABSENT_ESCO = "esco-1.2.1", "mine-1", "esco-9.9", "nothere", "esco-9.8"
ORIGIN = {"Origin": "https://evil.example"}
SCRIPT = {"Sec-Fetch-Site": "cross-site", "Sec-Fetch-Dest": "script"}
FRAME = {"Sec-Fetch-Site": "same-site", "Sec-Fetch-Dest": "iframe"}
ELSEWHERE = [ORIGIN, {"Origin": "null"}, {"Origin": "http://localhost:3333"}, SCRIPT, FRAME]
HERE = [
    {},
    {"Origin": ADDRESS},
    {"Sec-Fetch-Site": "same-origin"},
    {"Sec-Fetch-Site": "none"},
    {"Sec-Fetch-Site": "cross-site", "Sec-Fetch-Dest": "document"},
]
CORS = "access-control-allow-origin"
Serving = Callable[..., TestClient]


@pytest.fixture
def own_service(own_esco_home: Path, tmp_path: Path) -> Iterator[LinkingService]:
    """A home with the bundled taxonomy, ESCO, a private taxonomy, and one whose id looks like ESCO's."""
    settings = Settings(own_esco_home)
    table = tmp_path / "jobs.csv"
    header, rows = "concept_id,language,preferred,alternatives,parent,description", ("1,en,Secret agent", "2,en,Spy")
    table.write_text("\n".join([header, *(f"{row},,," for row in rows)]), "utf-8")
    for name, version in (("mine", "1"), ("esco", "9.9")):
        TaxonomyStore.open(settings).import_from(table, name=name, version=version)
    with closing(LinkingService(settings)) as service:
        yield service


@pytest.fixture
def served(own_service: LinkingService) -> Iterator[Serving]:
    """Start an API over that home with a configuration."""
    with ExitStack() as running:

        def started(**fields: object) -> TestClient:
            config = ServeConfig(**fields)  # type: ignore[arg-type]
            return running.enter_context(TestClient(build_api(own_service, config), base_url=ADDRESS))

        yield started


def calls() -> list[tuple[str, str]]:
    """Return the methods and paths of all calls with a taxonomy."""
    routes = route_names(api_routes(LinkingService(Settings(Path("nowhere")))))
    return [(method, path) for method, path in map(str.split, routes) if "{taxonomy}" in path]


def sent(client: TestClient, method: str, path: str, taxonomy: str, headers: dict[str, str]) -> httpx.Response:
    """Send a call about a taxonomy."""
    target = path.format(taxonomy=taxonomy, what="entity", key=f"jm_{'a' * 43}")
    return client.request(method, target, headers=headers, json={} if method == "POST" else None)


def test_a_private_taxonomy_is_like_none(served: Serving) -> None:
    """For all calls of pages of other sites, whichever header shows the site."""
    client = served(open_taxonomies=(ABSENT_ESCO,))
    assert len(calls()) == 20
    answers = {
        (answer.status_code, answer.text, answer.headers.get(CORS))
        for method, path in calls()
        for taxonomy in (PRIVATE, LOOKALIKE, ABSENT, ABSENT_ESCO)
        for headers in ELSEWHERE
        for answer in [sent(client, method, path, taxonomy, headers)]
    }
    [(status, text, allowed)] = answers
    assert (status, allowed) == (403, None)
    assert not any(taxonomy in text for taxonomy in ("isco-08", PRIVATE, ESCO_ID))


@pytest.mark.first_case
@pytest.mark.parametrize("taxonomy", [PRIVATE, ABSENT])
@pytest.mark.parametrize("query", ["", "/suggest/entity?prefix=s", "/properties", "/flyout/type?id=occupation"])
def test_no_jsonp_of_a_private_taxonomy(served: Serving, taxonomy: str, query: str) -> None:
    """With any headers, since scripts have no origin."""
    address = f"/reconcile/{taxonomy}{query}{'&' if '?' in query else '?'}callback=steal"
    for headers in (*HERE, *ELSEWHERE):
        answer = served().get(address, headers=headers)
        assert (answer.status_code, "steal" in answer.text) == (403, False)


@pytest.mark.first_case
@pytest.mark.parametrize("taxonomy", ["isco-08", ESCO_ID])
@pytest.mark.parametrize("root", ["/reconcile/", "/reconcile/1.0/"])
def test_open_taxonomies(served: Serving, taxonomy: str, root: str) -> None:
    """Pages of any site may read them."""
    client = served()
    for headers in ELSEWHERE:
        answer = client.get(f"{root}{taxonomy}", headers=headers)
        assert (answer.status_code, answer.headers.get(CORS)) == (200, "*" if "Origin" in headers else None)
    assert client.get(f"/reconcile/{taxonomy}?callback=f", headers=SCRIPT).text.startswith("/**/f({")


def test_taxonomies_that_the_configuration_opens(served: Serving) -> None:
    """Pages of any site may read them, too."""
    client = served(open_taxonomies=(PRIVATE,))
    answer = client.get(f"/reconcile/{PRIVATE}/suggest/entity?prefix=Sec", headers=ORIGIN)
    assert (answer.json()["result"][0]["name"], answer.headers[CORS]) == ("Secret agent", "*")
    assert "Secret agent" in client.get(f"/reconcile/{PRIVATE}/suggest/entity?prefix=Sec&callback=f").text


@pytest.mark.first_case
@pytest.mark.parametrize("headers", HERE)
def test_programs_and_own_pages(served: Serving, headers: dict[str, str]) -> None:
    """They may read everything, and errors list the installed taxonomies."""
    client = served()
    answer = client.get(f"/reconcile/{PRIVATE}", headers=headers)
    assert (answer.status_code, CORS in answer.headers) == (200, False)
    missing = client.get(f"/reconcile/{ABSENT}", headers=headers)
    assert (missing.status_code, PRIVATE in missing.json()["detail"]) == (404, True)


def test_with_a_key(served: Serving, own_service: LinkingService) -> None:
    """In the header or the address, but not as a password, which browsers send by themselves; errors list nothing."""
    client = served(access=AccessConfig(keys=True))
    key, stored = new_key("page", Role.VIEWER, ("reconcile",), "Ada", datetime(2026, 11, 23, tzinfo=UTC))
    own_service.labels().access.add_key(stored)
    bearer = ORIGIN | {"Authorization": f"Bearer {key}"}
    basic = ORIGIN | {"Authorization": f"Basic {base64.b64encode(f':{key}'.encode()).decode()}"}
    search, in_address = "suggest/entity?prefix=spy", f"/reconcile/key/{key}/{PRIVATE}"
    for address, headers, status in (
        (f"/reconcile/{PRIVATE}/{search}", bearer, 200),
        (f"/reconcile/{PRIVATE}/{search}", basic, 403),
        (f"/reconcile/{PRIVATE}/{search}", basic | SCRIPT, 403),
        (f"/reconcile/{PRIVATE}/{search}", ORIGIN, 401),
        (f"/reconcile/{PRIVATE}/{search}&callback=f", {}, 401),
        (f"{in_address}/{search}", ORIGIN, 200),
        (f"{in_address}/{search}&callback=f", SCRIPT, 200),
        (f"/reconcile/key/jm_{'a' * 43}/{PRIVATE}/{search}", ORIGIN, 401),
        (f"/reconcile/{ESCO_ID}/{search}", basic, 200),
    ):
        assert client.get(address, headers=headers).status_code == status, (address, headers)
    assert client.get(f"/reconcile/{PRIVATE}/{search}", headers=bearer).headers[CORS] == "*"
    missing = client.get(f"/reconcile/{ABSENT}", headers=bearer)
    assert (missing.status_code, PRIVATE in missing.text) == (404, False)


@pytest.mark.first_case
@pytest.mark.parametrize("with_keys", [False, True])
@pytest.mark.parametrize(
    ("path", "headers", "allowed"),
    [
        (f"/reconcile/{ESCO_ID}", "content-type", (True, True)),
        (f"/reconcile/1.0/{ESCO_ID}/match", "content-type, authorization", (True, True)),
        (f"/reconcile/{PRIVATE}", "content-type", (False, False)),
        (f"/reconcile/{PRIVATE}", "Authorization, content-type", (False, True)),
        (f"/reconcile/{ABSENT}", "authorization", (False, True)),
        (f"/reconcile/1.0/{PRIVATE}/match", "content-type", (False, False)),
        (f"/reconcile/key/x/{PRIVATE}", "content-type", (False, True)),
        (f"/reconcile/key/x/{ABSENT}", "content-type", (False, True)),
    ],
)
def test_asked_beforehand(
    served: Serving, path: str, headers: str, allowed: tuple[bool, bool], with_keys: bool
) -> None:
    """A preflight request is answered like the request itself would be with a valid key."""
    asked = {"Access-Control-Request-Method": "POST", "Access-Control-Request-Headers": headers}
    answer = served(access=AccessConfig(keys=with_keys)).options(path, headers=ORIGIN | asked)
    expected = (200, "*") if allowed[with_keys] else (403, None)
    assert (answer.status_code, answer.headers.get(CORS)) == expected


def test_what_people_judged_stays_here(served: Serving, own_service: LinkingService) -> None:
    """No candidate, match, score or preview for other sites uses judgments, also not in ESCO's web service."""
    client = served()
    decision = {"query": "zzyzx wrangler", "id": NURSE}
    judged = client.post(f"/reconcile/{ESCO_ID}/decisions", json={"decisions": [decision], "annotator": "Ann"})
    assert judged.status_code == 201
    queries = [
        {"query": "zzyzx wrangler"},
        {"query": "zzyzx wrangler", "properties": [{"pid": "description", "v": "x"}]},
    ]
    for query in queries:
        form = {"queries": json.dumps({"q": query})}
        [best, *_] = client.post(f"/reconcile/{ESCO_ID}", data=form).json()["q"]["result"]
        assert (best["id"], "an accepted title" in best["description"]) == (NURSE, True)
        for headers in ELSEWHERE:
            found = client.post(f"/reconcile/{ESCO_ID}", data=form, headers=headers).json()["q"]["result"]
            assert not any(each["match"] or "accepted" in each["description"] for each in found)
        padded = client.get(f"/reconcile/{ESCO_ID}", params=form | {"callback": "f"}).text
        assert "accepted" not in padded
        assert '"match":true' not in padded
    draft = {"queries": [{"conditions": [{"matchType": "name", "propertyValue": "zzyzx wrangler"}]}]}
    answer = client.post(f"/reconcile/1.0/{ESCO_ID}/match", json=draft, headers=ORIGIN)
    assert '"match":true' not in answer.text
    preview, shown = f"/reconcile/{ESCO_ID}/preview", {"id": NURSE, "query": "zzyzx wrangler"}
    assert "an accepted title" in client.get(preview, params=shown).text
    assert "accepted" not in client.get(preview, params=shown, headers=FRAME).text
    searched = "/esco/api/search?text=zzyzx%20wrangler"
    assert '"own"' in client.get(searched).text
    for headers in ELSEWHERE:
        assert '"own"' not in client.get(searched, headers=headers).text


def test_a_table_with_escos_name_is_no_esco(served: Serving) -> None:
    """ESCO's web service neither shows nor names it."""
    client = served()
    assert client.get("/esco/api/suggest2?text=spy&type=occupation").json()["total"] == 0
    for version in ("9.9", "9.8"):
        answer = client.get(f"/esco/api/suggest2?text=spy&selectedVersion=v{version}", headers=ORIGIN)
        assert (answer.status_code, "imported are v1.2.1. " in answer.json()["message"]) == (404, True)
