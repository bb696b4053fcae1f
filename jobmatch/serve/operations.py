"""Operations of the API, from which routes and their description are made; reading requests, and their callers."""

from collections.abc import AsyncIterator, Awaitable, Callable, Mapping, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from http import HTTPStatus
from typing import Any, Literal, TypeVar

import msgspec
from starlette.datastructures import UploadFile
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from jobmatch.access.principal import LOCAL, Principal, PrincipalKind
from jobmatch.serve.problems import MEDIA_TYPE, Problem
from jobmatch_core.text.folding import visible

JSON = "application/json"
FORM_FILE, _OPTIONS = "file", "options"  # fields of a form
_FORM = "multipart/form-data"
_MOST_OPTIONS = 64 * 1024  # bytes
Endpoint = Callable[[Request], Awaitable[Response]]
B = TypeVar("B")


@dataclass(frozen=True, slots=True)
class Parameter:
    """A parameter of a path or a query, with its description *what*; required without a default."""

    name: str
    what: str
    place: Literal["path", "query"] = "query"
    default: str | None = None


@dataclass(frozen=True, slots=True)
class Operation:
    """A call of the API."""

    method: Literal["GET", "POST", "DELETE"]  # HTTP method
    path: str  # path below the face's, in Starlette's syntax
    endpoint: Endpoint  # the function that answers
    summary: str  # what the call does, in one line
    answer: Any = None  # type of the answer; None if it is not JSON
    body: Any = None  # type of the request's JSON, or of the options in its form
    status: int = 200  # status of success
    parameters: Sequence[Parameter] = ()  # parameters of path and query
    media: str = JSON  # media type of the answer
    other_media: str = ""  # media type of an alternative form of the answer; '' for none
    form: str = ""  # name of the file in the request's form; '' if the body is JSON
    # statuses of errors beside those that every operation may answer
    errors: Mapping[HTTPStatus, str] = field(default_factory=dict)
    problem: Any = Problem  # type of errors
    problem_media: str = MEDIA_TYPE  # media type of errors
    name: str = ""  # operation id; the endpoint's name by default

    def route(self) -> Route:
        """Return the route."""
        return Route(self.path, self.endpoint, methods=[self.method])


async def read_body(request: Request, kind: type[B]) -> B:
    """Read the JSON body of a request; raises HTTPException if it is not JSON, or not of this type."""
    # forms of other sites' pages can send any other type, without a preflight request of the browser
    if request.headers.get("content-type", "").partition(";")[0].strip().lower() != JSON:
        raise HTTPException(HTTPStatus.UNSUPPORTED_MEDIA_TYPE, f"Send JSON, as Content-Type: {JSON}.")
    return read_json(await request.body(), kind, "The request")


def read_json(text: str | bytes, kind: type[B], name: str) -> B:
    """Read JSON (bytes in UTF-8) as a type; *name* stands for the text in the error.

    Raises HTTPException if it is not JSON, or not of this type.
    """
    try:
        return msgspec.json.decode(text, type=kind)
    except (msgspec.DecodeError, UnicodeError, RecursionError) as error:  # a ValidationError is a DecodeError
        raise bad_request(f"{name} is not as expected: {error}") from error


@asynccontextmanager
async def read_form(request: Request, kind: type[B]) -> AsyncIterator[tuple[UploadFile, B]]:
    """Read the file of a form, and its options of this type; raises HTTPException if they are not as expected."""
    if request.headers.get("content-type", "").partition(";")[0].strip().lower() != _FORM:
        raise HTTPException(HTTPStatus.UNSUPPORTED_MEDIA_TYPE, f"Send a form, as Content-Type: {_FORM}.")
    try:
        async with request.form(max_files=1, max_fields=1, max_part_size=_MOST_OPTIONS) as form:
            file, options = form.get(FORM_FILE), form.get(_OPTIONS, "{}")
            if not isinstance(file, UploadFile) or not isinstance(options, str):
                raise bad_request(
                    f"Send the file in the field '{FORM_FILE}', and the options as JSON in the field '{_OPTIONS}'."
                )
            try:
                read = msgspec.json.decode(options, type=kind)
            except msgspec.DecodeError as error:
                raise bad_request(f"The options are not as expected: {error}") from error
            yield file, read
    except UnicodeError as error:  # clients may claim any `charset`
        raise bad_request("The form is not UTF-8; send it without a charset.") from error


def bad_request(detail: str) -> HTTPException:
    """Return the error for an invalid request."""
    return HTTPException(HTTPStatus.BAD_REQUEST, visible(detail))


def not_found(detail: str) -> HTTPException:
    """Return the error for something that does not exist."""
    return HTTPException(HTTPStatus.NOT_FOUND, visible(detail))


def answer_json(content: object, status: int = HTTPStatus.OK) -> Response:
    """Return an answer in JSON; NaN and infinity become null."""
    return Response(msgspec.json.encode(content), status, media_type=JSON)


def caller(request: Request) -> Principal:
    """Return the sender of a request; LOCAL if the server needs neither keys nor sign-in."""
    principal = getattr(request.state, "principal", LOCAL)
    return principal if isinstance(principal, Principal) else LOCAL


def annotator_id(request: Request, name: str) -> str:
    """Return the annotator of a request's verdicts: its sender or, without keys and sign-in, the name in its body.

    Raises HTTPException if there is no name.
    """
    who = caller(request)
    annotator = name if who.kind is PrincipalKind.LOCAL else who.id
    if not annotator.strip():
        raise bad_request("`annotator` is required.")
    return annotator
