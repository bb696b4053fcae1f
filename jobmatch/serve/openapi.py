"""The description of the API as OpenAPI 3.1, which follows from the operations and their types."""

import re
from collections.abc import Mapping, Sequence
from http import HTTPStatus
from typing import Any

import msgspec

from jobmatch.serve.operations import JSON, Operation, Parameter
from jobmatch.serve.problems import MEDIA_TYPE, Problem
from jobmatch_core import __version__

_PARAMETER = re.compile(r"\{(\w+)(?::\w+)?\}")
_ERRORS = {
    HTTPStatus.BAD_REQUEST: "The request cannot be answered; the detail says why, and what to do.",
    HTTPStatus.REQUEST_ENTITY_TOO_LARGE: "The request is too large.",
    HTTPStatus.TOO_MANY_REQUESTS: "Too many requests; `Retry-After` says when to try again.",
    HTTPStatus.INTERNAL_SERVER_ERROR: "The server failed.",
    HTTPStatus.SERVICE_UNAVAILABLE: "The server is busy, cannot use its label store, or the request took too long.",
}
Faces = Mapping[str, Sequence[Operation]]  # path of a face -> its operations


def describe_api(faces: Faces) -> dict[str, Any]:
    """Return the OpenAPI 3.1 description of faces."""
    every = [operation for operations in faces.values() for operation in operations]
    kinds = [kind for each in every for kind in (each.body, each.answer, each.problem, Problem) if kind is not None]
    found, components = msgspec.json.schema_components(kinds, ref_template="#/components/schemas/{name}")
    schemas = dict(zip(map(repr, kinds), found, strict=True))
    paths: dict[str, dict[str, Any]] = {}
    for beginning, operations in faces.items():
        for operation in operations:
            path = paths.setdefault(_PARAMETER.sub(r"{\1}", beginning + operation.path), {})
            path[operation.method.lower()] = _operation(beginning, operation, schemas)
    return {
        "openapi": "3.1.0",
        "info": {
            "title": "jobmatch",
            "version": __version__,
            "summary": "Match jobs, people and occupations across languages.",
        },
        "paths": paths,
        "components": {"schemas": components, "securitySchemes": {"key": {"type": "http", "scheme": "bearer"}}},
        "security": [{}, {"key": []}],
    }


def _operation(beginning: str, operation: Operation, schemas: Mapping[str, Any]) -> dict[str, Any]:
    answer: dict[str, Any] = {"description": "Success."}
    if operation.answer is not None:
        answer["content"] = {operation.media: {"schema": schemas[repr(operation.answer)]}}
    elif operation.media != JSON:
        answer["content"] = {operation.media: {"schema": {"type": "string"}}}
    if operation.other_media:
        answer["content"][operation.other_media] = {"schema": {"type": "string"}}
    problem = {
        MEDIA_TYPE: {"schema": schemas[repr(Problem)]},  # what is refused before it reaches a face is always one
        operation.problem_media: {"schema": schemas[repr(operation.problem)]},
    }
    described: dict[str, Any] = {
        "operationId": operation.name or operation.endpoint.__name__,
        "tags": [beginning],
        "summary": operation.summary,
        "parameters": [_parameter(each) for each in operation.parameters],
        "responses": {
            str(operation.status): answer,
            **{
                str(int(status)): {"description": what, "content": problem}
                for status, what in sorted({**_ERRORS, **operation.errors}.items())
            },
        },
    }
    if operation.body is not None:
        described["requestBody"] = {"required": True, "content": _body(operation, schemas[repr(operation.body)])}
    return described


def _body(operation: Operation, schema: dict[str, Any]) -> dict[str, Any]:
    if not operation.form:
        return {JSON: {"schema": schema}}
    file = {"type": "string", "contentMediaType": "application/octet-stream"}
    properties = {operation.form: file, "options": schema}
    content = {"type": "object", "properties": properties, "required": [operation.form]}
    return {"multipart/form-data": {"schema": content, "encoding": {"options": {"contentType": JSON}}}}


def _parameter(parameter: Parameter) -> dict[str, Any]:
    schema = {"type": "string"} | ({"default": parameter.default} if parameter.default is not None else {})
    required = parameter.place == "path" or parameter.default is None
    return {
        "name": parameter.name,
        "in": parameter.place,
        "required": required,
        "description": parameter.what,
        "schema": schema,
    }
