"""Two servers on one home and one PostgreSQL: what one does the other knows, and what one leaves the other ends.

All of them are killed, too, and started again.
"""

import json
import os
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path

import httpx
import pytest
from playwright.sync_api import Page, expect
from streamlit.web.server.starlette.starlette_app_utils import create_signed_value

from db.history import JudgmentFilter
from db.label_store import LabelStore
from jobmatch.access.principal import person_id
from jobmatch_core.encoders.loading import shipped_encoder
from jobmatch_core.linking import open_linker
from jobmatch_core.linking.linking_model import LinkingModel, save_linking_model
from jobmatch_core.marketplace.demo.generator import DemoSpec, demo_blocks
from jobmatch_core.marketplace.marketplace_store import MarketplaceStore
from jobmatch_core.settings import Settings
from jobmatch_core.taxonomy import BUNDLED_ID, TaxonomyStore
from tests.e2e.conftest import N_TITLES, ROOT, NewVisitor, annotator_cookie, settle
from tests.e2e.servers import ANSWER_SECONDS, asked, post_job, progress, running_server
from tests.e2e.test_label_pairs_in_a_browser import judge, ready, sides
from tests.postgres_server import PostgresServer, running_postgres

pytestmark = pytest.mark.thorough  # several servers are started

BAKER = "http://data.europa.eu/esco/isco/C7512"
PATIENCE = 30.0  # seconds
SECRET = "cookie-secret-of-all-servers, of 32 characters or more"
ISSUER = "http://localhost:9"  # nobody signs in anew, so that nobody asks it
CONFIG = f"""
[access]
keys = true
[access.sign_in]
issuer = "{ISSUER}"
client_id = "jobmatch"
client_secret = "secret"
cookie_secret = "{SECRET}"
address = "http://localhost:8501"
[access.roles]
everyone = "viewer"
"""


@pytest.fixture
def home(own_linker_home: Path, postgres_url: str, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A home whose judgments are on PostgreSQL."""
    monkeypatch.setenv("JOBMATCH_DB", postgres_url)
    return own_linker_home


def command(home: Path, *words: str) -> str:
    """Return what a command prints."""
    environment = {**os.environ, "JOBMATCH_HOME": str(home)}
    words = (sys.executable, "-m", "jobmatch", *words)
    return subprocess.run(words, cwd=ROOT, env=environment, capture_output=True, text=True, check=True).stdout


def eventually(holds: Callable[[], bool]) -> bool:
    """Wait until something holds; return whether it came to that."""
    ends = time.monotonic() + PATIENCE
    while not (held := holds()) and time.monotonic() < ends:
        time.sleep(0.1)
    return held


def status(address: str, path: str, **headers: str) -> int:
    """Return the status of an answer."""
    return httpx.get(f"{address}{path}", headers=headers, timeout=ANSWER_SECONDS).status_code


@pytest.fixture
def servers(home: Path, tmp_path: Path) -> Iterator[list[tuple[str, "subprocess.Popen[bytes]"]]]:
    """Two servers that ask everybody who they are."""
    config = tmp_path / "serve.toml"
    config.write_text(CONFIG, "utf-8")
    with running_server(home, f"--config={config}") as first, running_server(home, f"--config={config}") as second:
        yield [first, second]


@pytest.mark.long
def test_what_one_is_told_the_other_knows(
    home: Path, servers: list[tuple[str, "subprocess.Popen[bytes]"]], many_titles: Path, many_links: bytes
) -> None:
    """Accepted titles, promotions, jobs, ends of sessions and keys; and the job of one that is killed."""
    (first, killed), (second, _) = servers
    key = command(home, "keys", "create", "tests", "--role", "annotator").split()[0]
    may = {"Authorization": f"Bearer {key}"}
    query = {"titles": ["xyzzyq", "maker of bread"]}

    def links(address: str) -> list[tuple[str, float]]:
        results = asked(address, "link", query, **may)["results"]
        return [(each["uri"], each["probability"]) for each in (result["candidates"][0] for result in results)]

    before = links(second)
    asked(first, "decisions", {"title": "xyzzyq", "uri": BAKER, "annotator": "Ann"}, **may)
    accepted = links(second)
    assert before[0][0] != accepted[0][0] == BAKER
    assert before[1] == accepted[1]

    calibration = replace(open_linker(settings=Settings(home)).calibration, none=100.0)
    save_linking_model(home / "models" / "doubtful", LinkingModel(calibration), shipped_encoder().name, {})
    command(home, "models", "promote", "doubtful", "--kind", "linking", "--yes")
    assert [links(address)[1][1] for address in (first, second)] == [pytest.approx(0, abs=0.01)] * 2
    command(home, "models", "rollback", "--kind", "linking")
    assert links(first) == links(second) == accepted

    cancelled = post_job(first, many_titles, **may)
    assert status(second, cancelled, **may) == 200
    httpx.delete(f"{second}{cancelled}", headers=may).raise_for_status()
    assert status(first, cancelled, **may) == 404

    signed_in = {"Cookie": session("ada")}
    assert [status(address, "/media/none", **signed_in) for address in (first, second)] == [404, 404]
    with LabelStore.open(os.environ["JOBMATCH_DB"]) as store:
        store.access.end_sessions(person_id(ISSUER, "ada"), "an administrator")
    assert eventually(lambda: {status(address, "/media/none", **signed_in) for address in (first, second)} == {401})

    job = post_job(first, many_titles, **may)
    next(each for each in progress(second, job, **may) if each["done"])
    killed.kill()
    killed.wait()
    *_, last = progress(second, job, **may)
    assert (last["state"], last["done"]) == ("done", N_TITLES)
    result = httpx.get(f"{second}{job}/result", headers=may).content
    assert result == many_links

    [made] = [line for line in command(home, "keys", "list").splitlines() if "tests" in line]
    command(home, "keys", "revoke", made.split()[1])
    assert eventually(lambda: status(second, "/api/v1/taxonomies", **may) == 401)


def session(subject: str) -> str:
    """Return the cookie of somebody who has signed in at any of the servers."""
    now = time.time()
    claims = {"iss": ISSUER, "sub": subject, "aud": "jobmatch", "iat": now - 60, "exp": now + 3600}
    return f"_streamlit_user={create_signed_value(SECRET, '_streamlit_user', json.dumps(claims)).decode()}"


@pytest.fixture
def market(own_linker_home: Path) -> None:
    """A small demo marketplace."""
    settings, spec = Settings(own_linker_home), DemoSpec(projects=40, freelancers=300)
    taxonomy = TaxonomyStore.open(settings).load(BUNDLED_ID)
    blocks = demo_blocks(taxonomy, spec)
    MarketplaceStore.open(settings).save("demo", blocks, origin=spec.origin(taxonomy), generated=True)


@pytest.fixture
def opened(new_visitor: NewVisitor) -> Callable[[str, str], Page]:
    """Open 'Label pairs' of a server as somebody, and wait until a pair can be judged."""

    def open_pairs(address: str, annotator: str) -> Page:
        context = new_visitor()
        context.add_cookies([annotator_cookie(annotator, address)])
        page = context.new_page()
        page.goto(f"{address}/label_pairs")
        ready(page)
        settle(page)
        return page

    return open_pairs


@pytest.fixture
def postgres(monkeypatch: pytest.MonkeyPatch) -> Iterator[PostgresServer]:
    """A PostgreSQL that may be killed, for the judgments of the home."""
    with running_postgres() as server:
        monkeypatch.setenv("JOBMATCH_DB", server.url)
        yield server


@pytest.mark.long
@pytest.mark.usefixtures("market")
def test_all_are_killed(
    postgres: PostgresServer,
    own_linker_home: Path,
    opened: Callable[[str, str], Page],
    many_titles: Path,
    many_links: bytes,
) -> None:
    """In the middle of labelling and of a job: confirmed judgments are there, and the job goes on.

    No pair is handed to two people, and Ben goes on labelling when Ann's server alone is killed. In the end the
    database alone is killed, and its servers use it again once it is back.
    """
    home = own_linker_home
    with running_server(home) as (first, killed), running_server(home) as (second, killed_too):
        ann, ben = opened(first, "Ann"), opened(second, "Ben")
        assert sides(ann) != sides(ben)
        for page in (ann, ben):
            judge(page, "1")
        job = post_job(first, many_titles)
        next(each for each in progress(second, job) if each["done"])
        killed.kill()
        killed.wait()
        judge(ben, "2")
        killed_too.kill()
        killed_too.wait()
        postgres.kill()
    postgres.start()
    with running_server(home) as (address, _):
        *_, last = progress(address, job)
        assert (last["state"], last["done"]) == ("done", N_TITLES)
        page = opened(address, "Ann")
        judge(page, "2")

        postgres.kill()
        assert status(address, "/readyz") == 503
        refused = httpx.post(f"{address}/api/v1/link", json={"titles": ["nurse"]}, timeout=ANSWER_SECONDS)
        assert refused.status_code == 503
        shown = sides(page)
        page.keyboard.press("1")
        expect(page.get_by_text("cannot be reached").first).to_be_visible()
        assert sides(page) == shown
        waiting = post_job(address, many_titles)
        postgres.start()
        assert eventually(lambda: status(address, "/readyz") == 200)
        assert judge(page, "3") == shown
        *_, last = progress(address, waiting)
        assert (last["state"], last["done"]) == ("done", N_TITLES)
        results = [httpx.get(f"{address}{each}/result").content for each in (job, waiting)]
    assert results == [many_links] * 2
    with LabelStore.open(postgres.url) as store:
        judged = [(each.annotator, each.pair, str(each.verdict)) for each in store.judgments(JudgmentFilter())]
    assert sorted((who, verdict) for who, _, verdict in judged) == [
        ("Ann", "negative"),
        ("Ann", "positive"),
        ("Ann", "unsure"),
        ("Ben", "negative"),
        ("Ben", "positive"),
    ]
    assert len({pair for _, pair, _ in judged}) == 5
