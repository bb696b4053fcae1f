"""Errors in the form of ESCO's web service: `logref`, `status`, `message`, `_links`."""

from collections.abc import Mapping
from http import HTTPStatus
from typing import Any

import msgspec
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response

from jobmatch.serve.problems import NOT_NOW, RETRY_LATER, Handler, answer_bug, answer_unavailable
from jobmatch_core.errors import JobMatchError, LabelStoreUnavailableError
from jobmatch_core.text.folding import visible

MEDIA_TYPE = "application/json;charset=UTF-8"
_LOGREFS = {
    HTTPStatus.BAD_REQUEST: "BadInputException",
    HTTPStatus.NOT_FOUND: "ResourceNotFoundException",
    HTTPStatus.METHOD_NOT_ALLOWED: "MethodNotAllowedException",
}
_OTHER = "ServiceException"


class EscoError(msgspec.Struct, frozen=True, rename={"links": "_links"}):
    """Error of a request, in the form of ESCO's web service."""

    logref: str
    status: int
    message: str
    links: None = None


def answer_error(status: int, message: str, headers: Mapping[str, str] | None = None) -> Response:
    """Return an error as the answer to a request."""
    logref = _LOGREFS.get(HTTPStatus(status), _OTHER)
    content = msgspec.json.encode(EscoError(logref, status, visible(message)))
    return Response(content, status, headers, MEDIA_TYPE)


def _http_error(_request: Request, error: HTTPException) -> Response:
    return answer_error(error.status_code, error.detail, error.headers)


def _user_error(_request: Request, error: JobMatchError) -> Response:
    return answer_error(HTTPStatus.BAD_REQUEST, str(error))


def _unavailable(request: Request, error: LabelStoreUnavailableError) -> Response:
    answer_unavailable(request, error)  # which logs it
    return answer_error(HTTPStatus.SERVICE_UNAVAILABLE, NOT_NOW, RETRY_LATER)


def _bug(request: Request, error: Exception) -> Response:
    answer_bug(request, error)  # which logs it
    return answer_error(HTTPStatus.INTERNAL_SERVER_ERROR, "The server failed; its log says why.")


ESCO_HANDLERS: Mapping[Any, Handler] = {
    HTTPException: _http_error,
    JobMatchError: _user_error,
    LabelStoreUnavailableError: _unavailable,
    Exception: _bug,
}
