"""`jobmatch serve` as a process: pages and API share what they know; the next server ends a killed one's job."""

import signal
from pathlib import Path

import httpx
import pytest
from playwright.sync_api import expect

from jobmatch_core.linking.batch import PART_ROWS
from tests.e2e.conftest import N_TITLES, NewVisitor, settle
from tests.e2e.servers import ANSWER_SECONDS, asked, post_job, progress, running_server
from tests.e2e.test_in_a_browser import type_title

BAKER = "http://data.europa.eu/esco/isco/C7512"
# 0: the tests themselves were started with the signal ignored, as a shell starts what runs in the background
_INTERRUPTED = (0, 130)


@pytest.mark.thorough
def test_pages_and_api_are_one(own_linker_home: Path, new_visitor: NewVisitor) -> None:
    """What the API records, the page answers with; Ctrl+C ends both, while a page is open."""
    with running_server(own_linker_home) as (address, server):
        decision = {"title": "xyzzyq", "uri": BAKER, "annotator": "Ann"}
        assert httpx.post(f"{address}/api/v1/decisions", json=decision).status_code == 201
        page = new_visitor().new_page()
        page.goto(address)
        settle(page)
        type_title(page, "xyzzyq")
        card = page.locator(".st-key-card_1").first
        expect(card).to_contain_text("accepted by Ann")
        [link] = asked(address, "link", {"titles": ["xyzzyq"]})["results"]
        expect(card).to_contain_text(link["candidates"][0]["name"])
        server.send_signal(signal.SIGINT)
        assert server.wait(timeout=30) in _INTERRUPTED


@pytest.mark.long
def test_a_killed_servers_job_is_finished_by_the_next(
    own_linker_home: Path, many_titles: Path, many_links: bytes
) -> None:
    """Without what was done already; the result is what `jobmatch link --file` writes."""
    with running_server(own_linker_home) as (address, server):
        job = post_job(address, many_titles)
        next(status for status in progress(address, job) if status["done"])
        server.kill()
        server.wait()
    folder = own_linker_home / "jobs" / job.rpartition("/")[2]
    parts = {part: part.stat().st_mtime_ns for part in (folder / "linked.jsonl.parts").glob("0*.jsonl")}
    assert 0 < len(parts) < N_TITLES // PART_ROWS
    with running_server(own_linker_home) as (address, _):
        *_, last = progress(address, job)
        assert (last["state"], last["done"]) == ("done", N_TITLES)
        result = httpx.get(f"{address}{job}/result", timeout=ANSWER_SECONDS).content
    assert result == many_links


@pytest.mark.long
def test_a_server_that_stops_does_not_wait_for_a_job(own_linker_home: Path, many_titles: Path) -> None:
    """The server does not wait for the job's thread; the job goes on when a server runs again."""
    with running_server(own_linker_home) as (address, server):
        post_job(address, many_titles)
        server.terminate()
        assert server.wait(timeout=30) == -signal.SIGTERM
