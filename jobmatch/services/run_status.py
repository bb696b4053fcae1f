"""Status of a training in a separate process: a small file, replaced atomically."""

import os
import signal
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import asdict, dataclass, replace
from datetime import UTC, datetime
from enum import StrEnum
from pathlib import Path

from jobmatch_core.errors import JobMatchError
from jobmatch_core.io.folders import write_text_whole
from jobmatch_core.io.records import record_of
from jobmatch_core.io.text_files import json_text, read_json

STATUS_FILE, LOG_FILE = "status.json", "log.txt"
_MOST_LOSSES = 200  # points of the curve; an even number, since neighbours are merged
_BETWEEN_WRITES = 0.25  # seconds
_STEPS_MEASURED = 10  # of a stage before its speed is estimated; the first ones are slower


class RunState(StrEnum):
    """State of a training."""

    RUNNING = "running"
    DONE = "done"
    STOPPED = "stopped"  # on request
    FAILED = "failed"
    DIED = "died"  # its process ended without a report, such as when the machine was switched off


@dataclass(frozen=True, slots=True)
class Loss:
    """The mean loss of some steps, of which *step* (from 1) is the last."""

    step: int
    loss: float


@dataclass(frozen=True, slots=True)
class RunStatus:
    """Status of a training."""

    state: str  # state as written by the training; `runs` detects that it died
    started: str  # UTC time of its start, ISO 8601
    updated: str  # UTC time of this status
    pid: int = 0  # id of its process; 0 before there is one
    stage: str = "Starting"  # name of the current stage
    # done, total: steps of this stage; 0 and 0 if unknown
    done: int = 0
    total: int = 0
    seconds_left: float | None = None  # estimated seconds to the end of this stage; None while unknown
    losses: tuple[Loss, ...] = ()  # losses of the steps so far, in order
    error: str = ""  # error message; '' without an error

    def write(self, folder: Path) -> None:
        """Write the status to the folder of a run."""
        write_text_whole(folder / STATUS_FILE, json_text(asdict(self), ensure_ascii=False))

    @classmethod
    def read(cls, folder: Path) -> "RunStatus | None":
        """Return the last status; None if none can be read."""
        try:
            return record_of(cls, read_json(folder / STATUS_FILE), STATUS_FILE)
        except (OSError, ValueError, TypeError, AttributeError):
            return None


def utc_now() -> str:
    """Return the current UTC time, ISO 8601."""
    return datetime.now(UTC).isoformat(timespec="seconds")


class StatusWriter:
    """Writes the status of a training at most a few times a second, and its stages to the log."""

    def __init__(self, folder: Path, note: Callable[[str], None]) -> None:
        """Write to the existing folder of a run; *note* is called with lines for the log."""
        self._folder = folder
        self._note = note
        self._written = 0.0
        self._width = 1  # steps per point of the curve
        self._open: list[float] = []  # losses of the steps since the last point
        self._since: tuple[int, float] | None = None  # steps done at the first report of the stage, and its time
        begun = RunStatus.read(folder)
        started = begun.started if begun else utc_now()
        self._status = RunStatus(RunState.RUNNING, started, utc_now(), os.getpid())
        self._write()

    def stage(self, name: str) -> None:
        """Start a stage."""
        self._note(f"{utc_now()} {name}")
        self._since = None
        self._status = replace(self._status, stage=name, done=0, total=0, seconds_left=None)
        self._write()

    def progress(self, done: int, total: int) -> None:
        """Report progress of the stage."""
        self._status = replace(self._status, done=done, total=total, seconds_left=self._seconds_left(done, total))
        if time.monotonic() - self._written >= _BETWEEN_WRITES:
            self._write()

    def _seconds_left(self, done: int, total: int) -> float | None:
        now = time.monotonic()
        if self._since is None:
            self._since = done, now
        first, began = self._since
        measured = done - first
        return (now - began) / measured * (total - done) if measured >= _STEPS_MEASURED else None

    def losses(self, step: int, loss: float) -> None:
        """Add the loss of a step to the curve; if it has too many points, neighbours are merged."""
        self._open.append(loss)
        if len(self._open) < self._width:
            return
        points = [*self._status.losses, Loss(step, sum(self._open) / len(self._open))]
        self._open = []
        if len(points) == _MOST_LOSSES:
            self._width *= 2
            points = [
                Loss(second.step, (first.loss + second.loss) / 2)
                for first, second in zip(points[::2], points[1::2], strict=True)
            ]
        self._status = replace(self._status, losses=tuple(points))

    def end(self, state: RunState, error: str = "") -> None:
        """Write the final state."""
        self._note(f"{utc_now()} {state}{': ' if error else ''}{error}")
        self._status = replace(self._status, state=state, error=error)
        self._write()

    def _write(self) -> None:
        self._status = replace(self._status, updated=utc_now())
        self._status.write(self._folder)
        self._written = time.monotonic()


@contextmanager
def reported(folder: Path, note: Callable[[str], None]) -> Iterator[StatusWriter]:
    """Yield a writer of a run's status, and write how the block ended; its errors are raised again."""
    # SIGTERM raises KeyboardInterrupt, so that a stopped training can report it
    signal.signal(signal.SIGTERM, signal.default_int_handler)
    writer = StatusWriter(folder, note)
    try:
        yield writer
    except JobMatchError as error:
        writer.end(RunState.FAILED, str(error))
        raise
    except KeyboardInterrupt:
        writer.end(RunState.STOPPED)
        raise
    except BaseException as error:
        writer.end(RunState.FAILED, f"{type(error).__name__}: {error}; the log says more")
        raise
    writer.end(RunState.DONE)
