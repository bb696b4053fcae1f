"""Jobs over parts, whose client or a worker is killed at random moments and which are then resumed.

No row is missing or double, and no finished part is done again.
"""

import os
import random
import signal
import subprocess
import sys
import time
from contextlib import suppress
from pathlib import Path

import psutil
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

pytestmark = pytest.mark.thorough  # processes that are killed

FEW, MANY = 1, 20
ROWS, PART_ROWS = 12_000, 1000
TITLES = ["nurse", "Koch (m/w/d)", "chauffeur de bus", "Senior Baker", "xyzzy", "data analyst", "Lehrerin"]
WORKER = ("job.py", "spawn_main")  # copies of the client, and new processes
PROGRAM = f"""
import sys
from jobmatch_core.io import table_parts
from jobmatch_core.linking.batches import BatchLinker
from jobmatch_core.linking.engines import opened_engine
from jobmatch_core.linking.link_job import link_parts
from jobmatch_core.linking.linker_spec import LinkerSpec

if __name__ == "__main__":
    table_parts.PART_ROWS = {PART_ROWS}
    source, out, engine = sys.argv[1:]
    spec = LinkerSpec(encoder=None)
    spec.open()
    with opened_engine(engine, 2) as workers:
        linker = BatchLinker(spec, "title")
        print(link_parts(linker, source, out, engine=workers, resume=True).linked)
"""


class Job:
    """A job in processes of its own."""

    def __init__(self, home: Path, place: Path, engine: str) -> None:
        self.out = place / "out"
        program = place / "job.py"
        program.write_text(PROGRAM, "utf-8")
        command = [sys.executable, str(program), str(place / "big.parquet"), str(self.out), engine]
        environment = os.environ | {"JOBMATCH_HOME": str(home), "PYTHONPATH": str(Path(__file__).parents[2])}
        self.process = subprocess.Popen(
            command, env=environment, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
        )

    def workers(self) -> list[psutil.Process]:
        """Return the processes that link."""
        try:
            started = psutil.Process(self.process.pid).children(recursive=True)
            return [each for each in started if any(word in " ".join(each.cmdline()) for word in WORKER)]
        except psutil.NoSuchProcess:
            return []

    def parts(self) -> dict[str, int]:
        """Return when each finished part was written."""
        return {path.name: path.stat().st_mtime_ns for path in self.out.glob("big-*.parquet")}


@pytest.fixture
def place(tmp_path: Path) -> Path:
    """Write a table of twelve parts."""
    titles = [f"{TITLES[n % len(TITLES)]} {n}" for n in range(ROWS)]
    pq.write_table(pa.table({"n": range(ROWS), "title": titles}), tmp_path / "big.parquet")
    return tmp_path


def ends(processes: list[psutil.Process]) -> bool:
    """Wait for processes, a minute at most, and say whether all came to their end."""
    return not psutil.wait_procs(processes, timeout=60)[1]


@pytest.mark.parametrize(
    ("victim", "n_kills"),
    [
        ("client", FEW),
        ("worker", FEW),
        *(
            pytest.param(victim, MANY, marks=pytest.mark.faults)
            for victim in ("client", "worker", "dask client", "dask worker")
        ),
    ],
)
def test_killed_and_resumed(lexical_home: Path, place: Path, victim: str, n_kills: int) -> None:
    """After every kill the finished parts are whole and stay as they are; at the end every row is there once."""
    engine = "dask" if victim.startswith("dask") else "local"
    draw = random.Random(victim)
    struck = 0
    kept: dict[str, int] = {}
    while struck < n_kills:
        job = Job(lexical_home, place, engine)
        begun = len(kept)
        while len(job.parts()) <= begun and job.process.poll() is None:
            time.sleep(0.01)
        time.sleep(draw.uniform(0, 0.3))
        workers = job.workers()
        doomed = [job.process.pid] if victim.endswith("client") else [each.pid for each in workers]
        if job.process.poll() is not None or not doomed:
            job.process.communicate()
            for path in sorted(job.out.glob("big-*.parquet"))[::2]:
                path.unlink()  # it was through: half of it is to be done once more
            kept = job.parts()
            continue
        with suppress(ProcessLookupError):  # it has just come to its end
            os.kill(draw.choice(doomed), signal.SIGKILL)
        struck += 1
        job.process.communicate(timeout=120)
        assert ends(workers), "a worker outlived its client"
        parts = job.parts()
        assert kept.items() <= parts.items(), "a finished part was done again"
        assert all(pq.read_metadata(job.out / name).num_rows == PART_ROWS for name in parts)
        kept = parts
    last = Job(lexical_home, place, engine)
    assert int(last.process.communicate()[0]) == ROWS // PART_ROWS - len(kept)
    assert kept.items() <= last.parts().items()
    tables = [pq.read_table(path) for path in sorted(last.out.iterdir())]
    assert pa.concat_tables(tables)["n"].to_pylist() == list(range(ROWS))
