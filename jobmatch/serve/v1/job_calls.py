"""The calls of `/api/v1/jobs`: uploaded files that are linked in the background."""

import asyncio
from collections import Counter
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from http import HTTPStatus
from pathlib import Path

import msgspec
from starlette.concurrency import run_in_threadpool
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import FileResponse, Response, StreamingResponse

from jobmatch.access.ownership import may_act
from jobmatch.serve.headers import content_disposition
from jobmatch.serve.operations import (
    FORM_FILE,
    Operation,
    Parameter,
    answer_json,
    caller,
    not_found,
    read_form,
)
from jobmatch.serve.v1.messages import JobAnswer, JobRequest
from jobmatch.services.link_jobs import ENDED, NO_JOB, JobState, LinkJob, LinkJobRunner, LinkJobStore
from jobmatch.services.linking import LinkOptions
from jobmatch_core.errors import LinkingError
from jobmatch_core.io.ownership import Act, Ownership
from jobmatch_core.io.text_source import unpacked_name
from jobmatch_core.linking.other_codes import OtherCodes

_A_MINUTE = {"Retry-After": "60"}
_POLL_SECONDS = 0.25
_STREAM_SECONDS = 20.0  # then the client reconnects by itself; a longer stream would delay a stop of the server


@dataclass(frozen=True, slots=True)
class JobCalls:
    """Calls of `/api/v1/jobs`."""

    jobs: LinkJobStore  # the stored jobs
    runner: LinkJobRunner  # works on them
    most_unfinished: int  # maximum number of waiting and running jobs of a caller
    other_codes: Callable[[LinkOptions], OtherCodes]  # raises CrosswalkError for a crosswalk that no job can use
    uploads: Counter[str] = field(default_factory=Counter)  # number of uploads in progress by caller
    # held while a new upload is compared with `most_unfinished`
    reserving: asyncio.Lock = field(default_factory=asyncio.Lock)

    async def new_job(self, request: Request) -> Response:
        """Upload a file as a job."""
        who = caller(request).id
        await self._reserve(who)  # before the file is read
        try:
            async with read_form(request, JobRequest) as (file, options):
                wanted = options.job_options()
                await run_in_threadpool(self.other_codes, wanted.options)
                job = await run_in_threadpool(self.jobs.new, file.file, file.filename or "", wanted, who)
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
        status, layout = self.jobs.status(job.id), job.layout
        return JobAnswer(
            id=job.id,
            name=job.name,
            state=status.state,
            done=status.done,
            total=status.total,
            error=status.error,
            updated=status.updated,
            column=layout.column or "",
            encoding=layout.encoding,
            header_row=layout.header_row,
            sheet=layout.sheet,
            other_sheets=layout.other_sheets,
            warning=status.warning,
            taxonomy=job.options.taxonomy,
            created=job.created,
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
                form=FORM_FILE,
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
