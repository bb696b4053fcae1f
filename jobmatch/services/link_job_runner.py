"""Work on jobs: one after the other in a thread of the server; several servers share the jobs of a home."""

import logging
import threading
from datetime import UTC, datetime

from jobmatch.services.link_jobs import ENDED, JobState, JobStatus, LinkJob, LinkJobStore
from jobmatch.services.linking import LinkingService
from jobmatch_core.errors import JobMatchError, LabelStoreUnavailableError, LinkingError, SettingsError
from jobmatch_core.io.folder_lock import claimed
from jobmatch_core.io.folders import remove_whole
from jobmatch_core.linking.batch import link_file

_POLL_SECONDS = 2.0  # for jobs that another server left
_log = logging.getLogger(__name__)


class _StoppedError(Exception):
    """The server stops, or the job was cancelled."""


class LinkJobRunner:
    """Links the files of a home's jobs, oldest first.

    A job is claimed by a lock that its holder's end releases, however it ends; the next server that finds the job goes
    on with the parts that are done.
    """

    def __init__(self, jobs: LinkJobStore, service: LinkingService) -> None:
        """Work on *jobs* by *service*; nothing is done before `start`."""
        self._jobs = jobs
        self._service = service
        self._stopping = threading.Event()
        self._wake = threading.Event()
        self._thread = threading.Thread(target=self._run, name="jobs", daemon=True)

    def start(self) -> None:
        """Begin to work."""
        self._thread.start()

    def wake(self) -> None:
        """Look for jobs now."""
        self._wake.set()

    def stop(self, seconds: float = 5.0) -> None:
        """Stop after the part at hand, and wait so long at most; the job goes on when a server runs again."""
        self._stopping.set()
        self._wake.set()
        self._thread.join(seconds)

    def _run(self) -> None:
        while not self._stopping.is_set():
            self._wake.clear()
            try:
                for job_id in self._jobs.unfinished():
                    self._work_on(job_id)
            except (OSError, LabelStoreUnavailableError):  # a disk that is full, or a database that starts again
                _log.exception("Jobs cannot be worked on at present.")
            self._wake.wait(_POLL_SECONDS)

    def _work_on(self, job_id: str) -> None:
        try:
            with claimed(self._jobs.folder(job_id)):
                # it may have been removed before it was claimed
                if not self._stopping.is_set() and self._jobs.folder(job_id).is_dir():
                    self._end(job_id)
        except SettingsError:
            return  # another server works on it

    def _end(self, job_id: str) -> None:
        """Bring a claimed job to its end, unless the server stops before."""
        try:
            status = self._jobs.status(job_id)
            if status.state not in ENDED:
                total = self._link(self._jobs.job(job_id), status)
                self._report(job_id, JobState.DONE, total, total)
        except _StoppedError:
            pass
        except LabelStoreUnavailableError:
            raise  # which is no fault of the job
        except JobMatchError as error:
            if not self._jobs.is_cancelled(job_id):
                self._report(job_id, JobState.FAILED, error=str(error))
        except Exception:
            _log.exception("A job failed.")
            if not self._stopping.is_set():  # else it is the end of the process that fails, and the job goes on
                self._report(job_id, JobState.FAILED, error="The server failed; its log says why.")
        if self._jobs.is_cancelled(job_id):
            remove_whole(self._jobs.folder(job_id))

    def _link(self, job: LinkJob, status: JobStatus) -> int:
        self._report(job.id, JobState.RUNNING, status.done, status.total)
        try:
            return self._link_file(job, resume=True)
        except LinkingError:  # parts of another linker: meanwhile titles were accepted, or a model promoted
            return self._link_file(job, resume=False)

    def _link_file(self, job: LinkJob, *, resume: bool) -> int:
        folder, options = self._jobs.folder(job.id), job.options
        return link_file(
            self._service.linker(options), folder / job.source, folder / job.result,
            column=job.layout.column, languages=options.languages, show=options.show, top=options.top,
            encoding=job.layout.encoding, header_row=job.layout.header_row, resume=resume,
            progress=lambda done, total: self._progress(job.id, done, total),
        )  # fmt: skip

    def _progress(self, job_id: str, done: int, total: int) -> None:
        if self._stopping.is_set() or self._jobs.is_cancelled(job_id):
            raise _StoppedError
        self._report(job_id, JobState.RUNNING, done, total)

    def _report(self, job_id: str, state: JobState, done: int = 0, total: int = 0, error: str = "") -> None:
        now = datetime.now(UTC).isoformat(timespec="milliseconds")
        self._jobs.report(job_id, JobStatus(state, done, total, error, now))
