"""The app over the home of a demo, in a window of Chromium, for what the documents show."""

import re
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass

from playwright.sync_api import Page, ViewportSize, expect

from jobmatch.services.demo_home import read_demo
from jobmatch_core.crosswalks.store import CrosswalkStore
from jobmatch_core.errors import SettingsError
from jobmatch_core.settings import Settings
from lab.speed.chromium import open_page
from lab.speed.running_server import running_server

_WINDOW = ViewportSize(width=1280, height=860)
_DRAWN_MS = 3000  # charts are drawn after the script has ended
# page -> its path; {list} and {crosswalk} are the ids of a stored one
PAGES = {
    "review_desk": "/?view=many&list={list}&taxonomy=isco-08",
    "link_titles": "/?title=Krankenschwester",
    "search": "/search?query=someone+who+repairs+lifts",
    "job_descriptions": "/job_descriptions?posting=care-worker",
    "find_freelancers": "/find_freelancers",
    "label_pairs": "/label_pairs",
    "train_models": "/train_models?for=towers",
    "latent_map": "/latent_map?what=freelancers&marketplace=demo&model=untrained&method=pca",
    "taxonomies": "/taxonomies?section=browse&group=2",
    "crosswalks": "/crosswalks?crosswalk={crosswalk}&code=4311",
    "scoreboard": "/scoreboard",
    "audit": "/audit",
}


@dataclass(frozen=True)
class DemoPages:
    """A window on the app, with the ids of the list and the crosswalk that its pages show."""

    page: Page
    address: str
    ids: Mapping[str, str]

    def open(self, name: str) -> None:
        """Open one of PAGES, and wait until it is drawn."""
        self.page.goto(f"{self.address}{PAGES[name].format(**self.ids)}")
        self.settle()
        if name == "review_desk":  # its first titles are the oddest
            self.page.locator(".st-key-many_status").get_by_text(re.compile("^sure")).click()
            self.settle()

    def settle(self) -> None:
        """Wait until the page is drawn."""
        self.page.wait_for_timeout(_DRAWN_MS)
        expect(self.page.get_by_test_id("stApp")).to_have_attribute("data-test-script-state", "notRunning")
        expect(self.page.get_by_test_id("stSkeleton")).to_have_count(0)


@contextmanager
def open_demo(settings: Settings) -> Iterator[DemoPages]:
    """Start the app over the home of a demo, as one of its annotators.

    Raises:
        SettingsError: the home is not a demo's, or there is no Chromium.
        LinkingError: the app did not start.
    """
    demo = read_demo(settings)
    if demo is None:
        raise SettingsError(f"{settings.home} has no demo; make one with 'jobmatch demo --build-only'.")
    crosswalks = CrosswalkStore.open(settings).listed()
    ids = {"list": demo.list_id, "crosswalk": crosswalks[0][0] if crosswalks else ""}
    command = ["jobmatch", "app", "--headless", "--port"]
    with running_server(command, "/_stcore/health", settings) as server, open_page(_WINDOW) as page:
        address = f"http://127.0.0.1:{server.port}"
        page.context.add_cookies([{"name": "jobmatch_annotator", "value": "Alex", "url": address}])
        yield DemoPages(page, address, ids)
