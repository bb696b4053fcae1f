"""Small files that a reader without limits takes minutes or gigabytes for.

Each is read in a process with little memory and time, so that a limit that is missing fails here and harms nobody.
"""

import resource
from collections.abc import Callable
from multiprocessing.connection import Connection
from multiprocessing.context import ForkServerContext
from pathlib import Path

import pytest

from jobmatch_core.descriptions.postings import Posting, read_postings
from jobmatch_core.entities import Judgment
from jobmatch_core.errors import JobMatchError
from jobmatch_core.io.tables import first_rows, read_table, table_format
from jobmatch_core.labelling.label_files import read_labels
from jobmatch_core.taxonomy.readers import read_custom
from jobmatch_core.titles.skill_bags import posting_bags
from tests.exhausting_files import BEARABLE, EXHAUSTING
from tests.hostile_files import MEGABYTE, Maker, gzip_bomb, long_line, written
from tests.sampled import sampled

MOST_MEMORY = 700 * MEGABYTE
MOST_ADDRESSES = 6 << 30  # libraries reserve far more than they use
MOST_SECONDS = 60


def _measured(read: Callable[[Path], object], path: Path, answers: Connection) -> None:
    resource.setrlimit(resource.RLIMIT_AS, (MOST_ADDRESSES, MOST_ADDRESSES))
    resource.setrlimit(resource.RLIMIT_CPU, (MOST_SECONDS, MOST_SECONDS))
    try:
        answer = read(path)
    except JobMatchError as error:
        answer = str(error)
    answers.send((answer, resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024))


def _count(path: Path) -> int:
    return sum(len(batch) for batch in read_table(path))


def _postings(path: Path) -> list[Posting]:
    return list(read_postings(path))


def _labels(path: Path) -> list[Judgment]:
    return list(read_labels(path))


def _taxonomy(path: Path) -> int:
    return len(read_custom(path).names)


OTHER_READERS: dict[str, tuple[Callable[[Path], object], str, Maker, str]] = {
    "packed postings that never end": (_postings, "t.jsonl.gz", gzip_bomb, "a row is over 16 MB"),
    "packed skills that never end": (posting_bags, "t.jsonl.gz", gzip_bomb, "a row is over 16 MB"),
    "a taxonomy in one line": (_taxonomy, "t.csv", long_line, "a row is over 16 MB"),
    "a taxonomy with many columns": (_taxonomy, "t.csv", written(b"a," * 100_000), "a table may have at most 2,000"),
    "labels in one line": (_labels, "t.csv", long_line, "a row is over 16 MB"),
    "labels in one line of JSON": (_labels, "t.jsonl", long_line, "a row is over 16 MB"),
    "labels with many columns": (_labels, "t.csv", written(b"a," * 100_000), "a table may have at most 2,000"),
}


@pytest.fixture(scope="module")
def processes(fork_from: Callable[..., ForkServerContext]) -> ForkServerContext:
    """Start processes that have read the libraries already."""
    return fork_from(__name__)


@pytest.fixture
def apart(processes: ForkServerContext) -> Callable[[Callable[[Path], object], Path], object]:
    """Return what a function makes of a file within the limits."""

    def answer(read: Callable[[Path], object], path: Path) -> object:
        answers, end = processes.Pipe(duplex=False)
        process = processes.Process(target=_measured, args=(read, path, end))
        process.start()
        end.close()
        try:
            said, memory = answers.recv()
        except EOFError:
            pytest.fail(f"reading {path.name} took more than {MOST_SECONDS} s or the memory")
        finally:
            process.join()
        assert memory < MOST_MEMORY
        return said

    return answer


@pytest.mark.first_case
@pytest.mark.parametrize(("ending", "maker", "refusal"), sampled(EXHAUSTING, every=4))
def test_what_exhausts_is_refused(
    tmp_path: Path, apart: Callable[[Callable[[Path], object], Path], object], ending: str, maker: Maker, refusal: str
) -> None:
    """The error says what is too large."""
    answer = apart(_count, maker(tmp_path / f"t.{ending}"))
    assert isinstance(answer, str), answer
    assert answer.startswith("t.")
    assert refusal in answer


@pytest.mark.parametrize(("ending", "maker", "rows"), sampled(BEARABLE, every=3))
def test_what_only_looks_large_is_read(
    tmp_path: Path, apart: Callable[[Callable[[Path], object], Path], object], ending: str, maker: Maker, rows: int
) -> None:
    """Rows that are left out, sizes that are untrue, sheets that nobody asks for, a text that many rows share."""
    path = maker(tmp_path / f"t.{ending}")
    assert apart(_count, path) == rows
    if table_format(path) == "xlsx":
        assert len(first_rows(path, 5)) <= 5


@pytest.mark.parametrize(("read", "name", "maker", "refusal"), sampled(OTHER_READERS, every=4))
def test_other_readers_have_the_same_limits(
    tmp_path: Path,
    apart: Callable[[Callable[[Path], object], Path], object],
    read: Callable[[Path], object],
    name: str,
    maker: Maker,
    refusal: str,
) -> None:
    """Labels, taxonomies, and what gzip has packed."""
    assert refusal in str(apart(read, maker(tmp_path / name)))
