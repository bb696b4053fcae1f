"""Errors as answers: `application/problem+json` (RFC 9457)."""

import errno
import logging
import sqlite3
from collections.abc import Callable, Mapping
from http import HTTPStatus
from typing import Any

import msgspec
from starlette.exceptions import HTTPException
from starlette.middleware import Middleware
from starlette.middleware.exceptions import ExceptionMiddleware
from starlette.requests import ClientDisconnect, Request
from starlette.responses import Response

from jobmatch_core.errors import JobMatchError, LabelStoreUnavailableError

MEDIA_TYPE = "application/problem+json"
NOT_NOW = "The server cannot use its label store at present; try again later. Its log says why."
RETRY_LATER = {"Retry-After": "5"}  # seconds
_DISK_FULL = "The server's disk is full, so nothing was stored; try again when its administrator has freed some space."
_RETRY_MUCH_LATER = {"Retry-After": "60"}  # seconds
_SYSTEM_CODES = (errno.ENOSPC, errno.EDQUOT)
_SQLITE_CODES = (sqlite3.SQLITE_FULL, sqlite3.SQLITE_IOERR_SHMSIZE)
_POSTGRESQL_CODE = "53100"  # https://www.postgresql.org/docs/current/errcodes-appendix.html
_log = logging.getLogger(__name__)
Handler = Callable[[Request, Any], Response]


class Problem(msgspec.Struct, frozen=True):
    """Problem with a request."""

    title: str  # the status in words
    status: int  # the HTTP status
    detail: str  # what happened, why, and what to do
    type: str = "about:blank"  # always `about:blank`, which means that the status says what kind of problem it is


def problem(status: int, detail: str, headers: Mapping[str, str] | None = None) -> Response:
    """Return a problem as the answer to a request; a temporary one (503) says when to try again."""
    content = msgspec.json.encode(Problem(HTTPStatus(status).phrase, status, detail))
    if status == HTTPStatus.SERVICE_UNAVAILABLE:
        headers = {**RETRY_LATER, **(headers or {})}
    return Response(content, status, headers, MEDIA_TYPE)


def answer_unavailable(_request: Request, error: LabelStoreUnavailableError) -> Response:
    """Answer that the label store cannot be used; only the log says why, since that may name servers and folders."""
    _log.error("The label store cannot be used: %s", error)
    return problem(HTTPStatus.SERVICE_UNAVAILABLE, NOT_NOW)


def answer_bug(_request: Request, error: Exception) -> Response:
    """Answer any other error; only the log says which."""
    _log.error("A request failed.", exc_info=error)
    return problem(HTTPStatus.INTERNAL_SERVER_ERROR, "The server failed; its log says why.")


PROBLEM_HANDLERS: Mapping[Any, Handler] = {
    HTTPException: lambda _request, error: problem(error.status_code, error.detail, error.headers),
    JobMatchError: lambda _request, error: problem(HTTPStatus.BAD_REQUEST, str(error)),
    LabelStoreUnavailableError: answer_unavailable,
    # nobody reads this answer, but the log and the metrics have its status
    ClientDisconnect: lambda *_: problem(HTTPStatus.BAD_REQUEST, "The request ended before its body was complete."),
    Exception: answer_bug,
}


def problems_answered(handlers: Mapping[Any, Handler] = PROBLEM_HANDLERS) -> Middleware:
    """Return the middleware that turns the errors of a face's operations into answers."""
    return Middleware(
        ExceptionMiddleware, handlers={kind: _after_disk_full(handler) for kind, handler in handlers.items()}
    )


def _after_disk_full(handler: Handler) -> Handler:
    def answer(request: Request, error: Exception) -> Response:
        if not is_disk_full(error):
            return handler(request, error)
        _log.error("The disk is full: %s", error)
        return problem(HTTPStatus.INSUFFICIENT_STORAGE, _DISK_FULL, _RETRY_MUCH_LATER)

    return answer


def is_disk_full(error: BaseException | None) -> bool:
    """Return whether an error, or one of its causes, says that a disk is full: the system's, SQLite's, PostgreSQL's."""
    while error is not None:
        if isinstance(error, OSError) and error.errno in _SYSTEM_CODES:
            return True
        if isinstance(error, sqlite3.Error) and getattr(error, "sqlite_errorcode", 0) in _SQLITE_CODES:
            return True
        if getattr(error, "sqlstate", None) == _POSTGRESQL_CODE:
            return True
        error = error.__cause__
    return False
