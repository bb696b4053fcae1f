"""`jobmatch labels import` of tables with codes, and of judgments in other files than an export's own."""

import gzip
from collections.abc import Callable
from pathlib import Path

import pytest
from typer.testing import Result

from jobmatch_core.labelling.label_files import read_labels, write_labels
from tests.jobmatch.cli.test_labels import history, kept, link

Cli = Callable[..., Result]


@pytest.fixture(autouse=True)
def no_database(monkeypatch: pytest.MonkeyPatch) -> None:
    """The store lies under the test's own home."""
    monkeypatch.delenv("JOBMATCH_DB", raising=False)


@pytest.fixture
def labels(tmp_path: Path) -> Path:
    """Write a file of judgments."""
    path = tmp_path / "labels.jsonl"
    write_labels(path, history())
    return path


@pytest.mark.parametrize(
    ("name", "content"),
    [
        ("coded.json", '[{"job": "vibe cook", "code": "5120"}]'),
        ("coded.csv", "job#code\nvibe cook#C5120\n"),
        ("coded.tsv.gz", gzip.compress(b"job\tcode\nvibe cook\thttps://data.europa.eu/esco/isco/C5120\n", mtime=0)),
    ],
)
def test_import_by_codes(cli: Cli, tmp_path: Path, name: str, content: str | bytes) -> None:
    """Codes of the taxonomy stand for its URIs, in any table."""
    table = tmp_path / name
    table.write_bytes(content if isinstance(content, bytes) else content.encode())
    separator = ("--separator", "#") if "#" in str(content) else ()
    options = ("--annotator", "Ann", "--titles", "job", "--uris", "code", "--taxonomy", "isco-08", *separator)
    cli("labels", "import", table, *options)
    assert [each.pair for each in kept()] == [link("vibe cook")]


@pytest.mark.parametrize("ending", ["jsonl.gz", "json"])
def test_import_of_other_files_of_judgments(cli: Cli, labels: Path, tmp_path: Path, ending: str) -> None:
    """What other tools make of an export is the same history."""
    path = tmp_path / f"again.{ending}"
    lines = labels.read_bytes()
    path.write_bytes(gzip.compress(lines) if ending == "jsonl.gz" else b"[" + b",".join(lines.splitlines()) + b"]")
    cli("labels", "import", path)
    assert kept() == list(read_labels(labels))
