"""`jobmatch demo` as a newcomer sees it: the three things to try, a posting, and the mark on every page."""

import os
import socket
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from jobmatch.services.demo_home import DemoHome, read_demo
from jobmatch.services.runs import TrainingRuns
from jobmatch_core.settings import Settings
from tests.e2e.conftest import ROOT, NewVisitor, _wait_until_healthy, annotator_cookie, settle
from tests.e2e.test_in_a_browser import no_traceback

_MARK = "Demo: all data is made up"
_BUILDING_SECONDS = 600  # on a busy machine; half a minute otherwise
_STOPPING_SECONDS = 60


@pytest.fixture
def demo(tmp_path: Path) -> Iterator[DemoHome]:
    """A demo of the usual size, built by the command beside a user's home that does not exist."""
    _run(tmp_path, "--build-only").wait(timeout=_BUILDING_SECONDS)
    settings = Settings(tmp_path / "home-demo")
    found = read_demo(settings)
    assert found is not None
    assert not (tmp_path / "home").exists()
    yield found
    runs = TrainingRuns(settings)
    for run in runs.all():
        runs.stop(run)


@pytest.fixture
def page(demo: DemoHome, tmp_path: Path, new_visitor: NewVisitor) -> Iterator[Page]:
    """The first page of the demo, which the second start opens."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    address = f"http://127.0.0.1:{port}"
    server = _run(tmp_path, f"--port={port}", "--headless")
    try:
        _wait_until_healthy(address, server, tmp_path / "log.txt")
        context = new_visitor()
        context.add_cookies([annotator_cookie("You", address)])
        page = context.new_page()
        page.goto(address)
        settle(page)
        yield page
    finally:
        server.terminate()
        server.wait(timeout=_STOPPING_SECONDS)


def _run(folder: Path, *options: str) -> "subprocess.Popen[bytes]":
    with (folder / "log.txt").open("ab") as log:
        return subprocess.Popen(
            [sys.executable, "-m", "jobmatch", "demo", *options],
            cwd=ROOT,
            env={**os.environ, "JOBMATCH_HOME": str(folder / "home")},
            stdout=log,
            stderr=log,
        )


@pytest.mark.long
def test_the_first_three_minutes(page: Page, demo: DemoHome) -> None:
    """A title is decided, a disagreement settled, a training seen, a posting opened."""
    expect(page.get_by_text("Three things to try")).to_be_visible()
    page.get_by_role("link", name="Check what is left of a list").click()
    expect(page.get_by_text("A made-up month of an agency")).to_be_visible()
    settle(page)
    page.keyboard.press("n")
    expect(page.get_by_text("179 of 400 decided")).to_be_visible()
    expect(page.get_by_text(_MARK)).to_be_visible()
    no_traceback(page)

    page.get_by_role("link", name="Label pairs").click()
    settle(page)
    page.get_by_text("Agreement", exact=True).click()
    expect(page.get_by_text("200 pairs judged by two or more people")).to_be_visible()
    expect(page.get_by_text("Robin (demo)").first).to_be_visible()
    page.get_by_role("button", name="Settle: fits").click()
    expect(page.get_by_text("Settled:")).to_be_visible()
    expect(page.get_by_text(_MARK)).to_be_visible()
    no_traceback(page)

    page.get_by_role("link", name="Train models").click()
    settle(page)
    expect(page.get_by_text("labels: ").first).to_be_visible()
    expect(page.get_by_text(demo.training).first).to_be_visible()
    expect(page.get_by_text(_MARK)).to_be_visible()
    no_traceback(page)

    page.get_by_role("link", name="Job descriptions").click()
    settle(page)
    page.get_by_role("button", name="Open a made-up posting").click()
    page.get_by_role("button", name=demo.postings[0].title).click()
    expect(page.locator(".st-key-describe_title input")).to_have_value(demo.postings[0].title)
    expect(page.get_by_text("What this job is")).to_be_visible()
    no_traceback(page)
