"""Operations of the API: one table from which both the routes and their description follow; the callers."""

from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass, field
from http import HTTPStatus
from typing import Any, Literal, TypeVar

import msgspec
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from jobmatch.access.principal import LOCAL, Principal, PrincipalKind
from jobmatch.serve.problems import MEDIA_TYPE, Problem
from jobmatch_core.text.folding import visible

JSON = "application/json"
Endpoint = Callable[[Request], Awaitable[Response]]
B = TypeVar("B")


@dataclass(frozen=True, slots=True)
class Parameter:
    """A parameter of a path or a query.

    Attributes:
        name: its name.
        what: what it is for.
        place: where it stands.
        default: what counts where it is not given; None if it must be.
    """

    name: str
    what: str
    place: Literal["path", "query"] = "query"
    default: str | None = None


@dataclass(frozen=True, slots=True)
class Operation:
    """A call of the API.

    Attributes:
        method: HTTP method.
        path: path below the face's own, as Starlette writes it.
        endpoint: answers.
        summary: what it does, in a line.
        answer: type of the answer; None for none in JSON.
        body: type of the request's body in JSON, or of the fields of a form.
        status: status of success.
        parameters: parameters of path and query.
        media: media type of the answer.
        other_media: media type of the same answer in another form, for requests that ask for it; '' for none.
        form: true where the body is a form, with a file of this name.
        errors: statuses of errors beside those that every operation may answer.
        problem, problem_media: type and media type of errors.
        name: identifies the operation; the endpoint's name by default.
    """

    method: Literal["GET", "POST", "DELETE"]
    path: str
    endpoint: Endpoint
    summary: str
    answer: Any = None
    body: Any = None
    status: int = 200
    parameters: Sequence[Parameter] = ()
    media: str = JSON
    other_media: str = ""
    form: str = ""
    errors: Mapping[HTTPStatus, str] = field(default_factory=dict)
    problem: Any = Problem
    problem_media: str = MEDIA_TYPE
    name: str = ""

    def route(self) -> Route:
        """Return the route."""
        return Route(self.path, self.endpoint, methods=[self.method])


async def read_body(request: Request, kind: type[B]) -> B:
    """Return the body of a request as a record.

    Raises:
        HTTPException: it is not JSON, or no such record.
    """
    # any other type could come from a form on a foreign page, about which no browser asks first
    if request.headers.get("content-type", "").partition(";")[0].strip().lower() != JSON:
        raise HTTPException(HTTPStatus.UNSUPPORTED_MEDIA_TYPE, f"Send JSON, as Content-Type: {JSON}.")
    return read_json(await request.body(), kind, "The request")


def read_json(text: str | bytes, kind: type[B], name: str) -> B:
    """Return JSON as a record.

    Args:
        text: JSON, in UTF-8 where it is bytes.
        kind: the record's type.
        name: name of the text, for the error.

    Raises:
        HTTPException: it is not JSON, or no such record.
    """
    try:
        return msgspec.json.decode(text, type=kind)
    except (msgspec.DecodeError, UnicodeError, RecursionError) as error:  # a ValidationError is a DecodeError
        raise bad_request(f"{name} is not as expected: {error}") from error


def bad_request(detail: str) -> HTTPException:
    """Return the error for a request that can never be answered."""
    return HTTPException(HTTPStatus.BAD_REQUEST, visible(detail))


def not_found(detail: str) -> HTTPException:
    """Return the error for what there is not."""
    return HTTPException(HTTPStatus.NOT_FOUND, visible(detail))


def answer_json(content: object, status: int = HTTPStatus.OK) -> Response:
    """Return the answer with some content; NaN and infinity become null, as JSON has neither."""
    return Response(msgspec.json.encode(content), status, media_type=JSON)


def caller(request: Request) -> Principal:
    """Return who was recognised by `access`; the user of this machine where nobody is asked."""
    found = getattr(request.state, "principal", LOCAL)
    return found if isinstance(found, Principal) else LOCAL


def annotator_of(request: Request, typed: str) -> str:
    """Return whose verdicts a request brings: who sends it or, where nobody is asked, the typed name.

    Raises:
        HTTPException: nobody is asked, and no name is typed.
    """
    who = caller(request)
    annotator = typed if who.kind is PrincipalKind.LOCAL else who.id
    if not annotator.strip():
        raise bad_request("Say in annotator whose verdict it is.")
    return annotator
