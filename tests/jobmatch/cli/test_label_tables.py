"""`jobmatch labels import` of tables with codes, and of judgments in other files than an export's own."""

import gzip
import json
from collections.abc import Callable
from pathlib import Path

import pytest
from typer.testing import Result

from jobmatch_core.judgment_origin import Origin
from jobmatch_core.labelling.label_files import read_labels, write_labels
from tests.jobmatch.cli.conftest import Ended
from tests.jobmatch.cli.test_labels import history, kept, link

Cli = Callable[..., Result]


@pytest.fixture(autouse=True)
def no_database(monkeypatch: pytest.MonkeyPatch) -> None:
    """Use a store in the test's own home."""
    monkeypatch.delenv("JOBMATCH_DB", raising=False)


@pytest.fixture
def labels(tmp_path: Path) -> Path:
    """Write a file of judgments."""
    path = tmp_path / "labels.jsonl"
    write_labels(path, history())
    return path


@pytest.mark.first_case
@pytest.mark.parametrize(
    ("name", "content"),
    [
        ("coded.json", '[{"job": "vibe cook", "code": "5120"}]'),
        ("coded.csv", "job#code\nvibe cook#C5120\n"),
        ("coded.tsv.gz", gzip.compress(b"job\tcode\nvibe cook\thttps://data.europa.eu/esco/isco/C5120\n", mtime=0)),
    ],
)
def test_import_by_codes(cli: Cli, tmp_path: Path, name: str, content: str | bytes) -> None:
    """Codes of the taxonomy are accepted instead of URIs in any table."""
    table = tmp_path / name
    table.write_bytes(content if isinstance(content, bytes) else content.encode())
    separator = ("--separator", "#") if "#" in str(content) else ()
    options = ("--annotator", "Ann", "--titles", "job", "--uris", "code", "--taxonomy", "isco-08", *separator)
    cli("labels", "import", table, *options)
    assert [each.pair for each in kept()] == [link("vibe cook")]


@pytest.mark.parametrize("ending", ["jsonl.gz", "json"])
def test_import_of_other_files_of_judgments(cli: Cli, labels: Path, tmp_path: Path, ending: str) -> None:
    """Exports that other tools saved again give the same history."""
    path = tmp_path / f"again.{ending}"
    lines = labels.read_bytes()
    path.write_bytes(gzip.compress(lines) if ending == "jsonl.gz" else b"[" + b",".join(lines.splitlines()) + b"]")
    cli("labels", "import", path)
    assert kept() == list(read_labels(labels))


def test_import_below_a_heading(cli: Cli, tmp_path: Path) -> None:
    """The header is the row with the columns, or the given row."""
    table = tmp_path / "coded.csv"
    table.write_bytes("Codiert im Mai\n\nBeruf;Code\nKüchenfee;5120\n".encode("cp1252"))
    options = ("--annotator", "Ann", "--taxonomy", "isco-08", "--uris")
    cli("labels", "import", table, *options, "Code", "--titles", "Beruf")
    assert [each.pair for each in kept()] == [link("Küchenfee")]
    table.write_text("Küchenhexe;5120\n", "utf-8")
    cli("labels", "import", table, *options, "column 2", "--titles", "column 1", "--header-row", "0")
    assert [each.pair for each in kept()][1:] == [link("Küchenhexe")]


def test_a_table_that_somebody_coded(cli: Cli, run_main: Callable[..., Ended], tmp_path: Path) -> None:
    """With --looked-at its rows count as looked at, also in a second import; projects say so for each cell."""
    table = tmp_path / "coded.csv"
    table.write_text("job,code\nvibe cook,5120\n", "utf-8")
    options = ("--annotator", "Ann", "--titles", "job", "--uris", "code", "--taxonomy", "isco-08", "--json")
    runs = [(), ("--looked-at",), ("--looked-at",), ()]
    new = [json.loads(cli("labels", "import", table, *options, *each).stdout)["new"] for each in runs]
    assert new == [1, 1, 0, 0]
    assert [each.provenance.origin for each in kept()] == [Origin.BULK, Origin.LOOKED_AT]
    project = run_main("labels", "import", tmp_path / "p.tar.gz", "--annotator", "Ann", "--looked-at")
    assert (project.code, "leave out --looked-at" in project.err) == (2, True)


@pytest.mark.parametrize("options", [("--looked-at",), ("--header-row", "0")])
def test_options_of_tables_alone(run_main: Callable[..., Ended], labels: Path, options: tuple[str, ...]) -> None:
    """They are refused for a file of judgments."""
    ended = run_main("labels", "import", labels, *options)
    assert (ended.code, "add --annotator" in " ".join(ended.err.split())) == (2, True)
