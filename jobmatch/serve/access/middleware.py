"""The check of each request: who sends it, and whether they may; and of each message of a page's session."""

import json
import logging
from collections.abc import Iterator, Sequence
from math import ceil
from typing import Any

from anyio import to_thread
from starlette.datastructures import Headers, MutableHeaders
from starlette.requests import cookie_parser
from starlette.responses import Response
from starlette.routing import BaseRoute, Match, Mount, Route
from starlette.types import ASGIApp, Message, Receive, Scope, Send
from streamlit.auth_util import get_cookie_with_chunks
from streamlit.web.server.server_util import get_cookie_secret
from streamlit.web.server.starlette.starlette_app_utils import decode_signed_value
from streamlit.web.server.starlette.starlette_server_config import TOKENS_COOKIE_NAME, USER_COOKIE_NAME

from jobmatch.serve.access.access import Access
from jobmatch.serve.access.access_config import host_of, is_loopback
from jobmatch.serve.access.api_keys import key_in
from jobmatch.serve.access.permissions import ROUTES, may_call
from jobmatch.serve.access.principal import FORBIDDEN, TOO_MANY, UNAVAILABLE, UNKNOWN, Denial
from jobmatch.serve.problems import problem
from jobmatch.serve.rate_limit import RateLimit
from jobmatch_core.errors import JobMatchError


def claims_in(cookie_header: str) -> dict[str, Any] | None:
    """Return the claims in a header `Cookie`, None without claims that this server has signed."""
    cookies = cookie_parser(cookie_header)

    def single(name: str) -> bytes | None:
        value = cookies.get(name)
        return None if value is None else decode_signed_value(get_cookie_secret(), name, value.encode("latin-1"))

    try:
        kept = get_cookie_with_chunks(single, USER_COOKIE_NAME)
        claims = json.loads(kept) if kept else None
    except ValueError:
        return None
    return claims if isinstance(claims, dict) else None


def without_session(cookie_header: str) -> str:
    """Return a header `Cookie` without the session's cookies."""
    kept = (each for each in cookie_header.split(";") if not each.strip().startswith(_NAMES))
    return ";".join(kept).strip()


_NAMES = (USER_COOKIE_NAME, TOKENS_COOKIE_NAME)


SESSION_OVER_HEADER = "x-jobmatch-session-over"  # set here for pages: the reason; never taken from the browser
_NOT_NOW = Denial(UNAVAILABLE, "The server cannot look up who asks", "Try again later; its log says why.")
_log = logging.getLogger(__name__)
_POLICY_VIOLATION = 1008  # closing code of WebSockets
_OF_SESSIONS = ("/media/", "/_stcore/agent/")  # what else serves pages: downloads, and Streamlit's API for programs


class AccessMiddleware:
    """Pure ASGI middleware that lets no request of ours pass without the role that its route needs.

    Requests of other paths are Streamlit's, which draws nothing but what its session may see: without a session that
    counts it gets none, and each message of a WebSocket is checked, so that an expired session does nothing more.
    """

    def __init__(
        self, app: ASGIApp, access: Access, routes: Sequence[BaseRoute], refusals: RateLimit | None = None
    ) -> None:
        """Wrap an application.

        Args:
            app: what is called with allowed requests.
            access: who may do what.
            routes: our own routes, which are in the table of permissions.
            refusals: how many requests of an address may be refused; then it has to wait.
        """
        self._app = app
        self._access = access
        self._routes = routes
        self._refusals = refusals or RateLimit(0)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer a request, or pass it on."""
        if scope["type"] == "websocket" and self._access.config.required:
            await self._session(scope, receive, send)
        elif scope["type"] == "http":
            await self._request(scope, receive, send)
        else:
            await self._app(scope, receive, send)

    async def _request(self, scope: Scope, receive: Receive, send: Send) -> None:
        try:
            template = template_of(self._routes, scope)
            if template is not None and scope["method"] != "OPTIONS":  # browsers ask by it without any credentials
                await self._check(scope, template)
            elif scope["path"].startswith(_OF_SESSIONS) and self._access.config.required:
                await self._check_session(scope, Headers(scope=scope))
        except Denial as denial:
            await answer_denial(denial)(scope, receive, send)
        except JobMatchError:  # which may name folders of the server
            _log.exception("Nobody can be recognised at present.")
            await answer_denial(_NOT_NOW)(scope, receive, send)
        else:
            await self._app(scope, receive, send)

    async def _check(self, scope: Scope, template: str) -> None:
        """Check a request of ours, and leave who sends it in its state."""
        method = "GET" if scope["method"] == "HEAD" else scope["method"]
        route = f"{method} {template}"
        if route not in ROUTES:
            raise Denial(FORBIDDEN, "Nobody may do that", f"{route} is not in the table of permissions.")
        needed = ROUTES[route]
        if needed is None:
            return
        address = _address(scope)
        if seconds := ceil(self._refusals.seconds(address)):
            raise Denial(TOO_MANY, "Too many requests were refused", f"Try again in {seconds} s.", wait=seconds)
        try:
            key = key_in(scope["path"])
            authorization = Headers(scope=scope).get("authorization", "")
            principal = await (self._access.of_header(authorization) if key is None else self._access.of_address(key))
            if not may_call(principal, needed, scope["path"]):
                raise Denial(FORBIDDEN, f"{principal.name} may not do that", _remedy(principal.scopes, str(needed)))
        except Denial:
            self._refusals.count(address)
            raise
        scope.setdefault("state", {})["principal"] = principal

    async def _session(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass a page's WebSocket on, without its session if that does not count, and end it when it no longer does."""
        headers = MutableHeaders(scope=scope)
        del headers[SESSION_OVER_HEADER]
        counts = True
        try:
            await self._check_session(scope, headers)
        except Denial as denial:
            counts = False
            if not self._access.signs_in or claims_in(headers.get("cookie", "")) is not None:
                headers[SESSION_OVER_HEADER] = denial.title
            headers["cookie"] = without_session(headers.get("cookie", ""))

        async def checked() -> Message:
            message = await receive()
            if counts and message["type"] == "websocket.receive":
                try:
                    await self._check_session(scope, headers)
                except Denial as denial:
                    await send({"type": "websocket.close", "code": _POLICY_VIOLATION, "reason": denial.title})
                    return {"type": "websocket.disconnect", "code": _POLICY_VIOLATION}
            return message

        await self._app(scope, checked, send)

    async def _check_session(self, scope: Scope, headers: Headers) -> None:
        """Check that a page's session counts; where nobody signs in, that it is one of this machine."""
        if not self._access.signs_in:
            if not _is_local(scope, headers):
                raise Denial(FORBIDDEN, "Pages are open on the server's own machine only", "Switch sign-in on.")
            return
        claims = claims_in(headers.get("cookie", ""))
        if claims is None:
            raise Denial(UNKNOWN, "Nobody is signed in", "Open the app, and sign in.")
        await to_thread.run_sync(self._access.of_session, claims)


def template_of(routes: Sequence[BaseRoute], scope: Scope) -> str | None:
    """Return the path, with its parameters by name, of the route that answers a request; None if none of these does."""
    for route in routes:
        match, child = route.matches(scope)
        if match is not Match.FULL:
            continue
        if isinstance(route, Mount):
            inner = template_of(route.routes, {**scope, **child})
            return None if inner is None else route.path + inner
        return getattr(route, "path", "")
    return None


def methods_and_paths(routes: Sequence[BaseRoute], beginning: str = "") -> Iterator[str]:
    """Yield routes as the table of permissions names them, such as 'GET /api/v1/occupations/{uri:path}'."""
    for route in routes:
        if isinstance(route, Mount):
            yield from methods_and_paths(route.routes, beginning + route.path)
        elif isinstance(route, Route):
            for method in sorted((route.methods or set()) - {"HEAD", "OPTIONS"}):
                yield f"{method} {beginning}{route.path}"


def answer_denial(denial: Denial) -> Response:
    """Return the answer to a request that is denied."""
    headers = {"WWW-Authenticate": 'Bearer realm="jobmatch"'} if denial.status == UNKNOWN else {}
    if denial.wait:
        headers["Retry-After"] = str(denial.wait)
    return problem(denial.status, str(denial), headers)


def _address(scope: Scope) -> str:
    client = scope.get("client")
    return client[0] if client else ""


def _is_local(scope: Scope, headers: Headers) -> bool:
    """Return whether a request comes from this machine, and not through a proxy on it.

    Not every proxy adds a header; what people open through one has another name than this machine's own.
    """
    client = scope.get("client")
    forwarded = any(name in headers for name in ("forwarded", "x-forwarded-for", "x-real-ip", "via"))
    named_here = is_loopback(host_of(headers.get("host", "")))
    return client is not None and is_loopback(client[0]) and named_here and not forwarded


def _remedy(scopes: tuple[str, ...], needed: str) -> str:
    if scopes:
        return f"It needs the role {needed}, and a key with that scope; this key has {', '.join(scopes)}."
    return f"It needs the role {needed}; ask an administrator for it."
