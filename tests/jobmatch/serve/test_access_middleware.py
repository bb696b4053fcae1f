"""The middleware beside the table: who it hands on, what it leaves alone, and the sessions of pages."""

from collections.abc import Awaitable, Callable
from http.cookies import SimpleCookie

import httpx
import pytest
from starlette.applications import Starlette
from starlette.middleware import Middleware
from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import BaseRoute, Mount, Route
from starlette.types import Receive, Scope, Send

from db.access_store import AccessStore
from db.label_store import LabelStore
from jobmatch.access import permissions, recent
from jobmatch.access.access import Access
from jobmatch.access.access_config import AccessConfig
from jobmatch.access.principal import Role, person_id
from jobmatch.serve import access_middleware
from jobmatch.serve.access_middleware import AccessMiddleware, claims_in, without_session
from jobmatch.serve.rate_limit import RateLimit
from jobmatch.serve.route_table import route_names
from jobmatch_core.errors import LabelStoreError
from tests.jobmatch.access.made_sessions import cookie, made
from tests.jobmatch.access.made_tokens import CONFIG, ISSUER, token
from tests.jobmatch.own_loop import finished

ADA = person_id(ISSUER, "248289")
pytestmark = pytest.mark.usefixtures("cookie_secret")


async def who(request: Request) -> JSONResponse:
    """Return the principal's id and role."""
    principal = request.state.principal
    return JSONResponse({"id": principal.id, "role": principal.role})


ROUTES: list[BaseRoute] = [
    Mount("/api/v1", routes=[Route("/who/{name}", who), Route("/secret", who, methods=["POST"])]),
    Route("/reconcile/forgotten", who),
]


@pytest.fixture(autouse=True)
def table(monkeypatch: pytest.MonkeyPatch) -> None:
    """A table of two routes, without caching."""
    monkeypatch.setattr(recent, "SECONDS", 0.0)
    for module in (permissions, access_middleware):
        monkeypatch.setattr(
            module, "ROUTES", {"GET /api/v1/who/{name}": Role.VIEWER, "POST /api/v1/secret": Role.ADMIN}
        )


def made_pages(page: Callable[[Request], Awaitable[Response]]) -> list[BaseRoute]:
    """Return routes like Streamlit's, and one that a later release might add."""
    upload = "/_stcore/upload_file/{session_id}/{file_id}"
    return [
        Route("/_stcore/health", page, methods=["GET", "HEAD", "OPTIONS"]),
        Route(upload, page, methods=["PUT", "DELETE"]),
        Route("/media/{file_id:path}", page),
        Route("/_stcore/agent/interact", page, methods=["POST", "OPTIONS"]),
        Route("/_stcore/brand-new", page),
        Mount("/", _files),
    ]


async def _files(scope: Scope, receive: Receive, send: Send) -> None:
    """Answer like Streamlit's static files."""
    await JSONResponse("page")(scope, receive, send)


def called(access: Access, method: str, path: str, refusals: RateLimit | None = None, **headers: str) -> httpx.Response:
    """Return the answer to a call, with a page of Streamlit for all other paths."""

    async def answer() -> httpx.Response:
        async def page(_request: Request) -> JSONResponse:
            return JSONResponse("page")

        guard = Middleware(AccessMiddleware, access=access, refusals=refusals)
        app = Starlette(routes=[*ROUTES, *made_pages(page)], middleware=[guard])
        async with httpx.AsyncClient(transport=httpx.ASGITransport(app), base_url="http://here") as client:
            return await client.request(method, path, headers=headers)

    return finished(answer())


def test_the_principal_is_handed_on(store: LabelStore) -> None:
    """In the state of the request; HEAD is checked like GET."""
    access, bearer = made(store, CONFIG), f"Bearer {token()}"
    assert called(access, "GET", "/api/v1/who/x", Authorization=bearer).json() == {"id": ADA, "role": "annotator"}
    assert called(access, "HEAD", "/api/v1/who/x", Authorization=bearer).status_code == 200
    assert called(access, "HEAD", "/api/v1/who/x").status_code == 401
    local = called(made(store, AccessConfig()), "GET", "/api/v1/who/x").json()
    assert local == {"id": "local", "role": "admin"}


def test_too_low_a_role(store: LabelStore) -> None:
    """The answer names the needed role."""
    answer = called(made(store, CONFIG), "POST", "/api/v1/secret", Authorization=f"Bearer {token()}")
    assert (answer.status_code, answer.json()["status"]) == (403, 403)
    assert "needs the role admin" in answer.json()["detail"]


def test_too_many_refusals(store: LabelStore) -> None:
    """The address has to wait, also for valid calls; allowed calls are not counted."""
    access, refusals = made(store, CONFIG), RateLimit(2, clock=lambda: 0.0)
    right, wrong = f"Bearer {token()}", "Bearer jm_wrong"
    path = "/api/v1/who/x"
    for sent, status in ((right, 200), (wrong, 401), (right, 200), (right, 200), (wrong, 401), (wrong, 429)):
        assert called(access, "GET", path, refusals, Authorization=sent).status_code == status
    refused = called(access, "GET", path, refusals, Authorization=right)
    assert (refused.status_code, refused.headers["retry-after"]) == (429, "30")
    assert called(access, "GET", "/label_pairs", refusals).status_code == 200


def test_a_route_that_the_table_forgot(store: LabelStore) -> None:
    """It is closed to everybody, also to administrators and without configuration."""
    for access in (made(store, CONFIG), made(store, AccessConfig())):
        answer = called(access, "GET", "/reconcile/forgotten", Authorization=f"Bearer {token(groups=['admins'])}")
        assert answer.status_code == 403
        assert "not in the table" in answer.json()["detail"]


def test_what_is_left_alone(store: LabelStore) -> None:
    """Paths of Streamlit, which checks sessions itself, and preflight requests."""
    access = made(store, CONFIG)
    assert called(access, "GET", "/label_pairs").json() == "page"
    assert called(access, "GET", "/_stcore/health").json() == "page"
    assert called(access, "OPTIONS", "/api/v1/who/x").status_code == 405
    assert called(access, "DELETE", "/api/v1/who/x").status_code == 405


@pytest.mark.parametrize("path", ["/api/v1/who/x/", "/api/v1//who/x", "/API/v1/who/x", "/api/v1/who/x%2f"])
def test_paths_that_are_nearly_ours(store: LabelStore, path: str) -> None:
    """Paths that the router matches to an API route are checked; all others are pages."""
    answer = called(made(store, CONFIG), "GET", path)
    assert answer.status_code in (200, 307, 401, 404)
    assert '"id"' not in answer.text


def test_routes_as_the_table_names_them() -> None:
    """Mounted routes have their whole path."""
    assert list(route_names(ROUTES)) == ["GET /api/v1/who/{name}", "POST /api/v1/secret", "GET /reconcile/forgotten"]


def test_downloads_of_pages(store: LabelStore) -> None:
    """They need a valid session, or none without sign-in."""
    access = made(store, CONFIG)
    assert called(access, "GET", "/media/x.csv").status_code == 401
    assert called(access, "GET", "/media/x.csv", Cookie=cookie(secret="other" * 8)).status_code == 401
    assert called(access, "GET", "/media/x.csv", Cookie=cookie(exp=1)).status_code == 401
    assert called(access, "GET", "/media/x.csv", Cookie=cookie()).status_code == 200
    assert called(made(store, AccessConfig()), "GET", "/media/x.csv").status_code == 200


UPLOAD = "/_stcore/upload_file/session/file"


@pytest.mark.parametrize("method", ["PUT", "DELETE"])
def test_uploads_of_pages(store: LabelStore, method: str) -> None:
    """They need a session with a role; with keys alone, this machine."""
    access = made(store, CONFIG)
    assert called(access, method, UPLOAD).status_code == 401
    assert called(access, method, UPLOAD, Cookie=cookie(secret="other" * 8)).status_code == 401
    assert called(access, method, UPLOAD, Cookie=cookie(groups=[])).status_code == 403
    assert called(access, method, UPLOAD, Cookie=cookie()).status_code == 200
    keys_alone = made(store, AccessConfig(keys=True))
    assert called(keys_alone, method, UPLOAD, Host="localhost").status_code == 200
    forwarded = called(keys_alone, method, UPLOAD, Host="localhost", **{"X-Forwarded-For": "192.0.2.7"})
    assert forwarded.status_code == 403
    assert called(made(store, AccessConfig()), method, UPLOAD).status_code == 200


def test_refused_uploads_are_limited(store: LabelStore) -> None:
    """Like refused calls of the API."""
    access, refusals = made(store, CONFIG), RateLimit(1, clock=lambda: 0.0)
    assert [called(access, "PUT", UPLOAD, refusals).status_code for _ in range(2)] == [401, 429]


@pytest.mark.parametrize(
    ("method", "path"),
    [
        ("GET", "/_stcore/brand-new"),
        ("POST", "/_stcore/agent/interact"),
        ("OPTIONS", "/_stcore/agent/interact"),
        ("POST", "/_stcore/health"),
        ("POST", "/label_pairs"),
    ],
)
def test_routes_of_pages_that_are_not_listed(store: LabelStore, method: str, path: str) -> None:
    """They are closed to everybody, also without configuration."""
    for access in (made(store, CONFIG), made(store, AccessConfig())):
        assert called(access, method, path, Cookie=cookie(groups=["admins"])).status_code == 403


def test_a_store_that_cannot_be_read() -> None:
    """All are refused, without the reason."""

    def unreadable() -> AccessStore:
        raise LabelStoreError("/srv/secret/jobmatch.db is damaged")

    answer = called(
        Access(AccessConfig(keys=True), unreadable), "GET", "/api/v1/who/x", Authorization=f"Bearer jm_{'x' * 43}"
    )
    assert answer.status_code == 503
    assert "secret" not in answer.text


def test_the_cookie() -> None:
    """It is read only if this server signed it, and removed without the other cookies."""
    claims = claims_in(cookie())
    assert claims is not None
    assert claims["sub"] == "248289"
    for header in (
        cookie(secret="other" * 8),
        "",
        "_streamlit_user=",
        "_streamlit_user=chunks-3",
        "_streamlit_user=é;=;",
    ):
        assert claims_in(header) is None
    assert set(SimpleCookie(without_session(cookie()))) == {"theme", "other"}
