"""The log: one JSON object a line on standard error; errors that repeat are counted.

JSON escapes texts of users, so none of their characters begins a new line.
"""

import json
import logging
import sys
import threading
import time
from collections.abc import Callable
from dataclasses import dataclass
from datetime import UTC, datetime
from traceback import walk_tb
from types import TracebackType
from typing import TextIO

from streamlit import logger as streamlit_logger

FIELDS = "fields"  # attribute of a record: further fields of its line
COUNT_SECONDS = 60.0  # after an error's last line, within which its repetitions are counted only
_MOST_COUNTED = 1000  # different errors; then counting starts anew
_log = logging.getLogger(__name__)


class JsonLines(logging.Formatter):
    """Records as lines of JSON: time, level, logger, message and further fields."""

    def format(self, record: logging.LogRecord) -> str:
        """Return a record as one line of ASCII."""
        line = {
            "time": datetime.fromtimestamp(record.created, UTC).isoformat(timespec="milliseconds"),
            "level": record.levelname.lower(),
            "logger": record.name,
            "message": record.getMessage(),
            **getattr(record, FIELDS, {}),
        }
        if record.exc_info:
            line["error"] = self.formatException(record.exc_info)
        return json.dumps(line, default=str)


@dataclass(slots=True)
class _Counted:
    # an error that was written, and how often it was repeated since
    logger: str
    level: int
    message: str
    written: float
    count: int = 0


class JsonHandler(logging.StreamHandler[TextIO]):
    """Writes lines of JSON; of repeated warnings and errors the first, and later the number of the others.

    A number is written before the next record of any kind, at the earliest a minute after the last line of that error.
    """

    def __init__(self, stream: TextIO, clock: Callable[[], float] = time.monotonic) -> None:
        """Write to a stream; *clock* returns seconds."""
        super().__init__(stream)
        self.setFormatter(JsonLines())
        self._clock = clock
        self._counted: dict[tuple[str, ...], _Counted] = {}

    def emit(self, record: logging.LogRecord) -> None:
        """Write a record, or count it; `logging` calls this in one thread at a time."""
        try:
            self._write_counts()
            if record.levelno < logging.WARNING or self._is_new(record):
                super().emit(record)
        except Exception:  # an error in the log must not end what is logged
            self.handleError(record)

    def handleError(self, record: logging.LogRecord) -> None:
        """Write one line that a record cannot be logged, instead of a traceback."""
        line = {"level": "error", "logger": record.name, "message": f"This cannot be logged: {record.msg!r}"}
        try:
            self.stream.write(json.dumps(line) + self.terminator)
            self.flush()
        except (OSError, ValueError):  # standard error is closed
            pass

    def _is_new(self, record: logging.LogRecord) -> bool:
        key = _repetition_key(record)
        if key in self._counted:
            self._counted[key].count += 1
            return False
        if len(self._counted) >= _MOST_COUNTED:
            self._counted.clear()
        self._counted[key] = _Counted(record.name, record.levelno, record.getMessage(), self._clock())
        return True

    def _write_counts(self) -> None:
        """Write how often each error was repeated since its last line, if that is a minute old; forget the others."""
        now = self._clock()
        for key, counted in list(self._counted.items()):
            if now - counted.written < COUNT_SECONDS:
                continue
            if not counted.count:
                del self._counted[key]
                continue
            message = f"repeated {counted.count} times: {counted.message}"
            line = logging.LogRecord(counted.logger, counted.level, "", 0, message, None, None)
            setattr(line, FIELDS, {"repeated": counted.count})
            counted.written, counted.count = now, 0
            super().emit(line)


def _repetition_key(record: logging.LogRecord) -> tuple[str, ...]:
    # equal for records of one logger and message template, and of one kind of error raised in one line; a warning of
    # Python is the value of a template without words, '%s', and is told by its text
    message = record.getMessage() if record.msg == "%s" else str(record.msg)
    kind, _, trace = record.exc_info or (None, None, None)
    places = [f"{frame.f_code.co_filename}:{line}" for frame, line in walk_tb(trace)][-1:]
    return (record.name, message, "" if kind is None else kind.__qualname__, *places)


def log_json() -> None:
    """Write logs, warnings and uncaught errors of this process to standard error as lines of JSON."""
    logging.basicConfig(level=logging.INFO, handlers=[JsonHandler(sys.stderr)], force=True)
    logging.captureWarnings(True)
    logging.getLogger("httpx").setLevel(logging.WARNING)  # it logs URLs with their queries
    streamlit_logger.setup_formatter = _pass_on  # Streamlit calls it for each logger, and again when it is configured
    streamlit_logger.update_formatter()
    for name in ("uvicorn", "uvicorn.error", "uvicorn.access"):
        _pass_on(logging.getLogger(name))
    sys.excepthook = _log_uncaught
    sys.unraisablehook = lambda args: _log_uncaught(args.exc_type, args.exc_value, args.exc_traceback)
    threading.excepthook = lambda args: _log_uncaught(args.exc_type, args.exc_value, args.exc_traceback)


def _pass_on(logger: logging.Logger) -> None:
    # Streamlit and uvicorn give their loggers handlers of their own
    logger.handlers.clear()
    logger.propagate = True


def _log_uncaught(kind: type[BaseException], error: BaseException | None, trace: TracebackType | None) -> None:
    if not issubclass(kind, KeyboardInterrupt | SystemExit):
        _log.critical("Uncaught error.", exc_info=(kind, error or kind(), trace))
