"""A PostgreSQL of Debian's package that a test may kill, unlike the one that all tests share."""

import os
import shutil
import signal
import subprocess
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from tempfile import mkdtemp

import pytest
from sqlalchemy import URL

_PROGRAMS = Path("/usr/lib/postgresql")
_START_SECONDS = 60


class PostgresServer:
    """A server on a socket of its own.

    Attributes:
        url: URL of its database.
    """

    def __init__(self, folder: Path, programs: Path) -> None:
        """Make an empty cluster below *folder*; it is not running yet."""
        self._folder, self._programs = folder, programs
        subprocess.run(
            [
                programs / "initdb",
                "-D",
                folder / "data",
                "-U",
                "postgres",
                "--auth=trust",
                "--encoding=UTF8",
                "--locale=C.UTF-8",
                "--no-sync",
            ],
            check=True,
            cwd=folder,
            user=_runs_as(),
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )
        url = URL.create("postgresql+psycopg", "postgres", database="postgres", query={"host": str(folder)})
        self.url = url.render_as_string()

    def start(self) -> None:
        """Start, and wait until it can be used; after `kill`, once it has recovered.

        It ends with the tests' process, also with one that is killed.
        """
        with (self._folder / "log").open("ab") as log:
            self._process = subprocess.Popen(
                [
                    "setpriv",
                    "--pdeathsig",
                    "QUIT",
                    self._programs / "postgres",
                    "-D",
                    self._folder / "data",
                    "-k",
                    self._folder,
                    "-c",
                    "listen_addresses=",
                ],
                cwd=self._folder,
                user=_runs_as(),
                stdout=log,
                stderr=log,
            )
        ready = [self._programs / "pg_isready", "--quiet", "--host", self._folder]
        ends = time.monotonic() + _START_SECONDS
        while subprocess.run(ready, check=False).returncode:
            if self._process.poll() is not None or time.monotonic() > ends:
                pytest.fail("PostgreSQL did not start:\n" + (self._folder / "log").read_text("utf-8", "replace"))
            time.sleep(0.05)

    def kill(self) -> None:
        """End all its processes at once, without a word to its clients and without writing down what is in memory."""
        self._process.send_signal(signal.SIGQUIT)
        self._process.wait(timeout=_START_SECONDS)


def _runs_as() -> str | None:
    return "postgres" if os.geteuid() == 0 else None  # root may not run PostgreSQL


@contextmanager
def running_postgres() -> Iterator[PostgresServer]:
    """Run a server until the block ends; skip the test without the package, unless REQUIRE_POSTGRES=1."""
    found = sorted(_PROGRAMS.glob("*/bin/initdb"))
    if not found:
        reason = "there is no PostgreSQL of Debian; install it with 'apt install postgresql'"
        if os.environ.get("REQUIRE_POSTGRES") == "1":
            pytest.fail(reason)
        pytest.skip(reason)
    folder = Path(mkdtemp(prefix="jobmatch-", dir="/tmp"))  # the path of a socket is at most 107 bytes long
    if user := _runs_as():
        shutil.chown(folder, user)
    server = PostgresServer(folder, found[-1].parent)
    server.start()
    try:
        yield server
    finally:
        server.kill()
        shutil.rmtree(folder)
