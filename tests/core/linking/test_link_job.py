"""Jobs over parts: one Parquet part per input part, of one model, resumable, equal on every engine."""

import csv
import json
from collections.abc import Callable, Iterable, Iterator
from functools import partial
from pathlib import Path
from typing import Any

import fsspec
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from jobmatch_core.engines import InProcess, Processes, opened_engine
from jobmatch_core.errors import DataFileError, EngineError, LinkingError
from jobmatch_core.io import table_parts
from jobmatch_core.io.table_parts import CsvLayout
from jobmatch_core.linking.batch import link_file
from jobmatch_core.linking.link_job import MANIFEST, BatchLinker, JobReport, link_parts
from jobmatch_core.linking.store import LinkerSpec
from tests.core.linking.made_files import TITLED

LINKER = BatchLinker(LinkerSpec(encoder=None), "title")
TITLES = ["cook", "Krankenschwester", "", "zzzz", "Koch (m/w/d)", "cook", "baker", "Leiter Einkauf", "Lehrerin", "cook"]
COLUMNS = {"n": range(10), "title": TITLES}


@pytest.fixture(autouse=True)
def small_parts(lexical_environment: None, monkeypatch: pytest.MonkeyPatch) -> None:
    """Link without an encoder, in parts of four rows."""
    monkeypatch.setattr(table_parts, "PART_ROWS", 4)


@pytest.fixture
def big(tmp_path: Path) -> Path:
    """Write a large table: ten rows in row groups of three, so that parts cross row groups."""
    path = tmp_path / "big.parquet"
    pq.write_table(pa.table(COLUMNS), path, row_group_size=3)
    return path


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """Write a folder of parts: Parquet, CSV in a subfolder, one without rows, and files that are no parts."""
    place = tmp_path / "adverts"
    (place / "country=de").mkdir(parents=True)
    pq.write_table(pa.table(COLUMNS).slice(0, 6), place / "a.parquet")
    with (place / "country=de" / "b.csv").open("w", encoding="utf-8", newline="") as file:
        csv.writer(file).writerows([("n", "title"), *zip(range(6, 10), TITLES[6:], strict=True)])
    pq.write_table(pa.table(COLUMNS).slice(0, 0), place / "empty.parquet")
    (place / "_SUCCESS").touch()
    (place / ".a.parquet.crc").touch()
    (place / "readme.md").write_text("adverts", "utf-8")
    return place


def contents(out: Path) -> dict[str, bytes]:
    """Return the bytes of each file in a folder."""
    return {str(path.relative_to(out)): path.read_bytes() for path in sorted(out.rglob("*")) if path.is_file()}


def written(out: Path) -> dict[str, int]:
    """Return the modification time of each part."""
    return {path.name: path.stat().st_mtime_ns for path in out.rglob("*.parquet")}


def stopped_after(parts: int) -> Callable[[int, int], None]:
    """Return a progress callback that interrupts a job after some parts."""

    def progress(done: int, _: int) -> None:
        if done == parts:
            raise KeyboardInterrupt

    return progress


def test_a_large_file_has_a_part_for_every_few_rows(big: Path, tmp_path: Path) -> None:
    """Together the parts equal the output of `link_file`."""
    out, whole = tmp_path / "out", tmp_path / "whole.parquet"
    seen: list[tuple[int, int]] = []
    report = link_parts(LINKER, str(big), str(out), progress=lambda *step: seen.append(step))
    assert report == JobReport(parts=3, linked=3, rows=10)
    assert seen == [(1, 3), (2, 3), (3, 3)]
    assert list(contents(out)) == [f"big-00000{number}.parquet" for number in range(3)]
    assert [pq.read_metadata(path).num_rows for path in sorted(out.iterdir())] == [4, 4, 2]
    link_file(LINKER.spec.open(), big, whole, layout=TITLED)
    assert (
        pa.concat_tables([pq.read_table(path) for path in sorted(out.iterdir())]).to_pylist()
        == pq.read_table(whole).to_pylist()
    )


def test_a_large_csv(tmp_path: Path) -> None:
    """Cells are texts; encoding and header row can be set."""
    source, out = tmp_path / "big.csv", tmp_path / "out"
    rows = "".join(f"{number};Bäcker{number}\n" for number in range(9))
    source.write_text(f"adverts\nn;title\n{rows}", "cp1252")
    report = link_parts(LINKER, str(source), str(out), layout=CsvLayout("cp1252", 2))
    assert report == JobReport(parts=3, linked=3, rows=9)
    tables = [pq.read_table(path) for path in sorted(out.iterdir())]
    assert [row["title"] for table in tables for row in table.to_pylist()] == [f"Bäcker{n}" for n in range(9)]
    assert {str(table.schema.field("n").type) for table in tables} == {"string"}


def test_a_folder_has_a_part_for_each_file(folder: Path, tmp_path: Path) -> None:
    """In the same subfolders; a part without rows has all columns."""
    out = tmp_path / "out"
    assert link_parts(LINKER, str(folder), str(out)) == JobReport(parts=3, linked=3, rows=10)
    assert list(contents(out)) == ["a.parquet", "country=de/b.parquet", "empty.parquet"]
    assert pq.read_table(out / "a.parquet")["title"].to_pylist() == TITLES[:6]
    assert pq.read_table(str(out / "country=de" / "b.parquet"), partitioning=None)["n"].to_pylist() == list("6789")
    assert pq.read_schema(out / "empty.parquet").equals(pq.read_schema(out / "a.parquet"))


def test_provenance_of_a_part(big: Path, tmp_path: Path) -> None:
    """Its metadata has the provenance and the number of rows."""
    out = tmp_path / "out"
    link_parts(LINKER, str(big), str(out))
    manifest = json.loads(pq.read_metadata(out / "big-000002.parquet").metadata[MANIFEST.encode()])
    assert manifest["rows"] == 2
    assert manifest | {"source": "", "rows": 0} == json.loads(json.dumps(LINKER.provenance())) | {
        "source": "",
        "rows": 0,
    }


@pytest.mark.parametrize("protocol", ["file", "memory"])
def test_addresses(big: Path, tmp_path: Path, protocol: str) -> None:
    """Parts are equal in every file system; no other files are left."""
    out = tmp_path / "out"
    link_parts(LINKER, str(big), str(out))
    place = f"{protocol}://{tmp_path}/there"
    system = fsspec.filesystem(protocol)
    system.makedirs(f"{tmp_path}/there", exist_ok=True)
    system.pipe(f"{tmp_path}/there/big.parquet", big.read_bytes())
    try:
        report = link_parts(LINKER, f"{place}/big.parquet", f"{protocol}://{tmp_path}/linked")
        assert report == JobReport(parts=3, linked=3, rows=10)
        parts = {Path(path).name: system.cat(path) for path in system.find(f"{tmp_path}/linked")}
        assert list(parts) == list(contents(out))
        for name in parts:
            assert pq.read_table(pa.BufferReader(parts[name])).equals(pq.read_table(out / name))
        again = link_parts(LINKER, f"{place}/big.parquet", f"{protocol}://{tmp_path}/linked", resume=True)
        assert again == JobReport(parts=3, linked=0, rows=10)
    finally:
        system.rm(f"{tmp_path}/there", recursive=True)
        system.rm(f"{tmp_path}/linked", recursive=True)


def test_finished_parts_are_kept(big: Path, tmp_path: Path) -> None:
    """Only missing and damaged parts are linked, with the same bytes."""
    out, whole = tmp_path / "out", tmp_path / "whole"
    link_parts(LINKER, str(big), str(whole))
    with pytest.raises(KeyboardInterrupt):
        link_parts(LINKER, str(big), str(out), progress=stopped_after(2))
    assert len(contents(out)) == 2
    (out / ".big-000002.tmp-0123abcd.parquet").write_bytes(b"half")
    (out / "big-000001.parquet").write_bytes(b"PAR1 cut")
    before = written(out)
    assert link_parts(LINKER, str(big), str(out), resume=True) == JobReport(parts=3, linked=2, rows=10)
    assert contents(out) == contents(whole)
    assert written(out)["big-000000.parquet"] == before["big-000000.parquet"]


def test_parts_of_a_lost_worker_are_kept(big: Path, tmp_path: Path) -> None:
    """A part that was finished by a lost worker is not linked again."""
    out = tmp_path / "out"

    class Twice(InProcess):
        def map(self, work: Callable[[Any], Any], tasks: Iterable[Any]) -> Iterator[Any]:
            for task in tasks:
                rows, times = work(task), written(out)
                assert (work(task), written(out)) == (rows, times)
                yield rows

    assert link_parts(LINKER, str(big), str(out), engine=Twice()) == JobReport(parts=3, linked=3, rows=10)


def test_a_source_that_changed_is_linked_again(folder: Path, tmp_path: Path) -> None:
    """The parts of unchanged files stay."""
    out = tmp_path / "out"
    link_parts(LINKER, str(folder), str(out))
    before = written(out)
    pq.write_table(pa.table(COLUMNS).slice(4), folder / "a.parquet")
    assert link_parts(LINKER, str(folder), str(out), resume=True) == JobReport(parts=3, linked=1, rows=10)
    after = written(out)
    assert [name for name in before if before[name] != after[name]] == ["a.parquet"]
    assert pq.read_table(out / "a.parquet")["title"].to_pylist() == TITLES[4:]


@pytest.mark.first_case
@pytest.mark.parametrize(
    ("other", "what"),
    [
        (BatchLinker(LinkerSpec(encoder=None, show="de"), "title"), "show"),
        (BatchLinker(LinkerSpec(encoder=None, precision=0.99), "title"), "linker and precision"),
        (BatchLinker(LinkerSpec(encoder=None), "n"), "column"),
    ],
)
def test_parts_of_two_models_never_mix(big: Path, tmp_path: Path, other: BatchLinker, what: str) -> None:
    """`resume` is refused, with the names of the differences, and changes nothing."""
    out = tmp_path / "out"
    link_parts(LINKER, str(big), str(out))
    before = contents(out)
    with pytest.raises(LinkingError, match=f"linked with another {what}; parts of two jobs must not mix"):
        link_parts(other, str(big), str(out), resume=True)
    assert contents(out) == before


def test_a_folder_with_parts_needs_resume(big: Path, tmp_path: Path) -> None:
    """Hours of work are not replaced because of a forgotten option."""
    out = tmp_path / "out"
    link_parts(LINKER, str(big), str(out))
    before = contents(out)
    with pytest.raises(LinkingError, match="has 3 parts already; run the command again with --resume"):
        link_parts(LINKER, str(big), str(out))
    assert contents(out) == before


@pytest.mark.parametrize("name", ["notes.txt", "other.parquet"])
def test_a_folder_of_something_else(big: Path, tmp_path: Path, name: str) -> None:
    """Other files in the output folder are never replaced."""
    out = tmp_path / "out"
    out.mkdir()
    pq.write_table(pa.table({"a": [1]}), out / name)
    with pytest.raises(LinkingError, match=f"{name} is in the output folder, but was not written by jobmatch"):
        link_parts(LINKER, str(big), str(out), resume=True)
    assert list(contents(out)) == [name]


def test_a_worker_with_another_index(big: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A worker whose index differs writes nothing."""
    there: Iterator[dict[str, object]] = iter([LINKER.provenance(), LINKER.provenance() | {"lexicon": "older"}])
    monkeypatch.setattr(BatchLinker, "provenance", lambda _: next(there))
    with pytest.raises(LinkingError, match="A worker's lexicon differs from that of the process that started"):
        link_parts(LINKER, str(big), str(tmp_path / "out"))
    assert not (tmp_path / "out").exists()


@pytest.mark.parametrize("out", [".", "adverts", "adverts/linked"])
def test_input_and_output_lie_apart(folder: Path, tmp_path: Path, out: str) -> None:
    """The next run would link an output within the input."""
    before = contents(folder)
    with pytest.raises(LinkingError, match="overlap; give another --out"):
        link_parts(LINKER, str(folder), str(tmp_path / out))
    assert contents(folder) == before


@pytest.mark.parametrize(
    ("source", "message"),
    [
        ("nowhere", "nowhere: there is no such file or folder"),
        ("nothing", "nothing: this folder has no .parquet and no .csv files"),
        ("table.xlsx", "table.xlsx: a folder of parts is made from .parquet or .csv"),
        ("broken.parquet", "broken.parquet: this is not a Parquet file"),
    ],
)
def test_sources_that_cannot_be_read(tmp_path: Path, source: str, message: str) -> None:
    """The message names the file and the reason."""
    (tmp_path / "nothing").mkdir()
    for name in ("table.xlsx", "broken.parquet"):
        (tmp_path / name).write_bytes(b"no table")
    with pytest.raises(DataFileError, match=message):
        link_parts(LINKER, str(tmp_path / source), str(tmp_path / "out"))


def test_an_unknown_protocol(tmp_path: Path) -> None:
    """An error for users, not a traceback of fsspec."""
    with pytest.raises(DataFileError, match="cannot be opened"):
        link_parts(LINKER, "nothing://bucket/adverts", str(tmp_path / "out"))


def test_two_files_of_one_name(tmp_path: Path) -> None:
    """Their parts would replace each other."""
    place = tmp_path / "in"
    place.mkdir()
    for name in ("a.csv", "a.tsv"):
        (place / name).write_text("title\ncook\n", "utf-8")
    with pytest.raises(DataFileError, match=r"a.tsv: its output would have the same name as that of a.csv"):
        link_parts(LINKER, str(place), str(tmp_path / "out"))


def test_a_disk_that_refuses(big: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The message names the part and what to do; no partial file stays."""

    def refuse(*_: Any) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(pq.ParquetWriter, "write_batch", refuse)
    with pytest.raises(LinkingError, match=r"big-000000.parquet could not be written \(No space left.*--resume"):
        link_parts(LINKER, str(big), str(tmp_path / "out"))
    assert contents(tmp_path / "out") == {}


def test_a_lost_worker(big: Path, tmp_path: Path) -> None:
    """The message says how to resume."""

    class Lost:
        def map(self, work: Callable[[Any], Any], tasks: Iterable[Any]) -> Iterator[Any]:
            raise EngineError("A worker process ended.")

    with pytest.raises(LinkingError, match=r"A worker process ended\. Run the command again with --resume"):
        link_parts(LINKER, str(big), str(tmp_path / "out"), engine=Lost())


@pytest.mark.thorough
@pytest.mark.filterwarnings("default::ResourceWarning", "default::DeprecationWarning")  # Dask's own
@pytest.mark.parametrize("engine", ["local", "dask"])
def test_every_engine_gives_the_same_bytes(big: Path, tmp_path: Path, engine: str) -> None:
    """Two processes, and a cluster of two, against one process, with the shipped index."""
    alone, together = tmp_path / "alone", tmp_path / "together"
    link_parts(LINKER, str(big), str(alone))
    with opened_engine(engine, 2) as workers:
        link_parts(LINKER, str(big), str(together), engine=workers)
    assert contents(together) == contents(alone)


@pytest.mark.long
def test_two_processes_link_a_file_to_the_same_bytes(
    big: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """In parts of four rows."""
    monkeypatch.setattr("jobmatch_core.linking.batch.PART_ROWS", 4)
    alone, together = tmp_path / "alone.csv", tmp_path / "together.csv"
    linker = LINKER.spec.open()
    link_file(linker, big, alone, layout=TITLED)
    with Processes(2) as engine:
        link_file(linker, big, together, layout=TITLED, links=partial(engine.map, LINKER.link_records))
    assert together.read_bytes() == alone.read_bytes()
