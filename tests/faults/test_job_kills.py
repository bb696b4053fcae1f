"""Jobs over parts, of which a process is killed at random moments and which are then resumed; full disk, cut network.

No row is missing or double, no finished part is done again, and who ran the command is told what to do.
"""

import json
import os
import random
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import closing, suppress
from pathlib import Path

import psutil
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from tests.faults.job_program import PART_ROWS
from tests.faults.small_disk import mounted
from tests.faults.two_hosts import two_hosts

pytestmark = pytest.mark.thorough  # processes that are killed

FEW, MANY = 1, 20
PARTS = 60
ROWS = PARTS * PART_ROWS
PATIENCE = 180  # seconds until something is a hang; Dask waits half a minute for a worker lost while it connects
TITLES = ["nurse", "Koch (m/w/d)", "chauffeur de bus", "Senior Baker", "xyzzy", "data analyst", "Lehrerin"]
kills = pytest.mark.parametrize("n_kills", [FEW, pytest.param(MANY, marks=pytest.mark.long)])


def has_ended(process: psutil.Process) -> bool:
    """Return whether a process is no more, or only waits for its parent to notice."""
    try:
        return process.status() in (psutil.STATUS_ZOMBIE, psutil.STATUS_DEAD)
    except psutil.NoSuchProcess:
        return True


def children(process: psutil.Process) -> list[psutil.Process]:
    """Return the processes that a process has begun; none where it has ended."""
    try:
        return process.children()
    except psutil.NoSuchProcess:
        return []


def wait_for(processes: list[psutil.Process]) -> bool:
    """Wait for processes, and say whether all came to their end."""
    deadline = time.monotonic() + PATIENCE
    while not all(map(has_ended, processes)) and time.monotonic() < deadline:
        time.sleep(0.005)
    return all(map(has_ended, processes))


class Program:
    """What begins the processes of a job, in a network namespace if a prefix of its command says so."""

    def __init__(self, home: Path, folder: Path, *prefix: str) -> None:
        self._folder = folder
        self._program = subprocess.Popen(
            [*prefix, sys.executable, "-m", "tests.faults.job_program"],
            env=os.environ | {"JOBMATCH_HOME": str(home)},
            cwd=Path(__file__).parents[2],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        )
        self._begun: list[psutil.Process] = []

    def begin(self, role: str, *arguments: str) -> psutil.Process:
        """Begin a process."""
        assert self._program.stdin
        assert self._program.stdout
        self._program.stdin.write(json.dumps([str(self._folder), role, *arguments]) + "\n")
        self._program.stdin.flush()
        self._begun.append(process := psutil.Process(int(self._program.stdout.readline())))
        return process

    def close(self) -> None:
        """End all processes."""
        for process in self._begun:
            with suppress(psutil.NoSuchProcess):
                process.kill()
        self._program.communicate()


class Stage:
    """The program that begins processes, and a table to link."""

    def __init__(self, home: Path, folder: Path, *prefix: str) -> None:
        self.folder = folder
        self.out = folder / "out"
        self.source = folder / "big.parquet"
        titles = [f"{TITLES[n % len(TITLES)]} {n % 3}" for n in range(ROWS)]
        pq.write_table(pa.table({"n": range(ROWS), "title": titles}), self.source)
        self._program = Program(home, folder, *prefix)
        self.begin, self.close = self._program.begin, self._program.close

    def client(self, engine: str) -> psutil.Process:
        """Begin a job, or go on with it."""
        return self.begin("client", str(self.source), str(self.out), engine)

    def outcome(self, client: psutil.Process) -> str:
        """Return how a job ended; '' if it was killed."""
        assert wait_for([client]), "a hang"
        path = self.folder / f"{client.pid}.outcome"
        return path.read_text("utf-8") if path.exists() else ""

    def parts(self) -> dict[str, int]:
        """Return when each finished part was written."""
        return {path.name: path.stat().st_mtime_ns for path in self.out.glob("big-*.parquet")}

    def wait_for_a_part(self, client: psutil.Process, begun: int) -> None:
        """Wait until there are more parts than at the beginning, or the job has ended."""
        while len(self.parts()) <= begun and not has_ended(client):
            time.sleep(0.005)

    def under_way(self, engine: str, draw: random.Random) -> tuple[psutil.Process, dict[str, int]]:
        """Go on with a job, some of which is undone where it was finished; return it, and the parts that it began with.

        It is at a random moment after it has finished a part of its own.
        """
        self.undo()
        kept = self.parts()
        client = self.client(engine)
        self.wait_for_a_part(client, len(kept))
        time.sleep(draw.uniform(0, 0.1))
        return client, kept

    def undo(self) -> None:
        """Remove every second part, if all are there, so that there is something to do."""
        if len(parts := sorted(self.parts())) == PARTS:
            for name in parts[::2]:
                (self.out / name).unlink()


class Cluster:
    """A Dask scheduler and two workers, each a process of its own."""

    def __init__(self, stage: Stage) -> None:
        self._stage = stage
        with socket.socket() as free:
            free.bind(("127.0.0.1", 0))
            self.address = f"tcp://127.0.0.1:{free.getsockname()[1]}"
        self.begin()

    def begin(self) -> None:
        """Begin all three."""
        self.scheduler = self._stage.begin("scheduler", self.address)
        self.workers = [self.worker() for _ in range(2)]

    def worker(self) -> psutil.Process:
        """Begin a worker."""
        return self._stage.begin("worker", self.address, str(self._stage.folder))

    def renew(self) -> None:
        """End all three with whatever a client that is gone left to them, and begin others."""
        gone = [self.scheduler, *self.workers]
        for process in gone:
            with suppress(psutil.NoSuchProcess):
                process.kill()
        assert wait_for(gone), "what was killed did not end"
        self.begin()


@pytest.fixture
def stage(lexical_home: Path, tmp_path: Path) -> Iterator[Stage]:
    """Give a table of sixty parts, and what links it."""
    stage = Stage(lexical_home, tmp_path)
    try:
        yield stage
    finally:
        stage.close()


def check_kept(stage: Stage, kept: dict[str, int]) -> dict[str, int]:
    """Return the finished parts; those of before are as they were, and all are whole."""
    parts = stage.parts()
    assert kept.items() <= parts.items(), "a finished part was done again"
    assert all(pq.read_metadata(stage.out / name).num_rows == PART_ROWS for name in parts)
    return parts


def check_finished(stage: Stage, engine: str) -> None:
    """Resume once more: what is missing is linked, and then every row is there once."""
    kept = stage.parts()
    assert stage.outcome(stage.client(engine)) == str(PARTS - len(kept))
    check_kept(stage, kept)
    tables = [pq.read_table(path) for path in sorted(stage.out.iterdir())]
    assert pa.concat_tables(tables)["n"].to_pylist() == list(range(ROWS))


@pytest.mark.long
@kills
@pytest.mark.parametrize("victim", ["client", "worker"])
def test_local_processes(stage: Stage, victim: str, n_kills: int) -> None:
    """A killed client takes its workers along; a killed worker ends the command, which says how to go on."""
    draw = random.Random(victim)
    struck = 0
    while struck < n_kills:
        client, kept = stage.under_way("local", draw)
        workers = children(client)
        if victims := [client] if victim == "client" else workers:
            with suppress(psutil.NoSuchProcess):  # it has just come to its end
                draw.choice(victims).kill()
                struck += 1
        told = stage.outcome(client)
        assert told.isdigit() or (told == "" if victim == "client" else "again with --resume" in told), told
        assert wait_for(workers), "a worker outlived its client"
        check_kept(stage, kept)
    check_finished(stage, "local")


@pytest.mark.long
@kills
def test_clients_of_a_cluster(stage: Stage, n_kills: int) -> None:
    """Its workers go on with the next client."""
    cluster = Cluster(stage)
    draw = random.Random(n_kills)
    struck = 0
    while struck < n_kills:
        client, kept = stage.under_way(cluster.address, draw)
        struck += not has_ended(client)
        with suppress(psutil.NoSuchProcess):
            client.kill()
        settled(stage)
        check_kept(stage, kept)
    cluster.renew()
    check_finished(stage, cluster.address)


def settled(stage: Stage) -> None:
    """Wait until the tasks that a dead client left to workers have ended."""
    parts, still = -1, 0
    while still < 3:
        time.sleep(0.05)
        parts, still = (now, still + 1) if (now := len(stage.parts())) == parts else (now, 0)


@pytest.mark.long
@kills
def test_workers_of_a_cluster(stage: Stage, n_kills: int) -> None:
    """Others do what was theirs, while the command goes on, or ends with a word."""
    cluster = Cluster(stage)
    draw = random.Random(n_kills)
    client = stage.client(cluster.address)
    kept: dict[str, int] = {}
    for _ in range(n_kills):
        stage.wait_for_a_part(client, len(kept))
        time.sleep(draw.uniform(0, 0.1))
        if has_ended(client):
            told = stage.outcome(client)
            assert told.isdigit() or "again with --resume" in told
            stage.undo()
            kept = stage.parts()
            client = stage.client(cluster.address)
        victim = cluster.workers.pop(draw.randrange(2))
        victim.kill()
        cluster.workers.append(cluster.worker())
        kept = check_kept(stage, kept)
    told = stage.outcome(client)
    assert told.isdigit() or "again with --resume" in told
    cluster.renew()
    check_finished(stage, cluster.address)


@pytest.mark.long
@kills
def test_schedulers(stage: Stage, n_kills: int) -> None:
    """The client ends soon and says what to do, and a new scheduler goes on."""
    cluster = Cluster(stage)
    draw = random.Random(n_kills)
    struck = 0
    while struck < n_kills:
        client, kept = stage.under_way(cluster.address, draw)
        cluster.scheduler.kill()
        told = stage.outcome(client)
        struck += not told.isdigit()
        assert told.isdigit() or ("lost" in told and "again with --resume" in told), told
        cluster.renew()  # a worker that had not met its scheduler yet would wait for the next
        check_kept(stage, kept)
    assert "distributed.client" not in (stage.folder / "log.txt").read_text("utf-8"), "Dask's tracebacks"
    check_finished(stage, cluster.address)


@pytest.mark.long
@pytest.mark.parametrize("frozen", ["scheduler", pytest.param("worker", marks=pytest.mark.long)])
def test_what_is_frozen_for_a_while(stage: Stage, frozen: str) -> None:
    """The job goes on with a scheduler, or a worker, that did not answer for a while."""
    cluster = Cluster(stage)
    client, kept = stage.under_way(cluster.address, random.Random(frozen))
    still = cluster.scheduler if frozen == "scheduler" else cluster.workers[0]
    still.suspend()
    time.sleep(2)
    still.resume()
    assert stage.outcome(client) == str(PARTS)
    check_kept(stage, kept)
    cluster.renew()
    check_finished(stage, cluster.address)


@pytest.mark.long
@pytest.mark.parametrize(
    ("scheduler_at", "seconds", "told"),
    [
        pytest.param("far", 8, str(PARTS), id="shortly"),
        pytest.param("far", None, "The connection to the Dask scheduler was lost", id="until the command ends"),
        pytest.param("near", None, str(PARTS), id="to a worker alone"),
    ],
)
def test_a_cut_network(lexical_home: Path, tmp_path: Path, scheduler_at: str, seconds: float | None, told: str) -> None:
    """A job goes on after a short cut, and without a worker that is cut off; otherwise it says what to do."""
    with (
        two_hosts() as (near, far),
        closing(Stage(lexical_home, tmp_path, *near.prefix)) as stage,
        closing(Program(lexical_home, tmp_path, *far.prefix)) as others,
    ):
        host, program = (far, others) if scheduler_at == "far" else (near, stage)
        address = f"tcp://{host.address}:8786"
        program.begin("scheduler", address)
        stage.begin("worker", address, str(tmp_path), near.address)
        others.begin("worker", address, str(tmp_path), far.address)
        client = stage.client(address)
        stage.wait_for_a_part(client, 0)
        with far.cut():
            assert len(stage.parts()) < PARTS
            if seconds is None:
                stage.outcome(client)
            else:
                time.sleep(seconds)
        outcome = stage.outcome(client)
        assert outcome.startswith(told)
        assert outcome.isdigit() or "again with --resume" in outcome
        settled(stage)
        check_finished(stage, address)


@pytest.mark.long
@pytest.mark.parametrize("engine", ["local", "cluster"])
def test_a_full_disk(stage: Stage, tmp_path: Path, engine: str) -> None:
    """It fills up in the middle; the command names the reason, and goes on once there is room."""
    cluster = Cluster(stage) if engine == "cluster" else None
    address = cluster.address if cluster else "local"
    with mounted(tmp_path / "disk", megabytes=8) as disk:
        stage.out = disk.folder / "out"
        client = stage.client(address)
        stage.wait_for_a_part(client, 0)
        with disk.full():
            told = stage.outcome(client)
            kept = stage.parts()
        assert "No space left on device" in told
        assert "again with --resume" in told
        assert 0 < len(kept) < PARTS
        if cluster:
            cluster.renew()
        check_finished(stage, address)
        assert kept.items() <= stage.parts().items()
