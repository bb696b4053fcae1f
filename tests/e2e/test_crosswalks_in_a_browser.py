"""The page 'Crosswalks' in a browser: from a list of 40 national codes to a reviewed file that others accept."""

import csv
import re
import shutil
import subprocess
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from jobmatch_core.crosswalks.conflicts import problems_of
from jobmatch_core.crosswalks.sssom import read_sssom
from jobmatch_core.taxonomy import BUNDLED_ID, Taxonomy, TaxonomyStore
from tests.e2e.conftest import OpenPage, settle

SSSOM_PY = shutil.which("sssom")
N_CODES = 40


def national_list(taxonomy: Taxonomy, path: Path) -> Path:
    """Write 40 codes: the names of every tenth group, each fifth one in words that no taxonomy has."""
    with path.open("w", encoding="utf-8", newline="") as file:
        rows = csv.writer(file)
        rows.writerow(["code", "name"])
        for place in range(N_CODES):
            name = taxonomy.name(taxonomy.occupation_numbers[10 * place], "en")
            rows.writerow([f"{place // 10 + 1}{place % 10}", f"Keeper of seal {place}" if place % 5 == 4 else name])
    return path


def shown_code(page: Page) -> str:
    """Return the code that the panel shows."""
    return page.locator(".st-key-panel_title").inner_text().split(" · ")[0].strip()


def press(page: Page, key: str, before: str) -> None:
    """Press a key that decides, and wait for the next code."""
    page.keyboard.press(key)
    expect(page.locator(".st-key-panel_title")).not_to_contain_text(re.compile(rf"^\s*{before} ·"))
    settle(page)


@pytest.mark.long
def test_forty_codes_by_keyboard(open_page: OpenPage, home: Path, tmp_path: Path) -> None:
    """One key for most codes; undo and search on the way; the file is valid, and holds every code."""
    taxonomy = TaxonomyStore(home / "taxonomies").load(BUNDLED_ID)
    page = open_page(f"/crosswalks?taxonomy={BUNDLED_ID}", "Ann")
    page.get_by_test_id("stFileUploaderDropzoneInput").set_input_files(national_list(taxonomy, tmp_path / "list.csv"))
    page.get_by_role("button", name="Propose mappings").click()
    expect(page.locator(".st-key-panel_title")).to_be_visible()
    settle(page)
    for place in range(N_CODES):
        code = shown_code(page)
        accept = page.locator(".st-key-accept button:visible")
        press(page, "Enter" if accept.is_enabled() else "0", code)
        if place == 3:
            page.keyboard.press("u")
            expect(page.locator(".st-key-panel_title")).to_contain_text(re.compile(rf"^\s*{code} ·"))
            settle(page)
            page.keyboard.press("o")
            expect(page.locator(".st-key-pick_1")).to_contain_text("close")
            settle(page)
            press(page, "Enter", code)
        if place == N_CODES - 2:
            break
    page.keyboard.press("Enter" if page.locator(".st-key-accept button:visible").is_enabled() else "0")
    expect(page.get_by_text("No code is left in this view.").first).to_be_visible()
    settle(page)
    page.get_by_role("button", name="Download").click()
    with page.expect_download() as download:
        page.get_by_role("button", name="SSSOM", exact=True).click()
    path = tmp_path / "reviewed.sssom.tsv"
    download.value.save_as(path)
    file = read_sssom(path)
    assert problems_of(file) == []
    assert len({item.source for item in file.mappings.mappings}) == N_CODES
    assert {(item.state, item.reviewer) for item in file.mappings.mappings} == {("reviewed", "Ann")}
    assert "close" in {item.relation for item in file.mappings.mappings}
    if SSSOM_PY is not None:
        done = subprocess.run([SSSOM_PY, "validate", path], capture_output=True, text=True, check=False, timeout=120)
        assert (done.returncode, "ERROR" in done.stderr) == (0, False), done.stderr
