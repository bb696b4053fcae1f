"""JSON with padding, by which old pages read from other sites."""

import re
from http import HTTPStatus

import msgspec
from starlette.requests import Request
from starlette.responses import Response

from jobmatch.serve.operations import JSON, bad_request

_CALLBACK = re.compile(r"[A-Za-z_$][A-Za-z0-9_$]{0,63}(\.[A-Za-z_$][A-Za-z0-9_$]{0,63}){0,4}")  # a name, or a path
SCRIPT = "text/javascript"


def answer_padded(request: Request, content: object, status: int = HTTPStatus.OK) -> Response:
    """Return the answer in JSON or, where the request names a callback, as a call of it.

    Raises:
        HTTPException: the callback is no name of a function.
    """
    callback, encoded = request.query_params.get("callback"), msgspec.json.encode(content)
    if callback is None:
        return Response(encoded, status, media_type=JSON)
    if not _CALLBACK.fullmatch(callback):
        raise bad_request("callback is no name of a function.")
    # the comment keeps the answer from beginning with what the request says
    script = b"/**/" + callback.encode() + b"(" + encoded + b");"
    return Response(script, status, {"X-Content-Type-Options": "nosniff"}, SCRIPT)
