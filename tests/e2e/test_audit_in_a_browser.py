"""An auditor's visit: an audit in the background, its findings, and the evidence pack."""

import io
import re
import zipfile
from pathlib import Path

import pytest
from playwright.sync_api import expect

from tests.e2e.conftest import OpenPage, settle
from tests.e2e.test_in_a_browser import no_traceback


@pytest.mark.long
def test_an_audit_goes_on_while_another_page_is_open(open_page: OpenPage) -> None:
    """From the button to the findings, the page for printing and the pack; nothing is wider than the window."""
    page = open_page("/audit")
    expect(page.get_by_text("No audit is stored yet")).to_be_visible()
    page.get_by_text("Sample: at most").click()
    page.get_by_label("Most twins of a language").fill("10")
    page.keyboard.press("Enter")
    settle(page)
    page.get_by_role("button", name="Audit", exact=True).click()
    page.get_by_role("link", name="Help").first.click()
    settle(page)
    page.get_by_role("link", name="Audit", exact=True).first.click()
    expect(page.get_by_role("heading", name=re.compile("Worst finding: titles in"))).to_be_visible()
    settle(page)
    for width in (1280, 390):
        page.set_viewport_size({"width": width, "height": 900})
        settle(page)
        assert page.evaluate("document.querySelector('[data-testid=stMain]').scrollWidth") <= width
    with page.expect_download() as download:
        page.get_by_role("button", name="Evidence pack (ZIP)").click()
    with zipfile.ZipFile(io.BytesIO(Path(download.value.path()).read_bytes())) as archive:
        assert "Titles in" in archive.read("evidence/evidence.html").decode()
    no_traceback(page)
