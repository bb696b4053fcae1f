"""Trainings in separate processes, one at a time, that continue when their starter has exited.

    JOBMATCH_HOME/training/lock        names the run and its process, which holds the lock until it ends
    JOBMATCH_HOME/training/RUN/
      run.json      the request
      job.json      the job, which the process reads; see `training_job`
      NAME.toml     copy of the recipe
      status.json   progress; see `run_status`
      log.txt       output of the process
      stop          exists when a stop was requested

A process takes over the lock from its starter. The unfinished model of a stopped, failed or dead run is removed when
the runs are listed or the next one starts.
"""

import logging
import os
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import asdict, dataclass, replace
from datetime import UTC, datetime
from pathlib import Path
from typing import IO

from jobmatch.services.run_status import LOG_FILE, RunState, RunStatus, utc_now
from jobmatch.services.training_job import TrainingJob
from jobmatch_core.errors import SettingsError
from jobmatch_core.io.folders import make_folder, remove_whole
from jobmatch_core.io.records import record_of
from jobmatch_core.io.text_files import json_text, read_json
from jobmatch_core.settings import Settings

_log = logging.getLogger(__name__)
RUN_FILE, _STOP_FILE = "run.json", "stop"
_LOCK = "lock"
_PATIENCE = 1.0  # seconds until a process that does not stop is killed; its results are removed anyway
_LOG_BYTES = 20_000  # at the end of the log
_BROKEN_OFF = (RunState.FAILED, RunState.DIED, RunState.STOPPED)
_COMMAND = (sys.executable, "-m", "jobmatch", "train", "job")


@dataclass(frozen=True, slots=True)
class TrainingRequest:
    """Request for a training."""

    kind: str  # kind of model, a `registry.ModelKind`
    model: str  # name of the folder to write
    recipe: str  # file name of the recipe, for display; '' without one
    source: str  # name of the marketplace or taxonomy
    snapshot: str  # name of the snapshot; '' for a training without one
    start: str  # name of the start model; '' for none
    who: str  # name of the requesting person


@dataclass(frozen=True, slots=True)
class Run:
    """A training: its folder, request and progress; *stopping* is true between the request to stop and the end."""

    folder: Path
    request: TrainingRequest
    status: RunStatus
    stopping: bool = False

    @property
    def name(self) -> str:
        """Name of the folder."""
        return self.folder.name

    @property
    def running(self) -> bool:
        """True if its process exists."""
        return self.status.state == RunState.RUNNING

    def log(self) -> str:
        """Return the end of the output of its process."""
        try:
            with (self.folder / LOG_FILE).open("rb") as file:
                file.seek(max(0, file.seek(0, os.SEEK_END) - _LOG_BYTES))
                return file.read().decode("utf-8", "replace")
        except OSError:
            return ""


@dataclass(frozen=True, slots=True)
class _Holder:
    run: str = ""  # name of the run; '' if nobody holds the lock
    pid: int = 0  # process of the run; 0 while unknown


class TrainingRuns:
    """All trainings under a home."""

    def __init__(self, settings: Settings, command: Sequence[str] = _COMMAND) -> None:
        """Run job files with *command*, by default `jobmatch train job`."""
        self.settings = settings
        self._command = command
        self.folder = settings.training

    def start(self, request: TrainingRequest, job: TrainingJob) -> Run:
        """Start a training with a copy of its recipe, and return at once.

        Raises SettingsError if another one runs, or no process can be started.
        """
        if sys.platform == "win32":
            raise SettingsError("Trainings cannot be started from here on Windows; run `jobmatch train` in a terminal.")
        try:
            with self._lock() as lock:
                for run in self._all():
                    if run.status.state in _BROKEN_OFF:
                        self._forget(run, RunState(run.status.state))
                return self._launch(request, job, lock)
        except OSError as error:
            raise SettingsError(
                f"The training could not be started in {self.folder} ({error.strerror or error})."
            ) from error

    def model_folder(self, model: str) -> Path:
        """Return the folder of a model."""
        return self.settings.models / model

    def all(self) -> list[Run]:
        """Return all trainings, the latest first; models of unfinished ones are removed."""
        runs = self._all()
        left = [run for run in runs if run.status.state in _BROKEN_OFF and self._unfinished(run).is_dir()]
        if left:
            self._remove_unless_one_runs(left)
        return runs

    def latest(self) -> Run | None:
        """Return the running training, otherwise the last one; None without any."""
        runs = self.all()
        return next((run for run in runs if run.running), runs[0] if runs else None)

    def request_stop(self, run: Run) -> None:
        """Request that a training stops, and return at once; `Run.stopping` is true until it has ended.

        Raises SettingsError if the request cannot be written.
        """
        try:
            (run.folder / _STOP_FILE).touch()
        except OSError as error:
            raise SettingsError(
                f"The training could not be asked to stop in {run.folder} ({error.strerror or error}); free some disk "
                "space and try again."
            ) from error
        threading.Thread(target=self._end, args=(run,), daemon=True).start()

    def stop(self, run: Run) -> None:
        """End a running training and remove its unfinished model; one that has ended stays as it is.

        Raises SettingsError if its unfinished model cannot be removed.
        """
        self._end(run)
        self._forget(run, RunState.STOPPED)

    def _end(self, run: Run) -> None:
        signals = [signal.SIGTERM, signal.SIGKILL]
        ends = time.monotonic()
        while (holder := self._holder()).run == run.name:
            if signals and holder.pid and time.monotonic() >= ends:
                with suppress(ProcessLookupError):
                    os.killpg(holder.pid, signals.pop(0))
                ends = time.monotonic() + _PATIENCE
            time.sleep(0.05)

    def _launch(self, request: TrainingRequest, job: TrainingJob, lock: IO[bytes]) -> Run:
        moment = datetime.now(UTC)
        folder = self.folder / f"{moment:%Y%m%d-%H%M%S-%f}"
        make_folder(folder)
        file = job.with_recipe_in(folder).write(folder)
        status = RunStatus(RunState.RUNNING, utc_now(), utc_now())
        status.write(folder)  # before the process starts and replaces it
        (folder / RUN_FILE).write_text(json_text(asdict(request), ensure_ascii=False, indent=2), "utf-8")
        lock.write(folder.name.encode())
        lock.flush()
        with (folder / LOG_FILE).open("wb") as log:
            process = subprocess.Popen(
                [*self._command, str(file)],
                stdin=subprocess.DEVNULL,
                stdout=log,
                stderr=log,
                start_new_session=True,
                env={**os.environ, "JOBMATCH_HOME": str(self.settings.home)},
                cwd=Path(__file__).parents[2],  # where `jobmatch_core` can be imported from
                pass_fds=[lock.fileno()],  # the child holds the lock, too
            )
        lock.write(f" {process.pid}".encode())
        lock.flush()
        # else the ended process stays a zombie as long as this one lives
        threading.Thread(target=process.wait, daemon=True).start()
        return Run(folder, request, status)

    @contextmanager
    def _lock(self) -> Iterator[IO[bytes]]:
        """Yield the locked file of the lock; a process that inherits it keeps it locked."""
        make_folder(self.folder)
        with (self.folder / _LOCK).open("ab") as file:
            if not _taken(file, tries=50):  # an ended training may hold it until its process is gone
                running = self.latest()
                raise SettingsError(
                    "A training runs already"
                    + (f", of {running.request.model} since {running.status.started}" if running else "")
                    + "; wait until it ends, or stop it."
                )
            file.truncate(0)  # the name of the run that held it last
            yield file

    def _holder(self) -> _Holder:
        try:
            with (self.folder / _LOCK).open("r+b") as file:
                if _taken(file):
                    return _Holder()
                name, _, pid = file.read().decode("utf-8", "replace").partition(" ")
                return _Holder(name, int(pid or 0))
        except OSError:
            return _Holder()

    def _all(self) -> list[Run]:
        folders = sorted((path.parent for path in self.folder.glob(f"*/{RUN_FILE}")), reverse=True)
        holder = self._holder().run
        return [run for folder in folders if (run := _read(folder, running=folder.name == holder))]

    def _remove_unless_one_runs(self, left: Sequence[Run]) -> None:
        # under the lock, so that no training starts meanwhile; failures are tried again with the next list
        try:
            with (self.folder / _LOCK).open("r+b") as file:
                if _taken(file):
                    for run in left:
                        self._remove_unfinished(run)
        except OSError as error:
            _log.warning("The unfinished model of a training could not be removed (%s).", error)

    def _unfinished(self, run: Run) -> Path:
        return self.model_folder(f"{run.request.model}.unfinished")

    def _remove_unfinished(self, run: Run) -> None:
        with suppress(FileNotFoundError):  # another process has removed it
            remove_whole(self._unfinished(run))

    def _forget(self, run: Run, state: RunState) -> None:
        try:
            self._remove_unfinished(run)
            written = RunStatus.read(run.folder) or run.status
            if written.state == RunState.RUNNING:
                replace(written, state=state, updated=utc_now()).write(run.folder)
        except OSError as error:
            raise SettingsError(
                f"The unfinished model of a training could not be removed ({error.strerror or error}): "
                f"{self._unfinished(run)}."
            ) from error


def _read(folder: Path, *, running: bool) -> Run | None:
    status = RunStatus.read(folder)
    stop_requested = (folder / _STOP_FILE).exists()
    try:
        request = record_of(TrainingRequest, read_json(folder / RUN_FILE), RUN_FILE)
    except (OSError, ValueError, TypeError):
        return None
    if status is None:
        return None
    if status.state == RunState.RUNNING and not running:
        status = replace(status, state=RunState.STOPPED if stop_requested else RunState.DIED)
    return Run(folder, request, status, stopping=stop_requested and status.state == RunState.RUNNING)


def _taken(file: IO[bytes], tries: int = 1) -> bool:
    """Return whether the lock was free, and take it; a caller that only checks closes the file at once."""
    import fcntl  # Windows has none

    for number in range(tries):
        time.sleep(0.02 * bool(number))
        with suppress(BlockingIOError):
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
            return True
    return False
