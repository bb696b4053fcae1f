"""Routes and the table of permissions: it names every route, and each role gets what it says, no more."""

import base64
import os
import re
import subprocess
import sys
from datetime import UTC, datetime
from itertools import product
from pathlib import Path
from urllib.parse import quote

import httpx
import pytest
from starlette.applications import Starlette
from starlette.responses import PlainTextResponse
from starlette.routing import BaseRoute
from starlette.types import Receive, Scope, Send

from db.label_store import LabelStore
from jobmatch.access.access import Access
from jobmatch.access.api_keys import new_key
from jobmatch.access.bearer_tokens import TokenVerifier
from jobmatch.access.permissions import PAGE_ROUTES, ROUTES, SCOPES
from jobmatch.access.principal import Role
from jobmatch.serve.access_middleware import AccessMiddleware
from jobmatch.serve.route_table import route_names
from jobmatch.serve.server import api_routes
from jobmatch.services.linking import LinkingService
from jobmatch_core.settings import Settings
from tests.jobmatch.access.made_tokens import CONFIG, SIGN_IN, Provider, bad_tokens, token
from tests.jobmatch.own_loop import finished

ROOT = Path(__file__).parents[3]
NOW = datetime(2026, 11, 21, 12, tzinfo=UTC)
LET_IN = 204


@pytest.fixture(scope="module")
def routes(tmp_path_factory: pytest.TempPathFactory) -> list[BaseRoute]:
    """The server's own routes."""
    return api_routes(LinkingService(Settings(tmp_path_factory.mktemp("home"))))


def called(store: LabelStore, routes: list[BaseRoute], calls: list[tuple[str, str]]) -> list[httpx.Response]:
    """Return the answers to calls, each a line of the table and a header; the routes themselves are not run.

    Routes with a key in their address get the header's credential there, and no header.
    """

    async def answers() -> list[httpx.Response]:
        verifier = TokenVerifier(SIGN_IN, Provider().transport())
        access = Access(CONFIG, lambda: store.access, verifier=verifier)
        app = Starlette(routes=routes)
        guarded = AccessMiddleware(PlainTextResponse("", LET_IN), access)

        async def called(scope: Scope, receive: Receive, send: Send) -> None:
            await guarded({**scope, "app": app}, receive, send)

        async with httpx.AsyncClient(transport=httpx.ASGITransport(called), base_url="http://here") as client:
            return [await client.request(*_target(*call), headers=_headers(*call)) for call in calls]

    return finished(answers())


def _target(line: str, header: str) -> tuple[str, str]:
    method, path = line.split(" ")
    in_address = quote(_credential(header).replace("/", "") or "1", safe="")
    return method, re.sub(r"\{\w+(:\w+)?\}", "1", path.replace("{key}", in_address))


def _credential(header: str) -> str:
    return header.partition(" ")[2] or header


def _headers(line: str, header: str) -> dict[str, str]:
    return {"Authorization": header} if header and not _keyed(line) else {}


def _keyed(line: str) -> bool:
    return "{key}" in line


def test_every_route_is_in_the_table(routes: list[BaseRoute]) -> None:
    """Every entry of the table is a route, and every route an entry."""
    assert set(route_names(routes)) == set(ROUTES)
    assert ROUTES


def test_every_route_of_pages_is_in_the_table(tmp_path: Path) -> None:
    """Those of the installed Streamlit, in a process of its own, since a process can have one app only."""
    program = (
        "from jobmatch.serve.route_table import route_names; from jobmatch.serve.server import build_app;"
        "app = build_app(); app._runtime = app._create_runtime();"
        "print(*route_names(app._build_starlette_app().routes), sep='\\n')"
    )
    environment = {**os.environ, "JOBMATCH_HOME": str(tmp_path)}
    listing = subprocess.run(
        [sys.executable, "-c", program], cwd=ROOT, env=environment, capture_output=True, check=True
    )
    names = listing.stdout.decode().splitlines()
    assert set(names) == set(ROUTES) | set(PAGE_ROUTES)


@pytest.mark.parametrize("role", [None, *Role])
def test_routes_by_role(store: LabelStore, routes: list[BaseRoute], role: Role | None) -> None:
    """With a token; a refusal names the needed role. Tokens in an address are invalid."""
    header = f"Bearer {token(groups=[f'{role}s'] if role else [])}"
    for (line, needed), answer in zip(
        ROUTES.items(), called(store, routes, [(line, header) for line in ROUTES]), strict=True
    ):
        if _keyed(line):
            assert answer.status_code == 401, line
        elif needed is None or (role is not None and role.reaches(needed)):
            assert answer.status_code == LET_IN, line
        else:
            assert answer.status_code == 403, line
            assert answer.headers["content-type"] == "application/problem+json"
            assert f"needs the role {needed}" in answer.json()["detail"]


def test_keys_by_role_and_scope(store: LabelStore, routes: list[BaseRoute]) -> None:
    """A key opens what both its role and its scopes allow; in an address it may only read."""
    keys = {}
    for role, scopes in product(Role, [*((scope,) for scope in SCOPES), (), ("api", "reconcile")]):
        keys[role, scopes], stored = new_key("program", role, scopes, "Ada", NOW)
        store.access.add_key(stored)
    wanted = [(line, kind) for line in ROUTES for kind in keys]
    answers = called(store, routes, [(line, f"Bearer {keys[kind]}") for line, kind in wanted])
    for (line, (role, scopes)), answer in zip(wanted, answers, strict=True):
        needed = ROUTES[line]
        inside = not scopes or any(line.split(" ")[1].startswith(SCOPES[scope]) for scope in scopes)
        opened = needed is None or (inside and role.reaches(needed))
        if _keyed(line):
            opened = (role, scopes) == (Role.VIEWER, ("reconcile",))
        assert (answer.status_code == LET_IN) == opened, (line, role, scopes)


def test_a_refused_key_reads_what_it_lacks(store: LabelStore, routes: list[BaseRoute]) -> None:
    """The answer names the needed role and scope, and those of the key."""
    refused = {
        (Role.VIEWER, ("reconcile",), "GET /api/v1/taxonomies"): (
            "the role viewer and the scope api; this key has the role viewer and the scopes reconcile only."
        ),
        (Role.VIEWER, (), "POST /api/v1/decisions"): (
            "the role annotator and the scope api; this key has the role viewer and all scopes."
        ),
        (Role.ADMIN, ("api", "esco"), "GET /metrics"): (
            "the role viewer and the scope metrics; this key has the role admin and the scopes api, esco only."
        ),
    }
    for (role, scopes, line), words in refused.items():
        key, stored = new_key("program", role, scopes, "Ada", NOW)
        store.access.add_key(stored)
        [answer] = called(store, routes, [(line, f"Bearer {key}")])
        assert answer.status_code == 403
        assert f"program may not do that. It needs {words}" in answer.json()["detail"]


@pytest.mark.thorough
def test_bad_tokens_and_keys_open_no_route(store: LabelStore, routes: list[BaseRoute]) -> None:
    """A hundred invalid credentials are refused on every route with a role."""
    key, stored = new_key("program", Role.ADMIN, [], "Ada", NOW)
    revoked, gone = new_key("program", Role.ADMIN, [], "Ada", NOW)
    for record in (stored, gone):
        store.access.add_key(record)
    store.access.revoke_key(gone.id, "Ada")
    near = [key[:place] + ("A" if key[place] != "A" else "B") + key[place + 1 :] for place in range(3, 46)]
    bad = [
        *bad_tokens().values(),
        *near,
        revoked,
        key.upper(),
        key[:-1],
        f"{key}A",
        stored.sha256,
        stored.id,
        "",
        "null",
    ]
    bad += [f"{key} {key}", f"{key},", f'"{key}"', "jm_", "admin", "undefined", "Bearer", "../../", "' OR 1=1 --"]
    headers = [f"Bearer {credential}" for credential in bad]
    headers += [
        f"Basic {base64.b64encode(f'{key}:{password}'.encode()).decode()}" for password in ("", "x", revoked, near[0])
    ]
    headers += ["", key, f"Key {key}", f"Token {key}", f"Bearer\t{key}x", f"Digest {key}", "Basic", "Bearer"]
    headers += [f"Bearer {token()[:length]}" for length in range(20, 120, 10)]
    assert len(set(headers)) >= 100
    lines = [line for line, needed in ROUTES.items() if needed is not None]
    wanted = [(line, header) for line in lines for header in headers]
    for (line, header), answer in zip(wanted, called(store, routes, wanted), strict=True):
        forbidden = _keyed(line) and _credential(header) == key  # an administrator's key, not allowed in an address
        assert answer.status_code == (403 if forbidden else 401), (line, header)
        assert forbidden or "Bearer" in answer.headers["www-authenticate"]
    good = called(store, routes, [(line, f"Bearer {key}") for line in lines])
    assert [answer.status_code for answer in good] == [403 if _keyed(line) else LET_IN for line in lines]
