"""Chromium as it is installed, for what the lab looks at and times."""

from collections.abc import Iterator
from contextlib import contextmanager
from shutil import which

from playwright.sync_api import Page, ViewportSize, expect, sync_playwright

from jobmatch_core.errors import SettingsError
from lab.speed.running_server import PATIENCE

BROWSERS = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable")


@contextmanager
def open_page(window: ViewportSize) -> Iterator[Page]:
    """Open an empty page in a window of a size; raises SettingsError if no Chromium is installed."""
    path = next((found for name in BROWSERS if (found := which(name))), None)
    if path is None:
        raise SettingsError("There is no Chromium; install it, for example with 'apt install chromium'.")
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=path, args=["--no-sandbox", "--disable-gpu"])
        page = browser.new_page(viewport=window)
        page.set_default_timeout(PATIENCE * 1000)
        expect.set_options(timeout=PATIENCE * 1000)
        yield page
        browser.close()
