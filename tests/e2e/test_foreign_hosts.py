"""A page of another site must not drive the app under a name of its own that it points at this machine."""

from http.client import HTTPConnection
from urllib.parse import urlsplit

import pytest


def answer_to_a_websocket(address: str, host: str, origin: str) -> int:
    """Return the status by which the app answers a browser that asks for the websocket of its pages."""
    connection = HTTPConnection(urlsplit(address).netloc, timeout=30)
    headers = {
        "Host": host,
        "Origin": origin,
        "Connection": "Upgrade",
        "Upgrade": "websocket",
        "Sec-WebSocket-Version": "13",
        "Sec-WebSocket-Key": "dGhlIHNhbXBsZSBub25jZQ==",
    }
    try:
        connection.request("GET", "/_stcore/stream", headers=headers)
        return connection.getresponse().status
    finally:
        connection.close()


@pytest.mark.parametrize("name", ["evil.example", "127.0.0.1.evil.example", "localhost.example", "169.254.169.254"])
@pytest.mark.parametrize("with_port", [True, False])
def test_a_forged_host_gets_no_websocket(address: str, name: str, with_port: bool) -> None:
    """A host that only looks like a name of this machine gets none either."""
    host = f"{name}:{urlsplit(address).port}" if with_port else name
    assert answer_to_a_websocket(address, host, f"http://{host}") == 403


@pytest.mark.parametrize("name", ["localhost", "LOCALHOST", "127.0.0.1", "[::1]"])
def test_the_names_of_this_machine_get_one(address: str, name: str) -> None:
    """All three of them, in capitals, too."""
    host = f"{name}:{urlsplit(address).port}"
    assert answer_to_a_websocket(address, host, f"http://{host}") == 101


def test_a_page_of_another_site_gets_none(address: str) -> None:
    """Under the app's own address it is the origin that tells."""
    assert answer_to_a_websocket(address, urlsplit(address).netloc, "http://evil.example") == 403
