"""The calls and errors of ESCO's web service."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from http import HTTPStatus
from typing import Any

import msgspec
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Match, Route
from starlette.types import Scope

from jobmatch.serve.esco.esco_kinds import ADDRESSES, SCHEME_KINDS, kind_by_uri
from jobmatch.serve.esco.esco_query import OCCUPATION, PARAMETERS, PATH, TAXONOMY, EscoQuery, Json, Links, page_links
from jobmatch.serve.esco.esco_releases import Release, choose_release
from jobmatch.serve.esco.esco_resources import Resources
from jobmatch.serve.esco.esco_search import MOST_OCCUPATIONS, EscoHit, count_facet, search, searched_kinds, suggest
from jobmatch.serve.headers import is_foreign
from jobmatch.serve.monitoring import Metrics
from jobmatch.serve.operations import JSON, Operation, Parameter, bad_request
from jobmatch.serve.problems import NOT_NOW, RETRY_LATER, Handler, answer_bug, answer_unavailable
from jobmatch.serve.workers import LinkQueue, Workers
from jobmatch.services.linking import LinkingService, LinkOptions
from jobmatch_core.entities import LinkResult
from jobmatch_core.errors import JobMatchError, LabelStoreUnavailableError
from jobmatch_core.text.folding import visible

MEDIA_TYPE = "application/json;charset=UTF-8"
_LOGREFS = {
    HTTPStatus.BAD_REQUEST: "BadInputException",
    HTTPStatus.NOT_FOUND: "ResourceNotFoundException",
    HTTPStatus.METHOD_NOT_ALLOWED: "MethodNotAllowedException",
}
_OTHER = "ServiceException"
_HAL = "application/hal+json"
_RESULTS = "results"
ANY_KIND = "any"
_RESOURCE = "/resource"  # the path for a resource of any kind
_KINDS = (*dict.fromkeys(ADDRESSES.values()), ANY_KIND)  # in paths
VERSION_HEADER, MISSING_HEADER = "X-Esco-Version", "X-Esco-Version-Missing"


class EscoRoute(Route):
    """A route that ignores repeated slashes and one at the end, as ESCO's web service does."""

    def matches(self, scope: Scope) -> tuple[Match, Scope]:
        """Return whether the route answers a request, and the parameters of its path."""
        root = scope.get("root_path", "")
        plain = "/" + "/".join(part for part in scope["path"].removeprefix(root).split("/") if part)
        path = f"{_RESOURCE}/{ANY_KIND}" if plain == _RESOURCE else plain
        return super().matches({**scope, "path": root + path})


class EscoOperation(Operation):
    """A call of ESCO's web service."""

    def route(self) -> Route:
        """Return the route."""
        return EscoRoute(self.path, self.endpoint, methods=[self.method])


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


def _unavailable(request: Request, error: LabelStoreUnavailableError) -> Response:
    answer_unavailable(request, error)  # which logs it
    return answer_error(HTTPStatus.SERVICE_UNAVAILABLE, NOT_NOW, RETRY_LATER)


def _bug(request: Request, error: Exception) -> Response:
    answer_bug(request, error)  # which logs it
    return answer_error(HTTPStatus.INTERNAL_SERVER_ERROR, "The server failed; its log says why.")


ESCO_HANDLERS: Mapping[Any, Handler] = {
    HTTPException: lambda _request, error: answer_error(error.status_code, error.detail, error.headers),
    JobMatchError: lambda _request, error: answer_error(HTTPStatus.BAD_REQUEST, str(error)),
    LabelStoreUnavailableError: _unavailable,
    Exception: _bug,
}


@dataclass(frozen=True, slots=True)
class _Call:
    request: Request
    query: EscoQuery
    release: Release
    resources: Resources

    def page(self, total: int) -> Json:
        query = self.query
        links = page_links(self.request.url, query, total)
        return {"total": total, "offset": query.page, "limit": query.limit, "language": query.language, "_links": links}

    def answer(self, content: Json) -> Response:
        # scripts of other sites may read these headers
        headers = {VERSION_HEADER: f"v{self.release.version}"}
        if self.release.missing:
            headers[MISSING_HEADER] = f"v{self.release.missing}"
        headers["Access-Control-Expose-Headers"] = ", ".join((VERSION_HEADER, MISSING_HEADER))
        hal = _HAL in self.request.headers.get("accept", "")
        media = f"{_HAL};charset=UTF-8" if hal else MEDIA_TYPE
        return Response(msgspec.json.encode(content), headers=headers, media_type=media)


@dataclass(frozen=True, slots=True)
class EscoCalls:
    """Calls of ESCO's web service; attributes as in `v1.link_calls.LinkCalls`."""

    service: LinkingService
    queue: LinkQueue
    workers: Workers
    metrics: Metrics

    async def esco_search(self, request: Request) -> Response:
        """Search; list everything if there is no text."""
        call = await self._call(request)
        query, resources = call.query, call.resources
        link = None
        if query.text and OCCUPATION in searched_kinds(query):
            link = await self._link(query, resources.taxonomy.id, own_names=not is_foreign(request.headers))
        return await self._results(call, await self.workers.run(lambda: search(resources, query, link)))

    async def esco_suggest(self, request: Request) -> Response:
        """Suggest names that contain a text."""
        call = await self._call(request)
        if not call.query.text:
            raise bad_request("Required parameter 'text' is not present.")
        taxonomy = call.resources.taxonomy
        return await self._results(call, await self.workers.run(lambda: suggest(taxonomy, call.query)))

    async def esco_resource(self, request: Request) -> Response:
        """Show resources by URI, those of a concept scheme in pages, or the concept schemes."""
        kind = request.path_params["kind"]
        if kind not in _KINDS:
            raise bad_request(f"Illegal/Unknown type parameter values: ('{kind}')")
        call = await self._call(request, kind)
        query, resources = call.query, call.resources
        if len(query.uris) == 1 and not query.several:
            return call.answer(await self.workers.read(lambda: resources.whole(query.uris[0])))
        total, uris = len(query.uris), list(query.uris)
        if not uris:
            members = await self.workers.read(lambda: _members(resources, kind, query))
            total, uris = len(members), members[query.rows]
        show = resources.whole if query.uris or query.full or kind == TAXONOMY else resources.brief
        embedded = await self.workers.read(lambda: {uri: show(uri) for uri in uris})
        return call.answer({"count": len(embedded), **call.page(total), "_embedded": embedded})

    async def esco_related(self, request: Request) -> Response:
        """Show related resources."""
        call = await self._call(request)
        query, resources = call.query, call.resources
        if len(query.uris) != 1 or not query.relation:
            raise bad_request("The parameters 'uri' (of one resource) and 'relation' are required.")
        related = await self.workers.read(lambda: resources.related(query.uris[0], query.relation))
        show = resources.whole if query.full else resources.brief
        shown = await self.workers.read(lambda: [show(uri) for uri in related[query.rows]])
        about = {"uri": query.uris[0], "relation": query.relation}
        return call.answer({**about, **call.page(len(related)), "_embedded": {query.relation: shown}})

    async def _call(self, request: Request, address: str = "") -> _Call:
        query = EscoQuery.of(request.query_params)
        kinds = {*query.types, address, *map(kind_by_uri, (*query.uris, *query.schemes))}

        def opened() -> _Call:
            release = choose_release(self.service.installed(), query.version, kinds, query.language)
            links = Links(str(request.base_url).rstrip("/") + PATH, query.language, query.version)
            return _Call(request, query, release, Resources(self.service.taxonomy(release.id), links))

        return await self.workers.read(opened)

    async def _link(self, query: EscoQuery, taxonomy: str, *, own_names: bool) -> LinkResult:
        options = LinkOptions(taxonomy, show=query.language, top=MOST_OCCUPATIONS, own_names=own_names)
        results = await self.queue.link([query.text], options)
        self.metrics.linked(results)
        return results[0]

    async def _results(self, call: _Call, hits: Sequence[EscoHit]) -> Response:
        query, resources = call.query, call.resources
        show = resources.whole if query.full else resources.brief

        def shown() -> tuple[list[Json], Json]:
            results = [
                {**show(hit.uri), "searchHit": hit.matched or resources.title(hit.uri), **hit.more}
                for hit in hits[query.rows]
            ]
            facets = {facet: count_facet(resources, hits, facet) for facet in query.facets}
            return results, {"facets": facets} if facets else {}

        results, facets = await self.workers.run(shown)
        return call.answer({"text": query.text, **call.page(len(hits)), **facets, "_embedded": {_RESULTS: results}})

    def operations(self) -> list[Operation]:
        """Return the operations."""
        errors = {HTTPStatus.NOT_FOUND: "There is no such resource, or that version of ESCO is not imported."}

        kind = Parameter("kind", "occupation, skill, concept or taxonomy. `/resource` alone shows any of them.", "path")

        def get(path: str, endpoint: Any, summary: str, *more: Parameter) -> Operation:  # noqa: ANN401 - a bound method
            return EscoOperation(
                "GET",
                path,
                endpoint,
                summary,
                dict[str, Any],
                parameters=(*more, *PARAMETERS),
                errors=errors,
                problem=EscoError,
                problem_media=JSON,
            )

        return [
            get("/search", self.esco_search, "Search occupations by meaning, skills and groups by their names."),
            get("/suggest2", self.esco_suggest, "Suggest names while a user types."),
            get("/resource/related", self.esco_related, "Show related resources."),
            get("/resource/{kind}", self.esco_resource, "Show an occupation, a skill, a concept or a taxonomy.", kind),
        ]


def _members(resources: Resources, address: str, query: EscoQuery) -> list[str]:
    if address == TAXONOMY:
        return resources.members(TAXONOMY)
    if not query.schemes:
        raise bad_request("One of the parameters 'uri', 'uris' and 'isInScheme' is required.")
    held = {SCHEME_KINDS.get(scheme, "") for scheme in query.schemes}
    kinds = [kind for kind in ADDRESSES if kind in held and address in (ADDRESSES[kind], ANY_KIND)]
    return [uri for kind in kinds for uri in resources.members(kind)]
