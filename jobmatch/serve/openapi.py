"""The description of the API, from its operations and types: OpenAPI 3.1, and an HTML page."""

import re
from collections.abc import Mapping, Sequence, Set
from html import escape
from http import HTTPStatus
from typing import Any

import msgspec

from jobmatch.serve.operations import JSON, Operation, Parameter
from jobmatch.serve.problems import MEDIA_TYPE, Problem
from jobmatch_core import __version__

_PARAMETER = re.compile(r"\{(\w+)(?::\w+)?\}")
_ERRORS = {
    HTTPStatus.BAD_REQUEST: "The request is invalid; the detail says why and what to do.",
    HTTPStatus.REQUEST_ENTITY_TOO_LARGE: "The request is too large.",
    HTTPStatus.TOO_MANY_REQUESTS: "Too many requests; `Retry-After` says when to try again.",
    HTTPStatus.INTERNAL_SERVER_ERROR: "The server failed.",
    HTTPStatus.SERVICE_UNAVAILABLE: "The server is busy, cannot use its label store, or the request took too long.",
    HTTPStatus.INSUFFICIENT_STORAGE: "The server's disk is full; try again later.",
}
Faces = Mapping[str, Sequence[Operation]]  # path of a face -> its operations
_CODE = re.compile("`([^`]+)`")
_FIRST_ERROR = "400"
_PAGE = """<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>The API of jobmatch</title>
<style>
:root {{ color-scheme: light dark; }}
:root {{ --page: #ffffff; --text: #0b1218; --code: #f4f6f7; --line: #d9dfe3; --link: #1f7383; }}
@media (prefers-color-scheme: dark) {{
:root {{ --page: #14191d; --text: #e6eaed; --code: #1e252b; --line: #36414a; --link: #6cc3d3; }}
}}
body {{ font: 16px/1.5 sans-serif; max-width: 60rem; margin: 2rem auto; padding: 0 1rem; }}
body {{ background: var(--page); color: var(--text); }}
code {{ background: var(--code); padding: 0.1em 0.3em; }}
table {{ border-collapse: collapse; }}
td, th {{ border: 1px solid var(--line); padding: 0.2em 0.6em; text-align: left; vertical-align: top; }}
a {{ color: var(--link); }}
h3 {{ margin: 2.5rem 0 0.3rem; }}
</style>
</head>
<body>
<h1>The API of jobmatch {version}</h1>
<p>For programs: <a href="/api/openapi.json">OpenAPI 3.1</a>.</p>
<table>{contents}</table>
<h2>Errors</h2>
<p>Any call may answer with one of these errors, as a <a href="#Problem">Problem</a> (RFC 9457):</p>
<ul>{errors}</ul>
<h2>Calls</h2>
{calls}
<h2>Types</h2>
{types}
</body>
</html>
"""


def describe_api(faces: Faces) -> dict[str, Any]:
    """Return the OpenAPI 3.1 description of faces."""
    types = [
        kind
        for operations in faces.values()
        for operation in operations
        for kind in (operation.body, operation.answer, operation.problem, Problem)
        if kind is not None
    ]
    references, components = msgspec.json.schema_components(types, ref_template="#/components/schemas/{name}")
    schemas = dict(zip(map(repr, types), references, strict=True))
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
        MEDIA_TYPE: {"schema": schemas[repr(Problem)]},  # the middleware in front of all faces answers with it
        operation.problem_media: {"schema": schemas[repr(operation.problem)]},
    }
    described: dict[str, Any] = {
        "operationId": operation.name or operation.endpoint.__name__,
        "tags": [beginning],
        "summary": operation.summary,
        "parameters": [_parameter(parameter) for parameter in operation.parameters],
        "responses": {
            str(operation.status): answer,
            **{
                str(int(status)): {"description": what, "content": problem}
                for status, what in sorted({**_ERRORS, **_type_error(operation), **operation.errors}.items())
            },
        },
    }
    if operation.body is not None:
        described["requestBody"] = {"required": True, "content": _body(operation, schemas[repr(operation.body)])}
    return described


def _type_error(operation: Operation) -> dict[HTTPStatus, str]:
    if operation.body is None:
        return {}
    return {HTTPStatus.UNSUPPORTED_MEDIA_TYPE: f"The request is not {'a form' if operation.form else 'JSON'}."}


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


def api_page(description: Mapping[str, Any]) -> str:
    """Return the description as one self-contained HTML page."""
    calls = [
        (f"{method.upper()} {path}", operation)
        for path, methods in description["paths"].items()
        for method, operation in methods.items()
    ]
    common = set.intersection(*(_errors(operation) for _, operation in calls))
    types = "".join(
        f'<h3 id="{escape(name)}">{escape(name)}</h3>'
        f"<p>{_text(schema.get('description', ''))}</p>{_fields_html(schema)}"
        for name, schema in description["components"]["schemas"].items()
    )
    return _PAGE.format(
        version=escape(description["info"]["version"]),
        contents="".join(
            f'<tr><td><a href="#{escape(operation["operationId"])}"><code>{escape(call)}</code></a></td>'
            f"<td>{_text(operation['summary'])}</td></tr>"
            for call, operation in calls
        ),
        errors="".join(f"<li>{status}: {_text(what)}</li>" for status, what in sorted(common)),
        calls="".join(_call_html(call, operation, common) for call, operation in calls),
        types=types,
    )


def _errors(operation: Mapping[str, Any]) -> set[tuple[str, str]]:
    responses = operation["responses"].items()
    return {(status, answer["description"]) for status, answer in responses if status >= _FIRST_ERROR}


def _call_html(call: str, operation: Mapping[str, Any], common: Set[tuple[str, str]]) -> str:
    """Return a call's parameters, body and answers, without the errors that all calls share."""
    parameters = "".join(
        f"<li><code>{escape(parameter['name'])}</code> ({escape(parameter['in'])}): "
        f"{_text(parameter['description'])}</li>"
        for parameter in operation["parameters"]
    )
    answers = "".join(
        f"<li>{escape(status)}: {_text(answer['description'])} {_content_html(answer)}</li>"
        for status, answer in operation["responses"].items()
        if (status, answer["description"]) not in common
    )
    body = f"<p>Body: {_content_html(operation['requestBody'])}</p>" if "requestBody" in operation else ""
    return (
        f'<h3 id="{escape(operation["operationId"])}"><code>{escape(call)}</code></h3>'
        f"<p>{_text(operation['summary'])}</p><ul>{parameters}</ul>{body}<ul>{answers}</ul>"
    )


def _content_html(holder: Mapping[str, Any]) -> str:
    return ", ".join(
        f"{escape(media)} {_type_html(content['schema'])}" for media, content in holder.get("content", {}).items()
    )


def _fields_html(schema: Mapping[str, Any]) -> str:
    rows = "".join(
        f"<tr><td><code>{escape(name)}</code></td><td>{_type_html(field)}</td>"
        f"<td>{'required' if name in schema.get('required', ()) else escape(str(field.get('default', '')))}</td></tr>"
        for name, field in schema.get("properties", {}).items()
    )
    return f"<table><tr><th>field</th><th>type</th><th>default</th></tr>{rows}</table>" if rows else ""


def _type_html(schema: Mapping[str, Any]) -> str:
    if "$ref" in schema:
        name = escape(schema["$ref"].rpartition("/")[2])
        return f'<a href="#{name}">{name}</a>'
    if "anyOf" in schema:
        return " or ".join(map(_type_html, schema["anyOf"]))
    if schema.get("type") == "array":
        return f"list of {_type_html(schema.get('items', {}))}"
    if "enum" in schema:
        return " | ".join(escape(repr(value)) for value in schema["enum"])
    if schema.get("properties"):
        return ", ".join(
            f"<code>{escape(name)}</code>: {_type_html(field)}" for name, field in schema["properties"].items()
        )
    limits = [f"{key} {schema[key]}" for key in ("minimum", "maximum", "maxLength") if key in schema]
    return escape(" ".join([str(schema.get("type", "anything")), *([f"({', '.join(limits)})"] if limits else [])]))


def _text(text: str) -> str:
    return _CODE.sub(r"<code>\1</code>", escape(text))
