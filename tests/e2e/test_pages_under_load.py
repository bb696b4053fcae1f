"""A page while 32 programs ask the API: both are answered.

It is run by hand: `JUDGED=100 pytest -m long --log-cli-level=INFO tests/e2e/test_pages_under_load.py` says how long
the next pair takes. JOBMATCH_LOADED names a home and a taxonomy in it, as `HOME:esco-1.0.3`, to measure with another
than the bundled one.
"""

import logging
import os
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from pathlib import Path
from threading import Event

import httpx
import numpy as np
import pytest
from playwright.sync_api import Browser

from db.history import JudgmentFilter
from db.label_store import LabelStore
from jobmatch_core.marketplace.demo.generator import DemoSpec, demo_blocks
from jobmatch_core.marketplace.marketplace_store import MarketplaceStore
from jobmatch_core.settings import Settings
from jobmatch_core.taxonomy import BUNDLED_ID, TaxonomyStore
from tests.e2e.conftest import annotator_cookie, settle
from tests.e2e.servers import ANSWER_SECONDS, running_server
from tests.e2e.test_label_pairs_in_a_browser import ready

CLIENTS = 32
JUDGED = int(os.environ.get("JUDGED", "3"))
ANNOTATOR = "Ann"
_TEXTS = "() => [...document.querySelectorAll('[class*=st-key-label_pair_]')].map(each => each.innerText).join()"
_log = logging.getLogger(__name__)


@contextmanager
def clients(address: str, taxonomy: str) -> Iterator[list[int]]:
    """Ask the API by many clients at once until the block ends; yield the statuses of the answers."""
    over, statuses = Event(), []

    def ask(number: int) -> None:
        with httpx.Client(timeout=ANSWER_SECONDS) as client:
            for count in iter(int, 1):
                if over.is_set():
                    return
                content = {"titles": [f"nurse {number} {count}"], "taxonomy": taxonomy}
                statuses.append(client.post(f"{address}/api/v1/link", json=content).status_code)

    with ThreadPoolExecutor(CLIENTS) as threads:
        asking = [threads.submit(ask, number) for number in range(CLIENTS)]
        try:
            yield statuses
        finally:
            over.set()
    for each in asking:
        each.result()


@pytest.fixture
def loaded(own_linker_home: Path) -> tuple[Path, str]:
    """A home with a marketplace, and what the programs link to."""
    if "JOBMATCH_LOADED" in os.environ:
        folder, _, taxonomy = os.environ["JOBMATCH_LOADED"].rpartition(":")
        return Path(folder), taxonomy
    settings, spec = Settings(own_linker_home), DemoSpec(projects=40, freelancers=300)
    bundled = TaxonomyStore.open(settings).load(BUNDLED_ID)
    MarketplaceStore.open(settings).save(
        "demo", demo_blocks(bundled, spec), origin=spec.origin(bundled), generated=True
    )
    return own_linker_home, BUNDLED_ID


@pytest.mark.long
def test_pairs_are_judged_while_programs_link(loaded: tuple[Path, str], browser: Browser, tmp_path: Path) -> None:
    """Every key press is one judgment, and every request is answered."""
    home, taxonomy = loaded
    config = tmp_path / "serve.toml"
    config.write_text("[limits]\nrequests_a_minute = 0\n", "utf-8")
    seconds = []
    with running_server(home, f"--config={config}") as (address, _):
        context = browser.new_context()
        context.add_cookies([annotator_cookie(ANNOTATOR, address)])
        page = context.new_page()
        page.goto(f"{address}/label_pairs")
        pair = ready(page)
        settle(page)
        with clients(address, taxonomy) as statuses:
            for _ in range(JUDGED):
                before = page.evaluate(_TEXTS)
                begun = time.perf_counter()
                page.keyboard.press("1")
                page.wait_for_function(f"before => ({_TEXTS})() !== before", arg=before, polling="raf")
                seconds.append(time.perf_counter() - begun)
                pair = ready(page, pair)
        context.close()
    with LabelStore.open(os.environ.get("JOBMATCH_DB", "") or Settings(home).label_store) as store:
        judged = store.judgments(JudgmentFilter(annotator=ANNOTATOR))
    assert len({each.pair for each in judged}) == len(judged) >= JUDGED
    assert set(statuses) == {httpx.codes.OK}
    median, high = np.percentile(seconds, [50, 95])
    _log.info("next pair: %.0f ms, 95th percentile %.0f ms; %d requests", median * 1000, high * 1000, len(statuses))
