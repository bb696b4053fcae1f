"""The calls of `/api/v1` that ask a trained model: descriptions, matches and searches."""

from dataclasses import dataclass
from pathlib import Path

from starlette.requests import Request
from starlette.responses import Response

from jobmatch.serve.linkers import loaded_linker, loaded_naming
from jobmatch.serve.operations import Operation, answer_json, bad_request, read_body
from jobmatch.serve.v1 import messages
from jobmatch.serve.workers import Workers, loaded
from jobmatch.services.describing import DescribeAnswer, posting_of
from jobmatch.services.home_services import HomeServices
from jobmatch.services.linking import LinkOptions
from jobmatch_core.retrieval.match_answer import MatchAnswer, match_answer
from jobmatch_core.retrieval.matches import Arrangement
from jobmatch_core.search.search_answer import SearchAnswer, search_answer
from jobmatch_core.text.locales import checked_language

_RECORD = Path("project")  # name of a project without a file, in errors


@dataclass(frozen=True, slots=True)
class ModelCalls:
    """Calls that ask a model; attributes as in `LinkCalls`."""

    services: HomeServices
    workers: Workers

    async def describe(self, request: Request) -> Response:
        """Describe a posting."""
        body = await read_body(request, messages.DescribeRequest)
        posting = await self.workers.read(lambda: posting_of("posting", body.text, body.title or ""))
        if not (posting.title or posting.description):
            raise bad_request("There is no text in the request; send a posting.")
        await self.workers.read(lambda: self.services.describing.check(body.model))
        linking = self.services.linking
        options = LinkOptions(body.taxonomy, own_names=body.own_names)
        linker, show = await loaded_linker(linking, options, self.workers), checked_language(body.show)
        describer = await loaded(self.services.describing.opening(body.model, linker, show))
        described = await self.workers.run_in_pieces(lambda progress: describer.describe(posting, body.top, progress))
        return answer_json(described.answer(await loaded_naming(linking, options, self.workers)))

    async def match(self, request: Request) -> Response:
        """Find freelancers."""
        body = await read_body(request, messages.MatchRequest)
        if (body.near is None) != (body.within_km is None):
            raise bad_request("near (a place) and within_km (kilometres around it) must be sent together.")
        filters = body.filters()
        matching = self.services.matching
        manifest = matching.manifest(body.marketplace)
        reader = await loaded(matching.opening_reader(manifest))
        finder = await loaded(matching.opening(body.marketplace, body.model))

        def matched() -> MatchAnswer:
            project = reader.text(given) if isinstance(given := body.project, str) else reader.record(given, _RECORD)
            matches = finder.match(project, filters, body.limit, Arrangement(body.order), explain=True)
            return match_answer(manifest, finder.model.name, project, matches)

        return answer_json(await self.workers.run(matched))

    async def search(self, request: Request) -> Response:
        """Search."""
        body = await read_body(request, messages.SearchRequest)
        if not body.query.strip():
            raise bad_request("The query is empty; send some words.")
        show = checked_language(body.show)
        index = await loaded(self.services.searching.opening(body.kind, body.source))
        hits = await self.workers.run(lambda: index.search(body.query, limit=body.limit))
        return answer_json(search_answer(body.query, body.kind, body.source, index.model, hits, show))

    def operations(self) -> list[Operation]:
        """Return the operations."""
        return [
            Operation(
                "POST",
                "/describe",
                self.describe,
                "Weigh the sentences of a posting and link it.",
                DescribeAnswer,
                messages.DescribeRequest,
            ),
            Operation(
                "POST",
                "/match",
                self.match,
                "Find freelancers for a project, with reasons.",
                MatchAnswer,
                messages.MatchRequest,
            ),
            Operation(
                "POST",
                "/search",
                self.search,
                "Search occupations, freelancers or projects by a few words.",
                SearchAnswer,
                messages.SearchRequest,
            ),
        ]
