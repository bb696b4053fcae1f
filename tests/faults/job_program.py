"""The processes of a job that are killed: a client, a Dask scheduler, a Dask worker.

Each is a copy of this program, which has imported all and opened the linker, so that twenty of them begin within
seconds. A line of its input is a list in JSON: FOLDER, ROLE and the role's arguments. It answers with the process.
"""

import asyncio
import json
import os
import signal
import sys
import traceback
from collections.abc import Callable
from pathlib import Path

from distributed import Scheduler, Worker

from jobmatch_core import engines
from jobmatch_core.engines import opened_engine
from jobmatch_core.errors import JobMatchError
from jobmatch_core.io import table_parts
from jobmatch_core.linking.link_job import BatchLinker, link_parts
from jobmatch_core.linking.store import LinkerSpec

PART_ROWS = 100
SPEC = LinkerSpec(encoder=None)


def client(source: str, out: str, engine: str) -> str:
    """Link what is missing and return how many parts that were, or what the user is told."""
    try:
        with opened_engine(engine, 2) as workers:
            return str(link_parts(BatchLinker(SPEC, "title"), source, out, engine=workers, resume=True).linked)
    except JobMatchError as error:
        return str(error)


def scheduler(address: str) -> str:
    """Serve until the end."""

    async def serve() -> None:
        async with Scheduler(host=address, dashboard=False) as served:
            await served.finished()

    asyncio.run(serve())
    return ""


def worker(address: str, folder: str, host: str | None = None) -> str:
    """Work for a scheduler until it is gone; the host is the worker's own address."""
    options = {"nthreads": 1, "memory_limit": 0, "dashboard": False, "local_directory": folder, "host": host}

    async def work() -> None:
        async with Worker(address, **options) as working:
            await working.finished()

    asyncio.run(work())
    return ""


ROLES: dict[str, Callable[..., str]] = {each.__name__: each for each in (client, scheduler, worker)}


def _play(folder: str, role: str, *arguments: str) -> None:
    """Do what a role does, and write down how it ended, whole or not at all."""
    signal.signal(signal.SIGCHLD, signal.SIG_DFL)
    log = os.open(f"{folder}/log.txt", os.O_WRONLY | os.O_CREAT | os.O_APPEND)
    for stream in (1, 2):
        os.dup2(log, stream)
    outcome = ROLES[role](*arguments)
    partial = Path(folder, f"{os.getpid()}.partial")
    partial.write_text(outcome, "utf-8")
    partial.rename(partial.with_suffix(".outcome"))


def main() -> None:
    """Begin a process for each line of the input."""
    table_parts.PART_ROWS = PART_ROWS
    engines._WATCH_SECONDS = 0.05
    SPEC.open().link_all(["cook"])
    signal.signal(signal.SIGCHLD, signal.SIG_IGN)  # nobody here waits for them
    for line in sys.stdin:
        process = os.fork()
        if process == 0:
            try:
                _play(*json.loads(line))
            except Exception:
                traceback.print_exc()  # into the log, for nothing else would tell of a defect
            finally:
                sys.stdout.flush()
                sys.stderr.flush()
                os._exit(0)
        sys.stdout.write(f"{process}\n")
        sys.stdout.flush()


if __name__ == "__main__":
    main()
