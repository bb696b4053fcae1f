"""The documentation site: its navigation lists every document, and its pages have links that work there."""

import re
import tomllib
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from docs.site import site_pages
from docs.site.site_pages import CONFIG, ROOT, page, places, write
from jobmatch.services import documentation
from jobmatch_core import __version__

PLACES = places()
NAVIGATION = tomllib.loads(CONFIG.read_text("utf-8"))["project"]["nav"]


def listed(entries: list[dict[str, Any]]) -> Iterator[str]:
    """Yield the pages of a navigation."""
    for entry in entries:
        for _, target in entry.items():
            yield from [target] if isinstance(target, str) else listed(target)


def test_the_navigation_lists_every_document() -> None:
    """Each page of docs/ once, and nothing that does not exist."""
    found = list(listed(NAVIGATION))
    documents = {path.name for path in (ROOT / "docs").glob("*.md")}
    assert len(found) == len(set(found))
    assert documents - set(found) == set()
    assert set(found) - set(PLACES.values()) == set()
    assert {"index.md", "contributing.md", "changelog.md"} <= set(found)


def test_no_two_documents_have_one_place() -> None:
    """Two documents of one place would hide each other."""
    assert len(set(PLACES.values())) == len(PLACES)
    assert len(PLACES) > 25


@pytest.mark.parametrize("document", PLACES, ids=lambda path: str(path.relative_to(ROOT)))
def test_links_of_a_page_work_in_the_site(document: Path, tmp_path: Path) -> None:
    """They lead to pages and pictures of the site, or to other sites."""
    text = re.sub(r"^ *```.*?^ *```$", "", page(document), flags=re.DOTALL | re.MULTILINE)
    there = (tmp_path / PLACES[document]).parent
    pages = {tmp_path / place for place in PLACES.values()}
    files = (path.relative_to(ROOT / "docs") for path in (ROOT / "docs").rglob("*"))
    pictures = {tmp_path / path for path in files if path.suffix in (".png", ".svg", ".webp")}
    targets = [target.partition("#")[0] for target in re.findall(r"\]\(([^)\s]+)\)", re.sub(r"`[^`]*`", "", text))]
    local = [(there / target).resolve() for target in targets if target and not re.match(r"[a-z]+:", target)]
    assert [target for target in local if target not in pages | pictures] == []
    assert "<!--" not in text


def test_links_to_code_are_left_as_words() -> None:
    """A site has no files of the code."""
    assert "([arrays](../jobmatch_core" in (ROOT / "docs" / "words.md").read_text("utf-8")
    assert "folded (arrays)" in page(ROOT / "docs" / "words.md")


def test_lists_are_indented_as_the_site_needs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """By four columns; what is no part of an item, and what stands in a block, stays."""
    document = tmp_path / "docs" / "page.md"
    document.parent.mkdir()
    text = "1. One\n\n   ```\n   a\n   ```\n\n- Two\n  and\n\nPlain\n\n```\n- x\n  y\n```\n"
    document.write_text(text, "utf-8")
    monkeypatch.setattr(site_pages, "ROOT", tmp_path)
    shown = page(document)
    assert "1. One\n\n    ```\n    a\n    ```\n" in shown
    assert "- Two\n    and\n\nPlain" in shown
    assert "```\n- x\n  y\n```" in shown


def test_the_site_is_written_with_the_version(tmp_path: Path) -> None:
    """In its title, and with its pictures."""
    write(tmp_path)
    config = tomllib.loads((tmp_path / "zensical.toml").read_text("utf-8"))["project"]
    assert config["site_name"] == f"jobmatch {__version__}"
    assert (tmp_path / "pages" / "screenshot.png").is_file()
    assert (tmp_path / "pages" / "cards" / "jobmatch-titles.md").is_file()
    assert config["theme"]["font"] is False


def test_the_server_shows_what_make_builds() -> None:
    """Both name the same folder."""
    makefile = (ROOT / "Makefile").read_text("utf-8")
    assert "docs/site/site_pages.py build/docs" in makefile
    site = tomllib.loads(CONFIG.read_text("utf-8"))["project"]["site_dir"]
    assert Path("build/docs", site) == documentation._BUILT
