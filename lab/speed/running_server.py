"""A server of jobmatch as a process of its own, on a free port."""

import os
import socket
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from http.client import HTTPConnection, HTTPException
from typing import NamedTuple

from jobmatch_core.errors import LinkingError
from jobmatch_core.settings import Settings

PATIENCE = 120.0  # seconds for an answer
_START_SECONDS = 600.0


class RunningServer(NamedTuple):
    """A port of this machine and the process that listens there."""

    port: int
    process: int


@contextmanager
def running_server(command: Sequence[str], ready: str, settings: Settings) -> Iterator[RunningServer]:
    """Run a module on a free port, which is its last argument, until the block ends.

    Args:
        ready: path that is answered with 200 once the server is ready.
        settings: locations of the server's files.

    Raises LinkingError if the server did not start; its message has the server's log.
    """
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = int(free.getsockname()[1])
    environment = os.environ | {"JOBMATCH_HOME": str(settings.home)}
    with (
        tempfile.TemporaryFile() as log,
        subprocess.Popen(
            [sys.executable, "-m", *command, str(port)], env=environment, stdout=log, stderr=log
        ) as server,
    ):
        try:
            _wait_until(port, ready, server)
            yield RunningServer(port, server.pid)
        except TimeoutError as error:
            log.seek(0)
            raise LinkingError(f"The server did not start: {log.read().decode('utf-8', 'replace')}") from error
        finally:
            server.terminate()


def _wait_until(port: int, ready: str, server: "subprocess.Popen[bytes]") -> None:
    ends = time.monotonic() + _START_SECONDS
    while time.monotonic() < ends and server.poll() is None:
        connection = HTTPConnection("127.0.0.1", port, timeout=PATIENCE)
        try:
            connection.request("GET", ready)
            if connection.getresponse().status == 200:
                return
        except (OSError, HTTPException):
            pass
        finally:
            connection.close()
        time.sleep(0.1)
    raise TimeoutError
