"""Origins of reconciliation requests: pages of other sites read open taxonomies; for any other they send a key."""

from collections.abc import Callable
from http import HTTPStatus

from anyio import to_thread
from starlette.middleware.cors import CORSMiddleware
from starlette.requests import Request
from starlette.types import ASGIApp, Receive, Scope, Send

from jobmatch.serve.keyed_path import key_in
from jobmatch.serve.origins import is_foreign
from jobmatch.serve.problems import problem

CALLBACK = "callback"
# the same for a taxonomy that exists and for one that does not
_REFUSED = (
    "Pages of other sites may read the bundled taxonomy, ESCO, and the taxonomies that `open_taxonomies` in the "
    "server's configuration names; for any other they have to send a key."
)
_SENT_ON_PURPOSE = "bearer"  # browsers send the scheme `basic` by themselves, as they do cookies


def is_read_elsewhere(request: Request) -> bool:
    """Return whether a page of another site can read the answer; JSONP serves no other purpose."""
    return CALLBACK in request.query_params or is_foreign(request.headers)


class OpenTaxonomiesMiddleware:
    """Answers pages of other sites about open taxonomies, with CORS headers, and about others if they send a key."""

    def __init__(self, app: ASGIApp, is_open: Callable[[str], bool], has_keys: bool) -> None:
        """Wrap the calls of a service whose paths begin with the id of a taxonomy.

        Args:
            app: the calls.
            is_open: whether there is an open taxonomy of an id; called in a thread.
            has_keys: true if the server asks for keys, so that the key of a request has been checked.
        """
        self._app = app
        self._shared = CORSMiddleware(app, allow_origins=["*"], allow_methods=["GET", "POST"], allow_headers=["*"])
        self._is_open = is_open
        self._has_keys = has_keys

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer a request, or pass it on."""
        request = Request(scope)
        taxonomy = scope["path"].removeprefix(scope["root_path"]).removeprefix("/").partition("/")[0]
        if not is_read_elsewhere(request):
            await self._app(scope, receive, send)
        elif self._sends_key(request) or await to_thread.run_sync(self._is_open, taxonomy):
            await self._shared(scope, receive, send)
        else:
            await problem(HTTPStatus.FORBIDDEN, _REFUSED)(scope, receive, send)

    def _sends_key(self, request: Request) -> bool:
        """Return whether a page sends a key; where a browser asks beforehand, whether the page is going to."""
        if not self._has_keys:
            return False
        if key_in(request.scope["path"]) is not None:
            return True
        if request.method == "OPTIONS":
            return "authorization" in request.headers.get("access-control-request-headers", "").lower()
        return request.headers.get("authorization", "").partition(" ")[0].lower() == _SENT_ON_PURPOSE
