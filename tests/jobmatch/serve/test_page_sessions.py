"""Sessions of pages: which WebSockets are let in, what they see of the session, and when it ends."""

import asyncio
from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from starlette.applications import Starlette
from starlette.routing import WebSocketRoute
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from db.access_store import AccessStore
from db.label_store import LabelStore
from jobmatch.access import recent
from jobmatch.access.access import Access
from jobmatch.access.access_config import AccessConfig
from jobmatch.access.denials import SESSION_OVER_HEADER
from jobmatch.access.principal import person_id
from jobmatch.serve import access_middleware
from jobmatch.serve.access_middleware import AccessMiddleware
from jobmatch_core.errors import LabelStoreError
from tests.jobmatch.access.made_sessions import cookie, made
from tests.jobmatch.access.made_tokens import CONFIG, ISSUER
from tests.jobmatch.own_loop import finished

ADA = person_id(ISSUER, "248289")
pytestmark = pytest.mark.usefixtures("cookie_secret")


@pytest.fixture(autouse=True)
def nothing_kept(monkeypatch: pytest.MonkeyPatch) -> None:
    """Do not cache answers of the store."""
    monkeypatch.setattr(recent, "SECONDS", 0.0)


@dataclass
class Socket:
    """A WebSocket as a browser uses it, and the session that Streamlit sees."""

    access: Access
    cookie: str
    client: str = "127.0.0.1"
    header: str = ""
    host: str = "localhost"
    path: str = "/_stcore/stream"
    message: bytes = b"rerun"
    headers: dict[bytes, bytes] = field(default_factory=dict)
    run: list[Message] = field(default_factory=list)
    sent: list[Message] = field(default_factory=list)

    def guard(self, app: ASGIApp) -> AccessMiddleware:
        """Return the middleware in front of a page."""
        return AccessMiddleware(app, self.access)

    def send(self, *between: Callable[[], None]) -> "Socket":
        """Send a message after each of some events."""
        finished(self._send(between))
        return self

    async def _send(self, between: tuple[Callable[[], None], ...]) -> None:
        events = iter(between)

        async def receive() -> Message:
            event = next(events, None)
            if event is None:
                return {"type": "websocket.disconnect", "code": 1000}
            event()
            return {"type": "websocket.receive", "bytes": self.message}

        async def send(message: Message) -> None:
            self.sent.append(message)

        async def streamlit(scope: Scope, receive: Receive, _send: Send) -> None:
            self.headers = dict(scope["headers"])
            while (message := await receive())["type"] == "websocket.receive":
                self.run.append(message)

        headers = [
            (b"cookie", self.cookie.encode("latin-1")),
            (SESSION_OVER_HEADER.encode(), b"spoofed"),
            (b"host", self.host.encode()),
        ]
        headers += [(self.header.encode(), b"192.0.2.7")] if self.header else []
        scope = {
            "type": "websocket",
            "path": self.path,
            "headers": headers,
            "client": (self.client, 1),
            "app": Starlette(routes=[WebSocketRoute("/_stcore/stream", nothing)]),
        }
        await self.guard(streamlit)(scope, receive, send)


def nothing() -> None:
    """Nothing happens."""


def test_a_session_that_counts(store: LabelStore) -> None:
    """All messages reach the page; the server's header cannot come from the browser."""
    socket = Socket(made(store, CONFIG), cookie()).send(nothing, nothing)
    assert len(socket.run) == 2
    assert b"_streamlit_user" in socket.headers[b"cookie"]
    assert SESSION_OVER_HEADER.encode() not in socket.headers


@pytest.mark.parametrize(
    ("changed", "reason"), [({"exp": 1}, b"Your session has expired"), ({"aud": "x"}, b"another server")]
)
def test_a_session_that_no_longer_counts(store: LabelStore, changed: dict[str, Any], reason: bytes) -> None:
    """The page gets the reason and no session; other cookies stay."""
    socket = Socket(made(store, CONFIG), cookie(**changed)).send(nothing)
    assert b"_streamlit_user" not in socket.headers[b"cookie"]
    assert b"theme=dark" in socket.headers[b"cookie"]
    assert reason in socket.headers[SESSION_OVER_HEADER.encode()]
    assert len(socket.run) == 1  # the page that asks to sign in


def test_a_forged_cookie(store: LabelStore) -> None:
    """It is removed without a reason."""
    socket = Socket(made(store, CONFIG), cookie(secret="other" * 8)).send(nothing)
    assert b"_streamlit_user" not in socket.headers[b"cookie"]
    assert SESSION_OVER_HEADER.encode() not in socket.headers


def test_a_session_that_expires_while_the_page_is_open(store: LabelStore) -> None:
    """The next message, such as a verdict, does not reach the page."""
    clock = [datetime.now(UTC)]

    def late() -> None:
        clock[0] += timedelta(hours=2)

    socket = Socket(made(store, CONFIG, lambda: clock[0]), cookie()).send(nothing, late, nothing)
    assert len(socket.run) == 1
    assert [(message["type"], message["code"]) for message in socket.sent] == [("websocket.close", 1008)]


def test_a_session_that_is_ended_while_the_page_is_open(store: LabelStore) -> None:
    """The same for a session that an administrator ended."""
    socket = Socket(made(store, CONFIG), cookie()).send(nothing, lambda: store.access.end_sessions(ADA, "Bob"))
    assert len(socket.run) == 1


PROXIED = (
    "x-forwarded-proto",
    "x-forwarded-host",
    "x-forwarded-port",
    "x-forwarded-server",
    "cf-connecting-ip",
    "true-client-ip",
    "via",
    "cdn-loop",
    "x-original-forwarded-for",
)


@pytest.mark.parametrize(
    ("client", "header", "host", "closed"),
    [
        ("127.0.0.1", "", "localhost:8501", False),
        ("::1", "", "[::1]:8501", False),
        ("192.0.2.7", "", "localhost", True),
        ("testserver", "", "localhost", True),
        ("127.0.0.1", "x-forwarded-for", "localhost", True),
        ("127.0.0.1", "forwarded", "localhost", True),
        *(("127.0.0.1", name, "localhost", True) for name in PROXIED),
        ("127.0.0.1", "x-requested-with", "localhost", False),
        ("127.0.0.1", "", "jobs.example", True),
        ("127.0.0.1", "", "[::1", True),
        ("127.0.0.1", "", "", True),
    ],
)
def test_pages_of_a_server_with_keys_alone(
    store: LabelStore, client: str, header: str, host: str, closed: bool
) -> None:
    """They are for this machine only, not for proxies on it, which have another host name."""
    socket = Socket(made(store, AccessConfig(keys=True)), "theme=dark", client, header, host).send(nothing)
    assert (SESSION_OVER_HEADER.encode() in socket.headers) == closed


def test_without_sign_in_nothing_is_read(store: LabelStore) -> None:
    """Streamlit handles the session itself."""
    socket = Socket(made(store, AccessConfig()), "theme=dark").send(nothing)
    assert len(socket.run) == 1
    assert socket.headers[b"cookie"] == b"theme=dark"


def test_websockets_elsewhere(store: LabelStore) -> None:
    """They are closed before any code runs."""
    for access in (made(store, CONFIG), made(store, AccessConfig())):
        socket = Socket(access, cookie(), path="/elsewhere").send(nothing)
        assert [message["type"] for message in socket.sent] == ["websocket.close"]
        assert not socket.run


def test_large_messages_of_somebody_unknown(store: LabelStore) -> None:
    """They close the connection; people with a role may send them."""
    large = b"x" * 65_537
    refused = Socket(made(store, CONFIG), "", message=large).send(nothing)
    assert [message["code"] for message in refused.sent] == [1009]
    assert not refused.run
    without_role = Socket(made(store, CONFIG), cookie(groups=[]), message=large).send(nothing)
    assert not without_role.run
    assert len(Socket(made(store, CONFIG), cookie(), message=large).send(nothing).run) == 1


def test_many_messages_of_somebody_unknown(store: LabelStore) -> None:
    """Sixty per minute reach the page that asks for sign-in."""
    socket = Socket(made(store, CONFIG), "").send(*[nothing] * 61)
    assert len(socket.run) == 60
    assert [message["code"] for message in socket.sent] == [1013]


def connected(access: Access, sockets: int) -> list[int]:
    """Return the closing codes of silent WebSockets of unknown people, until the last is open."""

    async def codes() -> list[int]:
        open_ones, closed = asyncio.Semaphore(0), list[int]()

        async def page(_scope: Scope, receive: Receive, _send: Send) -> None:
            open_ones.release()
            await receive()

        async def send(message: Message) -> None:
            closed.append(message["code"])

        async def silent() -> Message:
            await asyncio.Event().wait()
            raise AssertionError("nothing comes")

        guard = AccessMiddleware(page, access)
        scope = {"type": "websocket", "path": "/_stcore/stream", "headers": [], "client": ("192.0.2.7", 1)}
        scope["app"] = Starlette(routes=[WebSocketRoute("/_stcore/stream", nothing)])
        tasks = []
        for _ in range(sockets):
            tasks.append(asyncio.create_task(guard(dict(scope), silent, send)))
            await open_ones.acquire()
        await asyncio.wait(tasks[:1], timeout=0.2)
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
        return closed

    return finished(codes())


def test_many_websockets_of_somebody_unknown(store: LabelStore, monkeypatch: pytest.MonkeyPatch) -> None:
    """The oldest is closed for a new one, so that sign-in stays possible."""
    monkeypatch.setattr(access_middleware, "MOST_UNKNOWN", 5)
    assert connected(made(store, CONFIG), 5) == []
    assert connected(made(store, CONFIG), 6) == [1013]


def test_a_silent_websocket_of_somebody_unknown(store: LabelStore, monkeypatch: pytest.MonkeyPatch) -> None:
    """It is closed after a while."""
    monkeypatch.setattr(access_middleware, "UNKNOWN_SECONDS", 0.01)
    assert connected(made(store, CONFIG), 1) == [1013]


def test_a_store_that_cannot_be_read(store: LabelStore) -> None:
    """The connection is closed without the reason."""

    def unreadable() -> AccessStore:
        raise LabelStoreError("/srv/secret/jobmatch.db is damaged")

    socket = Socket(Access(CONFIG, unreadable), cookie()).send(nothing)
    assert [(message["code"], "secret" in message["reason"]) for message in socket.sent] == [(1013, False)]
