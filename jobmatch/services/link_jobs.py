"""Jobs that link files, each in a folder of its own; threads of all servers of a home work on them.

A job continues when its server has stopped and another one runs.
"""

import logging
import shutil
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import suppress
from dataclasses import asdict, dataclass
from datetime import UTC, datetime
from enum import StrEnum
from pathlib import Path
from typing import BinaryIO, TypeVar

from jobmatch.services.linking import LinkingService, LinkOptions
from jobmatch_core.errors import DataFileError, JobMatchError, LabelStoreUnavailableError, LinkingError, SettingsError
from jobmatch_core.io.folders import atomic_folder, claimed, flush, recover, remove_whole, write_text_whole
from jobmatch_core.io.records import read_record
from jobmatch_core.io.tables import FORMATS, listed, no_column, table_format, written_format
from jobmatch_core.io.text_files import json_text
from jobmatch_core.io.text_source import PACKED, is_packed, unpacked_name
from jobmatch_core.io.user_store import is_id, new_id, remove_unused
from jobmatch_core.linking.batch import link_file
from jobmatch_core.settings import Settings
from jobmatch_core.sheets.table_layout import TableLayout, garbled_titles_in, guess_layout

T = TypeVar("T")

_JOB, _STATUS, _CANCELLED = "job.json", "status.json", "cancelled"
NO_JOB = "There is no such job; it may have been removed."
_POLL_SECONDS = 2.0  # for jobs of servers that have stopped
_TURN_SECONDS = 60.0  # of a caller while others wait; each turn reads the table again
_log = logging.getLogger(__name__)


class JobState(StrEnum):
    """State of a job."""

    WAITING = "waiting"
    RUNNING = "running"  # also while no server runs to continue it
    DONE = "done"
    FAILED = "failed"


ENDED = (JobState.DONE, JobState.FAILED)


@dataclass(frozen=True, slots=True)
class LinkJob:
    """A job that links a file."""

    id: str  # random id that cannot be guessed
    name: str  # name of the uploaded file
    # source, result: names of the files in the job's folder
    source: str
    result: str
    layout: TableLayout  # encoding, sheet, header row and column of titles
    options: LinkOptions  # options of linking
    who: str  # id of the caller; '' without keys and sign-in
    created: str  # UTC time, ISO 8601


@dataclass(frozen=True, slots=True)
class JobStatus:
    """Progress of a job."""

    state: JobState  # state of the job
    # done, total: number of rows; 0 until they are counted
    done: int = 0
    total: int = 0
    error: str = ""  # error message; '' without an error
    updated: str = ""  # UTC time of this status, ISO 8601
    warning: str = ""  # message about titles with garbled characters; '' without any, and until they are counted


@dataclass(frozen=True, slots=True)
class JobOptions:
    """Options of a job, as of `jobmatch link --file`; *out* is the format of the result, '' for the source's."""

    options: LinkOptions
    out: str = ""
    column: str | None = None
    encoding: str | None = None
    header_row: int | None = None
    sheet: str | None = None
    separator: str = ""


class LinkJobStore:
    """The jobs of a home, for any number of threads and processes."""

    def __init__(self, settings: Settings) -> None:
        self._folder = settings.jobs
        self._keep_days = settings.keep_days

    def new(self, file: BinaryIO, name: str, job_options: JobOptions, who: str = "") -> LinkJob:
        """Store a file as a waiting job; old jobs are removed first.

        Raises:
            DataFileError: the table cannot be read.
            LinkingError: the file cannot be stored.
        """
        self.remove_old()
        ending = table_format(Path(name))
        suffix = unpacked_name(Path(name)).suffix.lower()
        source = f"source{suffix}{PACKED if is_packed(Path(name)) else ''}"
        result = f"linked.{job_options.out or (suffix.removeprefix('.') if ending in FORMATS else 'jsonl')}"
        written_format(Path(result))
        id_ = new_id()
        try:
            with atomic_folder(self._folder / id_, replace=False) as folder:
                with (folder / source).open("wb") as stored:
                    shutil.copyfileobj(file, stored)
                flush(folder / source)
                layout = _layout(folder / source, job_options)
                job = LinkJob(id_, Path(name).name, source, result, layout, job_options.options, who, _now())
                write_text_whole(folder / _JOB, json_text(asdict(job), ensure_ascii=False))
                _write(folder, JobStatus(JobState.WAITING, updated=_now()))
        except OSError as error:
            raise LinkingError(f"The file could not be stored ({error.strerror or error}).") from error
        return job

    def job(self, job_id: str) -> LinkJob:
        """Return a job; raises LinkingError if there is none, or it is damaged."""
        if not is_id(job_id) or self.is_cancelled(job_id):
            raise LinkingError(NO_JOB)
        return self._read(job_id, _JOB, LinkJob)

    def status(self, job_id: str) -> JobStatus:
        """Return the progress of a job; raises as `job`."""
        self.job(job_id)
        return self._read(job_id, _STATUS, JobStatus)

    def report(self, job_id: str, status: JobStatus) -> None:
        """Store the progress of a job."""
        _write(self.folder(job_id), status)

    def cancel(self, job_id: str) -> None:
        """Remove a job, also while a server works on it. Raises as `job`."""
        self.job(job_id)
        with suppress(FileNotFoundError):  # it was removed meanwhile
            try:
                with claimed(self.folder(job_id)):
                    remove_whole(self.folder(job_id))
            except SettingsError:  # another thread or process works on it
                (self.folder(job_id) / _CANCELLED).touch()

    def is_cancelled(self, job_id: str) -> bool:
        """Return whether a job was cancelled."""
        return (self.folder(job_id) / _CANCELLED).exists()

    def unfinished(self) -> list[str]:
        """Return the ids of waiting, running and cancelled jobs, oldest first."""
        left = [folder for folder in self._folders() if (folder / _CANCELLED).exists() or not _ended(folder)]
        return [folder.name for folder in sorted(left, key=_stored_at)]

    def callers(self) -> dict[str, str]:
        """Return the callers' ids by unfinished job, oldest first; '' for a damaged job."""
        callers = {}
        for job_id in self.unfinished():
            try:
                callers[job_id] = self.job(job_id).who
            except LinkingError:  # damaged, cancelled, or removed meanwhile
                callers[job_id] = ""
        return callers

    def remove_old(self) -> None:
        """Remove jobs that ended long ago, and leftovers of killed processes."""
        recover(self._folder)
        ended = [folder for folder in self._folders() if _ended(folder)]
        remove_unused(ended, self._keep_days, lambda folder: (folder / _STATUS).stat().st_mtime, remove_whole)

    def folder(self, job_id: str) -> Path:
        """Return the folder of a job, which need not exist."""
        return self._folder / job_id

    def _read(self, job_id: str, name: str, kind: type[T]) -> T:
        try:
            return read_record(self.folder(job_id) / name, kind)
        except FileNotFoundError as error:
            raise LinkingError(NO_JOB) from error
        except (OSError, ValueError) as error:
            raise LinkingError(f"The job {job_id} is damaged; upload the file again.") from error

    def _folders(self) -> Iterator[Path]:
        if self._folder.is_dir():
            yield from (path for path in self._folder.iterdir() if is_id(path.name) and (path / _JOB).is_file())


def _layout(source: Path, job_options: JobOptions) -> TableLayout:
    layout = guess_layout(
        source,
        encoding=job_options.encoding,
        header_row=job_options.header_row,
        column=job_options.column,
        sheet=job_options.sheet,
        separator=job_options.separator,
        taxonomy=job_options.options.taxonomy,
    )
    columns = layout.column_names(source)
    if layout.column is None:
        raise DataFileError(source, f"no column looks like job titles; name it in `column`, one of {listed(columns)}")
    if layout.column not in columns:
        raise no_column(source, layout.column, columns)
    job_options.options.context.check(source, columns)
    return layout


def _write(folder: Path, status: JobStatus) -> None:
    write_text_whole(folder / _STATUS, json_text(asdict(status), ensure_ascii=False))


def _stored_at(folder: Path) -> int:
    try:
        return (folder / _JOB).stat().st_mtime_ns
    except FileNotFoundError:  # it was removed meanwhile
        return 0


def _ended(folder: Path) -> bool:
    try:
        return read_record(folder / _STATUS, JobStatus).state in ENDED
    except (OSError, ValueError):
        return True  # damaged, so that it cannot continue


def _now() -> str:
    return datetime.now(UTC).isoformat(timespec="milliseconds")


class _StoppedError(Exception):
    """The server stops, the job was cancelled, or its caller's turn is over."""


class LinkJobRunner:
    """Links the files of a home's jobs in a thread; callers take turns, and each caller's oldest job comes first.

    A server locks its job. The system releases the lock when the server ends, and another one continues the job.
    """

    def __init__(
        self, jobs: LinkJobStore, service: LinkingService, clock: Callable[[], float] = time.monotonic
    ) -> None:
        """Work on *jobs* from `start` on; *clock* returns seconds."""
        self._jobs = jobs
        self._service = service
        self._clock = clock
        self._turns: dict[str, int] = {}  # caller -> number of their latest turn
        self._turn_began, self._caller, self._warning = 0.0, "", ""
        self._stopping = threading.Event()
        self._wake = threading.Event()
        self._thread = threading.Thread(target=self._run, name="jobs", daemon=True)

    def start(self) -> None:
        """Start the thread."""
        self._thread.start()

    def wake(self) -> None:
        """Look for jobs now."""
        self._wake.set()

    def stop(self, seconds: float = 5.0) -> None:
        """Stop after the current part, and wait at most so long; another server continues the job."""
        self._stopping.set()
        self._wake.set()
        self._thread.join(seconds)

    def _run(self) -> None:
        while not self._stopping.is_set():
            self._wake.clear()
            try:
                while not self._stopping.is_set() and self._give_a_turn():
                    pass
            except (OSError, LabelStoreUnavailableError):  # such as a full disk or a database that restarts
                _log.exception("Jobs cannot be worked on at present.")
            self._wake.wait(_POLL_SECONDS)

    def _give_a_turn(self) -> bool:
        """Work on a job of the caller who waits longest; return False if no job can be claimed."""
        callers = self._jobs.callers()
        first_turn = min((turn for caller, turn in self._turns.items() if caller in callers.values()), default=0)
        self._turns = {caller: self._turns.get(caller, first_turn) for caller in callers.values()}
        for job_id, caller in sorted(callers.items(), key=lambda job: self._turns[job[1]]):
            self._caller = caller
            if self._work_on(job_id):
                self._turns[caller] = max(self._turns.values()) + 1
                return True
        return False

    def _work_on(self, job_id: str) -> bool:
        """Work on a job until it or its caller's turn ends; return False if it cannot be claimed."""
        self._turn_began = self._clock()
        try:
            with claimed(self._jobs.folder(job_id)):
                if not self._jobs.folder(job_id).is_dir():  # it was removed before it was claimed
                    return False
                if not self._stopping.is_set():
                    self._finish(job_id)
                return True
        except SettingsError:
            return False  # another server works on it

    def _turn_is_over(self) -> bool:
        is_over = self._clock() - self._turn_began > _TURN_SECONDS
        return is_over and bool(set(self._jobs.callers().values()) - {self._caller, ""})

    def _finish(self, job_id: str) -> None:
        try:
            status = self._jobs.status(job_id)
            if status.state not in ENDED:
                total = self._link(self._jobs.job(job_id), status)
                self._report(job_id, JobState.DONE, total, total)
        except _StoppedError:
            pass
        except LabelStoreUnavailableError:
            raise  # not an error of the job
        except JobMatchError as error:
            if not self._jobs.is_cancelled(job_id):
                self._report(job_id, JobState.FAILED, error=str(error))
        except Exception:
            _log.exception("A job failed.")
            if not self._stopping.is_set():  # a stopping process may cause it; then the job continues later
                self._report(job_id, JobState.FAILED, error="The server failed; its log says why.")
        if self._jobs.is_cancelled(job_id):
            remove_whole(self._jobs.folder(job_id))

    def _link(self, job: LinkJob, status: JobStatus) -> int:
        self._warning = status.warning
        self._report(job.id, JobState.RUNNING, status.done, status.total)
        garbled = garbled_titles_in(self._jobs.folder(job.id) / job.source, job.layout)
        self._warning = garbled.message() if garbled else ""
        try:
            return self._link_file(job, resume=True)
        except LinkingError:  # parts of another linker, since titles were accepted or a model was promoted
            return self._link_file(job, resume=False)

    def _link_file(self, job: LinkJob, *, resume: bool) -> int:
        folder, options = self._jobs.folder(job.id), job.options
        return link_file(
            self._service.linker(options),
            folder / job.source,
            folder / job.result,
            layout=job.layout,
            languages=options.languages,
            show=options.show,
            top=options.top,
            code_form=options.code_form,
            context=options.context,
            other_codes=self._service.other_codes(options),
            resume=resume,
            progress=lambda done, total: self._progress(job.id, done, total),
        )

    def _progress(self, job_id: str, done: int, total: int) -> None:
        if self._stopping.is_set() or self._jobs.is_cancelled(job_id):
            raise _StoppedError
        self._report(job_id, JobState.RUNNING, done, total)
        if done < total and self._turn_is_over():
            raise _StoppedError

    def _report(self, job_id: str, state: JobState, done: int = 0, total: int = 0, error: str = "") -> None:
        self._jobs.report(job_id, JobStatus(state, done, total, error, _now(), self._warning))
