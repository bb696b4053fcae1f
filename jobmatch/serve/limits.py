"""Limits of requests: their rate, number, size and time; no requests from pages of other sites."""

import asyncio
from collections import Counter
from collections.abc import Collection
from http import HTTPStatus
from math import ceil

from starlette.datastructures import Headers
from starlette.exceptions import HTTPException
from starlette.responses import Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from jobmatch.access.principal import LOCAL, PrincipalKind
from jobmatch.serve.access_middleware import TRY_LATER, client_address, closing
from jobmatch.serve.headers import host_name, is_foreign
from jobmatch.serve.problems import problem
from jobmatch.serve.rate_limit import RateLimit
from jobmatch.serve.request_log import is_face
from jobmatch.serve.route_table import ASSETS, NOTHING, route_name
from jobmatch.serve.serve_config import Limits
from jobmatch.serve.workers import CALLER, LOADED_BY

ANY_HOST = "*"
_WITH_FILES = ("POST /api/v1/jobs", "POST /api/v1/crosswalks", "PUT /_stcore/upload_file/{session_id}/{file_id}")
_EXEMPT = ("GET /healthz", "GET /readyz", "GET /metrics", *ASSETS)
_A_MOMENT = 1  # seconds until it is worth trying again
_WAITING_SHARE = 0.9  # of a request's time, for models and indexes; the answer takes the rest
_ANY_ORIGIN = ("/reconcile/", "/esco/")  # ESCO is public; `OpenTaxonomiesMiddleware` checks reconciliation


class ForeignSitesMiddleware:
    """Refuses API requests under another host name (DNS rebinding) and from pages of other sites."""

    def __init__(self, app: ASGIApp, hosts: Collection[str]) -> None:
        """Allow the host names *hosts*; `*` allows any."""
        self._app = app
        self._hosts = {host.lower() for host in hosts}

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer a request or pass it on."""
        if scope["type"] == "http" and is_face(scope["path"]) and (reason := self._refused(scope)):
            await problem(HTTPStatus.FORBIDDEN, reason)(scope, receive, send)
        else:
            await self._app(scope, receive, send)

    def _refused(self, scope: Scope) -> str:
        headers = Headers(scope=scope)
        if ANY_HOST not in self._hosts and host_name(headers.get("host", "")) not in self._hosts:
            return "The host name of this request is not one of this server's; `hosts` in its configuration lists them."
        if is_foreign(headers) and not scope["path"].startswith(_ANY_ORIGIN):
            return "Pages of other sites may not call this API."
        return ""


class LimitsMiddleware:
    """Refuses requests that are too frequent, too many at once, too large or to no route; cancels slow ones."""

    def __init__(self, app: ASGIApp, limits: Limits) -> None:
        self._app = app
        self._limits = limits
        self._rate = RateLimit(limits.requests_a_minute)
        self._running: Counter[str] = Counter()  # caller -> requests in progress

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer a request or pass it on."""
        if scope["type"] == "websocket":
            await self._websocket(scope, receive, send)
        elif scope["type"] == "http":
            await self._request(scope, receive, send)
        else:
            await self._app(scope, receive, send)

    async def _websocket(self, scope: Scope, receive: Receive, send: Send) -> None:
        if self._rate.wait(caller_id(scope)):
            await send(closing(TRY_LATER, "Too many requests"))
        else:
            await self._app(scope, receive, send)

    async def _request(self, scope: Scope, receive: Receive, send: Send) -> None:
        route, caller = route_name(scope), caller_id(scope)
        # Streamlit would answer an address without a route with its first page
        nothing = is_face(scope["path"]) and route in (NOTHING, *ASSETS)
        if route in _EXEMPT and not nothing:
            await self._app(scope, receive, send)
        elif seconds := self._rate.wait(caller):
            detail = f"More than {self._rate.a_minute:,} requests a minute; wait and try again."
            await _too_many(detail, ceil(seconds))(scope, receive, send)
        elif nothing:
            detail = "There is nothing at this address; /api lists the calls."
            await problem(HTTPStatus.NOT_FOUND, detail)(scope, receive, send)
        elif self._running[caller] >= self._limits.running_calls:
            detail = f"{self._running[caller]} of your requests are being answered; wait for one of them to end."
            await _too_many(detail, _A_MOMENT)(scope, receive, send)
        else:
            self._running[caller] += 1
            CALLER.set(caller)  # calls of different callers take turns
            try:
                await self._limited(scope, receive, send)
            finally:
                self._running[caller] -= 1
                if not self._running[caller]:
                    del self._running[caller]

    async def _limited(self, scope: Scope, receive: Receive, send: Send) -> None:
        length = Headers(scope=scope).get("content-length", "")
        brings_file = route_name(scope) in _WITH_FILES
        # a form has some further bytes beside its file
        most = (self._limits.file_mb + 1 if brings_file else self._limits.body_mb) << 20  # megabytes to bytes
        if int(length if length.isascii() and length.isdigit() else 0) > most:  # before any of it is read
            error = _too_large(most)
            await problem(error.status_code, error.detail)(scope, receive, send)
            return
        begun = False
        loop, seconds = asyncio.get_running_loop(), self._limits.seconds

        async def receiving() -> Message:
            message = await receive()
            if brings_file and not (begun or deadline.expired()):  # an upload may take long
                deadline.reschedule(loop.time() + seconds)
            return message

        async def noting(message: Message) -> None:
            nonlocal begun
            if not (begun or deadline.expired()):  # a client may read the answer slowly
                deadline.reschedule(None)
            begun = True
            await send(message)

        LOADED_BY.set(loop.time() + _WAITING_SHARE * seconds)
        try:
            async with asyncio.timeout(seconds) as deadline:
                await self._app(scope, _limited_size(receiving, most), noting)
        except TimeoutError:
            if not begun:
                detail = (
                    f"The request took longer than {seconds:g} s and was cancelled; ask for less at once, "
                    "or try again later."
                )
                await problem(HTTPStatus.SERVICE_UNAVAILABLE, detail)(scope, receive, send)


def caller_id(scope: Scope) -> str:
    """Return the caller of a request: the id of the key or person, else the network address."""
    principal = scope.get("state", {}).get("principal", LOCAL)
    return client_address(scope) if principal.kind is PrincipalKind.LOCAL else str(principal.id)


def _too_many(detail: str, seconds: int) -> Response:
    return problem(HTTPStatus.TOO_MANY_REQUESTS, detail, {"Retry-After": str(seconds)})


def _too_large(most: int) -> HTTPException:
    return HTTPException(
        HTTPStatus.REQUEST_ENTITY_TOO_LARGE, f"The request is larger than {most >> 20} MB; send less at once."
    )


def _limited_size(receive: Receive, most: int) -> Receive:
    read = 0

    async def counting() -> Message:
        nonlocal read
        message = await receive()
        read += len(message.get("body", b""))
        if read > most:
            raise _too_large(most)
        return message

    return counting
