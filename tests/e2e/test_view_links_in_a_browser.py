"""OpenRefine's links to entities, which hold URIs as they are, opened in a browser."""

from pathlib import Path
from urllib.parse import urlsplit

from playwright.sync_api import Page, Route, expect
from starlette.testclient import TestClient

from jobmatch.serve.server import build_api
from jobmatch.services.linking import LinkingService
from jobmatch_core.settings import Settings
from jobmatch_core.taxonomy import TaxonomyStore
from tests.e2e.conftest import NewVisitor

SERVER = "http://localhost"
JOBS = "https://jobs.example/2026#"
TABLE = f"""concept_id,language,preferred,alternatives,parent,description
{JOBS}cook,en,cook,,5120,Prepares meals.
{JOBS}c1/?a&x=1+2,en,baker,,7512,
"""


def opened(client: TestClient, page: Page, link: str) -> list[str]:
    """Open a link that the client's server answers; return what it was asked for."""
    asked: list[str] = []

    def answer(route: Route) -> None:
        url = urlsplit(route.request.url)
        if not url.path.startswith("/reconcile"):  # the browser looks for an icon, too
            route.fulfill(status=404)
            return
        asked.append(url.query)
        found = client.get(route.request.url, headers={"Accept": route.request.headers["accept"]})
        route.fulfill(status=found.status_code, headers=dict(found.headers), body=found.content)

    page.route(f"{SERVER}/**", answer)
    page.goto(link)
    return asked


def test_what_follows_a_hash_is_asked_for(new_visitor: NewVisitor, jobmatch_home: Path, tmp_path: Path) -> None:
    """Once: an entity that there is not is not asked for again and again."""
    source = tmp_path / "jobs.csv"
    source.write_text(TABLE, "utf-8")
    settings = Settings(jobmatch_home)
    taxonomy = TaxonomyStore.open(settings).import_from(source, name="jobs", version="1").id
    service = f"{SERVER}/reconcile/{taxonomy}"
    with TestClient(build_api(LinkingService(settings)), base_url=SERVER) as client:
        view = client.get(f"/reconcile/{taxonomy}").json()["view"]["url"]
        assert view.startswith(service)
        page = new_visitor().new_page()
        asked = opened(client, page, view.replace("{{id}}", f"{JOBS}cook"))
        expect(page.get_by_role("heading", name="cook")).to_be_visible()
        assert asked == ["id=https://jobs.example/2026", "id=https://jobs.example/2026%23cook"]
        page = new_visitor().new_page()
        opened(client, page, view.replace("{{id}}", f"{JOBS}c1/?a&x=1+2"))
        expect(page.get_by_role("heading", name="baker")).to_be_visible()
        page = new_visitor().new_page()
        asked = opened(client, page, view.replace("{{id}}", f"{JOBS}nobody"))
        expect(page.get_by_text(f"There is no entity {JOBS}nobody.")).to_be_visible()
        assert len(asked) == 2
