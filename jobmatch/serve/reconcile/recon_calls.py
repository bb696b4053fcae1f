"""The calls of the Entity Reconciliation API, version 0.2 and the draft of 1.0."""

import re
from collections.abc import Callable
from dataclasses import dataclass, replace
from http import HTTPStatus
from typing import Annotated, Any, TypeVar
from urllib.parse import quote

import msgspec
from msgspec import Meta, Struct
from starlette.datastructures import FormData, QueryParams
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import HTMLResponse, Response

from jobmatch.access.principal import PrincipalKind
from jobmatch.serve.credentials import KEYED_PATH
from jobmatch.serve.headers import is_foreign
from jobmatch.serve.linkers import loaded_linker
from jobmatch.serve.operations import (
    JSON,
    Endpoint,
    Operation,
    Parameter,
    annotator_id,
    answer_json,
    bad_request,
    caller,
    not_found,
    read_body,
)
from jobmatch.serve.reconcile import recon_manifests, recon_properties
from jobmatch.serve.reconcile.recon_candidates import TYPES, QueryMatcher, concept_types, containing, identified
from jobmatch.serve.reconcile.recon_manifests import new_manifest, old_manifest
from jobmatch.serve.reconcile.recon_origins import CALLBACK, is_read_elsewhere
from jobmatch.serve.reconcile.recon_properties import Extension, ExtensionQuery
from jobmatch.serve.reconcile.recon_query import QueryBatch, check_letters, read_new_batch, read_old_batch
from jobmatch.services.link_decisions import LinkDecision, decision_judgments
from jobmatch.services.linking import LinkOptions
from jobmatch_core.entities import Judgment, LinkResult, Verdict
from jobmatch_core.errors import TaxonomyError
from jobmatch_core.judgment_origin import Origin
from jobmatch_core.linking import Linker
from jobmatch_core.taxonomy import Taxonomy
from jobmatch_core.taxonomy.tables import GROUP
from jobmatch_core.taxonomy.taxonomy import search_names
from jobmatch_core.text.locales import ENGLISH, language_code

_CALLBACK = re.compile(r"[A-Za-z_$][A-Za-z0-9_$]{0,63}(\.[A-Za-z_$][A-Za-z0-9_$]{0,63}){0,4}")  # such as app.show
SCRIPT = "text/javascript"
T = TypeVar("T")
PATH, DRAFT_PATH = "/reconcile", "/reconcile/1.0"
POLICY = "reconciliation"  # of judgments, in place of a page's name
_SUGGESTIONS, _MOST_SKIPPED, _LONGEST_TEXT = 20, 1000, 1000
_LARGEST_FIELD = 1 << 30  # bytes; `LimitsMiddleware` limits the whole request
_TAXONOMY = Parameter("taxonomy", "Id of the taxonomy.", "path")
_KEY = Parameter("key", "Key with only the role viewer and the scope reconcile.", "path")
_WHAT = Parameter("what", "entity, type or property.", "path")
_ID = Parameter("id", "Id of the entity.")
_LANGUAGE = Parameter("language", "Language of names.", default="en")
_JSONP = Parameter(CALLBACK, "Name of a JavaScript function, for JSONP.", default="")
_PREFIX = [
    Parameter("prefix", "Text to search for.", default=""),
    Parameter("cursor", "Suggestions to skip.", default="0"),
]
_PROPOSED = [
    Parameter("type", "Id of the type.", default=""),
    Parameter("limit", "Maximum number of properties.", default=""),
]
_HTML = "text/html"
_MISSING = {HTTPStatus.NOT_FOUND: "There is no such taxonomy, or no such entity."}
_FOREIGN = {HTTPStatus.FORBIDDEN: "Pages of other sites may not call this."}


def answer_padded(request: Request, content: object) -> Response:
    """Return an answer in JSON or, if the request names a callback, in JSONP for pages of other sites.

    Raises HTTPException if the callback is not the name of a function.
    """
    callback, encoded = request.query_params.get(CALLBACK), msgspec.json.encode(content)
    if callback is None:
        return Response(encoded, media_type=JSON)
    if not _CALLBACK.fullmatch(callback):
        raise bad_request("callback is not the name of a function.")
    # the comment keeps the answer from starting with text of the request
    script = b"/**/" + callback.encode() + b"(" + encoded + b");"
    return Response(script, headers={"X-Content-Type-Options": "nosniff"}, media_type=SCRIPT)


class Decision(Struct, frozen=True, forbid_unknown_fields=True):
    """A verdict on an entity for a query; without an id, none of the candidates is right."""

    query: Annotated[str, Meta(min_length=1, max_length=1000)]
    id: Annotated[str, Meta(max_length=1000)] | None = None
    verdict: Verdict = Verdict.POSITIVE
    note: Annotated[str, Meta(max_length=1000)] = ""
    origin: Origin = Origin.LOOKED_AT


class DecisionBatch(Struct, frozen=True, forbid_unknown_fields=True):
    """Verdicts of one annotator."""

    decisions: Annotated[list[Decision], Meta(min_length=1, max_length=1000)]
    annotator: Annotated[str, Meta(max_length=100)] = ""


@dataclass(frozen=True, slots=True)
class ReconCalls:
    """Calls of the reconciliation service."""

    matcher: QueryMatcher

    async def reconcile_by_get(self, request: Request) -> Response:
        """Show the manifest, match queries, or extend data."""
        return await self._old(request, request.query_params)

    async def reconcile_by_form(self, request: Request) -> Response:
        """Match queries or extend data, by a form."""
        async with request.form(max_files=0, max_fields=20, max_part_size=_LARGEST_FIELD) as form:
            return await self._old(request, form)

    async def _old(self, request: Request, fields: QueryParams | FormData) -> Response:
        taxonomy = await self._taxonomy(request)
        queries, extend = fields.get("queries"), fields.get("extend")
        if isinstance(queries, str):
            batch = read_old_batch(queries)
            own_names = not is_read_elsewhere(request)
            matched = await self.matcher.match(taxonomy, list(batch.values()), own_names=own_names)
            answer: Any = {key: {"result": candidates} for key, candidates in zip(batch, matched, strict=True)}
        elif isinstance(extend, str):
            answer = await self._extended(taxonomy, extend)
        elif request.method == "POST":
            raise bad_request("Send 'queries' or 'extend', as a form.")
        else:
            answer = old_manifest(taxonomy, _address(request, PATH), _address(request, _root(request)))
        return answer_padded(request, answer)

    async def _extended(self, taxonomy: Taxonomy, extend: str | bytes) -> Extension:
        query = recon_properties.read_extension(extend)
        return await self._run(lambda: recon_properties.extend(taxonomy, query))

    async def reconcile_manifest(self, request: Request) -> Response:
        """Show the manifest of the draft of version 1.0, or extend data as the draft's test bench does."""
        taxonomy, extend = await self._taxonomy(request), request.query_params.get("extend")
        if extend is not None:
            return answer_json(await self._extended(taxonomy, extend))
        return answer_json(new_manifest(taxonomy, _address(request, DRAFT_PATH)))

    async def reconcile_match(self, request: Request) -> Response:
        """Match queries of the draft of version 1.0."""
        taxonomy = await self._taxonomy(request)
        batch = await read_body(request, QueryBatch)
        own_names = not is_read_elsewhere(request)
        matched = await self.matcher.match(taxonomy, read_new_batch(batch), own_names=own_names)
        return answer_json({"results": [{"candidates": candidates} for candidates in matched]})

    async def reconcile_extend(self, request: Request) -> Response:
        """Extend data, as the draft of version 1.0 does."""
        taxonomy = await self._taxonomy(request)
        extension = await self._extended(taxonomy, await request.body())
        rows = [
            {"id": uri, "properties": [{"id": name, "values": values} for name, values in row.items()]}
            for uri, row in extension.rows.items()
        ]
        return answer_json({"meta": extension.meta, "rows": rows})

    async def reconcile_suggest(self, request: Request) -> Response:
        """Suggest entities, types or properties."""
        taxonomy = await self._taxonomy(request)
        prefix, skipped = _text(request, "prefix"), _skipped(request)
        what, language = request.path_params["what"], _language(request)
        if what == "entity":
            suggestions: list[Any] = await self._run(
                lambda: _entities(taxonomy, prefix, language, skipped + _SUGGESTIONS)
            )
        elif what == "type":
            suggestions = containing(TYPES, prefix)
        elif what == "property":
            suggestions = await self._read(lambda: recon_properties.suggested_properties(taxonomy, prefix))
        else:
            raise not_found(f"There are no suggestions for {what!r}; only for entity, type and property.")
        return answer_padded(request, {"result": suggestions[skipped : skipped + _SUGGESTIONS]})

    async def reconcile_flyout(self, request: Request) -> Response:
        """Describe an entity, a type or a property in some lines."""
        taxonomy = await self._taxonomy(request)
        identifier, what = _text(request, "id"), request.path_params["what"]
        if what == "entity":
            _check_entity(taxonomy, identifier)
            html = await self._read(lambda: recon_manifests.flyout(taxonomy, taxonomy.occupation(identifier, ENGLISH)))
        else:
            choices = TYPES if what == "type" else recon_properties.suggested_properties(taxonomy, "")
            named = next((choice for choice in choices if choice.id == identifier), None)
            if named is None:
                raise not_found(f"There is no {what} {identifier!r}.")
            html = recon_manifests.named_flyout(named.name, what, recon_properties.HELP.get(identifier, ""))
        return answer_padded(request, {"id": identifier, "html": html})

    async def reconcile_preview(self, request: Request) -> Response:
        """Show an entity as a page, with the evidence that a title (`query`) means it."""
        taxonomy = await self._taxonomy(request)
        uri, title, language = _text(request, "id"), _text(request, "query"), _language(request)
        if not taxonomy.has_concept(uri) and "text/html" in request.headers.get("accept", ""):
            return HTMLResponse(recon_manifests.unknown(uri), HTTPStatus.NOT_FOUND, recon_manifests.UNKNOWN_HEADERS)
        _check_entity(taxonomy, uri)
        link: LinkResult | None = None
        if title:
            own_names = not is_read_elsewhere(request)
            options = LinkOptions(taxonomy.id, show=language, top=100, own_names=own_names)
            [link] = await self.matcher.queue.link([title], options)
        entity = await self._read(lambda: taxonomy.occupation(uri, language))
        return HTMLResponse(recon_manifests.preview(taxonomy, entity, language, link), headers=recon_manifests.HEADERS)

    async def reconcile_properties(self, request: Request) -> Response:
        """List properties for data extension."""
        taxonomy = await self._taxonomy(request)
        kind, limit = _text(request, "type"), _text(request, "limit")
        proposed = [entity_property.named for entity_property in recon_properties.entity_properties(taxonomy)]
        answer: dict[str, Any] = {"properties": proposed, "type": kind}
        if limit.isascii() and limit.isdigit() and int(limit[:9]) > 0:
            answer |= {"properties": proposed[: int(limit[:9])], "limit": int(limit[:9])}
        return answer_padded(request, answer)

    async def reconcile_decide(self, request: Request) -> Response:
        """Record decisions; an extension of the protocol."""
        _refuse_foreign_pages(request)
        taxonomy = await self._taxonomy(request)
        batch = await read_body(request, DecisionBatch)
        check_letters(decision.query for decision in batch.decisions)
        annotator = annotator_id(request, batch.annotator)
        for decision in batch.decisions:
            if decision.id is not None:
                _check_entity(taxonomy, decision.id)
        decisions = [
            LinkDecision(decision.query, decision.id, decision.verdict, decision.note, decision.origin)
            for decision in batch.decisions
        ]
        linker = await loaded_linker(self.matcher.service, LinkOptions(taxonomy.id), self.matcher.workers)
        recorded = await self._run(lambda: self._record(linker, decisions, annotator))
        answer = {"results": [{"judgments": [judgment.id for judgment in judgments]} for judgments in recorded]}
        return answer_json(answer, HTTPStatus.CREATED)

    def _record(self, linker: Linker, decisions: list[LinkDecision], annotator: str) -> list[list[Judgment]]:
        recorded = decision_judgments(linker, decisions, annotator, POLICY)
        self.matcher.service.labels().record_all([judgment for judgments in recorded for judgment in judgments])
        return recorded

    async def _taxonomy(self, request: Request) -> Taxonomy:
        taxonomy_id = request.path_params["taxonomy"]
        try:
            return await self._read(lambda: self.matcher.service.taxonomy(taxonomy_id))
        except TaxonomyError as error:
            # the error lists the installed taxonomies
            detail = f"There is no taxonomy {taxonomy_id!r}." if is_read_elsewhere(request) else str(error)
            raise not_found(detail) from error

    async def _run(self, call: Callable[[], T]) -> T:
        return await self.matcher.workers.run(call)

    async def _read(self, call: Callable[[], T]) -> T:
        return await self.matcher.workers.read(call)


def _address(request: Request, root: str) -> str:
    return f"{str(request.base_url).rstrip('/')}{root}/{request.path_params['taxonomy']}"


def _root(request: Request) -> str:
    """Return the root path of the service, with the key of the request's path if it has one."""
    key = request.path_params.get("key")
    return PATH if key is None else KEYED_PATH.format(key=quote(key, safe=""))


def _text(request: Request, name: str) -> str:
    text = request.query_params.get(name, "").strip()
    if len(text) > _LONGEST_TEXT:
        raise bad_request(f"{name} is longer than {_LONGEST_TEXT:,} characters.")
    return text


def _language(request: Request) -> str:
    language = request.query_params.get("language") or request.headers.get("accept-language", "")
    return language_code(language.partition(",")[0].partition(";")[0]) or ENGLISH


def _skipped(request: Request) -> int:
    cursor = request.query_params.get("cursor") or request.query_params.get("start") or "0"
    if not (cursor.isascii() and cursor.isdigit() and len(cursor) < 6 and int(cursor) <= _MOST_SKIPPED):
        raise bad_request(f"cursor is {cursor!r}; expected a whole number up to {_MOST_SKIPPED:,}.")
    return int(cursor)


def _check_entity(taxonomy: Taxonomy, uri: str) -> None:
    if not taxonomy.has_concept(uri):
        raise not_found(f"There is no entity {uri!r} in {taxonomy.id}.")


def _entities(taxonomy: Taxonomy, prefix: str, language: str, most: int) -> list[dict[str, Any]]:
    """Return entities with a text in a name; first those with that URI or code."""
    direct = identified(taxonomy, prefix)
    hits = [
        *search_names(taxonomy, prefix, show=language, limit=most),
        *search_names(taxonomy, prefix, show=language, limit=most, kind=GROUP),
    ]
    return [
        {
            "id": uri,
            "name": taxonomy.name(taxonomy.number(uri), language),
            "description": f"{taxonomy.codes[taxonomy.number(uri)]} {matched}".strip(),
            "notable": concept_types(taxonomy, uri),
        }
        for uri, matched in (dict.fromkeys(direct, "") | {hit.uri: hit.matched for hit in hits}).items()
    ]


def _refuse_foreign_pages(request: Request) -> None:
    # they may read, but not write in the name of this machine's user
    if is_foreign(request.headers) and caller(request).kind is PrincipalKind.LOCAL:
        raise HTTPException(HTTPStatus.FORBIDDEN, "Pages of other sites may record decisions with a key only.")


def operations(calls: ReconCalls) -> dict[str, list[Operation]]:
    """Return the operations of both versions by their root path; those of version 0.2 that read also with a key."""

    def get(path: str, endpoint: Endpoint, summary: str, *parameters: Parameter, media: str = "") -> Operation:
        answer: dict[str, Any] = {"media": media} if media else {"answer": dict[str, Any]}
        if _JSONP in parameters:
            answer["other_media"] = SCRIPT
        return Operation(
            "GET",
            f"/{{taxonomy}}{path}",
            endpoint,
            summary,
            parameters=[_TAXONOMY, *parameters],
            errors={**_MISSING, **_FOREIGN},
            **answer,
        )

    def post(path: str, endpoint: Endpoint, summary: str, body: Any = None, status: int = 200) -> Operation:  # noqa: ANN401
        return Operation(
            "POST",
            f"/{{taxonomy}}{path}",
            endpoint,
            summary,
            dict[str, Any],
            body,
            status,
            [_TAXONOMY],
            errors={**_MISSING, **_FOREIGN},
        )

    queries, extend = (Parameter(name, "JSON, as the protocol says.", default="") for name in ("queries", "extend"))
    suggest = ("/suggest/{what}", calls.reconcile_suggest, "Suggest entities, types or properties while a user types.")
    preview = ("/preview", calls.reconcile_preview, "Show an entity, as HTML.")
    evidence = Parameter("query", "Title whose evidence for the entity is shown.", default="")
    decide = ("/decisions", calls.reconcile_decide, "Record verdicts on matches.", DecisionBatch, HTTPStatus.CREATED)
    draft = [
        get("", calls.reconcile_manifest, "Show the manifest, or get properties as in version 0.2.", extend),
        post("/match", calls.reconcile_match, "Match queries.", QueryBatch),
        get(*suggest, _WHAT, *_PREFIX, _LANGUAGE),
        get(*preview, _ID, evidence, _LANGUAGE, media=_HTML),
        post("/extend", calls.reconcile_extend, "Get properties of entities.", ExtensionQuery),
        get("/extend/propose", calls.reconcile_properties, "List the properties that entities have.", *_PROPOSED),
        post(*decide),
    ]
    old = [
        get("", calls.reconcile_by_get, "Show the manifest, match, or get properties.", queries, extend, _JSONP),
        post("", calls.reconcile_by_form, "Match queries, or get properties, by a form."),
        get(*suggest, _WHAT, *_PREFIX, _LANGUAGE, _JSONP),
        get(
            "/flyout/{what}",
            calls.reconcile_flyout,
            "Describe an entity, a type or a property in some lines.",
            _WHAT,
            _ID,
            _JSONP,
        ),
        get(*preview, _ID, evidence, _LANGUAGE, media=_HTML),
        get("/properties", calls.reconcile_properties, "List the properties that entities have.", *_PROPOSED, _JSONP),
    ]
    drafted = [replace(operation, name=f"{operation.endpoint.__name__}_draft") for operation in draft]
    keyed = [
        replace(operation, name=f"{operation.endpoint.__name__}_by_key", parameters=[_KEY, *operation.parameters])
        for operation in old
    ]
    return {DRAFT_PATH: drafted, KEYED_PATH: keyed, PATH: [*old, post(*decide)]}
