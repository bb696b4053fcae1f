"""Origins of reconciliation requests: pages of other sites may read open taxonomies, and others with a key."""

from collections.abc import Callable
from http import HTTPStatus

from anyio import to_thread
from starlette.middleware.cors import CORSMiddleware
from starlette.requests import Request
from starlette.types import ASGIApp, Receive, Scope, Send

from jobmatch.serve.credentials import key_in
from jobmatch.serve.headers import is_foreign
from jobmatch.serve.problems import problem

CALLBACK = "callback"
# the same answer whether or not there is such a taxonomy
_REFUSED = (
    "Pages of other sites may read the bundled taxonomy, ESCO, and the taxonomies that `open_taxonomies` in the "
    "server's configuration names; for any other they must send a key."
)
_SENT_ON_PURPOSE = "bearer"  # browsers add the scheme `basic` and cookies by themselves


def is_read_elsewhere(request: Request) -> bool:
    """Return whether a page of another site can read the answer, also by JSONP."""
    return CALLBACK in request.query_params or is_foreign(request.headers)


class OpenTaxonomiesMiddleware:
    """Lets pages of other sites read open taxonomies, and others with a key; adds CORS headers."""

    def __init__(self, app: ASGIApp, is_open: Callable[[str], bool], access_required: bool) -> None:
        """Wrap operations whose paths start with the id of a taxonomy.

        Args:
            is_open: whether there is an open taxonomy with an id; called in a thread.
            access_required: true if every caller needs a key, a token or a session, so that what a request sends has
                been checked.
        """
        self._app = app
        self._shared = CORSMiddleware(app, allow_origins=["*"], allow_methods=["GET", "POST"], allow_headers=["*"])
        self._is_open = is_open
        self._access_required = access_required

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
        if not self._access_required:
            return False
        if key_in(request.scope["path"]) is not None:
            return True
        if request.method == "OPTIONS":  # the preflight request says whether a key will follow
            return "authorization" in request.headers.get("access-control-request-headers", "").lower()
        return request.headers.get("authorization", "").partition(" ")[0].lower() == _SENT_ON_PURPOSE
