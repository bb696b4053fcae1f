"""The documentation site that the server shows: its files, what lies beside them, and where none is built."""

import os
from pathlib import Path

import pytest
from starlette.testclient import TestClient

from jobmatch.access.access_config import AccessConfig
from jobmatch.serve.document_pages import MEDIA_TYPES, NO_PAGE, NOT_BUILT
from jobmatch.serve.serve_config import ServeConfig
from jobmatch.services import documentation
from jobmatch.services.documentation import documentation_folder
from tests.jobmatch.serve.conftest import Serving

PAGE = "<!doctype html><title>jobmatch</title>"


@pytest.fixture
def site(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A built site with a page, a script below it, and a secret beside it."""
    folder = tmp_path / "site"
    (folder / "assets").mkdir(parents=True)
    (folder / "index.html").write_text(PAGE, "utf-8")
    (folder / "assets" / "bundle.js").write_text("1", "utf-8")
    (tmp_path / "secret.html").write_text("secret", "utf-8")
    (tmp_path / "site-secret").mkdir()
    (tmp_path / "site-secret" / "index.html").write_text("secret", "utf-8")
    monkeypatch.setenv("JOBMATCH_DOCS", str(folder))
    return folder


@pytest.fixture
def nothing_built(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Whatever this checkout has built is not seen."""
    monkeypatch.delenv("JOBMATCH_DOCS", raising=False)
    monkeypatch.setattr(documentation, "_CHECKOUT", tmp_path)


@pytest.mark.usefixtures("site")
def test_the_site_is_shown(client: TestClient) -> None:
    """Both addresses of the start lead to its first page, whose links are relative to its folder."""
    for address in ("/docs", "/docs/"):
        answer = client.get(address)
        assert (answer.status_code, answer.text, answer.url.path) == (200, PAGE, "/docs/index.html")
    assert client.get("/docs/assets/bundle.js").text == "1"
    assert client.head("/docs/index.html").headers["content-length"] == str(len(PAGE))
    assert client.post("/docs/index.html").status_code in (404, 405)


@pytest.mark.usefixtures("site")
def test_it_needs_no_key(serving: Serving) -> None:
    """Documents are public, also on a server that asks for keys."""
    client = serving(ServeConfig(access=AccessConfig(keys=True)))
    assert client.get("/api/v1/taxonomies").status_code == 401
    assert client.get("/docs").text == PAGE


@pytest.mark.parametrize("name", [f"some file{ending}" for ending in MEDIA_TYPES])
def test_types(client: TestClient, site: Path, name: str) -> None:
    """Those of the table, whatever the machine thinks, and browsers are told not to guess."""
    (site / name).write_bytes(b"x")
    answer = client.get(f"/docs/{name}")
    assert answer.headers["content-type"] == MEDIA_TYPES[Path(name).suffix]
    assert answer.headers["x-content-type-options"] == "nosniff"
    policy = answer.headers["content-security-policy"]
    assert "default-src 'none'" in policy
    assert "frame-ancestors 'none'" in policy
    assert "http" not in policy


@pytest.mark.usefixtures("site")
def test_a_page_that_has_not_changed_is_not_sent_again(client: TestClient) -> None:
    """A browser that asks with the mark of its copy is told that it is the same."""
    first = client.get("/docs/index.html")
    assert first.headers["cache-control"] == "no-cache"
    again = client.get("/docs/index.html", headers={"If-None-Match": first.headers["etag"]})
    assert (again.status_code, again.content) == (304, b"")
    assert "content-security-policy" in again.headers


@pytest.mark.parametrize(
    "path",
    [
        "../secret.html",
        "%2e%2e/secret.html",
        "..%2fsecret.html",
        "assets/..%2f..%2fsecret.html",
        "../site-secret/index.html",
        "%2e%2e%2fsite-secret%2findex.html",
        "link.html",
        "linked/secret.html",
        "..\\secret.html",
        "assets",
        "assets/",
        "nothing.html",
        "settings.toml",
        "index.html%00.js",
        "x" * 5000 + ".html",
    ],
)
def test_nothing_else_is_shown(client: TestClient, site: Path, path: str) -> None:
    """No file outside the folder, also through a link in it or by an absolute path; no folder, no other type."""
    (site / "link.html").symlink_to(site.parent / "secret.html")
    (site / "linked").symlink_to(site.parent)
    (site / "settings.toml").write_text("secret", "utf-8")
    for address in (path, f"/{site.parent}/secret.html", f"%2f{site.parent}/secret.html"):
        answer = client.get(f"/docs/{address}")
        assert "secret" not in answer.text
        assert answer.status_code == 404
        assert (answer.text in (NO_PAGE, "Not Found")) or answer.json()


@pytest.mark.usefixtures("nothing_built")
@pytest.mark.parametrize("address", ["/docs", "/docs/", "/docs/cli.html"])
def test_where_nothing_is_built(client: TestClient, address: str) -> None:
    """A sentence says what to do."""
    answer = client.get(address)
    assert (answer.status_code, answer.text) == (404, NOT_BUILT)
    assert answer.headers["content-type"] == "text/plain; charset=utf-8"
    assert "make docs" in answer.text


@pytest.mark.usefixtures("nothing_built")
def test_a_site_that_is_built_later_is_found(client: TestClient, tmp_path: Path) -> None:
    """In a checkout, in the folder in which `make docs` builds it; an installation has none of its own."""
    built = tmp_path / "build" / "docs" / "site"
    built.mkdir(parents=True)
    (built / "index.html").write_text(PAGE, "utf-8")
    assert client.get("/docs").status_code == 404
    (tmp_path / "pyproject.toml").touch()
    assert client.get("/docs").text == PAGE


def test_the_folder_is_the_one_that_is_named(site: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """One without a first page is none."""
    assert documentation_folder() == site.resolve()
    for named in (os.fspath(site / "assets"), "~nobody-of-that-name/docs", "x" * 5000):
        monkeypatch.setenv("JOBMATCH_DOCS", named)
        assert documentation_folder() is None
