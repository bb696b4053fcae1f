"""The calls of `/api/v1` about links: linking titles, and recording decisions on links."""

import logging
from dataclasses import dataclass
from http import HTTPStatus

from starlette.requests import Request
from starlette.responses import Response

from jobmatch.serve.linkers import loaded_linker, loaded_naming
from jobmatch.serve.monitoring import Metrics
from jobmatch.serve.operations import Operation, annotator_id, answer_json, bad_request, not_found, read_body
from jobmatch.serve.request_log import log_event
from jobmatch.serve.v1 import messages
from jobmatch.serve.workers import LinkQueue, Workers
from jobmatch.services.home_services import HomeServices
from jobmatch.services.link_decisions import LinkDecision, decision_judgments
from jobmatch.services.linking import LinkOptions
from jobmatch_core.entities import Judgment, Verdict
from jobmatch_core.linking import Linker
from jobmatch_core.linking.link_answer import LinkAnswer, link_answer

_log = logging.getLogger(__name__)
POLICY = "api"  # of judgments, in place of a page's name


@dataclass(frozen=True, slots=True)
class LinkCalls:
    """Calls about links."""

    services: HomeServices  # open models and indexes, taxonomies and the label store
    queue: LinkQueue  # gathers titles into batches
    workers: Workers  # threads for other slow calls
    metrics: Metrics  # counts links
    log_texts: bool = False  # write titles to the log

    async def link(self, request: Request) -> Response:
        """Link titles."""
        body = await read_body(request, messages.LinkRequest)
        options = body.options()
        results = await self.queue.link(body.titled(), options)
        self.metrics.linked(results)
        if self.log_texts:
            log_event(_log, "linked", titles=body.titles, uris=[result.best and result.best.uri for result in results])
        named = await loaded_naming(self.services.linking, options, self.workers)
        return answer_json(link_answer(body.taxonomy, results, named))

    async def decide(self, request: Request) -> Response:
        """Record a decision."""
        body = await read_body(request, messages.DecisionRequest)
        annotator = annotator_id(request, body.annotator)
        linker = await loaded_linker(self.services.linking, LinkOptions(body.taxonomy), self.workers)
        if body.uri is None and body.verdict in (Verdict.UNSURE, Verdict.SKIP):
            raise bad_request(f"The verdict '{body.verdict}' needs the uri that it is on.")
        if body.uri is not None and not linker.taxonomy.has_concept(body.uri):
            raise not_found(f"There is no occupation {body.uri!r} in {body.taxonomy}.")
        recorded = await self.workers.run(lambda: self._decide(linker, body, annotator))
        return answer_json(messages.DecisionAnswer([judgment.id for judgment in recorded]), HTTPStatus.CREATED)

    def _decide(self, linker: Linker, body: messages.DecisionRequest, annotator: str) -> list[Judgment]:
        decision = LinkDecision(body.title, body.uri, Verdict(body.verdict), body.note, body.origin)
        [judgments] = decision_judgments(linker, [decision], annotator, POLICY)
        if not judgments:
            raise bad_request("The title is empty, so there is nothing to judge.")
        self.services.linking.labels().record_all(judgments)
        return judgments

    def operations(self) -> list[Operation]:
        """Return the operations."""
        missing = {HTTPStatus.NOT_FOUND: "There is no such occupation or taxonomy."}
        return [
            Operation(
                "POST", "/link", self.link, "Link 1 to 1,000 titles to occupations.", LinkAnswer, messages.LinkRequest
            ),
            Operation(
                "POST",
                "/decisions",
                self.decide,
                "Record a verdict on a link.",
                messages.DecisionAnswer,
                messages.DecisionRequest,
                HTTPStatus.CREATED,
                errors=missing,
            ),
        ]
