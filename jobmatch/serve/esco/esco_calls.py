"""The calls of ESCO's web service, and errors in its form: `logref`, `status`, `message`, `_links`."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from http import HTTPStatus
from typing import Any

import msgspec
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response

from jobmatch.serve.esco.esco_query import OCCUPATION, PARAMETERS, PATH, TAXONOMY, EscoQuery, Json, Links, page_links
from jobmatch.serve.esco.esco_resources import (
    GROUPS,
    KINDS,
    MOST_OCCUPATIONS,
    OCCUPATIONS,
    SCHEME_KINDS,
    SKILLS,
    Found,
    Resources,
    listed,
    search,
    searched_kinds,
    suggested,
)
from jobmatch.serve.monitoring import Metrics
from jobmatch.serve.operations import JSON, Operation, Parameter, bad_request, not_found
from jobmatch.serve.origins import is_foreign
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


_HAL = "application/hal+json"
_RESULTS = "results"
_PREFIX = "esco-"  # of the ids of imported versions
_IMPORT = (
    "Download ESCO's CSV files from https://esco.ec.europa.eu/en/use-esco/download, and import the folder on the "
    "server with `jobmatch taxonomy import FOLDER`, or on the page 'Taxonomies'"
)


@dataclass(frozen=True, slots=True)
class EscoCalls:
    """Calls of ESCO's web service; attributes as in `v1.calls`."""

    service: LinkingService
    queue: LinkQueue
    workers: Workers
    metrics: Metrics

    async def esco_search(self, request: Request) -> Response:
        """Search; without a text, list."""
        query, resources = await self._asked(request)
        kinds = searched_kinds(query)
        if not query.text:
            found = await self.workers.run(lambda: listed(resources, kinds))
        else:
            own_names = not is_foreign(request.headers)
            link = await self._link(query, resources.taxonomy.id, own_names) if OCCUPATION in kinds else None
            found = await self.workers.run(lambda: search(resources.taxonomy, query, kinds, link))
        return await self._results(request, query, resources, found)

    async def esco_suggest(self, request: Request) -> Response:
        """Suggest names with some letters in them."""
        query, resources = await self._asked(request)
        if not query.text:
            raise bad_request("Required parameter 'text' is not present.")
        kinds = searched_kinds(query)
        found = await self.workers.run(lambda: suggested(resources.taxonomy, query, kinds))
        return await self._results(request, query, resources, found)

    async def esco_resource(self, request: Request) -> Response:
        """Show resources by URI; all of a concept scheme, in pages; or the concept schemes."""
        query, resources = await self._asked(request)
        kind = request.path_params["kind"]
        if kind not in (*KINDS, TAXONOMY):
            raise bad_request(f"Illegal/Unknown type parameter values: ('{kind}')")
        if "uris" not in request.query_params and len(query.uris) == 1:
            return _answer(request, await self.workers.run(lambda: resources.whole(query.uris[0])))
        total, uris = len(query.uris), list(query.uris)
        if not uris:
            members = await self.workers.run(lambda: _members(resources, kind, query))
            total, uris = len(members), members[query.rows]
        show = resources.whole if query.uris or query.full or kind == TAXONOMY else resources.brief
        embedded = await self.workers.run(lambda: {uri: show(uri) for uri in uris})
        return _answer(request, {"count": len(embedded), **_page(request, query, total), "_embedded": embedded})

    async def esco_related(self, request: Request) -> Response:
        """Show what a resource is related to."""
        query, resources = await self._asked(request)
        if len(query.uris) != 1 or not query.relation:
            raise bad_request("Required are the parameters 'uri', of one resource, and 'relation'.")
        related = await self.workers.run(lambda: resources.related(query.uris[0], query.relation))
        show = resources.whole if query.full else resources.brief
        shown = await self.workers.run(lambda: [show(uri) for uri in related[query.rows]])
        about = {"uri": query.uris[0], "relation": query.relation}
        answer = {**about, **_page(request, query, len(related)), "_embedded": {query.relation: shown}}
        return _answer(request, answer)

    async def _asked(self, request: Request) -> tuple[EscoQuery, Resources]:
        query = EscoQuery.of(request.query_params)
        taxonomy = await self.workers.run(
            lambda: self.service.taxonomy(_esco_id(self.service.esco_ids(), query.version))
        )
        root = str(request.base_url).rstrip("/") + PATH
        return query, Resources(taxonomy, Links(root, query.language, query.version))

    async def _link(self, query: EscoQuery, taxonomy: str, own_names: bool) -> LinkResult:
        options = LinkOptions(taxonomy, show=query.language, top=MOST_OCCUPATIONS, own_names=own_names)
        results = await self.queue.link([query.text], options)
        self.metrics.linked(results)
        return results[0]

    async def _results(
        self, request: Request, query: EscoQuery, resources: Resources, found: Sequence[Found]
    ) -> Response:
        show = resources.whole if query.full else resources.brief

        def shown() -> list[Json]:
            return [
                {**show(each.uri), "searchHit": each.matched or resources.title(each.uri), **each.more}
                for each in found[query.rows]
            ]

        results = await self.workers.run(shown)
        page = _page(request, query, len(found))
        return _answer(request, {"text": query.text, **page, "_embedded": {_RESULTS: results}})

    def operations(self) -> list[Operation]:
        """Return the operations."""
        errors = {HTTPStatus.NOT_FOUND: "There is no such resource, or no ESCO of that version is imported."}

        kind = Parameter("kind", "What to show: occupation, skill, concept or taxonomy.", "path")

        def get(path: str, endpoint: Any, summary: str, *more: Parameter) -> Operation:  # noqa: ANN401 - a bound method
            return Operation("GET", path, endpoint, summary, dict[str, Any], parameters=(*more, *PARAMETERS),
                             errors=errors, problem=EscoError, problem_media=JSON)  # fmt: skip

        return [
            get("/search", self.esco_search, "Search occupations by meaning, skills and ISCO groups by letters."),
            get("/suggest2", self.esco_suggest, "Suggest names as somebody types."),
            get("/resource/related", self.esco_related, "Show what a resource is related to."),
            get("/resource/{kind}", self.esco_resource, "Show an occupation, a skill, a concept or a taxonomy.", kind),
        ]


def _esco_id(installed: Sequence[str], version: str) -> str:
    """Return the id of an imported ESCO.

    Args:
        installed: ids of the installed taxonomies.
        version: such as `1.2.1`; `1.2` for its latest release, '' for the latest release of all.

    Raises:
        HTTPException: that version, or any, is not imported.
    """
    versions = sorted((each.removeprefix(_PREFIX) for each in installed if each.startswith(_PREFIX)), key=_order)
    if not versions:
        raise not_found(f"No ESCO is imported. {_IMPORT}.")
    matching = [each for each in versions if version in ("", each) or each.startswith(f"{version}.")]
    if not matching:
        known = ", ".join(f"v{each}" for each in versions)
        raise not_found(f"ESCO v{version} is not imported; imported are {known}. {_IMPORT}.")
    return _PREFIX + matching[-1]


def _order(version: str) -> tuple[tuple[bool, int, str], ...]:
    """Return the sort key of a version: 1.10.0 follows 1.9.0."""
    return tuple((part.isdigit(), int(part) if part.isdigit() else 0, part) for part in version.split("."))


def _members(resources: Resources, kind: str, query: EscoQuery) -> list[str]:
    """Return the URIs of a kind, of those that are in the schemes that are asked for."""
    if kind == TAXONOMY:
        return [OCCUPATIONS, SKILLS, GROUPS]
    if not query.schemes:
        raise bad_request("Required is one of the parameters 'uri', 'uris' and 'isInScheme'.")
    held = {SCHEME_KINDS.get(scheme) for scheme in query.schemes}
    return resources.members(kind) if kind in held else []


def _page(request: Request, query: EscoQuery, total: int) -> Json:
    return {
        "total": total,
        "offset": query.page,
        "limit": query.limit,
        "language": query.language,
        "_links": page_links(request.url, query, total),
    }


def _answer(request: Request, content: Json) -> Response:
    media = f"{_HAL};charset=UTF-8" if _HAL in request.headers.get("accept", "") else MEDIA_TYPE
    return Response(msgspec.json.encode(content), media_type=media)
