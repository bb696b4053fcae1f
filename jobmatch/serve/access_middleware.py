"""Authentication and authorisation of each request, and of each message of a page's session."""

import asyncio
import json
import logging
from collections.abc import Iterator
from contextlib import contextmanager
from math import ceil
from typing import Any

from anyio import to_thread
from starlette.datastructures import Headers, MutableHeaders
from starlette.requests import cookie_parser
from starlette.responses import Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send
from streamlit.auth_util import get_cookie_with_chunks
from streamlit.web.server.server_util import get_cookie_secret
from streamlit.web.server.starlette.starlette_app_utils import decode_signed_value
from streamlit.web.server.starlette.starlette_server_config import TOKENS_COOKIE_NAME, USER_COOKIE_NAME

from jobmatch.access.access import Access
from jobmatch.access.access_config import is_loopback
from jobmatch.access.denials import FORBIDDEN, SESSION_OVER_HEADER, TOO_MANY, UNAVAILABLE, UNKNOWN, Denial
from jobmatch.access.permissions import PAGE_ROUTES, ROUTES, SCOPES, PageGuard, is_open_path, may_call
from jobmatch.access.principal import LOCAL, Principal, PrincipalKind, Role
from jobmatch.serve.credentials import credential_in, key_in
from jobmatch.serve.headers import host_name
from jobmatch.serve.problems import problem
from jobmatch.serve.rate_limit import RateLimit
from jobmatch.serve.route_table import MISSING, NOTHING, route_name
from jobmatch_core.errors import JobMatchError

_NOT_NOW = Denial(UNAVAILABLE, "The server cannot check who sends this", "Try again later; its log says why.")
_NOT_LISTED = "This is not allowed"
_POLICY_VIOLATION, _TOO_LARGE, TRY_LATER = 1008, 1009, 1013  # close codes of WebSockets
# limits of WebSockets without a session, or whose person has no role
_LARGEST_UNKNOWN = 64 * 1024  # bytes of a binary message, or characters of a text
MOST_UNKNOWN = 200  # open WebSockets; if there are more, the oldest is closed
UNKNOWN_SECONDS = 300.0  # a WebSocket is closed if it sends nothing for this long; the page reconnects by itself
_UNKNOWN_MESSAGES = 60  # per minute
# headers of proxies and of content delivery networks
_PROXIED = (
    "forwarded via x-real-ip x-client-ip x-cluster-client-ip x-original-host x-proxyuser-ip x-envoy-external-address "
    "cf-connecting-ip cf-connecting-ipv6 cf-ray cdn-loop true-client-ip fastly-client-ip fly-client-ip "
    "x-azure-clientip x-appengine-user-ip x-nf-client-connection-ip"
).split()
_FORWARDED = ("x-forwarded-", "x-original-forwarded-")  # prefixes of other such headers
_SESSION_COOKIES = (USER_COOKIE_NAME, TOKENS_COOKIE_NAME)
_log = logging.getLogger(__name__)


def claims_in(cookie_header: str) -> dict[str, Any] | None:
    """Return the claims in a header `Cookie`; None if it holds none that this server has signed."""
    cookies = cookie_parser(cookie_header)

    def signed_value(name: str) -> bytes | None:
        value = cookies.get(name)
        return None if value is None else decode_signed_value(get_cookie_secret(), name, value.encode("latin-1"))

    try:
        cookie = get_cookie_with_chunks(signed_value, USER_COOKIE_NAME)
        claims = json.loads(cookie) if cookie else None
    except ValueError:
        return None
    return claims if isinstance(claims, dict) else None


def without_session(cookie_header: str) -> str:
    """Return a header `Cookie` without the cookies of the session."""
    others = (cookie for cookie in cookie_header.split(";") if not cookie.strip().startswith(_SESSION_COOKIES))
    return ";".join(others).strip()


class AccessMiddleware:
    """ASGI middleware that passes on only the requests that the table of permissions allows.

    Streamlit gets only valid sessions, and draws what the session may see. Each message of a WebSocket is checked, so
    that an expired session can do nothing more.
    """

    def __init__(self, app: ASGIApp, access: Access, refusals: RateLimit | None = None) -> None:
        """Pass requests on to *app*; addresses with too many refused requests have to wait."""
        self._app = app
        self._access = access
        self._refusals = refusals or RateLimit(0)
        self._unknown: dict[asyncio.Event, None] = {}  # events that close these WebSockets, oldest first

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer a request or pass it on."""
        if scope["type"] == "websocket":
            await self._websocket(scope, receive, send)
        elif scope["type"] == "http":
            await self._request(scope, receive, send)
        else:
            await self._app(scope, receive, send)

    async def _request(self, scope: Scope, receive: Receive, send: Send) -> None:
        try:
            await self._check(scope)
        except Denial as denial:
            await answer_denial(denial)(scope, receive, send)
        except JobMatchError:
            # only the log has the error, which may name folders of the server
            _log.exception("Requests cannot be authenticated at present.")
            await answer_denial(_NOT_NOW)(scope, receive, send)
        else:
            await self._app(scope, receive, send)

    async def _check(self, scope: Scope) -> None:
        """Store a request's principal in its state; raise Denial if the request is not allowed."""
        route = route_name(scope)
        if route == NOTHING or route.endswith(MISSING):
            return  # answered with 404 or 405
        if scope["method"] == "OPTIONS" and is_open_path(route.partition(" ")[2]):
            return  # a browser's preflight request, which has no credentials
        if route in ROUTES:
            await self._check_call(scope, ROUTES[route])
            return
        guard = PAGE_ROUTES.get(route)
        if guard is PageGuard.SESSION and self._access.config.required:
            await self._check_page_call(scope)
        elif guard in (None, PageGuard.CLOSED):
            raise Denial(FORBIDDEN, _NOT_LISTED, f"{route} is not in the table of permissions.")

    async def _check_call(self, scope: Scope, needed: Role | None) -> None:
        if needed is None:
            return
        key = key_in(scope["path"])
        credential = credential_in(Headers(scope=scope).get("authorization", ""))
        with self._refusals_counted(scope):
            principal = await (
                self._access.authenticate(credential) if key is None else self._access.authenticate_in_address(key)
            )
            if not may_call(principal, needed, scope["path"]):
                raise Denial(FORBIDDEN, f"{principal.name} may not do that", _remedy(principal, needed, scope["path"]))
        scope.setdefault("state", {})["principal"] = principal

    async def _check_page_call(self, scope: Scope) -> None:
        with self._refusals_counted(scope):
            principal = await self._session_principal(scope, Headers(scope=scope))
            if principal.role is None:
                raise Denial(FORBIDDEN, "Your account has no role here", "Ask an administrator for one.")
        scope.setdefault("state", {})["principal"] = principal

    @contextmanager
    def _refusals_counted(self, scope: Scope) -> Iterator[None]:
        address = client_address(scope)
        if seconds := ceil(self._refusals.seconds(address)):
            raise Denial(TOO_MANY, "Too many requests were refused", f"Try again in {seconds} s.", wait=seconds)
        try:
            yield
        except Denial:
            self._refusals.count(address)
            raise

    async def _websocket(self, scope: Scope, receive: Receive, send: Send) -> None:
        route = route_name(scope)
        if PAGE_ROUTES.get(route, PageGuard.CLOSED) is PageGuard.CLOSED:
            await send(closing(_POLICY_VIOLATION, _NOT_LISTED))
        elif self._access.config.required:
            try:
                await self._session(scope, receive, send)
            except JobMatchError:
                await _close_for_now(send)
        else:
            await self._app(scope, receive, send)

    async def _session(self, scope: Scope, receive: Receive, send: Send) -> None:
        headers = MutableHeaders(scope=scope)
        del headers[SESSION_OVER_HEADER]  # only this server sets it, so one sent by a browser is dropped
        try:
            principal = await self._session_principal(scope, headers)
        except Denial as denial:
            if not self._access.signs_in or claims_in(headers.get("cookie", "")) is not None:
                headers[SESSION_OVER_HEADER] = denial.title
            headers["cookie"] = without_session(headers.get("cookie", ""))
            await self._unknown_session(scope, receive, send)
            return

        async def checked() -> Message:
            message = await receive()
            if message["type"] == "websocket.receive":
                try:
                    await self._session_principal(scope, headers)
                except Denial as denial:
                    await send(closing(_POLICY_VIOLATION, denial.title))
                    return _disconnect(_POLICY_VIOLATION)
                except JobMatchError:
                    await _close_for_now(send)
                    return _disconnect(TRY_LATER)
            return message

        if principal.role is None:
            await self._unknown_session(scope, checked, send)
        else:
            await self._app(scope, checked, send)

    async def _unknown_session(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass on small messages, not too many, of somebody without a session or a role.

        The WebSocket is closed when it exceeds a limit, or when `MOST_UNKNOWN` newer ones are open.
        """
        ended, rate = asyncio.Event(), RateLimit(_UNKNOWN_MESSAGES)

        async def small() -> Message:
            message = await _message_unless(ended, receive)
            if message is None or (message["type"] == "websocket.receive" and rate.wait("")):
                await send(closing(TRY_LATER, "Sign in"))
                return _disconnect(TRY_LATER)
            if len(message.get("bytes") or message.get("text") or "") > _LARGEST_UNKNOWN:
                await send(closing(_TOO_LARGE, "Sign in first"))
                return _disconnect(_TOO_LARGE)
            return message

        self._unknown[ended] = None
        if len(self._unknown) > MOST_UNKNOWN:
            oldest = next(iter(self._unknown))
            del self._unknown[oldest]
            oldest.set()
        try:
            await self._app(scope, small, send)
        finally:
            self._unknown.pop(ended, None)

    async def _session_principal(self, scope: Scope, headers: Headers) -> Principal:
        """Return the principal of a page's session; without sign-in, the request must come from this machine."""
        if not self._access.signs_in:
            if not _is_local(scope, headers):
                raise Denial(FORBIDDEN, "Pages are open on the server's own machine only", "Switch sign-in on.")
            return LOCAL
        claims = claims_in(headers.get("cookie", ""))
        if claims is None:
            raise Denial(UNKNOWN, "You are not signed in", "Open the app, and sign in.")
        return await to_thread.run_sync(self._access.authenticate_session, claims)


def closing(code: int, reason: str) -> Message:
    """Return the message that closes a WebSocket."""
    return {"type": "websocket.close", "code": code, "reason": reason}


async def _close_for_now(send: Send) -> None:
    # only the log has the error, which may name folders of the server
    _log.exception("Requests cannot be authenticated at present.")
    await send(closing(TRY_LATER, _NOT_NOW.title))


async def _message_unless(ended: asyncio.Event, receive: Receive) -> Message | None:
    receiving, ending = asyncio.ensure_future(receive()), asyncio.ensure_future(ended.wait())
    try:
        await asyncio.wait((receiving, ending), timeout=UNKNOWN_SECONDS, return_when=asyncio.FIRST_COMPLETED)
        return receiving.result() if receiving.done() else None
    finally:
        receiving.cancel()
        ending.cancel()


def _disconnect(code: int) -> Message:
    return {"type": "websocket.disconnect", "code": code}


def answer_denial(denial: Denial) -> Response:
    """Return the answer to a denied request."""
    headers = {"WWW-Authenticate": 'Bearer realm="jobmatch"'} if denial.status == UNKNOWN else {}
    if denial.wait:
        headers["Retry-After"] = str(denial.wait)
    return problem(denial.status, str(denial), headers)


def client_address(scope: Scope) -> str:
    """Return the network address of a client; '' if it is unknown."""
    client = scope.get("client")
    return client[0] if client else ""


def _is_local(scope: Scope, headers: Headers) -> bool:
    """Return whether a request comes from this machine, and not through a proxy on it."""
    # not every proxy adds a header, but a host behind one is reached under another name than this machine's own
    client = scope.get("client")
    forwarded = any(name in _PROXIED or name.startswith(_FORWARDED) for name in headers)
    has_local_name = is_loopback(host_name(headers.get("host", "")))
    return client is not None and is_loopback(client[0]) and has_local_name and not forwarded


def _remedy(principal: Principal, needed: Role, path: str) -> str:
    if principal.kind is not PrincipalKind.KEY:
        return f"It needs the role {needed}; ask an administrator for it."
    scope = next(name for name, beginning in SCOPES.items() if path.startswith(beginning))
    scopes = f"the scopes {', '.join(principal.scopes)} only" if principal.scopes else "all scopes"
    return (
        f"It needs the role {needed} and the scope {scope}; this key has the role {principal.role} and {scopes}. An "
        "administrator makes another key with `jobmatch keys create`."
    )
