"""Refusal of requests that another site makes a browser send.

A page of another site could point a name of its own at this machine (DNS rebinding), or send a form. Programs send no
`Origin`; browsers send the page's.
"""

from collections.abc import Collection
from http import HTTPStatus

from starlette.datastructures import Headers
from starlette.types import ASGIApp, Receive, Scope, Send

from jobmatch.serve.access.access_config import host_of
from jobmatch.serve.problems import problem
from jobmatch.serve.request_log import is_face

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
