"""The documentation site at `/docs`: the files of the folder that `make docs` builds."""

import os
from pathlib import Path

from starlette.requests import Request
from starlette.responses import PlainTextResponse, RedirectResponse, Response
from starlette.routing import BaseRoute, Route
from starlette.staticfiles import StaticFiles

from jobmatch.services.documentation import PATH, START, VARIABLE, documentation_folder

NOT_BUILT = (
    "The documentation is not built on this server. Run `make docs` in a checkout of jobmatch, or set "
    f"{VARIABLE} to a folder with the built site.\n"
)
NO_PAGE = f"The documentation has no such page. It begins at {PATH}.\n"
# ending -> media type; nothing else is served. The machine's own table of types may lack some, or have others
MEDIA_TYPES = {
    ".html": "text/html; charset=utf-8",
    ".css": "text/css; charset=utf-8",
    ".js": "text/javascript; charset=utf-8",
    ".json": "application/json",
    ".xml": "application/xml",
    ".svg": "image/svg+xml",
    ".png": "image/png",
    ".ico": "image/x-icon",
    ".woff2": "font/woff2",
}
HEADERS = {
    # the site has scripts and styles of its own in its pages, and loads nothing from elsewhere
    "Content-Security-Policy": (
        "default-src 'none'; script-src 'self' 'unsafe-inline'; style-src 'self' 'unsafe-inline'; "
        "img-src 'self' data:; font-src 'self'; connect-src 'self'; worker-src 'self' blob:; "
        "base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
    ),
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "same-origin",
    "Cache-Control": "no-cache",  # browsers ask each time, and get the file only if it has changed
}


def document_routes() -> list[BaseRoute]:
    """Return the routes of the site; the folder is looked up at each request, so that a later build is found."""
    return [Route(PATH, _start), Route(f"{PATH}/{{path:path}}", _file)]


def _start(_request: Request) -> Response:
    if documentation_folder() is None:
        return _text(NOT_BUILT)
    return RedirectResponse(f"{PATH}/{START}", headers=HEADERS)


def _file(request: Request) -> Response:
    path = request.path_params["path"]
    if not path:
        return _start(request)
    folder = documentation_folder()
    if folder is None:
        return _text(NOT_BUILT)
    file = _within(folder, path)
    if file is None:
        return _text(NO_PAGE)
    answer = StaticFiles(directory=folder).file_response(file, os.stat(file), request.scope)
    answer.headers.update({**HEADERS, "Content-Type": MEDIA_TYPES[file.suffix]})
    return answer


def _within(folder: Path, path: str) -> Path | None:
    """Return a file of the site; None if there is none, also for links and paths that lead out of the folder."""
    try:
        file = (folder / path).resolve()
        served = file.is_relative_to(folder) and file.suffix in MEDIA_TYPES and file.is_file()
    except (OSError, ValueError):  # a name that is too long, or has a null character
        return None
    return file if served else None


def _text(sentence: str) -> Response:
    return PlainTextResponse(sentence, 404, headers=HEADERS)
