"""Errors as answers: `application/problem+json` (RFC 9457)."""

import logging
from collections.abc import Callable, Mapping
from http import HTTPStatus
from typing import Any

import msgspec
from starlette.exceptions import HTTPException
from starlette.middleware import Middleware
from starlette.middleware.exceptions import ExceptionMiddleware
from starlette.requests import ClientDisconnect, Request
from starlette.responses import Response

from jobmatch.serve.disk_full import is_disk_full
from jobmatch_core.errors import JobMatchError, LabelStoreUnavailableError

MEDIA_TYPE = "application/problem+json"
NOT_NOW = "The server cannot use its label store at present; try again later. Its log says why."
RETRY_LATER = {"Retry-After": "5"}  # seconds
_DISK_FULL = (
    "The server's disk is full, so that nothing was stored; try again when its administrator has freed some space."
)
_RETRY_MUCH_LATER = {"Retry-After": "60"}  # seconds
_log = logging.getLogger(__name__)
Handler = Callable[[Request, Any], Response]


class Problem(msgspec.Struct, frozen=True):
    """Problem with a request.

    Attributes:
        title: the status in words.
        status: the HTTP status.
        detail: what happened, why, and what to do.
        type: what identifies the kind of problem; always `about:blank`, which means that the status tells it.
    """

    title: str
    status: int
    detail: str
    type: str = "about:blank"


def problem(status: int, detail: str, headers: Mapping[str, str] | None = None) -> Response:
    """Return a problem as the answer to a request; one that may pass says when to try again."""
    content = msgspec.json.encode(Problem(HTTPStatus(status).phrase, status, detail))
    if status == HTTPStatus.SERVICE_UNAVAILABLE:
        headers = {**RETRY_LATER, **(headers or {})}
    return Response(content, status, headers, MEDIA_TYPE)


def answer_http_error(_request: Request, error: HTTPException) -> Response:
    """Answer an error that a route or Starlette raised with its status."""
    return problem(error.status_code, error.detail, error.headers)


def answer_user_error(_request: Request, error: JobMatchError) -> Response:
    """Answer an error that the client can act on."""
    return problem(HTTPStatus.BAD_REQUEST, str(error))


def answer_unavailable(_request: Request, error: LabelStoreUnavailableError) -> Response:
    """Answer that the label store cannot be used, the reason for which may name servers and folders."""
    _log.error("The label store cannot be used: %s", error)
    return problem(HTTPStatus.SERVICE_UNAVAILABLE, NOT_NOW)


def answer_disconnect(_request: Request, _error: ClientDisconnect) -> Response:
    """Answer a client that went away before it had sent everything, for the log and the metrics alone."""
    return problem(HTTPStatus.BAD_REQUEST, "The request ended before its body was complete.")


def answer_bug(_request: Request, error: Exception) -> Response:
    """Answer any other error, which is logged, and of which the client learns nothing."""
    _log.error("A request failed.", exc_info=error)
    return problem(HTTPStatus.INTERNAL_SERVER_ERROR, "The server failed; its log says why.")


PROBLEM_HANDLERS: Mapping[Any, Handler] = {
    HTTPException: answer_http_error,
    JobMatchError: answer_user_error,
    LabelStoreUnavailableError: answer_unavailable,
    ClientDisconnect: answer_disconnect,
    Exception: answer_bug,
}


def problems_answered(handlers: Mapping[Any, Handler] = PROBLEM_HANDLERS) -> Middleware:
    """Return the middleware of a face's `Mount` that turns errors into answers, by handlers of its own if it likes."""
    return Middleware(
        ExceptionMiddleware, handlers={kind: _after_disk_full(handler) for kind, handler in handlers.items()}
    )


def _after_disk_full(handler: Handler) -> Handler:
    """Return a handler that is called unless a full disk is the cause, which is no fault of the request."""

    def answer(request: Request, error: Exception) -> Response:
        if not is_disk_full(error):
            return handler(request, error)
        _log.error("The disk is full: %s", error)
        return problem(HTTPStatus.INSUFFICIENT_STORAGE, _DISK_FULL, _RETRY_MUCH_LATER)

    return answer
