"""Limits of the API's requests: how many, how large, how long, and none that another site makes a browser send."""

import asyncio
from collections.abc import Callable, Collection, Sequence
from http import HTTPStatus
from math import ceil

from starlette.datastructures import Headers
from starlette.exceptions import HTTPException
from starlette.routing import BaseRoute, Match
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from db.request_buckets import Allotment
from jobmatch.serve.access.access_config import host_of
from jobmatch.serve.problems import problem
from jobmatch.serve.rate_limit import SharedRateLimit
from jobmatch.serve.request_log import is_face
from jobmatch.serve.serve_config import Limits

ANY_HOST = "*"
_ANY_ORIGIN = ("/reconcile/", "/esco/")  # public data, which pages of any site ask for as they ask the originals


class ForeignSitesMiddleware:
    """Lets only requests to the API pass that are meant for this server, and come from no other site's page."""

    def __init__(self, app: ASGIApp, hosts: Collection[str]) -> None:
        """Wrap an application; *hosts* are the server's own names, `*` stands for all."""
        self._app = app
        self._hosts = {host.lower() for host in hosts}

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer a request, or pass it on."""
        if scope["type"] == "http" and is_face(scope["path"]) and (reason := self._refused(scope)):
            await problem(HTTPStatus.FORBIDDEN, reason)(scope, receive, send)
        else:
            await self._app(scope, receive, send)

    def _refused(self, scope: Scope) -> str:
        headers = Headers(scope=scope)
        host, origin = headers.get("host", ""), headers.get("origin")
        if ANY_HOST not in self._hosts and host_of(host) not in self._hosts:
            return "This server is not reached under that name; `hosts` in its configuration lists its names."
        foreign = origin is not None and origin.partition("://")[2].lower() != host.lower()
        if foreign and not scope["path"].startswith(_ANY_ORIGIN):
            return "Pages of other sites may not call this API."
        return ""


FILES = "/api/v1/jobs"  # the only place for files
_EXEMPT = ("/healthz", "/readyz", "/metrics")


class LimitsMiddleware:
    """Refuses requests of the API that are too many, too large or to nowhere, and cancels those that take too long."""

    def __init__(
        self, app: ASGIApp, limits: Limits, routes: Sequence[BaseRoute], take: Callable[[str, int], Allotment]
    ) -> None:
        """Wrap an application with these routes of ours; *take* is `RequestBuckets.take` of the label store."""
        self._app = app
        self._limits = limits
        self._routes = routes
        self._rate = SharedRateLimit(limits.requests_a_minute, take)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer a request, or pass it on."""
        path = scope["path"] if scope["type"] == "http" else ""
        if not is_face(path) or path in _EXEMPT:
            await self._app(scope, receive, send)
        elif all(route.matches(scope)[0] is Match.NONE for route in self._routes):  # the app would show its first page
            detail = "There is nothing at this address; /api describes what there is."
            await problem(HTTPStatus.NOT_FOUND, detail)(scope, receive, send)
        elif seconds := await self._rate.wait(_caller(scope)):
            detail = f"These are more than {self._rate.a_minute:,} requests a minute; wait and try again."
            headers = {"Retry-After": str(ceil(seconds))}
            await problem(HTTPStatus.TOO_MANY_REQUESTS, detail, headers)(scope, receive, send)
        else:
            await self._limited(scope, receive, send)

    async def _limited(self, scope: Scope, receive: Receive, send: Send) -> None:
        most = self._limits.file_bytes if scope["path"] == FILES else self._limits.body_bytes
        if _announced(scope) > most:  # before any of it is read
            error = _too_large(most)
            await problem(error.status_code, error.detail)(scope, receive, send)
            return
        begun = False
        loop, seconds = asyncio.get_running_loop(), self._limits.seconds

        async def receiving() -> Message:
            message = await receive()
            if scope["path"] == FILES and not (begun or deadline.expired()):  # a file may be long on its way
                deadline.reschedule(loop.time() + seconds)
            return message

        async def noting(message: Message) -> None:
            nonlocal begun
            if not (begun or deadline.expired()):  # how fast the answer is fetched is the client's matter
                deadline.reschedule(None)
            begun = True
            await send(message)

        try:
            async with asyncio.timeout(seconds) as deadline:
                await self._app(scope, _counted(receiving, most), noting)
        except TimeoutError:
            if not begun:
                detail = (
                    f"The request took longer than {seconds:g} s and was cancelled; ask for less at once, "
                    "or try again when the server has loaded what it needs."
                )
                await problem(HTTPStatus.SERVICE_UNAVAILABLE, detail)(scope, receive, send)


def _caller(scope: Scope) -> str:
    """Return the key, or else the address, that a request comes from."""
    principal = scope.get("state", {}).get("principal")
    client = scope.get("client")
    return str(getattr(principal, "id", "") or (client[0] if client else ""))


def _announced(scope: Scope) -> int:
    """Return the length of the body as the request says it; 0 where it does not."""
    given = Headers(scope=scope).get("content-length", "")
    return int(given) if given.isascii() and given.isdigit() else 0


def _too_large(most: int) -> HTTPException:
    return HTTPException(
        HTTPStatus.REQUEST_ENTITY_TOO_LARGE, f"The request is larger than {most >> 20} MB; send less at once."
    )


def _counted(receive: Receive, most: int) -> Receive:
    """Return what receives a body, and raises HTTPException when it gets too long."""
    read = 0

    async def counting() -> Message:
        nonlocal read
        message = await receive()
        read += len(message.get("body", b""))
        if read > most:
            raise _too_large(most)
        return message

    return counting
