"""The middleware beside the table: who it hands on, what it leaves alone, and the sessions of pages."""

import json
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from http.cookies import SimpleCookie
from pathlib import Path
from typing import Any

import httpx
import pytest
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import JSONResponse
from starlette.routing import BaseRoute, Mount, Route
from starlette.types import Message, Receive, Scope, Send
from streamlit import config as streamlit_config
from streamlit.web.server.starlette.starlette_app_utils import create_signed_value

from db.access_store import AccessStore
from db.label_store import LabelStore
from jobmatch.serve.access import permissions, recent
from jobmatch.serve.access.access import Access
from jobmatch.serve.access.access_config import AccessConfig
from jobmatch.serve.access.bearer_tokens import TokenVerifier
from jobmatch.serve.access.middleware import (
    SESSION_OVER_HEADER,
    AccessMiddleware,
    claims_in,
    methods_and_paths,
    without_session,
)
from jobmatch.serve.access.principal import Role, person_id
from jobmatch.serve.rate_limit import RateLimit
from jobmatch_core.errors import LabelStoreError
from tests.jobmatch.serve.access.made_tokens import CONFIG, ISSUER, SIGN_IN, Provider, claims, token
from tests.jobmatch.serve.own_loop import finished

SECRET = "s" * 32
ADA = person_id(ISSUER, "248289")


async def who(request: Request) -> JSONResponse:
    """Say who asks."""
    principal = request.state.principal
    return JSONResponse({"id": principal.id, "role": principal.role})


ROUTES: list[BaseRoute] = [
    Mount("/api/v1", routes=[Route("/who/{name}", who), Route("/secret", who, methods=["POST"])]),
    Route("/reconcile/forgotten", who),
]


@pytest.fixture(autouse=True)
def table(monkeypatch: pytest.MonkeyPatch) -> None:
    """A table of two routes; and nothing is kept for some seconds."""
    monkeypatch.setattr(recent, "SECONDS", 0.0)
    for module in (permissions, __import__("jobmatch.serve.access.middleware", fromlist=["ROUTES"])):
        monkeypatch.setattr(
            module, "ROUTES", {"GET /api/v1/who/{name}": Role.VIEWER, "POST /api/v1/secret": Role.ADMIN}
        )


@pytest.fixture(autouse=True)
def cookie_secret() -> Iterator[None]:
    """What signs cookies."""
    before = streamlit_config.get_option("server.cookieSecret")
    streamlit_config.set_option("server.cookieSecret", SECRET)
    yield
    streamlit_config.set_option("server.cookieSecret", before)


@pytest.fixture
def store(tmp_path: Path) -> Iterator[LabelStore]:
    """A label store without people and keys."""
    with LabelStore.open(tmp_path / "jobmatch.db") as opened:
        yield opened


def made(store: LabelStore, config: AccessConfig, clock: Callable[[], datetime] | None = None) -> Access:
    """Return the access of a configuration."""
    verifier = TokenVerifier(SIGN_IN, Provider().transport()) if config.sign_in else None
    return Access(config, lambda: store.access, verifier=verifier, clock=clock or (lambda: datetime.now(UTC)))


def called(access: Access, method: str, path: str, refusals: RateLimit | None = None, **headers: str) -> httpx.Response:
    """Return the answer to a call, with a page of Streamlit's for all other paths."""

    async def answer() -> httpx.Response:
        async def page(_request: Request) -> JSONResponse:
            return JSONResponse("page")

        app = Starlette(routes=[*ROUTES, Route("/{path:path}", page)])
        guarded = AccessMiddleware(app, access, ROUTES, refusals)
        async with httpx.AsyncClient(transport=httpx.ASGITransport(guarded), base_url="http://here") as client:
            return await client.request(method, path, headers=headers)

    return finished(answer())


def test_the_principal_is_handed_on(store: LabelStore) -> None:
    """To the route, in the request's state; HEAD is asked like GET."""
    access, bearer = made(store, CONFIG), f"Bearer {token()}"
    assert called(access, "GET", "/api/v1/who/x", Authorization=bearer).json() == {"id": ADA, "role": "annotator"}
    assert called(access, "HEAD", "/api/v1/who/x", Authorization=bearer).status_code == 200
    assert called(access, "HEAD", "/api/v1/who/x").status_code == 401
    local = called(made(store, AccessConfig()), "GET", "/api/v1/who/x").json()
    assert local == {"id": "local", "role": "admin"}


def test_too_low_a_role(store: LabelStore) -> None:
    """The answer names the role that is needed."""
    answer = called(made(store, CONFIG), "POST", "/api/v1/secret", Authorization=f"Bearer {token()}")
    assert (answer.status_code, answer.json()["status"]) == (403, 403)
    assert "needs the role admin" in answer.json()["detail"]


def test_too_many_refusals(store: LabelStore) -> None:
    """A guesser's address has to wait, also with what would be right; calls that are allowed do not count."""
    access, refusals = made(store, CONFIG), RateLimit(2, clock=lambda: 0.0)
    right, wrong = f"Bearer {token()}", "Bearer jm_wrong"
    path = "/api/v1/who/x"
    for sent, status in ((right, 200), (wrong, 401), (right, 200), (right, 200), (wrong, 401), (wrong, 429)):
        assert called(access, "GET", path, refusals, Authorization=sent).status_code == status
    refused = called(access, "GET", path, refusals, Authorization=right)
    assert (refused.status_code, refused.headers["retry-after"]) == (429, "30")
    assert called(access, "GET", "/label_pairs", refusals).status_code == 200


def test_a_route_that_the_table_forgot(store: LabelStore) -> None:
    """Nobody gets in, not even an administrator, and not even where nothing is configured."""
    for access in (made(store, CONFIG), made(store, AccessConfig())):
        answer = called(access, "GET", "/reconcile/forgotten", Authorization=f"Bearer {token(groups=['admins'])}")
        assert answer.status_code == 403
        assert "not in the table" in answer.json()["detail"]


def test_what_is_left_alone(store: LabelStore) -> None:
    """Streamlit's paths, which check sessions themselves, and the question of browsers before a foreign request."""
    access = made(store, CONFIG)
    assert called(access, "GET", "/label_pairs").json() == "page"
    assert called(access, "OPTIONS", "/api/v1/who/x").status_code == 405
    assert called(access, "DELETE", "/api/v1/who/x").status_code == 405


@pytest.mark.parametrize("path", ["/api/v1/who/x/", "/api/v1//who/x", "/API/v1/who/x", "/api/v1/who/x%2f"])
def test_paths_that_are_nearly_ours(store: LabelStore, path: str) -> None:
    """What the router takes for one of our routes is checked as that one; all else is a page, and tells nothing."""
    answer = called(made(store, CONFIG), "GET", path)
    assert answer.status_code in (200, 307, 401, 404)
    assert '"id"' not in answer.text


def test_routes_as_the_table_names_them() -> None:
    """Mounted ones with their whole path."""
    assert list(methods_and_paths(ROUTES)) == [
        "GET /api/v1/who/{name}", "POST /api/v1/secret", "GET /reconcile/forgotten",
    ]  # fmt: skip


def cookie(secret: str = SECRET, **changed: Any) -> str:
    """Return the header of somebody who has signed in, as the browser sends it."""
    value = create_signed_value(secret, "_streamlit_user", json.dumps(claims(**changed))).decode()
    return f'theme=dark; _streamlit_user="{value}"; _streamlit_user_tokens=abc; other=1'


def test_downloads_of_pages(store: LabelStore) -> None:
    """Nobody gets them without a session that counts; where nobody signs in they are as before."""
    access = made(store, CONFIG)
    assert called(access, "GET", "/media/x.csv").status_code == 401
    assert called(access, "GET", "/media/x.csv", Cookie=cookie(secret="other" * 8)).status_code == 401
    assert called(access, "GET", "/media/x.csv", Cookie=cookie(exp=1)).status_code == 401
    assert called(access, "GET", "/media/x.csv", Cookie=cookie()).status_code == 200
    assert called(made(store, AccessConfig()), "GET", "/media/x.csv").status_code == 200
    assert called(access, "POST", "/_stcore/agent/interact").status_code == 401
    keys_alone = made(store, AccessConfig(keys=True))
    assert called(keys_alone, "POST", "/_stcore/agent/interact", **{"X-Forwarded-For": "192.0.2.7"}).status_code == 403


def test_a_store_that_cannot_be_read() -> None:
    """Nobody gets in, and nobody learns why."""

    def unreadable() -> AccessStore:
        raise LabelStoreError("/srv/secret/jobmatch.db is damaged")

    answer = called(
        Access(AccessConfig(keys=True), unreadable), "GET", "/api/v1/who/x", Authorization=f"Bearer jm_{'x' * 43}"
    )
    assert answer.status_code == 503
    assert "secret" not in answer.text


def test_the_cookie() -> None:
    """Read only if this server signed it; taken out without the others."""
    found = claims_in(cookie())
    assert found is not None
    assert found["sub"] == "248289"
    for header in (
        cookie(secret="other" * 8),
        "",
        "_streamlit_user=",
        "_streamlit_user=chunks-3",
        "_streamlit_user=é;=;",
    ):
        assert claims_in(header) is None
    assert set(SimpleCookie(without_session(cookie()))) == {"theme", "other"}


@dataclass
class Socket:
    """A WebSocket as a browser uses it, and the session that Streamlit sees."""

    access: Access
    cookie: str
    client: str = "127.0.0.1"
    header: str = ""
    host: str = "localhost"
    headers: dict[bytes, bytes] = field(default_factory=dict)
    run: list[Message] = field(default_factory=list)
    sent: list[Message] = field(default_factory=list)

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
            return {"type": "websocket.receive", "bytes": b"rerun"}

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
        scope = {"type": "websocket", "path": "/_stcore/stream", "headers": headers, "client": (self.client, 1)}
        await AccessMiddleware(streamlit, self.access, ROUTES)(scope, receive, send)


def nothing() -> None:
    """Nothing happens."""


def test_a_session_that_counts(store: LabelStore) -> None:
    """All its messages reach the page; the header that is ours does not come from the browser."""
    socket = Socket(made(store, CONFIG), cookie()).send(nothing, nothing)
    assert len(socket.run) == 2
    assert b"_streamlit_user" in socket.headers[b"cookie"]
    assert SESSION_OVER_HEADER.encode() not in socket.headers


@pytest.mark.parametrize(
    ("changed", "reason"), [({"exp": 1}, b"Your session has expired"), ({"aud": "x"}, b"not of this")]
)
def test_a_session_that_no_longer_counts(store: LabelStore, changed: dict[str, Any], reason: bytes) -> None:
    """The page is told why, and sees nobody signed in; the other cookies stay."""
    socket = Socket(made(store, CONFIG), cookie(**changed)).send(nothing)
    assert b"_streamlit_user" not in socket.headers[b"cookie"]
    assert b"theme=dark" in socket.headers[b"cookie"]
    assert reason in socket.headers[SESSION_OVER_HEADER.encode()]
    assert len(socket.run) == 1  # the page that asks to sign in


def test_a_forged_cookie(store: LabelStore) -> None:
    """It is taken away, and nothing is said of it."""
    socket = Socket(made(store, CONFIG), cookie(secret="other" * 8)).send(nothing)
    assert b"_streamlit_user" not in socket.headers[b"cookie"]
    assert SESSION_OVER_HEADER.encode() not in socket.headers


def test_a_session_that_expires_while_the_page_is_open(store: LabelStore) -> None:
    """The next message, which might be a verdict, does not reach the page."""
    clock = [datetime.now(UTC)]

    def late() -> None:
        clock[0] += timedelta(hours=2)

    socket = Socket(made(store, CONFIG, lambda: clock[0]), cookie()).send(nothing, late, nothing)
    assert len(socket.run) == 1
    assert [(message["type"], message["code"]) for message in socket.sent] == [("websocket.close", 1008)]


def test_a_session_that_is_ended_while_the_page_is_open(store: LabelStore) -> None:
    """Likewise."""
    socket = Socket(made(store, CONFIG), cookie()).send(nothing, lambda: store.access.end_sessions(ADA, "Bob"))
    assert len(socket.run) == 1


@pytest.mark.parametrize(
    ("client", "header", "host", "closed"),
    [
        ("127.0.0.1", "", "localhost:8501", False), ("::1", "", "[::1]:8501", False),
        ("192.0.2.7", "", "localhost", True), ("testserver", "", "localhost", True),
        ("127.0.0.1", "x-forwarded-for", "localhost", True), ("127.0.0.1", "forwarded", "localhost", True),
        ("127.0.0.1", "", "jobs.example", True), ("127.0.0.1", "", "[::1", True), ("127.0.0.1", "", "", True),
    ],
)  # fmt: skip
def test_pages_of_a_server_with_keys_alone(
    store: LabelStore, client: str, header: str, host: str, closed: bool
) -> None:
    """They are for its own machine, whose proxy may serve everybody, under another name."""
    socket = Socket(made(store, AccessConfig(keys=True)), "theme=dark", client, header, host).send(nothing)
    assert (SESSION_OVER_HEADER.encode() in socket.headers) == closed


def test_without_sign_in_nothing_is_read(store: LabelStore) -> None:
    """The page's session is Streamlit's own matter then."""
    socket = Socket(made(store, AccessConfig()), "theme=dark").send(nothing)
    assert len(socket.run) == 1
    assert socket.headers[b"cookie"] == b"theme=dark"
