"""The calls of `/api/v1` that answer at once: links, descriptions, matches, searches, taxonomies and decisions."""

import logging
from dataclasses import asdict, dataclass
from http import HTTPStatus

from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import Response

from jobmatch.serve.callers import annotator_of
from jobmatch.serve.link_queue import LinkQueue
from jobmatch.serve.metrics import Metrics
from jobmatch.serve.operations import Operation, Parameter, answer_json, bad_request, not_found, read_body
from jobmatch.serve.request_log import log_event
from jobmatch.serve.v1 import answers, requests
from jobmatch.serve.workers import Workers, loaded
from jobmatch.services.describing import DescribingService, posting_of
from jobmatch.services.link_decisions import LinkDecision, judgments_of
from jobmatch.services.linking import LinkingService, LinkOptions
from jobmatch.services.matching import MatchingService
from jobmatch.services.searching import SearchingService, hits_to_json
from jobmatch_core.entities import Judgment, Occupation, Verdict
from jobmatch_core.errors import TaxonomyError
from jobmatch_core.linking import Linker
from jobmatch_core.linking.records import to_json
from jobmatch_core.taxonomy import BUNDLED_ID, Taxonomy, TaxonomyStore
from jobmatch_core.text.languages import ENGLISH, checked_language

_log = logging.getLogger(__name__)
POLICY = "api"  # of judgments, in place of a page's name


@dataclass(frozen=True, slots=True)
class Calls:
    """Calls of `/api/v1`, except those of jobs.

    Attributes:
        service: linkers, taxonomies and the label store.
        queue: gathers titles into batches.
        workers: threads for what else takes long.
        describing, matching, searching: open models and indexes.
        metrics: counts links.
        log_texts: write titles to the log.
    """

    service: LinkingService
    queue: LinkQueue
    workers: Workers
    describing: DescribingService
    matching: MatchingService
    searching: SearchingService
    metrics: Metrics
    log_texts: bool = False

    async def link(self, request: Request) -> Response:
        """Link titles."""
        asked = await read_body(request, requests.LinkRequest)
        results = await self.queue.link(asked.titles, asked.options())
        self.metrics.linked(results)
        if self.log_texts:
            log_event(_log, "linked", titles=asked.titles, uris=[each.best and each.best.uri for each in results])
        return answer_json({"taxonomy": asked.taxonomy, "results": [to_json(result) for result in results]})

    async def describe(self, request: Request) -> Response:
        """Describe a posting."""
        asked = await read_body(request, requests.DescribeRequest)
        if not (asked.text.strip() or asked.title):
            raise bad_request("There is no text in the request; send a posting.")
        linker = await self._linker(LinkOptions(asked.taxonomy, own_names=asked.own_names))
        show = checked_language(asked.show)
        describer = await loaded(self.describing.opening(asked.model, linker, show))
        posting = posting_of("posting", asked.text, asked.title)
        return answer_json(await self.workers.run(lambda: describer.describe(posting, asked.top)))

    async def match(self, request: Request) -> Response:
        """Find freelancers."""
        asked = await read_body(request, requests.MatchRequest)
        if (asked.near is None) != (asked.within_km is None):
            raise bad_request("near and within_km go together: a place, and the kilometres around it.")
        filters = asked.filters()
        matcher = await loaded(self.matching.opening(asked.marketplace, asked.model))
        return answer_json(
            await self.workers.run(lambda: matcher.match(matcher.project(asked.project), filters, asked.limit))
        )

    async def search(self, request: Request) -> Response:
        """Search."""
        asked = await read_body(request, requests.SearchRequest)
        if not asked.query.strip():
            raise bad_request("There is nothing to search for: give some words.")
        show = checked_language(asked.show)
        index = await loaded(self.searching.opening(asked.kind, asked.source))
        return answer_json(
            await self.workers.run(
                lambda: hits_to_json(index, asked.query, asked.kind, asked.source, show, asked.limit)
            )
        )

    async def taxonomies(self, _request: Request) -> Response:
        """List the taxonomies."""
        installed = await run_in_threadpool(TaxonomyStore.open(self.service.settings).installed)
        return answer_json({"taxonomies": installed})

    async def occupation(self, request: Request) -> Response:
        """Show an occupation."""
        asked = request.query_params
        taxonomy_id, language = asked.get("taxonomy", BUNDLED_ID), checked_language(asked.get("language", ENGLISH))
        taxonomy = await self._taxonomy(taxonomy_id)
        uri = request.path_params["uri"]
        if not taxonomy.has_concept(uri):
            raise not_found(f"There is no occupation {uri!r} in {taxonomy_id}.")
        return answer_json(asdict(await self.workers.run(lambda: taxonomy.occupation(uri, language))))

    async def decide(self, request: Request) -> Response:
        """Record a decision."""
        asked = await read_body(request, requests.DecisionRequest)
        annotator = annotator_of(request, asked.annotator)
        linker = await self._linker(LinkOptions(asked.taxonomy))
        if asked.uri is not None and not linker.taxonomy.has_concept(asked.uri):
            raise not_found(f"There is no occupation {asked.uri!r} in {asked.taxonomy}.")
        recorded = await self.workers.run(lambda: self._decide(linker, asked, annotator))
        return answer_json({"judgments": [each.id for each in recorded]}, HTTPStatus.CREATED)

    def _decide(self, linker: Linker, asked: requests.DecisionRequest, annotator: str) -> list[Judgment]:
        decision = LinkDecision(asked.title, asked.uri, Verdict(asked.verdict), asked.note)
        [judgments] = judgments_of(linker, [decision], annotator, POLICY)
        if not judgments:
            raise bad_request("The linker offers nothing for this title, so that there is nothing to judge.")
        self.service.labels().record_all(judgments)
        return judgments

    async def _linker(self, options: LinkOptions) -> Linker:
        await loaded(self.service.opening(options))
        return await self.workers.run(lambda: self.service.linker(options))

    async def _taxonomy(self, taxonomy_id: str) -> Taxonomy:
        try:
            return await self.workers.run(lambda: self.service.taxonomy(taxonomy_id))
        except TaxonomyError as error:
            raise not_found(str(error)) from error

    def operations(self) -> list[Operation]:
        """Return the operations."""
        missing = {HTTPStatus.NOT_FOUND: "There is no such occupation or taxonomy."}
        type_error = {HTTPStatus.UNSUPPORTED_MEDIA_TYPE: "The request is not JSON."}
        shown = [
            Parameter("uri", "URI of the occupation or group; percent-encoded or as it is.", "path"),
            Parameter("taxonomy", "Id of the taxonomy.", default=BUNDLED_ID),
            Parameter("language", "Language of the names.", default=ENGLISH),
        ]
        return [
            Operation("POST", "/link", self.link, "Link 1 to 1,000 titles to occupations.",
                      answers.LinkAnswer, requests.LinkRequest, errors=type_error),
            Operation("POST", "/describe", self.describe, "Weigh a posting's sentences, and link it.",
                      answers.DescribeAnswer, requests.DescribeRequest, errors=type_error),
            Operation("POST", "/match", self.match, "Find freelancers for a project, with reasons.",
                      answers.MatchAnswer, requests.MatchRequest, errors=type_error),
            Operation("POST", "/search", self.search, "Search occupations, freelancers or projects by a few words.",
                      answers.SearchAnswer, requests.SearchRequest, errors=type_error),
            Operation("GET", "/taxonomies", self.taxonomies, "List the installed taxonomies.",
                      answers.TaxonomiesAnswer),
            Operation("GET", "/occupations/{uri:path}", self.occupation, "Show an occupation with all its names.",
                      Occupation, parameters=shown, errors=missing),
            Operation("POST", "/decisions", self.decide, "Record a verdict on a link.", answers.DecisionAnswer,
                      requests.DecisionRequest, HTTPStatus.CREATED, errors={**missing, **type_error}),
        ]  # fmt: skip
