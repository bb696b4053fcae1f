"""The log: lines of JSON whoever writes, each on its own line, and errors that repeat are counted."""

import io
import json
import logging
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from jobmatch.serve.json_log import COUNT_SECONDS, FIELDS, JsonHandler

ROOT = Path(__file__).parents[3]


class Log:
    """A logger with a handler of its own and a clock of the test."""

    def __init__(self) -> None:
        """Start with an empty log."""
        self.now = 100.0
        self.stream = io.StringIO()
        self.handler = JsonHandler(self.stream, lambda: self.now)
        self.logger = logging.Logger("made")
        self.logger.addHandler(self.handler)

    @property
    def lines(self) -> list[dict[str, Any]]:
        """The written lines."""
        return [json.loads(line) for line in self.stream.getvalue().splitlines()]

    @property
    def messages(self) -> list[str]:
        """The messages of the written lines."""
        return [line["message"] for line in self.lines]


@pytest.fixture
def log() -> Log:
    """A log."""
    return Log()


def fail(log: Log, error: type[Exception] = ValueError) -> None:
    """Log an exception."""
    try:
        raise error("bad")
    except error:
        log.logger.exception("A request failed.")


def test_an_error_that_repeats(log: Log) -> None:
    """It is written once, and its count once a minute, with the next record."""
    for number in range(50):
        log.logger.error("The label store cannot be used: %s", number)
        fail(log)
    assert log.messages == ["The label store cannot be used: 0", "A request failed."]
    assert "ValueError: bad" in log.lines[1]["error"]
    log.now += COUNT_SECONDS
    log.logger.info("request")
    assert log.messages[2:] == [
        "repeated 49 times: The label store cannot be used: 0",
        "repeated 49 times: A request failed.",
        "request",
    ]
    assert (log.lines[2]["repeated"], log.lines[2]["level"], log.lines[2]["logger"]) == (49, "error", "made")
    fail(log)
    assert len(log.lines) == 5  # it goes on to be counted
    log.now += COUNT_SECONDS
    log.logger.info("request")
    log.now += COUNT_SECONDS
    log.logger.info("request")  # a minute without it
    fail(log)
    assert log.messages[5:] == ["repeated 1 times: A request failed.", "request", "request", "A request failed."]


def test_what_is_not_counted(log: Log) -> None:
    """Events, other errors, and the same message from another place or about another error."""
    for _ in range(3):
        log.logger.info("request")
    log.logger.warning("%s", "first warning")
    log.logger.warning("%s", "second warning")
    fail(log)
    fail(log, KeyError)
    assert len(log.lines) == 7


def test_many_different_errors(log: Log) -> None:
    """Only a limited number is remembered."""
    for number in range(3000):
        log.logger.error(f"error {number}")
    assert len(log.lines) == 3000
    assert len(log.handler._counted) <= 1000


@pytest.mark.parametrize("text", ["a\nb", "a\rb", "a\x85b", "a\u2028b", "a\x1b[2Jb", "\0", "\ud800", "\x7f", "é"])
def test_texts_of_strangers(log: Log, text: str) -> None:
    """Their characters neither begin a line nor control a terminal."""
    log.logger.error("Failed: %s", text, extra={FIELDS: {"further": text}})
    written = log.stream.getvalue()
    assert written.endswith("\n")
    assert written[:-1].isascii()
    assert written[:-1].isprintable() or text == "\x7f"
    [line] = log.lines
    assert (line["message"], line["further"]) == (f"Failed: {text}", text)


def test_what_cannot_be_logged(log: Log) -> None:
    """A line says so."""
    log.logger.error("%d\n", "no number")
    log.logger.info("%d", "no number")
    log.logger.info("odd", extra={FIELDS: {"path": Path("x"), "set": {1}}})
    assert [line["logger"] for line in log.lines] == ["made"] * 3
    assert log.lines[2]["path"] == "x"


_PROGRAM = """
import asyncio, logging, sys, threading, warnings
import uvicorn
from streamlit import config, logger
early = logger.get_logger("streamlit.early")
from jobmatch.serve.json_log import log_json
log_json()
logger.update_formatter()
late = logger.get_logger("streamlit.late")
uvicorn.Config("x:y", log_config=None)
early.error("OAuth error: %s", "a\\nb")
late.error("late")
logging.getLogger("uvicorn.error").error("of uvicorn")
warnings.warn("old")
async def failing():
    asyncio.get_running_loop().call_soon(lambda: 1 / 0)
    await asyncio.sleep(0)
    await asyncio.sleep(0)
asyncio.run(failing())
thread = threading.Thread(target=lambda: [][1])
thread.start()
thread.join()
class Odd:
    def __del__(self):
        raise OSError("unraisable")
Odd()
raise RuntimeError("at the end")
"""


def test_everything_on_standard_error_is_json() -> None:
    """Streamlit's loggers, uvicorn's, warnings, and errors of threads, tasks and the program."""
    ended = subprocess.run(
        [sys.executable, "-W", "always::UserWarning", "-c", _PROGRAM],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=False,
        env={**os.environ, "PYTHONPATH": str(ROOT)},
    )
    lines = [json.loads(line) for line in ended.stderr.splitlines()]
    said = [line["message"] + line.get("error", "") for line in lines]
    for expected in (
        "OAuth error: a\nb",
        "late",
        "of uvicorn",
        "old",
        "ZeroDivisionError",
        "IndexError",
        "unraisable",
        "at the end",
    ):
        assert sum(expected in text for text in said) == 1, (expected, said)
    assert ended.returncode == 1
