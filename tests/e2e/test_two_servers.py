"""Two servers on one home and one PostgreSQL: what one does the other knows, and what one leaves the other ends."""

import os
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import httpx
import pytest
from playwright.sync_api import Browser, Page

from db.filters import JudgmentFilter
from db.label_store import LabelStore
from jobmatch_core.linking import open_linker
from jobmatch_core.linking.batch import link_file
from jobmatch_core.marketplace.demo.generator import DemoSpec, demo_blocks
from jobmatch_core.marketplace.marketplace_store import MarketplaceStore
from jobmatch_core.settings import Settings
from jobmatch_core.taxonomy import BUNDLED_ID, TaxonomyStore
from tests.e2e.conftest import N_TITLES, ROOT, annotator_cookie, settle
from tests.e2e.servers import ANSWER_SECONDS, asked, post_job, progress, running_server
from tests.e2e.test_label_pairs_in_a_browser import judge, ready, sides

pytestmark = pytest.mark.thorough  # several servers are started

BAKER = "http://data.europa.eu/esco/isco/C7512"
PATIENCE = 30.0  # seconds


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


def test_titles_jobs_and_keys(home: Path, many_titles: Path, tmp_path: Path) -> None:
    """Accepted titles, jobs and revoked keys of one are the other's; so is the job of one that is killed."""
    config = tmp_path / "serve.toml"
    config.write_text("[access]\nkeys = true\n", "utf-8")
    options = f"--config={config}"
    key = command(home, "keys", "create", "tests", "--role", "annotator").split()[0]
    may = {"Authorization": f"Bearer {key}"}
    with running_server(home, options) as (first, killed), running_server(home, options) as (second, _):
        query = {"titles": ["xyzzyq"]}
        assert asked(second, "link", query, **may)["results"][0]["abstained"]
        asked(first, "decisions", {"title": "xyzzyq", "uri": BAKER, "annotator": "Ann"}, **may)
        assert asked(second, "link", query, **may)["results"][0]["candidates"][0]["uri"] == BAKER

        cancelled = post_job(first, many_titles, **may)
        assert status(second, cancelled, **may) == 200
        httpx.delete(f"{second}{cancelled}", headers=may).raise_for_status()
        assert status(first, cancelled, **may) == 404

        job = post_job(first, many_titles, **may)
        next(each for each in progress(second, job, **may) if each["done"])
        killed.kill()
        killed.wait()
        *_, last = progress(second, job, **may)
        assert (last["state"], last["done"]) == ("done", N_TITLES)
        result = httpx.get(f"{second}{job}/result", headers=may).content

        [made] = [line for line in command(home, "keys", "list").splitlines() if "tests" in line]
        command(home, "keys", "revoke", made.split()[1])
        assert eventually(lambda: status(second, "/api/v1/taxonomies", **may) == 401)
    link_file(open_linker(settings=Settings(home)), many_titles, tmp_path / "linked.jsonl", column="title")
    assert result == (tmp_path / "linked.jsonl").read_bytes()


@pytest.fixture
def market(home: Path) -> None:
    """A small demo marketplace."""
    settings, spec = Settings(home), DemoSpec(projects=40, freelancers=300)
    taxonomy = TaxonomyStore.open(settings).load(BUNDLED_ID)
    blocks = demo_blocks(taxonomy, spec)
    MarketplaceStore.open(settings).save("demo", blocks, origin=spec.origin(taxonomy), generated=True)


@pytest.fixture
def opened(browser: Browser) -> Iterator[Callable[[str, str], Page]]:
    """Open 'Label pairs' of a server as somebody, and wait until a pair can be judged."""
    contexts = []

    def open_pairs(address: str, annotator: str) -> Page:
        contexts.append(browser.new_context())
        contexts[-1].add_cookies([annotator_cookie(annotator, address)])
        page = contexts[-1].new_page()
        page.goto(f"{address}/label_pairs")
        ready(page)
        settle(page)
        return page

    yield open_pairs
    for context in contexts:
        context.close()


@pytest.mark.usefixtures("market")
def test_pairs_that_are_judged(home: Path, opened: Callable[[str, str], Page]) -> None:
    """No pair is handed to two people; what was confirmed before a server is killed is there, and nothing else."""
    with running_server(home) as (first, killed), running_server(home) as (second, _):
        ann, ben = opened(first, "Ann"), opened(second, "Ben")
        assert sides(ann) != sides(ben)
        for page in (ann, ben):
            judge(page, "1")
        killed.kill()
        killed.wait()
        judge(ben, "2")
        with running_server(home) as (again, _):
            judge(opened(again, "Ann"), "3")
    with LabelStore.open(os.environ["JOBMATCH_DB"]) as store:
        judged = [(each.annotator, each.pair, str(each.verdict)) for each in store.judgments(JudgmentFilter())]
    assert sorted((who, verdict) for who, _, verdict in judged) == [
        ("Ann", "positive"), ("Ann", "unsure"), ("Ben", "negative"), ("Ben", "positive"),
    ]  # fmt: skip
    assert len({pair for _, pair, _ in judged}) == 4
