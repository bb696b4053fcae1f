"""The calls of `/api/v1` on jobs: upload a file, watch its progress, fetch the result, cancel."""

import asyncio
from collections.abc import AsyncIterator, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from http import HTTPStatus
from pathlib import PurePath

import msgspec
from starlette.concurrency import run_in_threadpool
from starlette.datastructures import UploadFile
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import FileResponse, Response, StreamingResponse

from jobmatch.serve.callers import caller
from jobmatch.serve.operations import Operation, Parameter, answer_json, bad_request, not_found
from jobmatch.serve.v1.answers import JobAnswer
from jobmatch.serve.v1.requests import JobRequest
from jobmatch.services.link_job_runner import LinkJobRunner
from jobmatch.services.link_jobs import ENDED, LinkJob, LinkJobStore
from jobmatch_core.errors import LinkingError

_FILE, _OPTIONS = "file", "options"
_MOST_OPTIONS = 64 * 1024  # bytes
_FORM = "multipart/form-data"
_POLL_SECONDS = 0.25
_STREAM_SECONDS = 20.0  # then the client comes again by itself, so that no stream keeps the server from stopping


@dataclass(frozen=True, slots=True)
class JobCalls:
    """Calls of `/api/v1/jobs`.

    Attributes:
        jobs: the stored jobs.
        runner: works on them.
    """

    jobs: LinkJobStore
    runner: LinkJobRunner

    async def new_job(self, request: Request) -> Response:
        """Store a file as a job."""
        if request.headers.get("content-type", "").partition(";")[0].strip().lower() != _FORM:
            raise HTTPException(HTTPStatus.UNSUPPORTED_MEDIA_TYPE, f"Send a form, as Content-Type: {_FORM}.")
        try:
            job = await self._new_job(request)
        except UnicodeError as error:  # by the `charset` that a client claims, which may be any of Python's encodings
            raise bad_request("The form is not UTF-8; send it without a charset.") from error
        self.runner.wake()
        headers = {"Location": f"{request.url.path}/{job.id}"}
        response = answer_json(self._answer(job), HTTPStatus.ACCEPTED)
        response.headers.update(headers)
        return response

    async def _new_job(self, request: Request) -> LinkJob:
        async with request.form(max_files=1, max_fields=1, max_part_size=_MOST_OPTIONS) as form:
            file, options = form.get(_FILE), form.get(_OPTIONS, "{}")
            if not isinstance(file, UploadFile) or not isinstance(options, str):
                raise bad_request("Send the file in the field 'file', and the options as JSON in the field 'options'.")
            try:
                wish = msgspec.json.decode(options, type=JobRequest).wish()
            except msgspec.DecodeError as error:
                raise bad_request(f"The options are not as expected: {error}") from error
            who = caller(request).id
            return await run_in_threadpool(self.jobs.new, file.file, file.filename or "", wish, who)

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
        try:
            path = await run_in_threadpool(self.jobs.result, job.id)
        except LinkingError as error:
            raise HTTPException(HTTPStatus.CONFLICT, str(error)) from error
        return FileResponse(path, filename=f"{PurePath(job.name).stem} linked{path.suffix}")

    async def cancel_job(self, request: Request) -> Response:
        """Cancel and remove a job."""
        job = await run_in_threadpool(self._own, request)
        with _missing_answered():
            await run_in_threadpool(self.jobs.cancel, job.id)
        return Response(status_code=HTTPStatus.NO_CONTENT)

    def _own(self, request: Request) -> LinkJob:
        """Return the caller's job; nobody learns whether there is one of somebody else's."""
        with _missing_answered():
            job = self.jobs.job(request.path_params["id"])
        if job.who != caller(request).id:
            raise not_found("There is no such job; it was removed, or never was.")
        return job

    def _answer(self, job: LinkJob) -> JobAnswer:
        status = self.jobs.status(job.id)
        layout = job.layout
        return JobAnswer(
            job.id, job.name, status.state, status.done, status.total, status.error, status.updated,
            layout.column or "", layout.encoding, layout.header_row, job.options.taxonomy, job.created,
        )  # fmt: skip

    async def _events(self, job: LinkJob) -> AsyncIterator[bytes]:
        yield b"retry: 500\n\n"
        ends = asyncio.get_running_loop().time() + _STREAM_SECONDS
        last = None
        while asyncio.get_running_loop().time() < ends:
            try:
                answer = await run_in_threadpool(self._answer, job)
            except LinkingError:  # cancelled meanwhile
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
        which = [Parameter("id", "Id of the job.", "path")]
        missing = {HTTPStatus.NOT_FOUND: "There is no such job."}
        wrong = {HTTPStatus.UNSUPPORTED_MEDIA_TYPE: "The request is not a form."}
        early = {**missing, HTTPStatus.CONFLICT: "The job is not done."}
        return [
            Operation("POST", "/jobs", self.new_job, "Link a CSV, XLSX, Parquet or JSONL file of titles.", JobAnswer,
                      JobRequest, HTTPStatus.ACCEPTED, form=_FILE, errors=wrong),
            Operation("GET", "/jobs/{id}", self.job, "Say how far a job is.", JobAnswer, parameters=which,
                      errors=missing),
            Operation("GET", "/jobs/{id}/events", self.job_events,
                      "Say how far a job is whenever that changes; the stream ends after 20 s, to be asked for again.",
                      parameters=which, media="text/event-stream", errors=missing),
            Operation("GET", "/jobs/{id}/result", self.job_result, "Download the result.", parameters=which,
                      media="application/octet-stream", errors=early),
            Operation("DELETE", "/jobs/{id}", self.cancel_job, "Cancel and remove a job.", parameters=which,
                      status=HTTPStatus.NO_CONTENT, errors=missing),
        ]  # fmt: skip


@contextmanager
def _missing_answered() -> Iterator[None]:
    """Answer that there is no such job where the block finds none; another request may have removed it meanwhile."""
    try:
        yield
    except LinkingError as error:
        raise not_found(str(error)) from error
