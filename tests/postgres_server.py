"""A PostgreSQL of Debian's package that a test may kill, unlike the one that all tests share."""

import os
import shutil
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from tempfile import mkdtemp

import pytest
from sqlalchemy import URL

_PROGRAMS = Path("/usr/lib/postgresql")
_RUNS_AS = "postgres"  # instead of root, as whom PostgreSQL does not run


class PostgresServer:
    """A server on a socket of its own.

    Attributes:
        url: URL of its database.
    """

    def __init__(self, folder: Path, programs: Path) -> None:
        """Make an empty cluster below *folder*; it is not running yet."""
        self._folder, self._programs = folder, programs
        self._run("initdb", "-U", "postgres", "--auth=trust", "--encoding=UTF8", "--locale=C.UTF-8", "--no-sync")
        url = URL.create("postgresql+psycopg", "postgres", database="postgres", query={"host": str(folder)})
        self.url = url.render_as_string()

    def start(self) -> None:
        """Start, and wait until it can be used; after `kill`, once it has recovered."""
        self._run(
            "pg_ctl", "-l", str(self._folder / "log"), "-o", f"-k {self._folder} -c listen_addresses=''", "-w", "start"
        )

    def kill(self) -> None:
        """End all its processes at once, without a word to its clients and without writing down what is in memory."""
        self._run("pg_ctl", "-m", "immediate", "stop")

    def _run(self, program: str, *arguments: str) -> None:
        subprocess.run(
            [self._programs / program, "-D", self._folder / "data", *arguments],
            check=True, cwd=self._folder, user=_RUNS_AS if os.geteuid() == 0 else None,
            stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
        )  # fmt: skip


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
    if os.geteuid() == 0:
        shutil.chown(folder, _RUNS_AS)
    server = PostgresServer(folder, found[-1].parent)
    server.start()
    try:
        yield server
    finally:
        server.kill()
        shutil.rmtree(folder)
