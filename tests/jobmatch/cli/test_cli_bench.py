"""`jobmatch bench`: what it prints. The figures are tested in tests/core/benchmarks/test_link_speed.py."""

import json
from collections.abc import Callable
from dataclasses import fields
from pathlib import Path
from typing import Any

import pytest
from typer.testing import Result

from jobmatch.cli import bench
from jobmatch_core.benchmarks.link_speed import LinkSpeed
from jobmatch_core.errors import LinkingError

SPEED = LinkSpeed(
    taxonomy="tiny-1",
    names=1234,
    import_s=1.5,
    import_mb=600.25,
    load_s=0.05,
    link_p50_ms=9.876,
    link_p95_ms=20.0,
    batch_titles_per_s=1500.0,
    rss_mb=300.0,
    one_worker_titles_per_s=1400.0,
    two_workers_titles_per_s=2600.0,
    two_workers_ratio=1.86,
    worker_mb=437.5,
    english_titles_per_s=2000.0,
    rapidfuzz_titles_per_s=100.0,
    rapidfuzz_cdist_titles_per_s=900.0,
    rapidfuzz_ratio=20.0,
)


@pytest.fixture
def _measured(monkeypatch: pytest.MonkeyPatch) -> None:
    """Return fixed figures."""
    monkeypatch.setattr(bench, "measure_link_speed", lambda source, progress: SPEED)


@pytest.mark.usefixtures("_measured")
def test_json_has_every_figure(cli: Callable[..., Result], tmp_path: Path) -> None:
    """Each field under its own name, unrounded."""
    printed = json.loads(cli("bench", tmp_path, "--json").stdout)
    assert printed == {field.name: getattr(SPEED, field.name) for field in fields(LinkSpeed)}


@pytest.mark.usefixtures("_measured")
def test_a_table_for_people(cli: Callable[..., Result], tmp_path: Path) -> None:
    """Floats with two decimals, whole numbers unchanged."""
    lines = cli("bench", tmp_path).stdout.splitlines()
    rows = dict([cell.strip() for cell in line.strip("│").split("│")] for line in lines if line.startswith("│"))
    assert (rows["taxonomy"], rows["names"], rows["link_p50_ms"]) == ("tiny-1", "1234", "9.88")
    assert rows["batch_titles_per_s"] == "1,500.00"


def test_a_source_that_cannot_be_imported(run_main: Callable[..., Any], monkeypatch: pytest.MonkeyPatch) -> None:
    """One line of error, and no table."""

    def failing(source: Path, **_: Any) -> LinkSpeed:
        raise LinkingError(f"The import failed: {source.name}: there is no such file or folder")

    monkeypatch.setattr(bench, "measure_link_speed", failing)
    ended = run_main("bench", "missing.csv")
    assert (ended.code, ended.out) == (2, "")
    assert ended.err == "jobmatch: The import failed: missing.csv: there is no such file or folder\n"
