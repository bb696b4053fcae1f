"""The calls of `/api/v1`: links, descriptions, matches, searches, taxonomies, decisions and jobs."""

import asyncio
import logging
from collections import Counter
from collections.abc import AsyncIterator, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from http import HTTPStatus
from pathlib import Path

import msgspec
from starlette.concurrency import run_in_threadpool
from starlette.datastructures import UploadFile
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import FileResponse, Response, StreamingResponse

from jobmatch.access.ownership import may_act
from jobmatch.serve.headers import content_disposition
from jobmatch.serve.monitoring import Metrics
from jobmatch.serve.operations import (
    Operation,
    Parameter,
    annotator_id,
    answer_json,
    bad_request,
    caller,
    not_found,
    read_body,
)
from jobmatch.serve.request_log import log_event
from jobmatch.serve.v1 import messages
from jobmatch.serve.v1.messages import JobAnswer, JobRequest
from jobmatch.serve.workers import LinkQueue, Workers, loaded
from jobmatch.services.describing import DescribeAnswer, posting_of
from jobmatch.services.home_services import HomeServices
from jobmatch.services.link_decisions import LinkDecision, decision_judgments
from jobmatch.services.link_jobs import ENDED, NO_JOB, JobState, LinkJob, LinkJobRunner, LinkJobStore
from jobmatch.services.linking import LinkOptions
from jobmatch_core.entities import Judgment, Occupation, Verdict
from jobmatch_core.errors import LinkingError, TaxonomyError
from jobmatch_core.io.ownership import Act, Ownership
from jobmatch_core.io.text_source import unpacked_name
from jobmatch_core.linking import Linker
from jobmatch_core.linking.link_answer import LinkAnswer, Named, link_answer
from jobmatch_core.retrieval.match_answer import MatchAnswer, match_answer
from jobmatch_core.search.search_answer import SearchAnswer, search_answer
from jobmatch_core.taxonomy import BUNDLED_ID, Taxonomy
from jobmatch_core.text.locales import ENGLISH, checked_language

_log = logging.getLogger(__name__)
POLICY = "api"  # of judgments, in place of a page's name
_FILE, _OPTIONS = "file", "options"
_RECORD = Path("project")  # name of a project without a file, in errors
_MOST_OPTIONS = 64 * 1024  # bytes
_FORM = "multipart/form-data"
_A_MINUTE = {"Retry-After": "60"}
_POLL_SECONDS = 0.25
_STREAM_SECONDS = 20.0  # then the client reconnects by itself; a longer stream would delay a stop of the server


@dataclass(frozen=True, slots=True)
class Calls:
    """Calls of `/api/v1`, except those of jobs.

    Attributes:
        services: open models and indexes, taxonomies and the label store.
        queue: gathers titles into batches.
        workers: threads for other slow calls.
        metrics: counts links.
        log_texts: write titles to the log.
    """

    services: HomeServices
    queue: LinkQueue
    workers: Workers
    metrics: Metrics
    log_texts: bool = False

    async def link(self, request: Request) -> Response:
        """Link titles."""
        body = await read_body(request, messages.LinkRequest)
        options = body.options()
        results = await self.queue.link(body.titles, options)
        self.metrics.linked(results)
        if self.log_texts:
            log_event(_log, "linked", titles=body.titles, uris=[result.best and result.best.uri for result in results])
        return answer_json(link_answer(body.taxonomy, results, await self._naming(options)))

    async def _naming(self, options: LinkOptions) -> Named:
        linking = self.services.linking
        if not linking.uses_labels(options):  # a thread would delay the answer
            return str
        return await self.workers.read(lambda: linking.naming(options))

    async def describe(self, request: Request) -> Response:
        """Describe a posting."""
        body = await read_body(request, messages.DescribeRequest)
        posting = await self.workers.read(lambda: posting_of("posting", body.text, body.title or ""))
        if not (posting.title or posting.description):
            raise bad_request("There is no text in the request; send a posting.")
        await self.workers.read(lambda: self.services.describing.check(body.model))
        options = LinkOptions(body.taxonomy, own_names=body.own_names)
        linker, show = await self._linker(options), checked_language(body.show)
        describer = await loaded(self.services.describing.opening(body.model, linker, show))
        described = await self.workers.run_in_pieces(lambda progress: describer.describe(posting, body.top, progress))
        return answer_json(described.answer(await self._naming(options)))

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
            matches = finder.match(project, filters, body.limit, explain=True)
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

    async def taxonomies(self, _request: Request) -> Response:
        """List the taxonomies."""
        installed = await self.workers.read(self.services.linking.installed)
        return answer_json(messages.TaxonomiesAnswer(installed))

    async def occupation(self, request: Request) -> Response:
        """Show an occupation."""
        parameters = request.query_params
        taxonomy_id = parameters.get("taxonomy", BUNDLED_ID)
        language = checked_language(parameters.get("language", ENGLISH))
        taxonomy = await self._taxonomy(taxonomy_id)
        uri = request.path_params["uri"]
        if not taxonomy.has_concept(uri):
            raise not_found(f"There is no occupation {uri!r} in {taxonomy_id}.")
        return answer_json(await self.workers.read(lambda: taxonomy.occupation(uri, language)))

    async def decide(self, request: Request) -> Response:
        """Record a decision."""
        body = await read_body(request, messages.DecisionRequest)
        annotator = annotator_id(request, body.annotator)
        linker = await self._linker(LinkOptions(body.taxonomy))
        if body.uri is not None and not linker.taxonomy.has_concept(body.uri):
            raise not_found(f"There is no occupation {body.uri!r} in {body.taxonomy}.")
        recorded = await self.workers.run(lambda: self._decide(linker, body, annotator))
        return answer_json(messages.DecisionAnswer([judgment.id for judgment in recorded]), HTTPStatus.CREATED)

    def _decide(self, linker: Linker, body: messages.DecisionRequest, annotator: str) -> list[Judgment]:
        decision = LinkDecision(body.title, body.uri, Verdict(body.verdict), body.note, body.origin)
        [judgments] = decision_judgments(linker, [decision], annotator, POLICY)
        if not judgments:
            raise bad_request("The linker has no candidates for this title, so there is nothing to judge.")
        self.services.linking.labels().record_all(judgments)
        return judgments

    async def _linker(self, options: LinkOptions) -> Linker:
        await loaded(self.services.linking.opening(options))
        return await self.workers.read(lambda: self.services.linking.linker(options))

    async def _taxonomy(self, taxonomy_id: str) -> Taxonomy:
        try:
            return await self.workers.read(lambda: self.services.linking.taxonomy(taxonomy_id))
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
            Operation(
                "POST",
                "/link",
                self.link,
                "Link 1 to 1,000 titles to occupations.",
                LinkAnswer,
                messages.LinkRequest,
                errors=type_error,
            ),
            Operation(
                "POST",
                "/describe",
                self.describe,
                "Weigh the sentences of a posting and link it.",
                DescribeAnswer,
                messages.DescribeRequest,
                errors=type_error,
            ),
            Operation(
                "POST",
                "/match",
                self.match,
                "Find freelancers for a project, with reasons.",
                MatchAnswer,
                messages.MatchRequest,
                errors=type_error,
            ),
            Operation(
                "POST",
                "/search",
                self.search,
                "Search occupations, freelancers or projects by a few words.",
                SearchAnswer,
                messages.SearchRequest,
                errors=type_error,
            ),
            Operation(
                "GET", "/taxonomies", self.taxonomies, "List the installed taxonomies.", messages.TaxonomiesAnswer
            ),
            Operation(
                "GET",
                "/occupations/{uri:path}",
                self.occupation,
                "Show an occupation with all its names.",
                Occupation,
                parameters=shown,
                errors=missing,
            ),
            Operation(
                "POST",
                "/decisions",
                self.decide,
                "Record a verdict on a link.",
                messages.DecisionAnswer,
                messages.DecisionRequest,
                HTTPStatus.CREATED,
                errors={**missing, **type_error},
            ),
        ]


@dataclass(frozen=True, slots=True)
class JobCalls:
    """Calls of `/api/v1/jobs`.

    Attributes:
        jobs: the stored jobs.
        runner: works on them.
        most_unfinished: maximum number of waiting and running jobs of a caller.
        uploads: number of uploads in progress by caller.
        reserving: held while a new upload is compared with `most_unfinished`.
    """

    jobs: LinkJobStore
    runner: LinkJobRunner
    most_unfinished: int
    uploads: Counter[str] = field(default_factory=Counter)
    reserving: asyncio.Lock = field(default_factory=asyncio.Lock)

    async def new_job(self, request: Request) -> Response:
        """Upload a file as a job."""
        if request.headers.get("content-type", "").partition(";")[0].strip().lower() != _FORM:
            raise HTTPException(HTTPStatus.UNSUPPORTED_MEDIA_TYPE, f"Send a form, as Content-Type: {_FORM}.")
        who = caller(request).id
        await self._reserve(who)  # before the file is read
        try:
            job = await self._new_job(request)
        except UnicodeError as error:  # clients may claim any `charset`
            raise bad_request("The form is not UTF-8; send it without a charset.") from error
        finally:
            self.uploads[who] -= 1
            if not self.uploads[who]:
                del self.uploads[who]
        self.runner.wake()
        response = answer_json(self._answer(job), HTTPStatus.ACCEPTED)
        response.headers["Location"] = f"{request.url.path}/{job.id}"
        return response

    async def _reserve(self, who: str) -> None:
        """Count an upload; raise HTTPException if a caller has too many unfinished jobs, with uploads."""
        async with self.reserving:  # no upload begins while the jobs are counted
            uploads = -1
            while uploads != self.uploads[who]:  # one became a job: it may be counted twice, or not at all
                uploads = self.uploads[who]
                stored = list((await run_in_threadpool(self.jobs.callers)).values()).count(who)
            if stored + uploads >= self.most_unfinished:
                jobs = f"{stored} of your jobs are unfinished"
                uploading = f" and {uploads} {'is' if uploads == 1 else 'are'} being uploaded" if uploads else ""
                detail = f"{jobs}{uploading}; wait for one of them to end, or cancel one."
                raise HTTPException(HTTPStatus.TOO_MANY_REQUESTS, detail, _A_MINUTE)
            self.uploads[who] += 1

    async def _new_job(self, request: Request) -> LinkJob:
        async with request.form(max_files=1, max_fields=1, max_part_size=_MOST_OPTIONS) as form:
            file, options = form.get(_FILE), form.get(_OPTIONS, "{}")
            if not isinstance(file, UploadFile) or not isinstance(options, str):
                raise bad_request("Send the file in the field 'file', and the options as JSON in the field 'options'.")
            try:
                job_options = msgspec.json.decode(options, type=JobRequest).job_options()
            except msgspec.DecodeError as error:
                raise bad_request(f"The options are not as expected: {error}") from error
            who = caller(request).id
            return await run_in_threadpool(self.jobs.new, file.file, file.filename or "", job_options, who)

    async def job(self, request: Request) -> Response:
        """Return the progress of a job."""
        job = await run_in_threadpool(self._own, request)
        with _missing_answered():
            return answer_json(await run_in_threadpool(self._answer, job))

    async def job_events(self, request: Request) -> Response:
        """Send each change of a job's progress as server-sent events."""
        job = await run_in_threadpool(self._own, request)
        return StreamingResponse(
            self._events(job), media_type="text/event-stream", headers={"Cache-Control": "no-store"}
        )

    async def job_result(self, request: Request) -> Response:
        """Download the result."""
        job = await run_in_threadpool(self._own, request)
        path = await run_in_threadpool(self._result, job)
        name = content_disposition(unpacked_name(Path(job.name)).stem, f" linked{path.suffix}")
        return FileResponse(path, headers={"Content-Disposition": name})

    async def cancel_job(self, request: Request) -> Response:
        """Cancel and remove a job."""
        job = await run_in_threadpool(self._own, request, Act.DELETE)
        with _missing_answered():
            await run_in_threadpool(self.jobs.cancel, job.id)
        return Response(status_code=HTTPStatus.NO_CONTENT)

    def _own(self, request: Request, act: Act = Act.OPEN) -> LinkJob:
        # the same answer for a job of somebody else and for one that does not exist
        with _missing_answered():
            job = self.jobs.job(request.path_params["id"])
        if not may_act(caller(request), "jobs", act, Ownership(job.who)):
            raise not_found(NO_JOB)
        return job

    def _result(self, job: LinkJob) -> Path:
        with _missing_answered():
            status = self.jobs.status(job.id)
        if status.state is not JobState.DONE:
            raise HTTPException(HTTPStatus.CONFLICT, f"The job is not done, but {status.state}.")
        path = self.jobs.folder(job.id) / job.result
        if self.jobs.is_cancelled(job.id) or not path.is_file():
            raise not_found(NO_JOB)
        return path

    def _answer(self, job: LinkJob) -> JobAnswer:
        status = self.jobs.status(job.id)
        layout = job.layout
        return JobAnswer(
            job.id,
            job.name,
            status.state,
            status.done,
            status.total,
            status.error,
            status.updated,
            layout.column or "",
            layout.encoding,
            layout.header_row,
            layout.sheet,
            layout.other_sheets,
            status.warning,
            job.options.taxonomy,
            job.created,
        )

    async def _events(self, job: LinkJob) -> AsyncIterator[bytes]:
        yield b"retry: 500\n\n"
        ends = asyncio.get_running_loop().time() + _STREAM_SECONDS
        last = None
        while asyncio.get_running_loop().time() < ends:
            try:
                answer = await run_in_threadpool(self._answer, job)
            except LinkingError:  # the job was cancelled
                yield b"event: gone\ndata: {}\n\n"
                return
            if answer != last:
                yield b"event: progress\ndata: " + msgspec.json.encode(answer) + b"\n\n"
                last = answer
            if answer.state in ENDED:
                return
            await asyncio.sleep(_POLL_SECONDS)

    def operations(self) -> list[Operation]:
        """Return the operations."""
        job_id = [Parameter("id", "Id of the job.", "path")]
        missing = {HTTPStatus.NOT_FOUND: "There is no such job."}
        type_error = {HTTPStatus.UNSUPPORTED_MEDIA_TYPE: "The request is not a form."}
        early = {**missing, HTTPStatus.CONFLICT: "The job is not done."}
        return [
            Operation(
                "POST",
                "/jobs",
                self.new_job,
                "Link a CSV, XLSX, Parquet or JSONL file of titles.",
                JobAnswer,
                JobRequest,
                HTTPStatus.ACCEPTED,
                form=_FILE,
                errors=type_error,
            ),
            Operation(
                "GET",
                "/jobs/{id}",
                self.job,
                "Show the progress of a job.",
                JobAnswer,
                parameters=job_id,
                errors=missing,
            ),
            Operation(
                "GET",
                "/jobs/{id}/events",
                self.job_events,
                "Stream the progress of a job; the stream ends after 20 s, and clients reconnect.",
                parameters=job_id,
                media="text/event-stream",
                errors=missing,
            ),
            Operation(
                "GET",
                "/jobs/{id}/result",
                self.job_result,
                "Download the result.",
                parameters=job_id,
                media="application/octet-stream",
                errors=early,
            ),
            Operation(
                "DELETE",
                "/jobs/{id}",
                self.cancel_job,
                "Cancel and remove a job.",
                parameters=job_id,
                status=HTTPStatus.NO_CONTENT,
                errors=missing,
            ),
        ]


@contextmanager
def _missing_answered() -> Iterator[None]:
    # another request may have removed the job meanwhile
    try:
        yield
    except LinkingError as error:
        raise not_found(str(error)) from error
