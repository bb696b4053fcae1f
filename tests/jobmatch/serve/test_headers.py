"""The headers of requests from pages of other sites, to every face, and the header that names a download."""

from email.message import Message
from pathlib import Path
from urllib.parse import unquote

import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from starlette.datastructures import Headers
from starlette.testclient import TestClient

from jobmatch.serve.headers import content_disposition, is_foreign
from jobmatch.serve.route_table import route_names
from jobmatch.serve.server import api_routes
from jobmatch.services.linking import LinkingService
from jobmatch_core.io.download_names import ascii_name, download_name
from tests.jobmatch.serve.conftest import Serving

HOST = "jobs.example:8501"
ENDING = " linked.csv"


@pytest.mark.parametrize(
    ("headers", "foreign"),
    [
        ({}, False),
        ({"origin": f"http://{HOST}"}, False),
        ({"origin": f"https://{HOST.upper()}"}, False),
        ({"origin": "http://jobs.example"}, True),
        ({"origin": "http://jobs.example:3333"}, True),
        ({"origin": "null"}, True),
        ({"origin": ""}, True),
        ({"sec-fetch-site": "same-origin"}, False),
        ({"sec-fetch-site": "none"}, False),
        ({"sec-fetch-site": "cross-site"}, True),
        ({"sec-fetch-site": "same-site", "sec-fetch-dest": "script"}, True),
        ({"sec-fetch-site": "cross-site", "sec-fetch-dest": "iframe"}, True),
        ({"sec-fetch-site": "cross-site", "sec-fetch-dest": "document"}, False),
        ({"sec-fetch-site": "cross-site", "sec-fetch-dest": "document", "origin": "null"}, True),
        ({"sec-fetch-site": "cross-site", "origin": f"http://{HOST}"}, True),
    ],
)
def test_foreign_requests(headers: dict[str, str], foreign: bool) -> None:
    """Scripts, frames and calls of other origins are foreign; followed links are not."""
    assert is_foreign(Headers({"host": HOST, **headers})) is foreign


@pytest.mark.parametrize(
    "path", ["/api", "/api/openapi.json", "/docs", "/healthz", "/readyz", "/metrics", "/api/v1/taxonomies"]
)
def test_links_may_be_followed(client: TestClient, path: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """From pages of any site."""
    (tmp_path / "index.html").touch()
    monkeypatch.setenv("JOBMATCH_DOCS", str(tmp_path))
    link = {"Sec-Fetch-Site": "cross-site", "Sec-Fetch-Dest": "document"}
    assert client.get(path, headers=link).status_code in (200, 503)


def test_pages_of_other_sites_read_no_other_face(serving: Serving, service: LinkingService) -> None:
    """All routes except those of ESCO's web service and reconciliation refuse them."""
    client = serving()
    walked = 0
    for method, path in map(str.split, route_names(api_routes(service))):
        if path.startswith(("/esco/", "/reconcile/")):
            continue
        walked += 1
        for headers in ({"Origin": "https://evil.example"}, {"Origin": "null"}, {"Sec-Fetch-Site": "cross-site"}):
            for verb in (method, "OPTIONS"):
                asked = headers | {"Access-Control-Request-Method": method}
                answer = client.request(verb, path.replace("{", "").replace("}", ""), headers=asked)
                assert answer.status_code == 403, (verb, path)
                assert not any(name.startswith("access-control-") for name in answer.headers)
    assert walked > 15


def names_in(header: str) -> tuple[str, str]:
    """Return both names, read by the standard library's parser."""
    message = Message()
    message["Content-Disposition"] = header
    plain = header.partition('filename="')[2].partition('"')[0]
    encoded = header.partition("filename*=UTF-8''")[2]
    assert message.get_content_disposition() == "attachment"
    return plain, unquote(encoded)


@given(st.text(max_size=400))
@example("Köche, März")
@example('my "best" \\ titles')
@example("a\r\nX-Evil: 1")
@example("100%25")
@example("a; filename=b")
def test_any_name(stem: str) -> None:
    """The header is one line of ASCII from which both names can be read."""
    header = content_disposition(stem, ENDING)
    assert header.isascii()
    assert header.isprintable()
    assert header.count('"') == 2
    name = download_name(stem, ENDING)
    assert names_in(header) == (ascii_name(name), name)
